"""A process that searches, as the server sees it: started, told things, heard, killed."""

import asyncio
import contextlib
import os
import sys
from collections.abc import Callable

import msgspec

from palabre.core.system import IS_PORTABLE, end_in_words, kill_program
from palabre.web.pool.jobs import LONGEST_LINE, FromWorker, Setup, ToWorker, from_worker, to_line

LAST_WORDS = 2000  # bytes of standard error that are remembered
NICE = 10  # by how much a process that nobody waits for gives way to others
PLAIN = {"NUMBA_DISABLE_JIT": "1"}  # kernels run as plain Python
COMMAND = "from palabre.web.pool.worker import main; main()"


class WorkerProcess:
    """One process. `hear` is called with each of its messages, and with None when it is gone."""

    def __init__(self, setup: Setup, hear: Callable[[FromWorker | None], None], *, gives_way: bool = False) -> None:
        self._setup, self._hear, self._gives_way = setup, hear, gives_way
        self._program: asyncio.subprocess.Process | None = None
        self._waiting: list[bytes] = [to_line(setup)]  # what was said before it has started
        self._is_killed = False
        self._errors = b""
        self._life = asyncio.get_running_loop().create_task(self._live())

    @property
    def pid(self) -> int | None:
        return None if self._program is None else self._program.pid

    def say(self, message: ToWorker) -> None:
        """Tell it something; what is said to one that is gone is lost, and `hear` is told so."""
        if self._program is None:
            self._waiting.append(to_line(message))
        else:
            self._write(to_line(message))

    def kill(self) -> None:
        """End it at once."""
        self._is_killed = True
        if self._program is None or self._program.returncode is not None:
            return
        kill_program(self._program)

    async def ended(self) -> None:
        """Wait for its end."""
        await self._life

    def last_words(self) -> str:
        """How it ended, and the end of what it wrote to standard error."""
        code = None if self._program is None else self._program.returncode
        how = "it could not be started" if code is None else f"it {end_in_words(code)}"
        lines = [line.strip() for line in self._errors.decode("utf-8", "replace").splitlines() if line.strip()]
        return f"{how}; its last words were {lines[-1]!r}" if lines else how

    async def _live(self) -> None:
        try:
            await self._start()
            assert self._program is not None
            assert self._program.stdout is not None
            overhearing = asyncio.create_task(self._overhear())
            with contextlib.suppress(msgspec.MsgspecError, ValueError):  # what is no message ends it
                while line := await self._program.stdout.readline():
                    self._hear(from_worker.decode(line))
            self.kill()
            await self._program.wait()
            await overhearing
        except OSError as error:
            self._errors = str(error).encode()
        self._hear(None)

    async def _start(self) -> None:
        # Nothing in the current folder may take the place of a module, so it is not searched (-P).
        pipe = asyncio.subprocess.PIPE
        self._program = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-c", COMMAND),
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            limit=LONGEST_LINE,
            start_new_session=not IS_PORTABLE,
            env={**os.environ, **PLAIN} if self._setup.stands_in else None,
        )
        if self._is_killed:
            self.kill()
        if self._gives_way and hasattr(os, "setpriority"):
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, self._program.pid, NICE)
        for line in self._waiting:
            self._write(line)

    async def _overhear(self) -> None:
        assert self._program is not None
        assert self._program.stderr is not None
        while chunk := await self._program.stderr.read(1 << 16):
            self._errors = (self._errors + chunk)[-LAST_WORDS:]

    def _write(self, line: bytes) -> None:
        assert self._program is not None
        assert self._program.stdin is not None
        with contextlib.suppress(OSError, RuntimeError):  # it is gone, and the end of its output tells so
            self._program.stdin.write(line)
