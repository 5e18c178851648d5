"""A match: two bots, many games, in pairs that begin from the same random opening with the seats exchanged."""

from collections.abc import Iterator, Sequence

from palabre.arena.guard import name, teach
from palabre.arena.referee import Played, play_game
from palabre.arena.result import MatchResult, match_result
from palabre.bots.specs import bot
from palabre.core.bits import combine
from palabre.core.dice import roll, shake
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.search.clock import Clock

OPENING_PLIES = 4  # random moves before the bots take over: enough to make games differ, too few to decide them
# Openings and bots draw their seeds from different families.
OPENINGS, LUCK = 3, 5


class Match:
    """Two bots and the games they are to play, one after another; the same seed gives the same match."""

    def __init__(
        self, first: str, second: str, game: Game, games: int, *, clock: Clock | None = None, seed: int = 0
    ) -> None:
        if game.players != 2:
            raise PalabreError(
                f"a match is between two bots, and {game.spec} has {game.players} players; "
                "a championship (palabre championship, still to come) will seat them all"
            )
        if games < 2 or games % 2:
            raise PalabreError(
                f"{games} games cannot be played in pairs, one from each seat; give an even number, "
                f"such as {max(2, games + 1)}"
            )
        self.game = game
        self.games = games
        self.clock = clock or Clock()
        self.seed = seed
        self.bots = (bot(first, game), bot(second, game))

    def play(self) -> Iterator[Played]:
        """Play the games and yield each as it ends. The first bot moves first in the first game of each pair."""
        for player in self.bots:
            teach(player)
        for number in range(self.games):
            luck = combine(combine(OPENINGS, self.seed), number // 2)
            start = self.game.start(luck)
            opening = random_opening(start, OPENING_PLIES, luck)
            yield play_game(
                self.bots if number % 2 == 0 else self.bots[::-1],
                start,
                opening=opening,
                clock=self.clock,
                seed=combine(combine(LUCK, self.seed), number),
                tags={"Round": str(number + 1), "Opening": f"{len(opening)} random plies"},
            )

    def result(self, played: Sequence[Played]) -> MatchResult:
        """What the games so far, at least one, show."""
        return match_result(self.game.spec, (name(self.bots[0]), name(self.bots[1])), played)


def play_match(
    first: str, second: str, game: Game, games: int, *, clock: Clock | None = None, seed: int = 0
) -> MatchResult:
    """Play a match between two bots, named by their specs, to its end.

    The games come in pairs: both games of a pair begin with the same random moves, and each bot has each seat once. So
    `games` is an even number. Every player has this clock in every game. The same seed gives the same openings and
    the same luck.
    """
    match = Match(first, second, game, games, clock=clock, seed=seed)
    return match.result(list(match.play()))


def random_opening(start: Position, plies: int, seed: int) -> list[str]:
    """The first moves of a game, drawn from those that do not end it; fewer if there are none."""
    position = start
    for _ in range(plies):
        choices = [after for after in map(position.play, position.moves()) if not after.is_over]
        if not choices:
            break
        seed = shake(seed)
        position = choices[roll(seed, len(choices))]
    return [move.text for move in position.played[len(start.played) :]]
