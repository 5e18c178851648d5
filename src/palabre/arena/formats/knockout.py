"""Knock-out: who loses a tie is out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from palabre.arena.formats import bracket
from palabre.arena.formats.bracket import Rules, Tie
from palabre.arena.formats.common import Format
from palabre.arena.rows import Meeting, Outcome
from palabre.arena.standings import complete_meetings
from palabre.core.spec import Parameter

BEST_OF = Parameter("best_of", 3, range(1, 100), "meetings in a tie at most; it ends once it is decided")
EXTRA = Parameter(
    "extra", 4, range(0, 100), "further meetings at most after a level tie; then the better seed goes through"
)


@dataclass(frozen=True)
class Knockout(Format):
    """Single elimination. The order of the bots seeds them, and the best seeds have the byes."""

    name: ClassVar[str] = "knockout"
    summary: ClassVar[str] = "the loser of a tie, best of N meetings, is out"
    parameters: ClassVar[tuple[Parameter, ...]] = (BEST_OF, EXTRA)
    most_players: ClassVar[int | None] = 2
    takes_staff: ClassVar[bool] = False

    best_of: int = 3
    extra: int = 4

    @property
    def rules(self) -> Rules:
        return Rules(self.best_of, self.extra, first_round=0, first_repeat=0)

    def bracket(self, names: Sequence[str], played: Iterable[Outcome]) -> list[Tie]:
        """All ties that are known, stage by stage."""
        return bracket.bracket(names, complete_meetings(played), self.rules)

    def draw(self, names: Sequence[str], before: Sequence[Outcome], number: int) -> list[Meeting]:
        return bracket.next_meetings(self.bracket(names, before), self.rules, number)

    def count_meetings(self, names: Sequence[str]) -> tuple[int, int]:
        return bracket.count_meetings(len(names), self.rules)

    def places(self, names: Sequence[str], played: Iterable[Outcome]) -> dict[str, int]:
        return bracket.places(names, self.bracket(names, played))

    def notes(self, names: Sequence[str], played: Iterable[Outcome]) -> list[str]:
        return bracket.notes(self.bracket(names, played))
