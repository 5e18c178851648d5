"""What all formats have in common."""

import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, Self

from palabre.arena.rows import Meeting, Outcome
from palabre.arena.standings import ROUND_ROBIN_TIE_BREAKS, Points, Row, TieBreak, complete_meetings, standings
from palabre.core.errors import PalabreError, listing
from palabre.core.spec import Parameter, Value, spell_values
from palabre.core.words import say

REPEATS = Parameter("repeats", 1, range(1, 100_001), "how often the same bots meet, each time from another opening")


@dataclass(frozen=True)
class Format(ABC):
    """A format with its settings. The order of the names is the order of the seeds, the strongest first."""

    name: ClassVar[str]
    summary: ClassVar[str]
    parameters: ClassVar[tuple[Parameter, ...]] = ()
    points: ClassVar[Points] = "shares"
    tie_breaks: ClassVar[tuple[TieBreak, ...]] = ROUND_ROBIN_TIE_BREAKS
    most_players: ClassVar[int | None] = None  # at a board; None for any number
    takes_staff: ClassVar[bool] = True  # whether bots that do not compete may play along
    against_staff: ClassVar[bool] = False  # whether points are for games against them

    players: int = 2  # at a board

    @classmethod
    def make(cls, values: Mapping[str, Value], players: int, staff: Sequence[str]) -> Self:
        """The format with the values of a spec."""
        return cls(players=players, **values)

    @property
    def spec(self) -> str:
        """The canonical spec: all that is not the default."""
        names = [field.name for field in fields(self) if field.name != "players"]
        words = spell_values(
            [(name, self._spelled(name)) for name in names], {one.name: one for one in self.parameters}
        )
        return ":".join([self.name, ",".join(words)] if words else [self.name])

    def _spelled(self, name: str) -> Value:
        value: Value = getattr(self, name)
        return value

    @abstractmethod
    def draw(self, names: Sequence[str], before: Sequence[Outcome], number: int) -> list[Meeting]:
        """The meetings of a round, given all games of the rounds before; none if the event is over."""

    @abstractmethod
    def count_meetings(self, names: Sequence[str]) -> tuple[int, int]:
        """The least and the greatest number of meetings; a meeting is as many games as there are players."""

    def next_round(self, names: Sequence[str], played: Iterable[Outcome]) -> list[Meeting]:
        """The meetings to play next, given all games so far; none if the event is over.

        If the last round has been played only in part, these are its other meetings.
        """
        self.check(names)
        complete = complete_meetings(played)
        last = max((meeting.round for meeting in complete), default=0)
        for number in (last, last + 1):
            before = [game for meeting in sorted(complete) if meeting.round < number for game in complete[meeting]]
            drawn = self.draw(names, before, number)
            if not {meeting for meeting in complete if meeting.round == number} <= set(drawn):
                raise PalabreError(say("format.other_bots", round=number + 1, format=self.name))
            missing = [meeting for meeting in drawn if meeting not in complete]
            if missing or not drawn:
                return missing
        return []

    def places(self, names: Sequence[str], played: Iterable[Outcome]) -> dict[str, int]:
        """The places that the format itself decides; the points decide for the others."""
        return {}

    def byes(self, names: Sequence[str], played: Iterable[Outcome]) -> dict[str, int]:
        """How many byes each bot had that count like a meeting won."""
        return {}

    def notes(self, names: Sequence[str], played: Iterable[Outcome]) -> list[str]:
        """What a reader of the results should know, such as what a lot has decided."""
        return []

    def table(self, names: Sequence[str], played: Sequence[Outcome], staff: Iterable[str] = ()) -> list[Row]:
        """The standings, with the points, tie-breaks, byes and places of this format."""
        return standings(
            played,
            names,
            points=self.points,
            tie_breaks=self.tie_breaks,
            staff=staff,
            against_staff=self.against_staff,
            byes=self.byes(names, played),
            places=self.places(names, played),
        )

    def check(self, names: Sequence[str]) -> None:
        """Refuse names with which this format cannot be played."""
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise PalabreError(say("format.same_name", names=listing(twice)))
        if len(names) < max(2, self.players):
            least = max(2, self.players)
            raise PalabreError(say("format.too_few", format=self.name, least=least, bots=len(names)))


class FixedFormat(Format):
    """A format whose meetings depend on no result: all can be played at once, and bots may come later.

    A round is one repeat of everything, so an event that ends early can end after a whole round. The seats and the
    number of a meeting depend on its own bots only, so a new bot changes no other bot's games.
    """

    def next_round(self, names: Sequence[str], played: Iterable[Outcome]) -> list[Meeting]:
        self.check(names)
        complete = complete_meetings(played)
        missing: list[Meeting] = []
        for number in itertools.count():
            drawn = self.draw(names, (), number)
            if not drawn:
                return missing
            missing += [meeting for meeting in drawn if meeting not in complete]
        raise AssertionError  # for the type checker: the count has no end


def seated(bots: Iterable[str], round: int, repeat: int) -> Meeting:
    """The meeting of these bots, with seats that depend on nothing else.

    A meeting has all rotations of the seats. With three players or more, it also matters who sits after whom, so
    repeats go through the ways to sit around a table.
    """
    first, *others = sorted(bots)
    ways = list(itertools.permutations(others))
    return Meeting(round, (first, *ways[repeat % len(ways)]), repeat)


def spread_out(groups: Iterable[Sequence[int]], bots: int) -> list[Sequence[int]]:
    """Groups of bots in an order in which neighbours have few bots in common, so that all have played about as much
    at any time. Pairs with the same sum modulo the number of bots are disjoint."""
    return sorted(groups, key=lambda group: (sum(group) % bots, group))
