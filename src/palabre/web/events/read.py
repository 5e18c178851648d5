"""The process that reads events and files of records for the server.

Standings need NumPy, and a file may be as large as it likes or damaged: neither is any of the server's business.
"""

import asyncio
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from palabre.core.errors import PalabreError
from palabre.core.words import say
from palabre.web.child import Child
from palabre.web.plain import from_plain, renamed, to_plain
from palabre.web.refusal import Refused

Result = TypeVar("Result")

NICE = 5  # bots at boards come first
PATIENCE = 60.0  # seconds for an answer
FAREWELL = 1.0  # seconds to leave


class ReadOrder(msgspec.Struct, frozen=True):
    """What to read."""

    what: Literal["entry", "facts", "games", "game"]
    file: str
    files: dict[str, str]  # of games and bots that the server offers: places, and the names that browsers know
    is_own: bool  # whether the server itself has made the file: then its game may be run, wherever it is
    bots: list[str] = []
    number: int = 0


class Reply(msgspec.Struct, frozen=True):
    """What was read, or why it cannot be."""

    error: Any = None  # a message as plain data
    result: msgspec.Raw = msgspec.Raw(b"null")


class EventReader:
    """Asks the process, one thing at a time; it is started when it is needed, and again if it has died."""

    def __init__(self) -> None:
        self._child: Child | None = None
        self._turn = asyncio.Lock()

    @property
    def pid(self) -> int | None:
        """The number of the process, if there is one now."""
        return None if self._child is None else self._child.pid

    async def ask(self, order: ReadOrder, kind: type[Result]) -> Result:
        """What an order asks for; a `PalabreError` says why it cannot be read."""
        # Whoever asked may be gone before the answer is there; it must be read all the same.
        line = await asyncio.shield(asyncio.ensure_future(self._exchange(msgspec.json.encode(order))))
        if not line:
            raise Refused("event_unreadable", event=Path(order.file).name)
        reply = msgspec.json.decode(line, type=Reply)
        if reply.error is not None:
            raise PalabreError(from_plain(reply.error))
        return msgspec.json.decode(reply.result, type=kind)

    async def _exchange(self, message: bytes) -> bytes:
        async with self._turn:
            if self._child is None:
                self._child = await Child.start(__name__, nice=NICE)
            self._child.send(message)
            line = b""
            with suppress(TimeoutError):
                line = await asyncio.wait_for(self._child.read(), PATIENCE)
            if not line:
                child, self._child = self._child, None
                await child.end(0)
            return line

    async def close(self) -> None:
        """Let the process go."""
        if self._child is not None:
            await self._child.end(FAREWELL)


def with_names(text: bytes, files: Mapping[str, str]) -> bytes:
    """A JSON text in which files that the server offers have their names instead of their places."""
    for place, name in files.items():
        text = text.replace(msgspec.json.encode(place)[1:-1], msgspec.json.encode(name)[1:-1])
    return text


# ------------------------------------------------------------------------------------------------------- as a process


def main() -> None:
    """Answer orders until there are no more."""
    orders = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a game prints is no answer of ours
    for line in orders:
        order = msgspec.json.decode(line, type=ReadOrder)
        answers.write(with_names(msgspec.json.encode(answer(order)), order.files) + b"\n")
        answers.flush()
    sys.stderr.flush()
    os._exit(0)


def answer(order: ReadOrder) -> Reply:
    """What is in a file."""
    from palabre.web.events import facts  # for this process alone: it needs NumPy

    file, trusted = Path(order.file), None if order.is_own else frozenset(order.files)
    try:
        found: object
        if order.what == "entry":
            found = facts.read_entry(file, trusted)
        elif order.what == "facts":
            found = facts.read_facts(file, trusted)
        elif order.what == "games":
            found = facts.read_games(file, trusted, order.bots)
        else:
            found = facts.read_game(file, trusted, order.number)
    except PalabreError as error:
        return Reply(to_plain(renamed(error, str(file), file.name)))
    except Exception as error:  # a database of ours with something else in it
        return Reply(to_plain(say("record.unreadable", file=file.name, error=type(error).__name__)))
    return Reply(result=msgspec.Raw(msgspec.json.encode(found)))
