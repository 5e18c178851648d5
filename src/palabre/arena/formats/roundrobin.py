"""Round-robin: everybody meets everybody."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from palabre.arena.formats.common import REPEATS, FixedFormat, seated, spread_out
from palabre.arena.rows import Meeting, Outcome
from palabre.core.spec import Parameter


@dataclass(frozen=True)
class RoundRobin(FixedFormat):
    """Every pair of bots meets, or every three or four of them at boards for so many; `repeats` times."""

    name: ClassVar[str] = "round-robin"
    summary: ClassVar[str] = "everyone meets everyone"
    parameters: ClassVar[tuple[Parameter, ...]] = (REPEATS,)

    repeats: int = 1

    def draw(self, names: Sequence[str], before: Sequence[Outcome], number: int) -> list[Meeting]:
        if number >= self.repeats:
            return []
        groups = spread_out(itertools.combinations(range(len(names)), self.players), len(names))
        return [seated([names[bot] for bot in group], number, number) for group in groups]

    def count_meetings(self, names: Sequence[str]) -> tuple[int, int]:
        count = math.comb(len(names), self.players) * self.repeats
        return count, count
