"""What the process does that reads and shows what browsers name: places, pasted texts, games, rules.

What it is asked depends on nothing but the request, the language and the folders that the server offers. It may take a
second, which is none of the server's own: all other browsers would wait.
"""

import contextlib
import signal
from collections.abc import Callable, Iterator
from typing import Any, Literal

from msgspec import Raw, Struct

from palabre.core.record import Record
from palabre.draw import svg
from palabre.web import catalogue, messages, page, requests
from palabre.web.pictures import qr_code
from palabre.web.reading import Reader
from palabre.web.reasons import why_not
from palabre.web.refusal import Refused, by_name
from palabre.web.report.public import standalone_replay
from palabre.workers.messages import Task
from palabre.workers.service import Running, Service

MOST_SECONDS = 5.0  # of processor time for one answer


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
    | requests.RulesRequest
    | requests.ReadText
    | requests.WriteText
    | requests.ShowLine
    | requests.WhyNot
)


class Ask(Task[Raw], frozen=True):
    """A request to be answered in a language; the operator also sees what is wrong with games."""

    RESULT = Raw

    request: Answerable | Plies | Download | Link
    language: str
    is_operator: bool = False


# ------------------------------------------------------------------------------------------------------------- answers


def _catalogue(task: Ask, request: requests.Catalogue, reader: Reader) -> list[messages.GameEntry]:
    return catalogue.catalogue(reader, task.language, shows_broken=task.is_operator)


def _choices(task: Ask, request: requests.Choices, reader: Reader) -> messages.GameChoices:
    return catalogue.choices(reader.game(request.game), reader, task.language)


def _rules(task: Ask, request: requests.RulesRequest, reader: Reader) -> messages.RulesPage:
    return catalogue.rules_page(reader.game(request.game), task.language)


def _read_text(task: Ask, request: requests.ReadText, reader: Reader) -> requests.Place:
    return reader.text(request.text, request.game)


def _write_text(task: Ask, request: requests.WriteText, reader: Reader) -> messages.Written:
    last = reader.positions(request.place)[-1]
    return messages.Written(last.text, Record.of(last).to_text())


def _show_line(task: Ask, request: requests.ShowLine, reader: Reader) -> messages.LineShown:
    with by_name(request.names):
        positions = reader.positions(request.place)
    since = min(request.since, len(positions) - 1)
    return page.line_shown(positions, since, task.language, request.names)


def _why_not(task: Ask, request: requests.WhyNot, reader: Reader) -> messages.Reason:
    position = reader.positions(request.place)[-1]
    words = position.game.words(task.language, request.names)
    return messages.Reason(why_not(position, page.names_of(position.game, request.clicks), words))


def _plies(task: Ask, request: Plies, reader: Reader) -> list[messages.Ply]:
    positions = reader.positions(request.place)
    return page.plies(positions, task.language, request.since, request.seconds, request.names)


def _download(task: Ask, request: Download, reader: Reader) -> str:
    place = request.place
    if request.ending == "svg":
        return svg.draw(reader.positions(place)[-1])
    record = Record(reader.game(place.game), tuple(place.moves), place.start, request.result, request.tags)
    return record.to_text() if request.ending == "txt" else standalone_replay(record, task.language)


def _link(task: Ask, request: Link, reader: Reader) -> str:
    return qr_code(request.address)


_ANSWERS: dict[type, Callable[[Ask, Any, Reader], object]] = {
    requests.Catalogue: _catalogue,
    requests.Choices: _choices,
    requests.RulesRequest: _rules,
    requests.ReadText: _read_text,
    requests.WriteText: _write_text,
    requests.ShowLine: _show_line,
    requests.WhyNot: _why_not,
    Plies: _plies,
    Download: _download,
    Link: _link,
}


def answer(reader: Reader, task: Ask, running: Running) -> object:
    """The answer to a request; a `PalabreError` says why there is none."""
    with limited(MOST_SECONDS):
        return _ANSWERS[type(task.request)](task, task.request, reader)


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Refuse what takes more processor time than this, where the system can measure it."""
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


SERVICE = Service(Reader, lambda reader: reader, {Ask: answer})
