"""Gauntlet: each challenger meets the same fixed opponents, and challengers do not meet each other."""

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from palabre.arena.formats.common import REPEATS, FixedFormat, seated
from palabre.arena.rows import Meeting, Outcome
from palabre.arena.standings import Row
from palabre.core.errors import PalabreError, did_you_mean, listing
from palabre.core.spec import Parameter, Value
from palabre.core.words import say


class Names(Parameter):
    """Names of bots, joined by plus signs."""

    @property
    def valid(self) -> str:
        return "one or more names of bots joined by +"

    def read(self, text: str) -> Value | None:
        return text if all(word.strip() for word in text.split("+")) else None


@dataclass(frozen=True)
class Gauntlet(FixedFormat):
    """Each challenger meets each opponent, or at larger boards each group of opponents; `repeats` times."""

    name: ClassVar[str] = "gauntlet"
    summary: ClassVar[str] = "each challenger meets the same fixed opponents"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Names("bots", "", (), "the fixed opponents, such as bots=easy+hard; the staff's bots if none are named"),
        REPEATS,
    )
    against_staff: ClassVar[bool] = True

    bots: tuple[str, ...] = ()
    repeats: int = 1

    @classmethod
    def make(cls, values: Mapping[str, Value], players: int, staff: Sequence[str]) -> Self:
        named = tuple(word.strip() for word in str(values["bots"]).split("+") if word.strip())
        return cls(players=players, bots=named or tuple(staff), repeats=int(values["repeats"]))

    def _spelled(self, name: str) -> Value:
        return "+".join(self.bots) if name == "bots" else super()._spelled(name)

    def draw(self, names: Sequence[str], before: Sequence[Outcome], number: int) -> list[Meeting]:
        if number >= self.repeats:
            return []
        challengers = [name for name in names if name not in self.bots]
        groups = itertools.combinations(self.bots, self.players - 1)
        return [seated((bot, *group), number, number) for group in groups for bot in challengers]

    def count_meetings(self, names: Sequence[str]) -> tuple[int, int]:
        challengers = len(names) - len(self.bots)
        count = challengers * math.comb(len(self.bots), self.players - 1) * self.repeats
        return count, count

    def table(self, names: Sequence[str], played: Sequence[Outcome], staff: Iterable[str] = ()) -> list[Row]:
        """The standings of the challengers; the fixed opponents do not compete."""
        return super().table(names, played, {*staff, *self.bots})

    def check(self, names: Sequence[str]) -> None:
        super().check(names)
        unknown = [bot for bot in self.bots if bot not in names]
        if unknown:
            hint = did_you_mean(unknown[0], names)
            raise PalabreError(say("format.gauntlet_stranger", bot=unknown[0], hint=hint, bots=listing(names)))
        if len(self.bots) < self.players - 1:
            players, bots = self.players, len(self.bots)
            raise PalabreError(say("format.gauntlet_few", players=players, least=players - 1, bots=bots))
        if len(self.bots) >= len(names):
            raise PalabreError(say("format.gauntlet_alone"))
