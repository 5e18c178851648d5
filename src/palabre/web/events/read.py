"""Reading events and files of records for the server, in a process of its own.

Standings need NumPy, and a file may be as large as it likes or damaged: neither is any of the server's business.
"""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Raw

from palabre.core.errors import PalabreError
from palabre.core.plain import renamed
from palabre.core.words import DEFAULT, say
from palabre.web.refusal import Refused
from palabre.workers.job import Lane
from palabre.workers.local import LocalCrew
from palabre.workers.messages import Task, TaskFailed
from palabre.workers.pool import Pool
from palabre.workers.service import NO_SETUP, Running, stateless

Result = TypeVar("Result")

NICE = 5  # bots at boards come first
PATIENCE = 60.0  # seconds for an answer


class ReadEvent(Task[Raw], frozen=True):
    """What to read."""

    RESULT = Raw

    what: Literal["entry", "facts", "games", "game"]
    file: str
    files: dict[str, str]  # of games and bots that the server offers: places, and the names that browsers know
    is_own: bool  # whether the server itself has made the file: then its game may be run, wherever it is
    language: str = DEFAULT
    bots: tuple[str, ...] = ()
    number: int = 0


class EventReader:
    """Asks the process, one thing at a time; it is started when it is needed, and again if it has died."""

    def __init__(self) -> None:
        self._lane = Lane(LocalCrew(__name__, NO_SETUP, 1, nice=NICE), preparation=PATIENCE, most_deaths=1)
        self._pool = Pool(self._lane)

    async def ask(self, task: ReadEvent, kind: type[Result]) -> Result:
        """What a task asks for; a `PalabreError` says why it cannot be read."""
        try:
            answer = await self._pool.submit(self._lane, task).outcome()
        except TaskFailed as error:
            if error.id == "task.refused":
                raise PalabreError(error.message) from None
            raise Refused("event_unreadable", event=Path(task.file).name) from None
        return msgspec.json.decode(answer, type=kind)

    async def close(self) -> None:
        """Let the process go."""
        await asyncio.to_thread(self._pool.kill)


def with_names(text: bytes, files: Mapping[str, str]) -> bytes:
    """A JSON text in which files that the server offers have their names instead of their places."""
    for place, name in files.items():
        text = text.replace(msgspec.json.encode(place)[1:-1], msgspec.json.encode(name)[1:-1])
    return text


# -------------------------------------------------------------------------------------------------------- in the worker


def read(state: object, task: ReadEvent, running: Running) -> Raw:
    """What is in a file."""
    from palabre.web.events import records, stored  # for this process alone: they need NumPy

    file, trusted = Path(task.file), None if task.is_own else frozenset(task.files)
    source: Any = records if file.suffix in records.RECORD_FILES else stored
    try:
        content: object
        if task.what == "entry":
            content = source.read_entry(file, trusted)
        elif task.what == "facts":
            content = source.read_facts(file, trusted, task.language)
        elif task.what == "games":
            content = source.read_games(file, trusted, task.language, task.bots)
        else:
            content = source.read_game(file, trusted, task.language, task.number)
    except PalabreError as error:
        raise PalabreError(renamed(error, str(file), file.name)) from error
    except Exception as error:  # a database of ours with something else in it
        raise PalabreError(say("record.unreadable", file=file.name, error=type(error).__name__)) from error
    return Raw(with_names(msgspec.json.encode(content), task.files))


SERVICE = stateless({ReadEvent: read})
