"""The laws that show over several games only: every player gets to move, and every score stays with its player."""

from palabre.core.game import Game
from palabre.core.verbs import State
from palabre.laws.inquiry import Inquiry
from palabre.laws.rules import Future

ENOUGH_GAMES = 5  # random games in which every player has moved at least once, if they ever do
ENOUGH_SWAPS = 8  # plies in which two different scores have changed sides
MOST_OTHERS = 4  # one ply in so many, at most, in which two different scores have not


class Seats:
    """What random games show of the players."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.games = 0  # that have been played to their end
        self.movers: set[int] = set()
        self.swaps = 0
        self.others = 0
        self._before: list[int] | None = None

    def note(self, state: State, future: Future) -> None:
        """Note a position of a game; `future` has the player to move and the scores."""
        player, is_end, _, scores = future
        assert isinstance(player, int)
        assert isinstance(scores, list)
        if not is_end:
            self.movers.add(player)
        shown = scores[: self.game.players]
        if self._before is not None and len(shown) == 2 and self._before[0] != self._before[1]:
            is_swap = shown == self._before[::-1]
            self.swaps += is_swap
            self.others += not is_swap
        self._before = None if is_end else shown

    def idle(self) -> list[int]:
        """The players who have not moved so far."""
        return [player for player in range(self.game.players) if player not in self.movers]

    def check(self, inquiry: Inquiry) -> None:
        """Check what enough games show."""
        inquiry.where = self.game.spec
        idle = self.idle()
        if idle and self.games >= ENOUGH_GAMES:
            inquiry.expect(False, "seats.idle", player=idle[0], games=self.games)
        is_swapping = self.swaps >= ENOUGH_SWAPS and self.others * MOST_OTHERS < self.swaps
        inquiry.expect(not is_swapping, "scores.swap", plies=self.swaps)
