"""A process that searches, as the server sees it: told things at any time, heard, killed."""

import asyncio
import contextlib
from collections.abc import Callable

import msgspec

from palabre.web.child import Child
from palabre.web.pool.jobs import FromWorker, Setup, ToWorker, from_worker, to_line

NICE = 10  # by how much a process that nobody waits for gives way to others
PLAIN = {"NUMBA_DISABLE_JIT": "1"}  # kernels run as plain Python


class WorkerProcess:
    """One process. `hear` is called with each of its messages, and with None when it is gone."""

    def __init__(self, setup: Setup, hear: Callable[[FromWorker | None], None], *, gives_way: bool = False) -> None:
        self._setup, self._hear, self._gives_way = setup, hear, gives_way
        self._child: Child | None = None
        self._waiting: list[bytes] = [to_line(setup)]  # what was said before it has started
        self._is_killed = False
        self.last_words = ""  # how it ended, and the end of what it wrote to standard error
        self._life = asyncio.get_running_loop().create_task(self._live())

    @property
    def pid(self) -> int | None:
        return None if self._child is None else self._child.pid

    def say(self, message: ToWorker) -> None:
        """Tell it something; what is said to one that is gone is lost, and `hear` is told so."""
        if self._child is None:
            self._waiting.append(to_line(message))
        else:
            self._child.send(to_line(message))

    def kill(self) -> None:
        """End it at once."""
        self._is_killed = True
        if self._child is not None:
            self._child.kill()

    async def ended(self) -> None:
        """Wait for its end."""
        await self._life

    async def _live(self) -> None:
        try:
            child = self._child = await Child.start(
                "palabre.web.pool.worker",
                nice=NICE if self._gives_way else 0,
                settings=PLAIN if self._setup.stands_in else None,
            )
            if self._is_killed:
                child.kill()
            for line in self._waiting:
                child.send(line)
            with contextlib.suppress(msgspec.MsgspecError):  # what is no message ends it
                while line := await child.read():
                    self._hear(from_worker.decode(line))
            child.kill()
            self.last_words = await child.last_words()
        except OSError as error:
            self.last_words = f"could not be started: {error}"
        self._hear(None)
