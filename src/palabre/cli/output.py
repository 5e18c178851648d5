"""What commands print: results on standard output (a table or one JSON document), everything else on standard error."""

import dataclasses
import functools
import json
import locale
import logging
import math
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Annotated, Any, TypeVar

import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from palabre.core.errors import printable
from palabre.core.game_words import GameWords
from palabre.core.position import Position
from palabre.core.spec import Parameter
from palabre.core.words import DEFAULT, LANGUAGES
from palabre.draw.terminal import Line, board_lines, score_line

Result = TypeVar("Result")

BLANKS = "\n\t\u00a0\u202f"  # which stay as they are; French has the last two before its punctuation

MOST = 2**31 - 1  # of anything that a person can ask for by a number
NOTHING = "–"  # where there is no number
LANGUAGE_SETTINGS = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set decides, as everywhere on POSIX systems
POLL_SECONDS = 0.1  # between two checks for Ctrl-C, which some systems notice only between two waits
STYLES = {
    "player1": "bold yellow",
    "player2": "bold cyan",
    "player3": "bold green",
    "player4": "bold magenta",
    "red": "red",
    "blue": "bright_blue",
    "clear": "bright_white",
    "brown": "bold",
    "silver": "white",
    "name": "bright_black",
    "faded": "dim",
}


# A text that users write, such as the name of a bot or a file, with `?` for what instructs a terminal.
as_text = functools.partial(printable, keep=BLANKS)


class Terminal(Console):
    """A terminal that shows what others have written, and obeys none of it."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Turn anything into text: prompts, tables and moving displays, too. Colours are not part of the text."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=as_text(segment.text))

    def render_str(self, text: str, **options: Any) -> Text:
        """Turn a string into text before its width is measured."""
        return super().render_str(as_text(text), **options)


# No markup: names of files, moves and messages are printed as they are, brackets included.
console = Terminal(highlight=False, soft_wrap=True, markup=False, emoji=False)
notes = Terminal(stderr=True, highlight=False, soft_wrap=True, markup=False, emoji=False)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
Spec = Annotated[str, typer.Argument(metavar="SPEC", help="A game: awele, abalone:official, path/to/game.py, …")]
Specs = Annotated[
    list[str] | None, typer.Argument(metavar="[SPEC]…", help="Games; by default all that come with Palabre.")
]
PositionText = Annotated[str | None, typer.Option("--position", metavar="TEXT", help="Start from this position.")]
ForbidEngine = Annotated[
    bool, typer.Option("--forbid-engine", help="Bots of others play without Palabre's own searches, in sandboxes.")
]
Untrusted = Annotated[bool, typer.Option("--untrusted", help="Refuse to run other people's bots without a sandbox.")]
Seed = Annotated[int, typer.Option("--seed", min=0, max=2**63 - 1, help="Random seed.")]


def own_language() -> str:
    """The language that the person's system is set to, if we speak it."""
    setting = next((value for name in LANGUAGE_SETTINGS if (value := os.environ.get(name))), None)
    if setting is None:
        setting = locale.getlocale()[0] or ""  # `French_France` where no such variables are used
    code = setting[:2].lower()
    return code if code in LANGUAGES else DEFAULT


def a_number(value: float | None) -> float | None:
    """Refuse `nan`, which passes every range check."""
    if value is not None and math.isnan(value):
        raise typer.BadParameter("nan is not a number")
    return value


def parameter_document(parameter: Parameter) -> dict[str, object]:
    """What can be chosen about a game or a bot, for a program."""
    return {
        "name": parameter.name,
        "default": parameter.default,
        "valid": str(parameter.valid),
        "summary": parameter.summary,
    }


def add_parameter(listing: Table, parameter: Parameter, indent: int) -> None:
    """Add a row about a parameter to a table of two columns."""
    name = f"{' ' * indent}{parameter.name}={parameter.default}"
    listing.add_row(name, f"{parameter.summary} ({parameter.valid})", style="dim")


def print_json(document: object) -> None:
    """One JSON document on standard output; what instructs a terminal is escaped."""
    text = json.dumps(document, ensure_ascii=False, indent=2, default=_plain)
    typer.echo("".join(sign if sign.isprintable() or sign in BLANKS else json.dumps(sign)[1:-1] for sign in text))


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    return str(value)


def print_board(position: Position, words: GameWords | None = None) -> None:
    """The board in colours, and the score below it; with the game's words, in its language."""
    for line in [*board_lines(position), [], score_line(position, words)]:
        console.print(styled(line))


def styled(line: Line) -> Text:
    """A line of spans with the terminal's colours."""
    return Text.assemble(*((span.text, STYLES.get(span.style, "")) for span in line))


def table(*headings: str, title: str | None = None) -> Table:
    """An empty table; headings that begin with `>` are right-aligned columns of numbers."""
    made = Table(title=title, title_justify="left", box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for heading in headings:
        made.add_column(heading.removeprefix(">"), justify="right" if heading.startswith(">") else "left")
    return made


def print_text(text: str, *, style: str = "", on: Console = console) -> None:
    """Print sentences, which a terminal breaks between words."""
    on.print(text, style=style, soft_wrap=not on.is_terminal)


def print_table(on: Console, made: Table) -> None:
    """Print a table so that names are whole: wide without a terminal, close where the window is narrow."""
    for column in made.columns:
        column.overflow = "fold"
    width = made.__rich_measure__(on, on.options.update(max_width=10_000)).maximum
    if width > on.width and on.is_terminal:
        made.padding = (0, 1, 0, 0)
    on.print(made, width=None if on.is_terminal else max(width, on.width))


def in_background(work: Callable[..., Result], *arguments: object) -> "Future[Result]":
    """Run work in a thread of its own. A command ends without waiting for it."""
    pool = ThreadPoolExecutor(1)
    future = pool.submit(work, *arguments)
    pool.shutdown(wait=False)
    return future


def interruptible(work: Callable[..., Result], *arguments: object) -> Result:
    """Run compiled work in a thread, so that Ctrl-C takes effect at once."""
    future = in_background(work, *arguments)
    while not wait([future], POLL_SECONDS).done:
        pass
    return future.result()


@contextmanager
def progress(description: str, total: int | None, done: int = 0) -> Iterator[Callable[[str | None], None]]:
    """A progress bar on standard error, if that is a terminal.

    Call what it yields after each step, with a new description or None. `total` is None if the number of steps is not
    known.
    """
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=notes, transient=True, disable=not notes.is_terminal) as bar:
        task = bar.add_task(description, total=total, completed=done)

        def advance(now: str | None) -> None:
            bar.update(task, advance=1, description=now)

        yield advance


class ToNotes(logging.Handler):
    """Sends a log to standard error. Records that say how far something has come move a bar, if that is a terminal."""

    _bar: Progress | None = None

    def emit(self, record: logging.LogRecord) -> None:
        fraction = getattr(record, "fraction", None)
        if fraction is not None:
            self._show(record.getMessage(), fraction)
        elif record.levelno >= logging.INFO:
            notes.print(record.getMessage(), style="yellow" if record.levelno >= logging.WARNING else "dim")

    def _show(self, description: str, fraction: float) -> None:
        if self._bar is None:
            columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeRemainingColumn())
            self._bar = Progress(*columns, console=notes, transient=True, disable=not notes.is_terminal)
            self._bar.add_task(description, total=1.0)
            self._bar.start()
        self._bar.update(self._bar.task_ids[0], completed=fraction)
        if fraction >= 1:
            self._bar.stop()
            self._bar = None


def show_notes() -> None:
    """Send the library's log (compiling, damaged caches) to standard error."""
    logger = logging.getLogger("palabre")
    logger.setLevel(logging.DEBUG)
    logger.handlers = [ToNotes()]
