"""How commands speak: results on standard output (a table, or one JSON document), everything else on standard error."""

import dataclasses
import json
import logging
import math
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Generic, TypeVar

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from palabre.core.errors import PalabreError
from palabre.core.position import Position
from palabre.draw.terminal import Line, board_lines, score_line

Result = TypeVar("Result")

# Without markup: what is printed are names of files, moves and messages, and brackets in them are brackets.
console = Console(highlight=False, soft_wrap=True, markup=False, emoji=False)
notes = Console(stderr=True, highlight=False, soft_wrap=True, markup=False, emoji=False)

NOTHING = "–"  # where there is no number
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

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
Spec = Annotated[str, typer.Argument(metavar="SPEC", help="A game: awele, abalone:official, path/to/game.py, …")]
PositionText = Annotated[str | None, typer.Option("--position", metavar="TEXT", help="Begin from this position.")]
Seed = Annotated[int, typer.Option("--seed", min=0, max=2**63 - 1, help="Decides all that is left to chance.")]


def a_number(value: float | None) -> float | None:
    """Refuse `nan`, which passes every test of a range."""
    if value is not None and math.isnan(value):
        raise typer.BadParameter("nan is not a number of seconds")
    return value


def print_json(document: object) -> None:
    """One JSON document on standard output."""
    typer.echo(json.dumps(document, ensure_ascii=False, indent=2, default=_plain))


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    return str(value)


def print_board(position: Position) -> None:
    """The board in colours, and the score below it."""
    for line in [*board_lines(position), [], score_line(position)]:
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


def write_file(file: Path, text: str) -> None:
    """Write a text to a file that somebody named; a `PalabreError` says why it cannot be done.

    A file that is there already is replaced as a whole or stays as it is.
    """
    try:
        if file.exists() and not file.is_file():  # a device
            file.write_text(text, encoding="utf-8")
        else:
            _replace(file.resolve(), text)
    except OSError as error:
        raise PalabreError(f"cannot write {file}: {error.strerror}") from error


def _replace(file: Path, text: str) -> None:
    part = file.with_name(f"{file.name}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


class Background(Generic[Result]):
    """Work in a thread of its own, which does not keep the program alive."""

    def __init__(self, work: Callable[..., Result], *arguments: object) -> None:
        self._answer: list[Result] = []
        self._trouble: list[BaseException] = []
        self._done = threading.Event()  # not the thread's own word: a join that Ctrl-C interrupts calls it ended
        threading.Thread(target=self._run, args=(work, *arguments), daemon=True).start()

    def _run(self, work: Callable[..., Result], *arguments: object) -> None:
        try:
            self._answer.append(work(*arguments))
        except BaseException as error:  # handed over to whoever asks for the result, whatever it is
            self._trouble.append(error)
        self._done.set()

    def wait(self, seconds: float) -> bool:
        """Wait so long at most; whether the work is done."""
        return self._done.wait(seconds)

    def result(self) -> Result:
        """What the work has come to, once it is done."""
        if self._trouble:
            raise self._trouble[0]
        return self._answer[0]


def interruptible(work: Callable[..., Result], *arguments: object) -> Result:
    """Run compiled work so that Ctrl-C is heard at once."""
    background = Background(work, *arguments)
    while not background.wait(0.1):
        pass
    return background.result()


def show_notes() -> None:
    """Send what the library has to tell (compiling, damaged caches) to standard error."""

    class ToNotes(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            notes.print(record.getMessage(), style="yellow" if record.levelno >= logging.WARNING else "dim")

    logger = logging.getLogger("palabre")
    logger.setLevel(logging.INFO)
    logger.handlers = [ToNotes()]
