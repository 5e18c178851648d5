"""The laws of repetition: in a game with a `repetition_key`, the second time ends the game, whatever looks for it.

`Position` compares with all positions of the game, a search with those that `reversible_plies` leaves, a playout with
none. They agree if the game keeps these laws.
"""

from palabre.core.verbs import MANY_PLIES, State, award_remaining, is_over, repetition_key, reversible_plies, to_move
from palabre.core.words import Message
from palabre.laws.inquiry import Inquiry


class Past:
    """The positions of one game so far."""

    def __init__(self, inquiry: Inquiry) -> None:
        self.inquiry = inquiry
        self.plies = 0
        self.has_ended = False
        self._seen: dict[
            int, tuple[int, object, str | Message]
        ] = {}  # by their key: the ply, what can be played, the text
        self._has_keys: bool | None = None

    def is_repeated(self, state: State, moves: list[int]) -> bool:
        """Whether a running position has come up before; checks all that follows from its key."""
        inquiry, ply = self.inquiry, self.plies
        self.plies += 1
        mark = inquiry.ask("repetition_key", repetition_key, state)
        if self._has_keys is None:
            self._has_keys = mark != 0
        inquiry.expect(self._has_keys == (mark != 0), "repetition.sometimes")
        if mark == 0:
            return False
        ended = inquiry.ask("award_remaining", award_remaining, state)
        ends = inquiry.ask("is_over", is_over, ended)
        inquiry.expect(bool(ends), "repetition.goes_on", made=repr(ended))
        future = to_move(state), moves
        first, before, place = self._seen.setdefault(mark, (ply, future, inquiry.where))
        inquiry.expect(before == future, "repetition.differs", key=mark, other=place)
        if first == ply:
            return False
        reversible = min(inquiry.ask("reversible_plies", reversible_plies, state), MANY_PLIES)
        inquiry.expect(reversible >= ply - first, "repetition.too_far", reversible=reversible, plies=ply - first)
        self.has_ended = True
        return True
