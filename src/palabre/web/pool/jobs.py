"""Jobs of a pool, for an event loop."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Generic, TypeVar

from palabre.workers.job import Job

Outcome = TypeVar("Outcome")


class AsyncJob(Generic[Outcome]):
    """A job, for an event loop. A task of the loop that is cancelled while it awaits the result cancels the job."""

    def __init__(self, job: Job[Outcome]) -> None:
        self.job = job
        self._loop = asyncio.get_running_loop()
        self._future: asyncio.Future[Outcome] = self._loop.create_future()
        job.when_done(lambda job: soon(self._loop, self._on_done))

    async def result(self) -> Outcome:
        """What has come of it; a `TaskFailed` says why nothing has."""
        try:
            return await self._future
        except asyncio.CancelledError:
            self.cancel()
            raise

    def stop(self) -> None:
        """Have it end soon, with what is known by then; if it has not begun yet, as soon as it has."""
        self.job.stop()

    def cancel(self) -> None:
        """Its result is no longer wanted: its process is free for others as soon as can be."""
        self._future.cancel()
        self.job.cancel()

    @property
    def is_done(self) -> bool:
        return self._future.done()

    def _on_done(self) -> None:
        future = self.job.future
        if self._future.done():
            return
        if future.cancelled():
            self._future.cancel()
        elif (error := future.exception()) is not None:
            self._future.set_exception(error)
            self._future.exception()  # a caller that never asks for the result need not know
        else:
            self._future.set_result(future.result())


def soon(loop: asyncio.AbstractEventLoop, function: Callable[..., object], *arguments: object) -> None:
    """Call a function on the event loop, from any thread; nothing if the loop has ended."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(function, *arguments)
