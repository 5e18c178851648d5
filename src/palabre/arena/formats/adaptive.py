"""Adaptive: play where the order of the bots is least sure, until it is sure.

A first batch lets every bot meet a few others. After that, each batch takes the pairs whose likelihood of superiority
is nearest to ½. It ends when every bot is better than the next with the given likelihood, or when the meetings are used
up: two equal bots are never sure.
"""

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from palabre.arena.formats.common import Format, seated
from palabre.arena.ratings import Ratings, rate
from palabre.arena.rows import Meeting, Outcome
from palabre.arena.standings import complete_meetings
from palabre.core.spec import Decimal, Parameter

AUTOMATIC = 0
MEETINGS_PER_BOT = 20  # by default


@dataclass(frozen=True)
class Adaptive(Format):
    """Batches of a fixed size. At boards of three or four, the bots at a board are neighbours in the ratings."""

    name: ClassVar[str] = "adaptive"
    summary: ClassVar[str] = "meetings between the bots whose order is least certain, until it is certain"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("batch", AUTOMATIC, range(0, 100_001), "meetings in a batch; 0 for as many as there are bots"),
        Parameter(
            "meetings",
            AUTOMATIC,
            range(0, 10_000_001),
            f"meetings in all at most; 0 for {MEETINGS_PER_BOT} times the number of bots",
        ),
        Decimal("level", 0.95, 0.5, 0.9999, "how likely it must be that each bot is better than the next"),
    )

    batch: int = AUTOMATIC
    meetings: int = AUTOMATIC
    level: float = 0.95

    def draw(self, names: Sequence[str], before: Sequence[Outcome], number: int) -> list[Meeting]:
        if number == 0:
            return [seated([names[bot] for bot in group], 0, 0) for group in self._first(len(names))][
                : self._most(names)
            ]
        met: dict[frozenset[str], int] = {}
        for meeting in {game.meeting for game in before}:
            met[frozenset(meeting.bots)] = met.get(frozenset(meeting.bots), 0) + 1
        size = min(self.batch or len(names), self._most(names) - sum(met.values()))
        if size <= 0:
            return []
        ratings = rate(before, names)
        unsure = [group for doubt, group in self._by_doubt(ratings, met) if doubt > 1 - self.level]
        if not unsure or self._is_sure(ratings):
            return []
        meetings = []
        for group in itertools.islice(itertools.cycle(unsure[:size]), size):
            meetings.append(seated(group, number, met.get(group, 0)))
            met[group] = met.get(group, 0) + 1
        return meetings

    def count_meetings(self, names: Sequence[str]) -> tuple[int, int]:
        return min(len(self._first(len(names))), self._most(names)), self._most(names)

    def places(self, names: Sequence[str], played: Iterable[Outcome]) -> dict[str, int]:
        """By rating: the bots have played unequally often, so points would say nothing."""
        ratings = rate((game for games in complete_meetings(played).values() for game in games), names)
        return {rating.bot: place for place, rating in enumerate(ratings.bots, start=1)}

    def _most(self, names: Sequence[str]) -> int:
        return self.meetings or MEETINGS_PER_BOT * len(names)

    def _first(self, bots: int) -> list[tuple[int, ...]]:
        """The groups of the first batch: bots 1, 2, 4, … places apart, which connects all by short chains."""
        if self.players == 2:
            offsets = [2**power for power in range(max(1, math.floor(math.log2(bots)))) if 2**power <= bots // 2]
            pairs = {tuple(sorted((bot, (bot + offset) % bots))) for offset in offsets for bot in range(bots)}
            return sorted(pairs, key=lambda pair: (min((pair[1] - pair[0]) % bots, (pair[0] - pair[1]) % bots), pair))
        return sorted({tuple(sorted((bot + next) % bots for next in range(self.players))) for bot in range(bots)})

    def _by_doubt(self, ratings: Ratings, met: dict[frozenset[str], int]) -> list[tuple[float, frozenset[str]]]:
        """The groups that could meet, those with the greatest doubt about their order first."""
        order = [rating.bot for rating in ratings.bots]
        groups: list[tuple[int, ...]] = list(itertools.combinations(range(len(order)), 2))
        if self.players > 2:
            groups = [tuple(range(begin, begin + self.players)) for begin in range(len(order) - self.players + 1)]
        doubts = []
        for group in groups:
            doubt = max(_doubt(ratings, one, other) for one, other in itertools.pairwise(group))
            doubts.append((doubt, frozenset(order[bot] for bot in group)))
        return sorted(doubts, key=lambda item: (-round(item[0], 6), met.get(item[1], 0), sorted(item[1])))

    def _is_sure(self, ratings: Ratings) -> bool:
        return all(_doubt(ratings, place, place + 1) <= 1 - self.level for place in range(len(ratings.bots) - 1))


def _doubt(ratings: Ratings, one: int, other: int) -> float:
    """The chance that the better placed of two bots is the worse one; bots that cannot be compared could be either."""
    chance = ratings.superiority[other][one]
    return 0.5 if math.isnan(chance) else chance
