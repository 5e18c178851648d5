"""A Python process of our own that is sent lines and answers in lines. It ends with the server, whatever ends that."""

import asyncio
import contextlib
import os
import sys
from collections.abc import Mapping
from pathlib import Path

import palabre
from palabre.core.system import IS_PORTABLE, end_in_words, kill_program

LONGEST_LINE = 1 << 26  # bytes; the longest is an event with many bots
LAST_WORDS = 2000  # bytes of standard error that are remembered
CLOSING = 1.0  # seconds for the end of the output, if another program holds it open after the process has ended
RUN = "import sys; sys.path.insert(0, {root!r}); from {module} import main; main()"


class Child:
    """A process that runs the function `main` of a module, which ends when there is nothing more to read."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._errors = b""
        self._listening = asyncio.create_task(self._overhear())

    @classmethod
    async def start(cls, module: str, *, nice: int = 0, settings: Mapping[str, str] | None = None) -> "Child":
        """Start the process, which gives way to others by so much and has these settings in its environment."""
        root = str(Path(palabre.__file__).parent.parent)
        loop = asyncio.get_running_loop()
        transport, protocol = await loop.subprocess_exec(
            lambda: _Streams(LONGEST_LINE, loop),
            sys.executable,
            "-P",  # nothing in the current folder may take the place of a module
            "-c",
            RUN.format(root=root, module=module),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=not IS_PORTABLE,  # Ctrl-C is for the server
            env={**os.environ, **(settings or {})},
        )
        process = asyncio.subprocess.Process(transport, protocol, loop)
        if nice and hasattr(os, "setpriority"):
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, process.pid, nice)
        return cls(process)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether it has not ended."""
        return self._process.returncode is None

    def send(self, line: bytes) -> None:
        """Send a line; what is sent to one that is gone is lost, and the end of what it says tells so."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, RuntimeError):
            self._process.stdin.write(line + b"\n")

    async def read(self) -> bytes:
        """The next line; nothing if it has ended."""
        assert self._process.stdout is not None
        try:
            return await self._process.stdout.readline()
        except (ValueError, ConnectionError):  # a line without end
            return b""

    async def end(self, patience: float) -> None:
        """Let it end by itself, and kill it if it has not after so many seconds."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), patience)
        self.kill()
        await self._process.wait()
        await self._listening

    def kill(self) -> None:
        """End it at once, and all that it has started in its group."""
        if self.is_alive:
            kill_program(self._process)

    async def last_words(self) -> str:
        """How it ended, and what it said last; it has ended."""
        told = str(end_in_words(await self._process.wait()))
        await self._listening
        lines = self._errors.decode("utf-8", "replace").split("\n")
        words = " / ".join(line.strip() for line in lines[-4:] if line.strip())
        return f"{told}: {words}" if words else told

    async def _overhear(self) -> None:
        assert self._process.stderr is not None
        while chunk := await self._process.stderr.read(1 << 16):
            self._errors = (self._errors + chunk)[-LAST_WORDS:]


class _Streams(asyncio.subprocess.SubprocessStreamProtocol):
    """The streams of a process, which are closed after its end whoever else has them.

    A program that it has started may outlive it and hold its pipes open; asyncio would wait for that program. What the
    process itself has written is in the pipes when it ends, and is read at once.
    """

    _transport: asyncio.SubprocessTransport | None

    def process_exited(self) -> None:
        super().process_exited()
        if self._transport is not None:
            asyncio.get_running_loop().call_later(CLOSING, self._transport.close)
