"""The process that reads and shows what browsers name: places, pasted texts, games, rules.

What it is asked depends on nothing but the request, the language and the folders that the server offers. It may take a
second, which is none of the server's own: everybody else would wait. The processor time of each answer goes back with
it, to be paid by the browser that has asked.
"""

import contextlib
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from palabre.arena.report.replays import standalone_replay
from palabre.core.errors import PalabreError
from palabre.core.record import Record
from palabre.core.system import end_with_parent
from palabre.draw import svg
from palabre.web import catalogue, messages, page, requests
from palabre.web.limits import Folders, ServerLimits
from palabre.web.pictures import qr_code
from palabre.web.plain import to_plain
from palabre.web.reading import Reader
from palabre.web.reasons import why_not
from palabre.web.refusal import Refused, by_name

MOST_SECONDS = 5.0  # of processor time for one answer


class Setup(Struct, frozen=True):
    """The first message to the process."""

    bots: list[str]  # folders and files that the server offers
    games: list[str]
    broken: list[tuple[str, str]]
    seconds: float  # the most that a bot may think about a move

    @classmethod
    def of(cls, reader: Reader) -> "Setup":
        """What the process needs to read as this reader does."""
        folders = reader.folders
        bots, games = ([str(path.resolve()) for path in paths] for paths in (folders.bots, folders.games))
        return cls(bots, games, [(str(file), why) for file, why in folders.broken], reader.limits.seconds)

    def reader(self) -> Reader:
        """A reader in the process."""
        broken = tuple((Path(file), why) for file, why in self.broken)
        folders = Folders(tuple(map(Path, self.bots)), tuple(map(Path, self.games)), broken)
        return Reader(ServerLimits(seconds=self.seconds), folders)


class Plies(Struct, frozen=True, tag_field="kind", tag="Plies"):
    """The plies of a room from one on, each as JSON: not a request of a browser, but of the server itself."""

    place: requests.Place
    since: int
    seconds: list[float | None]
    names: list[str]  # of the players


class Download(Struct, frozen=True, tag_field="kind", tag="Download"):
    """A game to take away: a record and the kind of file to make of it."""

    place: requests.Place
    result: str
    tags: dict[str, str]
    ending: Literal["txt", "svg", "html"]


class Link(Struct, frozen=True, tag_field="kind", tag="Link"):
    """A link as a picture for telephones."""

    address: str


Answerable = (
    requests.Catalogue
    | requests.Choices
    | requests.Rules
    | requests.ReadText
    | requests.WriteText
    | requests.ShowLine
    | requests.WhyNot
)


class Task(Struct, frozen=True):
    """A request to be answered in a language; the operator also sees what is wrong with games."""

    request: Answerable | Plies | Download | Link
    language: str
    is_operator: bool = False


class Reply(Struct, frozen=True):
    """The answer, or why there is none, and the processor time that it took."""

    seconds: float
    result: msgspec.Raw = msgspec.Raw(b"null")
    refusal: str = ""  # its id
    message: Any = None  # its message as plain data
    is_broken: bool = False  # by a mistake of ours


# ------------------------------------------------------------------------------------------------------------- answers


def _catalogue(task: Task, request: requests.Catalogue, reader: Reader) -> list[messages.GameEntry]:
    return catalogue.catalogue(reader, task.language, shows_broken=task.is_operator)


def _choices(task: Task, request: requests.Choices, reader: Reader) -> messages.GameChoices:
    return catalogue.choices(reader.game(request.game), reader, task.language)


def _rules(task: Task, request: requests.Rules, reader: Reader) -> messages.RulesPage:
    return catalogue.rules_page(reader.game(request.game), task.language)


def _read_text(task: Task, request: requests.ReadText, reader: Reader) -> requests.Place:
    return reader.text(request.text, request.game)


def _write_text(task: Task, request: requests.WriteText, reader: Reader) -> messages.Written:
    last = reader.positions(request.place)[-1]
    return messages.Written(last.text, Record.of(last).to_text())


def _show_line(task: Task, request: requests.ShowLine, reader: Reader) -> messages.LineShown:
    with by_name(request.names):
        positions = reader.positions(request.place)
    since = min(request.since, len(positions) - 1)
    return page.line_shown(positions, since, task.language, request.names)


def _why_not(task: Task, request: requests.WhyNot, reader: Reader) -> messages.Reason:
    position = reader.positions(request.place)[-1]
    words = position.game.words(task.language, request.names)
    return messages.Reason(why_not(position, page.names_of(position.game, request.clicks), words))


def _plies(task: Task, request: Plies, reader: Reader) -> list[messages.Ply]:
    positions = reader.positions(request.place)
    return page.plies(positions, task.language, request.since, request.seconds, request.names)


def _download(task: Task, request: Download, reader: Reader) -> str:
    place = request.place
    if request.ending == "svg":
        return svg.draw(reader.positions(place)[-1])
    record = Record(reader.game(place.game), tuple(place.moves), place.start, request.result, request.tags)
    return record.to_text() if request.ending == "txt" else standalone_replay(record, task.language)


def _link(task: Task, request: Link, reader: Reader) -> str:
    return qr_code(request.address)


_ANSWERS: dict[type, Callable[[Task, Any, Reader], object]] = {
    requests.Catalogue: _catalogue,
    requests.Choices: _choices,
    requests.Rules: _rules,
    requests.ReadText: _read_text,
    requests.WriteText: _write_text,
    requests.ShowLine: _show_line,
    requests.WhyNot: _why_not,
    Plies: _plies,
    Download: _download,
    Link: _link,
}


def answer(task: Task, reader: Reader) -> Reply:
    """The answer to a request, or why there is none."""
    begin = time.process_time()

    def spent() -> float:
        return time.process_time() - begin

    try:
        with limited(MOST_SECONDS):
            result = msgspec.Raw(msgspec.json.encode(_ANSWERS[type(task.request)](task, task.request, reader)))
        return Reply(spent(), result)
    except PalabreError as error:
        refusal = getattr(error, "id", type(error).__name__)
        return Reply(spent(), refusal=refusal, message=to_plain(error.message))
    except Exception:
        traceback.print_exc()
        return Reply(spent(), is_broken=True)


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Refuse what takes more processor time than this, where the system can tell."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def refuse(number: int, frame: object) -> None:
        raise Refused("too_costly")

    before = signal.signal(signal.SIGVTALRM, refuse)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


# ------------------------------------------------------------------------------------------------------- as a process


def main() -> None:
    """Answer requests until there are no more."""
    tasks = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a game prints is no answer of ours
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends us
    end_with_parent()
    reader = msgspec.json.decode(tasks.readline(), type=Setup).reader()
    decoder = msgspec.json.Decoder(Task)
    for line in tasks:
        replies.write(msgspec.json.encode(answer(decoder.decode(line), reader)) + b"\n")
        replies.flush()
    sys.stderr.flush()
    os._exit(0)
