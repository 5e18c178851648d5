"""A process of this machine that does tasks, as the pool sees it. It ends with this process, however that ends."""

import contextlib
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO

import palabre
from palabre.core.system import end_in_words, kill_program, start_keeper, start_program
from palabre.workers.job import OnLine
from palabre.workers.messages import Exit

CHUNK = 1 << 16  # bytes that are read at once
LONGEST_LINE = 1 << 26  # bytes; the longest is an event with many bots
STDERR_TAIL = 2000  # bytes of standard error that are remembered
ENDING = 30.0  # seconds for a busy machine to end a process that has closed its output
CLOSING = 1.0  # seconds for the end of a pipe, if another program holds it open after the process has ended
RUN = "import sys; sys.path.insert(0, {root!r}); from palabre.workers.main import main; main({module!r})"

OnOutput = Callable[[str], None]  # called with each line that it, or a bot in it, writes to standard error


class Process:
    """A process that runs the service of a module. Only `close` waits for it."""

    def __init__(
        self,
        module: str,
        setup: bytes,
        on_line: OnLine,
        *,
        nice: int = 0,
        environment: Mapping[str, str] | None = None,
        on_output: OnOutput | None = None,
    ) -> None:
        """Start it: it gives way to others by so much, and has these settings in its environment besides ours.

        `on_line` and `on_output` are called in threads. If it cannot be started, it is gone at once.
        """
        self._on_line, self._on_output = on_line, on_output
        self._stderr_tail = b""
        self._start_error = ""
        self._keeper: subprocess.Popen[bytes] | None = None
        self._has_closed_output = self._has_reported_end = False
        self._lock = threading.Lock()
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()  # to be written
        self._program: subprocess.Popen[bytes] | None = None
        # Nothing in the current folder may take the place of a module, so it is not searched (-P).
        root = str(Path(palabre.__file__).parent.parent)
        words = [sys.executable, "-P", "-c", RUN.format(root=root, module=module)]
        try:
            program = self._program = start_program(words, {**os.environ, **(environment or {})})
        except OSError as error:
            self._start_error = f"could not be started: {error}"
            threading.Thread(target=on_line, args=(None,), daemon=True).start()
            return
        if nice and hasattr(os, "setpriority"):
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, program.pid, nice)
        self._keeper = start_keeper(program)
        assert program.stdin is not None
        assert program.stdout is not None
        assert program.stderr is not None
        self.send(setup + b"\n")
        self._stderr_thread = threading.Thread(target=self._read_stderr, args=(program.stderr,), daemon=True)
        self._stderr_thread.start()
        self._reader = threading.Thread(target=self._read, args=(program.stdout,), daemon=True)
        self._reader.start()
        for work, argument in ((self._write, program.stdin), (self._watch, program)):
            threading.Thread(target=work, args=(argument,), daemon=True).start()

    @property
    def pid(self) -> int | None:
        """The number of the process."""
        return None if self._program is None else self._program.pid

    def send(self, line: bytes) -> None:
        """Have a line written; what is sent to a process that is gone is lost, and `on_line` is called with None."""
        self._lines.put(line)

    def end(self) -> None:
        """Let it end as soon as what was sent before has been read: at once if it is busy."""
        self._lines.put(None)

    def kill(self) -> None:
        """End it at once, and all that it has started in its group."""
        if self._program is not None:
            kill_program(self._program)

    def close(self, patience: float = 0.0) -> None:
        """Wait so many seconds for it to end by itself, then kill it; nothing of it is left."""
        self.end()
        if self._program is None:
            return
        if patience:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._program.wait(patience)
        self.kill()
        self._program.wait()
        if self._keeper is not None:
            self._keeper.kill()
            self._keeper.wait()
            assert self._keeper.stdin is not None
            self._keeper.stdin.close()

    def exit_report(self) -> Exit:
        """How it ended, and what it wrote last to standard error; it is ended if it has not."""
        if self._program is None:
            return Exit(self._start_error)
        words, status = "it sent something that is no message", None
        if self._has_closed_output:
            try:
                status = self._program.wait(ENDING)
                words = f"it {end_in_words(status)}"
            except subprocess.TimeoutExpired:
                words = "it closed its output"
        self.kill()  # with all that it has started, so that the pipe below has an end
        self._stderr_thread.join(CLOSING)
        lines = self._stderr_tail.decode("utf-8", "replace").split("\n")
        return Exit(words, status, tuple(line.strip() for line in lines[-4:] if line.strip()))

    def _write(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError), stream:  # if it is gone, the thread that reads reports it
            while (line := self._lines.get()) is not None:
                while line:
                    line = line[stream.write(line) or 0 :]

    def _read(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError), stream:
            rest = b""
            while (chunk := stream.read(CHUNK)) and len(rest) < LONGEST_LINE:
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    self._on_line(line)
        self._has_closed_output = True
        self._report_end()

    def _watch(self, program: "subprocess.Popen[bytes]") -> None:
        """Notice its end, also if a program that it has started lives on and holds the pipe."""
        program.wait()
        self._reader.join(CLOSING)
        self._has_closed_output = True
        self._report_end()

    def _report_end(self) -> None:
        with self._lock:
            is_first, self._has_reported_end = not self._has_reported_end, True
        if is_first:
            self._on_line(None)

    def _read_stderr(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError), stream:
            rest = b""
            while chunk := stream.read(CHUNK):
                self._stderr_tail = (self._stderr_tail + chunk)[-STDERR_TAIL:]
                *lines, rest = (rest + chunk).split(b"\n")
                rest = rest[:STDERR_TAIL]
                for line in lines if self._on_output is not None else ():
                    assert self._on_output is not None
                    self._on_output(line.decode("utf-8", "replace"))
