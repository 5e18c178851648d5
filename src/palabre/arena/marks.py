"""Marks for a course, from the table of an event or from scores against the staff's bots.

    rank                                   from 1 (last) to 5 (first) by rank, 0 for a rejected bot, as in the course
    rank:6,20                              from 6 to 20
    vs easy>=0.5:2,easy>=0.9:3,hard>=0.5:5,else:1

After `vs` come conditions: a bot of the staff, the share of the points in the games against it, and the mark for that.
The best mark whose condition holds is given, else the one after `else`, which is 0 if it is left out.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from palabre.arena.rows import BotRow, Outcome
from palabre.arena.standings import Row, cross_table
from palabre.core.errors import BadSpec, PalabreError, did_you_mean, listing
from palabre.core.words import say

REJECTED = 0.0
LOWEST, HIGHEST = 1.0, 5.0  # the course's
_CONDITION = re.compile(r"(?P<bot>.+)>=\s*(?P<share>[0-9.]+)\s*:\s*(?P<mark>[0-9.]+)")
_ELSE = re.compile(r"else\s*:\s*(?P<mark>[0-9.]+)")
EXAMPLES = "rank, rank:6,20 or vs easy>=0.5:3,hard>=0.5:5,else:1"


class Marks(Protocol):
    """A way to mark."""

    def give(self, table: Sequence[Row], outcomes: Iterable[Outcome], rejected: Iterable[str] = ()) -> dict[str, float]:
        """The mark of each bot that competes, in the order of the table; rejected bots come last."""


@dataclass(frozen=True)
class ByRank:
    """Evenly from the last rank to the first. Bots with equal points get the same mark, whatever tie-breaks say."""

    lowest: float = LOWEST
    highest: float = HIGHEST

    def give(self, table: Sequence[Row], outcomes: Iterable[Outcome], rejected: Iterable[str] = ()) -> dict[str, float]:
        refused = list(rejected)
        ranks = {row.bot: row.group for row in table if row.group is not None and row.bot not in refused}
        last = max(ranks.values(), default=1)
        step = (self.highest - self.lowest) / (last - 1) if last > 1 else 0.0
        given = {bot: round(self.highest - step * (rank - 1), 2) for bot, rank in ranks.items()}
        return given | dict.fromkeys(refused, REJECTED)


@dataclass(frozen=True)
class Condition:
    """A mark for a share of the points against a bot of the staff."""

    bot: str
    share: float
    mark: float


@dataclass(frozen=True)
class ByThresholds:
    """The best mark whose condition holds."""

    conditions: tuple[Condition, ...]
    otherwise: float = REJECTED

    def give(self, table: Sequence[Row], outcomes: Iterable[Outcome], rejected: Iterable[str] = ()) -> dict[str, float]:
        names = [row.bot for row in table]
        for condition in self.conditions:
            if condition.bot not in names:
                hint = did_you_mean(condition.bot, names)
                raise PalabreError(say("marks.stranger", bot=condition.bot, hint=hint, bots=listing(names)))
        cells = cross_table(outcomes, names)

        def holds(bot: str, condition: Condition) -> bool:
            score = cells[bot, condition.bot].score
            return score is not None and score >= condition.share - 1e-9

        asked = {condition.bot for condition in self.conditions}
        refused = list(rejected)
        competing = [row.bot for row in table if row.rank is not None and row.bot not in {*asked, *refused}]
        given = {
            bot: max((one.mark for one in self.conditions if holds(bot, one)), default=self.otherwise)
            for bot in competing
        }
        return given | dict.fromkeys(refused, REJECTED)


def find_standards(marks: Marks, chosen: Sequence[BotRow]) -> dict[str, list[str]]:
    """The name and the digest of each bot that marks depend on, found among those that the organiser has chosen.

    A bot is found by its name, its spec, or the file, folder or zip that it is in. The names of competitors
    do not matter.
    """
    standards: dict[str, list[str]] = {}
    for word in [condition.bot for condition in marks.conditions] if isinstance(marks, ByThresholds) else []:
        rows = [row for row in chosen if word in (row.name, row.spec)]
        rows = rows or [row for row in chosen if row.file and word in (row.file, Path(row.file).stem)]
        if not rows:
            raise PalabreError(say("marks.no_standard", bot=word, bots=listing(row.name for row in chosen)))
        standards[word] = [rows[0].name, rows[0].digest]
    return standards


def by_standards(marks: Marks, standards: Mapping[str, Sequence[str]], bots: Sequence[BotRow]) -> Marks:
    """The same marks with bots by their names in the event; a `PalabreError` if one is no longer what it was."""
    if not isinstance(marks, ByThresholds):
        return marks
    known = {(bot.name, bot.digest) for bot in bots}
    conditions = []
    for condition in marks.conditions:
        name, digest = standards.get(condition.bot, ("", ""))
        if (name, digest) not in known:
            raise PalabreError(say("marks.changed", bot=condition.bot))
        conditions.append(replace(condition, bot=name))
    return replace(marks, conditions=tuple(conditions))


def read_marks(spec: str) -> Marks:
    """The way to mark that a spec names; a `BadSpec` shows what is valid."""
    text = spec.strip()
    if text == "rank":
        return ByRank()
    if text.startswith("rank:"):
        return _by_rank(text.removeprefix("rank:"), spec)
    if text.startswith("vs "):
        return _by_thresholds(text.removeprefix("vs "), spec)
    raise BadSpec(say("marks.unknown", spec=spec, examples=EXAMPLES))


def _by_rank(text: str, spec: str) -> ByRank:
    match [_number(word) for word in text.split(",")]:
        case [float(lowest), float(highest)] if lowest < highest:
            return ByRank(lowest, highest)
    raise BadSpec(say("marks.by_rank", spec=spec))


def _by_thresholds(text: str, spec: str) -> ByThresholds:
    conditions, otherwise = [], REJECTED
    for word in text.split(","):
        fallback, condition = _ELSE.fullmatch(word.strip()), _CONDITION.fullmatch(word.strip())
        match = fallback or condition
        mark = _number(match["mark"]) if match else None
        share = _number(condition["share"]) if condition else 0.0
        if mark is None or share is None or not 0 <= share <= 1:
            raise BadSpec(say("marks.condition", spec=spec, condition=word.strip(), examples=EXAMPLES))
        if fallback:
            otherwise = mark
        elif condition:
            conditions.append(Condition(condition["bot"].strip(), share, mark))
    if not conditions:
        raise BadSpec(say("marks.no_condition", spec=spec, examples=EXAMPLES))
    return ByThresholds(tuple(conditions), otherwise)


def _number(text: str) -> float | None:
    return float(text) if re.fullmatch(r"\s*[0-9]{1,6}(\.[0-9]{1,6})?\s*", text) else None
