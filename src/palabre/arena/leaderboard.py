"""The table of a championship: places and points by its format, Elo with error bars, marks, and who was rejected."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from palabre.arena.formats import FORMATS, read_format
from palabre.arena.formats.common import Format
from palabre.arena.marks import Marks, by_standards, find_standards, read_marks
from palabre.arena.ratings import Rating, Ratings, rate
from palabre.arena.rows import COMPETITOR, STAFF, BotRow, replays
from palabre.arena.standings import Row
from palabre.arena.store import Store
from palabre.core.errors import listing

MARKS = "marks"  # the fact of an event that says how it is marked
STANDARDS = "standards"  # the fact with name and digest of the bots that marks depend on
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


def _marks(spec: str, store: Store, bots: Sequence[BotRow]) -> Marks:
    """How an event is marked, by the bots that were chosen when it began."""
    marks = read_marks(spec)
    standards = store.facts.get(STANDARDS)
    if standards is None:  # an event of an earlier version
        standards = find_standards(marks, [bot for bot in bots if bot.role != COMPETITOR or not bot.authors])
    return by_standards(marks, standards, bots)


def read_leaderboard(store: Store, form: Format | None = None) -> Leaderboard:
    """The table of the games so far, by the format of the event, which is read if it is not given."""
    bots = store.bots()
    admitted = [bot for bot in bots if bot.state == "admitted"]
    names = [bot.name for bot in admitted]
    form = form or event_format(store.settings.format, store.game().players, admitted)
    played = store.outcomes()
    aside = [bot.name for bot in admitted if bot.role != COMPETITOR]
    table = form.table(names, played, aside)
    ratings = rate(played, names)
    rejected = [bot.name for bot in bots if bot.state == "rejected" and bot.role == COMPETITOR]
    spec: Any = store.facts.get(MARKS)
    marks = {} if spec is None else _marks(spec, store, bots).give(table, played, rejected)
    by_name = {bot.name: bot for bot in bots}
    lines = [Line(by_name[row.bot], row, ratings.of(row.bot), marks.get(row.bot)) for row in table]
    lines += [Line(by_name[name], None, None, marks.get(name)) for name in rejected]
    notes = [*form.notes(names, played), *ratings.warnings]
    counts = replays(store.games(superseded=True)).most_common()
    if counts:  # so that a bot that makes machines look late is noticed
        late = listing([f"{name} ({count})" for name, count in counts])
        notes.append(f"late in games that were played again because the machine seemed to be the cause: {late}")
    return Leaderboard(form, spec, tuple(lines), ratings, len(played), tuple(notes))
