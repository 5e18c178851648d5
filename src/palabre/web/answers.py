"""Answers from the process that reads and shows what browsers name (`answering.py`), shared fairly among browsers.

Browsers take turns, one request each. Each pays for its answers with the processor time that they take; one that has
used up what it may has to wait.
"""

import asyncio
from collections import deque
from contextlib import suppress

import msgspec

from palabre.core.errors import PalabreError
from palabre.web.answering import Reply, Setup, Task
from palabre.web.child import Child
from palabre.web.plain import from_plain
from palabre.web.rates import RateLimit
from palabre.web.reading import Reader
from palabre.web.refusal import Refused

PATIENCE = 60.0  # seconds for an answer, whatever else the machine does
MOST_WAITING = 50  # requests of one browser
MODULE = "palabre.web.answering"

Waiting = deque[tuple[Task, "asyncio.Future[msgspec.Raw]"]]


class NotAnswered(PalabreError):
    """What the process has refused."""

    def __init__(self, reply: Reply) -> None:
        super().__init__(from_plain(reply.message))
        self.id = reply.refusal


class Answers:
    """Asks the process, one request at a time; it is started when it is needed, and again if it has died."""

    def __init__(self, reader: Reader, budget: RateLimit) -> None:
        self._setup = msgspec.json.encode(Setup.of(reader))
        self._budget = budget
        self._child: Child | None = None
        self._waiting: dict[str, Waiting] = {}  # by browser, the one whose turn it is first
        self._worker: asyncio.Task[None] | None = None
        self._is_closing = False

    @property
    def pid(self) -> int | None:
        """The number of the process, if there is one now."""
        return None if self._child is None else self._child.pid

    async def start(self) -> None:
        """Start the process ahead of the first request."""
        if self._child is None:
            self._child = await Child.start(MODULE)
            self._child.send(self._setup)

    async def ask(self, task: Task, owner: str) -> msgspec.Raw:
        """The answer as JSON; a `PalabreError` says why there is none."""
        self._budget.require(owner)
        own = self._waiting.setdefault(owner, deque())
        if len(own) >= MOST_WAITING:
            raise Refused("too_fast")
        future: asyncio.Future[msgspec.Raw] = asyncio.get_running_loop().create_future()
        own.append((task, future))
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())
        return await future

    async def close(self) -> None:
        """End the process; what has not been answered never will be."""
        self._is_closing = True
        for own in self._waiting.values():
            for _, future in own:
                future.cancel()
        self._waiting.clear()
        if self._child is not None:
            self._child.kill()
        if self._worker is not None:
            await asyncio.gather(self._worker, return_exceptions=True)
        if self._child is not None:
            await self._child.end(0)

    async def _work(self) -> None:
        """Answer what waits, in turns."""
        while self._waiting:
            owner = next(iter(self._waiting))
            own = self._waiting.pop(owner)
            task, future = own.popleft()
            if own:
                self._waiting[owner] = own  # at the end: others come first
            if not future.cancelled():
                await self._answer(task, future, owner)

    async def _answer(self, task: Task, future: "asyncio.Future[msgspec.Raw]", owner: str) -> None:
        try:
            self._budget.require(owner)
            reply = await self._exchange(task)
            # What has ended the process, or hangs, costs all that a browser may use.
            self._budget.charge(owner, self._budget.burst if reply is None else reply.seconds)
            if reply is None:
                raise Refused("too_costly")
            if reply.is_broken:
                raise RuntimeError(f"{type(task.request).__name__} could not be answered")
            if reply.refusal:
                raise NotAnswered(reply)
        except Exception as error:
            if not future.cancelled():
                future.set_exception(error)
        else:
            if not future.cancelled():
                future.set_result(reply.result)

    async def _exchange(self, task: Task) -> Reply | None:
        """The process's reply; None if it has ended, or has been ended because there was none."""
        await self.start()
        assert self._child is not None
        line = b""
        if self._is_closing:  # it may have been starting until now
            return None
        self._child.send(msgspec.json.encode(task))
        with suppress(TimeoutError):
            line = await asyncio.wait_for(self._child.read(), PATIENCE)
        if not line:
            child, self._child = self._child, None
            await child.end(0)
            return None
        return msgspec.json.decode(line, type=Reply)
