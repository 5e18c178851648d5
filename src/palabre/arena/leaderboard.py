"""The table of a championship: places and points by its format, Elo with error bars, marks, and who was rejected."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from palabre.arena.formats import FORMATS, read_format
from palabre.arena.formats.common import Format
from palabre.arena.marks import read_marks
from palabre.arena.ratings import Rating, Ratings, rate
from palabre.arena.rows import COMPETITOR, STAFF, BotRow
from palabre.arena.standings import Row
from palabre.arena.store import Store

MARKS = "marks"  # the fact of an event that says how it is marked
SAME_FILES = "same_files"  # the fact with the groups of submissions that are copies of each other


@dataclass(frozen=True)
class Line:
    """A bot in the table."""

    bot: BotRow
    standing: Row | None  # None for a rejected bot
    rating: Rating | None  # None for a rejected bot
    mark: float | None  # None if there are no marks, and for bots that do not compete


@dataclass(frozen=True)
class Leaderboard:
    """A championship so far."""

    format: Format
    marks: str | None  # the spec by which marks are given
    lines: tuple[Line, ...]  # by rank; then who does not compete, then who was rejected
    ratings: Ratings
    games: int  # of meetings that are done
    notes: tuple[str, ...]  # what a reader of the table should know


def is_championship(store: Store) -> bool:
    """Whether an event has a format that gives places."""
    return store.settings.format.partition(":")[0] in FORMATS


def event_format(spec: str, players: int, bots: Sequence[BotRow]) -> Format:
    """The format of an event with these bots."""
    return read_format(spec, players=players, staff=[bot.name for bot in bots if bot.role == STAFF])


def read_leaderboard(store: Store) -> Leaderboard:
    """The table of the games so far."""
    bots = store.bots()
    admitted = [bot for bot in bots if bot.state == "admitted"]
    names = [bot.name for bot in admitted]
    found = event_format(store.settings.format, store.game().players, admitted)
    played = store.outcomes()
    aside = [bot.name for bot in admitted if bot.role != COMPETITOR]
    table = found.table(names, played, aside)
    ratings = rate(played, names)
    rejected = [bot.name for bot in bots if bot.state == "rejected" and bot.role == COMPETITOR]
    spec: Any = store.facts.get(MARKS)
    marks = {} if spec is None else read_marks(spec).give(table, played, rejected)
    by_name = {bot.name: bot for bot in bots}
    lines = [Line(by_name[row.bot], row, ratings.of(row.bot), marks.get(row.bot)) for row in table]
    lines += [Line(by_name[name], None, None, marks.get(name)) for name in rejected]
    notes = (*found.notes(names, played), *ratings.warnings)
    return Leaderboard(found, spec, tuple(lines), ratings, len(played), notes)
