"""Pools, then a knock-out among the best of each: the tournament of a course with many bots and one evening."""

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from palabre.arena.formats import bracket
from palabre.arena.formats.bracket import Rules, Tie
from palabre.arena.formats.common import REPEATS, Format, seated, spread_out
from palabre.arena.formats.knockout import BEST_OF, EXTRA
from palabre.arena.rows import Meeting, Outcome
from palabre.arena.standings import complete_meetings, standings
from palabre.core.errors import PalabreError
from palabre.core.spec import Parameter
from palabre.core.words import say


@dataclass(frozen=True)
class Pools(Format):
    """A round-robin in each pool, by points and then the usual tie-breaks and seeds; the best `advance` of each go on.

    The seeds are dealt to the pools forth and back, so that the pools are about equal. In the knock-out the winners of
    pools are the best seeds, and two bots of one pool do not meet in its first stage where that can be avoided.
    """

    name: ClassVar[str] = "pools"
    summary: ClassVar[str] = "round-robin in pools, then a knock-out of the best of each"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("size", 4, range(2, 100), "bots in a pool, or one fewer where they do not divide evenly"),
        Parameter("advance", 2, range(1, 100), "how many advance from each pool"),
        REPEATS,
        BEST_OF,
        EXTRA,
    )
    most_players: ClassVar[int | None] = 2
    takes_staff: ClassVar[bool] = False

    size: int = 4
    advance: int = 2
    repeats: int = 1
    best_of: int = 3
    extra: int = 4

    @property
    def rules(self) -> Rules:
        return Rules(self.best_of, self.extra, first_round=1, first_repeat=self.repeats)

    def pools(self, names: Sequence[str]) -> list[list[str]]:
        """The pools, each in the order of the seeds."""
        count = math.ceil(len(names) / self.size)
        dealt: list[list[str]] = [[] for _ in range(count)]
        for number, name in enumerate(names):
            lap, place = divmod(number, count)
            dealt[place if lap % 2 == 0 else count - 1 - place].append(name)
        return dealt

    def draw(self, names: Sequence[str], before: Sequence[Outcome], number: int) -> list[Meeting]:
        if number > 0:
            return bracket.next_meetings(self.bracket(names, before), self.rules, number)
        return [
            seated([pool[bot] for bot in pair], 0, repeat)
            for repeat in range(self.repeats)
            for pool in self.pools(names)
            for pair in spread_out(itertools.combinations(range(len(pool)), 2), len(pool))
        ]

    def bracket(self, names: Sequence[str], played: Iterable[Outcome]) -> list[Tie]:
        """All ties of the knock-out that are known, stage by stage; none before the pools have ended."""
        complete = complete_meetings(played)
        if any(meeting not in complete for meeting in self.draw(names, (), 0)):
            return []
        return bracket.bracket(
            self.seeds(names, [game for games in complete.values() for game in games]), complete, self.rules
        )

    def seeds(self, names: Sequence[str], played: Iterable[Outcome]) -> list[str]:
        """Who goes on, the winners of all pools first."""
        in_pools = [game for game in played if game.meeting.round == 0]
        best = [self._best(pool, in_pools) for pool in self.pools(names)]
        seeds = [pool[place] for place in range(self.advance) for pool in best if place < len(pool)]
        return _apart(seeds, best)

    def _best(self, pool: Sequence[str], played: Iterable[Outcome]) -> list[str]:
        own = [game for game in played if set(game.bots) <= set(pool)]
        rows = standings(own, pool, points=self.points, tie_breaks=self.tie_breaks)
        ranked = sorted(rows, key=lambda row: (row.rank or 0, pool.index(row.bot)))
        return [row.bot for row in ranked[: self.advance]]

    def count_meetings(self, names: Sequence[str]) -> tuple[int, int]:
        pools = self.pools(names)
        in_pools = sum(math.comb(len(pool), 2) for pool in pools) * self.repeats
        going_on = sum(min(self.advance, len(pool)) for pool in pools)
        least, most = bracket.count_meetings(going_on, self.rules)
        return in_pools + least, in_pools + most

    def places(self, names: Sequence[str], played: Iterable[Outcome]) -> dict[str, int]:
        """Of those who went on; the others come after them, by the points of their pools."""
        games = list(played)
        ties = self.bracket(names, games)
        return bracket.places(self.seeds(names, games), ties) if ties else {}

    def notes(self, names: Sequence[str], played: Iterable[Outcome]) -> list[str]:
        return bracket.notes(self.bracket(names, played))

    def check(self, names: Sequence[str]) -> None:
        super().check(names)
        pools = self.pools(names)
        if sum(min(self.advance, len(pool)) for pool in pools) < 2:
            raise PalabreError(say("format.pools_one", advance=self.advance))
        if self.advance >= self.size:
            raise PalabreError(say("format.pools_all", advance=self.advance, size=self.size))


def _apart(seeds: list[str], pools: Sequence[Sequence[str]]) -> list[str]:
    """The seeds with those of one place exchanged where two bots of one pool would meet in the first stage."""
    pool_of = {bot: number for number, pool in enumerate(pools) for bot in pool}
    place_of = {bot: place for pool in pools for place, bot in enumerate(pool)}
    size = 2 ** math.ceil(math.log2(len(seeds)))

    def clashes(order: Sequence[str]) -> int:
        """How many ties of the first stage are between bots of one pool."""
        return sum(
            pool_of[order[seed]] == pool_of[order[size - 1 - seed]]
            for seed in range(size // 2)
            if size - 1 - seed < len(order)
        )

    for one, other in itertools.combinations(reversed(range(len(seeds))), 2):  # the winners of pools move last
        if place_of[seeds[one]] == place_of[seeds[other]]:
            swapped = list(seeds)
            swapped[one], swapped[other] = seeds[other], seeds[one]
            if clashes(swapped) < clashes(seeds):
                seeds = swapped
    return seeds
