"""A run of an event: the server's side of the process that plays it."""

import asyncio
import contextlib
import logging
from collections.abc import Mapping
from pathlib import Path

import msgspec

from palabre.core.errors import PalabreError
from palabre.web.child import Child
from palabre.web.events.plan import EventPlan
from palabre.web.events.read import with_names
from palabre.web.events.run import RunOrder, RunReport
from palabre.web.plain import from_plain
from palabre.web.refusal import Refused

log = logging.getLogger(__name__)

NICE = 10  # bots at boards come first
PATIENCE = 10.0  # seconds to end after having been told to


class Run:
    """An event that is being played, or was."""

    def __init__(self, file: Path, plan: EventPlan, shown_game: str, workers: int, files: Mapping[str, str]) -> None:
        """`shown_game` is the spec of its game as browsers know it, `files` says what they call bots and games."""
        self.file, self.plan, self.shown_game = file, plan, shown_game
        self.report = RunReport()
        self.error: PalabreError | None = None  # why it has ended, if not as it should
        self.is_alive = True  # from the beginning, so that nobody else begins one meanwhile
        self._order = msgspec.json.encode(RunOrder(plan, str(file), workers))
        self._files = files
        self._is_told = False  # to stop
        self._child: Child | None = None
        self._listening: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start the process."""
        try:
            self._child = await Child.start("palabre.web.events.run", nice=NICE)
        except OSError as error:
            self.is_alive = False
            raise Refused("event_not_started", reason=str(error)) from error
        self._child.send(self._order)
        self._listening = asyncio.create_task(self._listen(self._child))
        if self._is_told:  # while it was being started
            await self.stop()

    async def stop(self) -> None:
        """Interrupt it; what has been played is kept."""
        self._is_told = True
        if self._child is not None and self._listening is not None:
            await self._child.end(PATIENCE)
            await self._listening

    @property
    def pid(self) -> int | None:
        """The number of its process."""
        return None if self._child is None else self._child.pid

    async def _listen(self, child: Child) -> None:
        with contextlib.suppress(msgspec.MsgspecError):  # what is no report ends it
            while line := await child.read():
                self.report = msgspec.json.decode(with_names(line, self._files), type=RunReport)
        child.kill()
        words = await child.last_words()
        if self.report.error is not None:
            self.error = PalabreError(from_plain(self.report.error))
        elif not self.report.is_finished and not self._is_told:
            log.warning("the process that played %s %s", self.file.name, words)
            self.error = Refused("event_died")
        self.is_alive = False
