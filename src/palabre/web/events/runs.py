"""A run of an event: the server's side of the process that plays it."""

import asyncio
import logging
from collections.abc import Mapping
from pathlib import Path

import msgspec

from palabre.core.errors import PalabreError
from palabre.web.events.plan import EventPlan
from palabre.web.events.read import with_names
from palabre.web.events.run import RunEvent, RunReport
from palabre.web.refusal import Refused
from palabre.workers.job import Job, Lane
from palabre.workers.local import LocalCrew
from palabre.workers.messages import TaskFailed
from palabre.workers.pool import Pool
from palabre.workers.service import NO_SETUP

log = logging.getLogger(__name__)

MODULE = "palabre.web.events.run"
NICE = 10  # bots at boards come first
PATIENCE = 10.0  # seconds to end after it has been stopped


class Run:
    """An event that is being played, or was."""

    def __init__(self, file: Path, plan: EventPlan, shown_game: str, workers: int, files: Mapping[str, str]) -> None:
        """`shown_game` is the spec of its game as browsers know it, `files` says what they call bots and games."""
        self.file, self.plan, self.shown_game = file, plan, shown_game
        self.report = RunReport()
        self.error: PalabreError | None = None  # why it has ended, if not as it should
        self.is_alive = True  # from the beginning, so that no second one is begun meanwhile
        self._task = RunEvent(plan, str(file), workers)
        self._files = files
        self._lane = Lane(LocalCrew(MODULE, NO_SETUP, 1, nice=NICE), most_deaths=1)
        self._pool = Pool(self._lane)
        self._playing: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start the process."""
        self._job = self._pool.submit(self._lane, self._task, on_progress=self._on_report)
        self._playing = asyncio.create_task(self._play(self._job))

    async def stop(self) -> None:
        """Interrupt it; what has been played is kept."""
        if self._playing is not None:
            self._job.stop()
            await asyncio.wait([self._playing], timeout=PATIENCE)
            await asyncio.to_thread(self._pool.kill)
            await self._playing

    def _on_report(self, report: RunReport) -> None:
        """Called in a thread of the pool."""
        self.report = msgspec.json.decode(with_names(msgspec.json.encode(report), self._files), type=RunReport)

    async def _play(self, job: Job[RunReport]) -> None:
        try:
            self._on_report(await job.outcome())
        except TaskFailed as error:
            if error.id == "task.refused":
                self.error = PalabreError(error.message)
            elif not self._job.is_stopped:
                log.warning("the process that played %s %s", self.file.name, error.exit or error)
                self.error = Refused("event_died")
        self.is_alive = False
        await asyncio.to_thread(self._pool.kill)
