"""How an event goes, while it goes: a table on a terminal, a line now and then where the output is none.

All of it goes to standard error, as do the output of bots and the reasons why they forfeit games, each once.
"""

import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Protocol

import rich.live
from rich.console import Group
from rich.table import Table
from rich.text import Text

from palabre.arena.event import EventProgress
from palabre.arena.result import MatchTable, Standing
from palabre.arena.rows import FORFEIT_REPLAYED, MACHINE_LATE, GameRow
from palabre.cli.output import NOTHING, notes, table
from palabre.core.words import own_words

REDRAW = 0.5  # seconds between two drawings of the table
LINE = 15.0  # seconds between two lines, where there is no terminal
PART = 0.02  # of the time goes into drawing, at most
MOST_OUTPUT = 100  # lines that bots print are shown
LONGEST_OUTPUT = 500  # characters of one

# The ids of the notes that a game is played again, and of their count, by the reason on record.
REPLAYED = {MACHINE_LATE: "replayed.late", FORFEIT_REPLAYED: "replayed.forfeit"}
REPLAYS = {MACHINE_LATE: "replayed.late_games", FORFEIT_REPLAYED: "replayed.forfeits"}

say = own_words(__file__)
Extra = Callable[[Sequence[GameRow]], str]


class Watched(Protocol):
    """What is shown: a match or a championship."""

    def rows(self) -> list[GameRow]:
        """The games so far."""

    def title(self, row: GameRow) -> str:
        """What to call a game."""

    def table(self, rows: Sequence[GameRow]) -> MatchTable:
        """What games show of each bot."""


class LiveTable:
    """Shows an event under way. `extra` makes one more line from the games so far.

    For an author who looks for a mistake (`debug`) there is no table, in which a debugger could not be used, and
    failures are shown with their tracebacks.
    """

    def __init__(self, match: Watched, extra: Extra | None = None, *, debug: bool = False) -> None:
        self._match, self._extra, self._debug = match, extra, debug
        self._rows = {(row.meeting, row.rotation): row for row in match.rows()}  # those that count
        self._reasons: set[str] = set()
        self._printed: set[str] = set()
        self._live: rich.live.Live | None = None
        self._next = time.monotonic() + (0.0 if self._draws else LINE)

    @property
    def _draws(self) -> bool:
        return notes.is_terminal and not self._debug

    def __enter__(self) -> "LiveTable":
        if self._draws:
            self._live = rich.live.Live(Text("preparing…"), console=notes, transient=True, auto_refresh=False)
            self._live.start(refresh=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def update(self, row: GameRow, progress: EventProgress) -> None:
        """A game has ended."""
        self._announce(row)
        if row.superseded is None:
            self._rows[row.meeting, row.rotation] = row
        begin = time.monotonic()
        if begin < self._next or not self._rows:
            return
        if self._live is not None:
            self._live.update(self._drawn(progress), refresh=True)
        else:
            notes.print(self._line(progress), style="dim")
        now = time.monotonic()
        self._next = now + max(LINE if self._live is None else REDRAW, (now - begin) / PART)

    def _announce(self, row: GameRow) -> None:
        """Print why a bot forfeited a game, each reason once, and each game that is played again."""
        reason, title = _ending_with_names(row), self._match.title(row)
        is_new = row.forfeit is not None and reason not in self._reasons
        if row.superseded in REPLAYED:
            notes.print(say(REPLAYED[row.superseded], title=title, reason=reason).text(), style="yellow")
        elif is_new:
            notes.print(f"{title}: {reason}", style="yellow")
        if is_new:
            self._reasons.add(reason)
            if self._debug and row.details:
                notes.print(row.details, style="dim")

    def on_output(self, line: str) -> None:
        """Print a line that a bot has printed."""
        shown = line[:LONGEST_OUTPUT]
        if shown.strip() and shown not in self._printed and len(self._printed) <= MOST_OUTPUT:
            self._printed.add(shown)
            more = len(self._printed) > MOST_OUTPUT
            notes.print("(further output from bots is not shown)" if more else shown, style="dim")

    def _drawn(self, progress: EventProgress) -> Group:
        result = self._match.table(list(self._rows.values()))
        listing: Table = table("bot", ">score", ">±", ">seats", ">wins", ">shared", ">losses", ">forfeits")
        for standing in result.standings:
            listing.add_row(*standing_cells(standing))
        return Group(listing, Text(self._line(progress)))

    def _line(self, progress: EventProgress) -> str:
        """How far it is, in one line."""
        words = [f"{progress.done} of {progress.scheduled} games"]
        if progress.seconds_left is not None:
            words.append(f"about {in_words(progress.seconds_left)} left")
        rows = list(self._rows.values())
        if self._extra is not None:
            words.append(self._extra(rows))
        elif self._live is None:
            leader = self._match.table(rows).standings[0]
            error = "" if leader.standard_error is None else f" ± {100 * leader.standard_error:.1f}"
            words.append(f"{leader.side.bot} leads with {100 * leader.score:.1f} %{error}")
        return ", ".join(words)


def replays(rows: Sequence[GameRow]) -> list[str]:
    """How many games, superseded ones included, were played again, and why."""
    counts = {id: sum(row.superseded == reason for row in rows) for reason, id in REPLAYS.items()}
    return [say(id, count=count).text() for id, count in counts.items() if count]


def standing_cells(standing: Standing) -> list[str]:
    """A row of a table: the bot, its score and how its games ended."""
    error = NOTHING if standing.standard_error is None else f"{100 * standing.standard_error:.1f}"
    counts = (standing.seats, standing.wins, standing.draws, standing.losses, standing.side.forfeits)
    return [standing.side.bot, f"{100 * standing.score:.1f} %", error, *map(str, counts)]


def _ending_with_names(row: GameRow) -> str:
    """How a game ended, with the names of bots for the numbers of players."""
    ending = row.ending
    for number, name in enumerate(row.bots, start=1):
        ending = ending.replace(f"player {number} loses: ", f"{name} loses: ")
    return ending


def in_words(seconds: float) -> str:
    """`7 s`, `12 min 30 s`, `3 h 5 min`."""
    whole = max(1, round(seconds))
    hours, minutes = divmod(whole // 60, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {whole % 60} s" if minutes else f"{whole} s"
