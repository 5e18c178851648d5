"""A foreign program that reads and writes lines. It cannot hang us, fill our memory or outlive us.

Its output is read only while a caller waits for a line, and never after the deadline. A program that writes more than
that blocks, as with any pipe. It leads a process group, and the whole group ends with it: when the program is closed,
when it is garbage, and, by its keeper, when our own process is gone. `core.system` lists what works on systems without
process groups.
"""

import contextlib
import os
import signal
import subprocess
import time
import weakref
from collections import deque
from collections.abc import Iterator, Sequence

from palabre.core.pipes import CHUNK, PolledPipes, ThreadedPipes, pipes_to
from palabre.core.system import (
    end_in_words,
    java_machines,
    kill_program,
    start_keeper,
    start_program,
    waits_for_input,
)
from palabre.core.words import Message, say

MAX_LINE_BYTES = 1 << 16
MOST_OUTPUT = 1 << 22  # bytes between two lines that are sent
MOST_ERRORS = 2000  # bytes of standard error that are remembered, the last ones
STACK_END = b"JNI global ref"  # follows the last thread when a Java machine writes where its threads are
READY_POLL = 0.005  # seconds between two looks at whether a program is ready
QUITTING = 0.5  # seconds for the program to end when asked to
ENDING = 2.0  # seconds for a program that has closed a stream to end; it usually has already
# Seconds to read the standard error of an ended program to its end. Another process, started by it, may hold it open.
ERRORS_PATIENCE = 2.0


class Broken(Exception):
    """The conversation is over; the message is how the program ended it."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


class LineProgram:
    """A running program. Raises `OSError` if it cannot be started."""

    def __init__(self, words: Sequence[str]) -> None:
        self._program = start_program(words)
        self._pipes = pipes_to(self._program)
        keeper = start_keeper(self._program)
        self.close = weakref.finalize(self, _end, self._program, self._pipes, keeper)
        self._lines: deque[bytes] = deque()  # what was read and not yet returned
        self._rest = b""  # the beginning of the line after them
        self._amount = 0  # bytes read since the last line was sent
        self._amount_late = 0  # of these, what was read after the deadline
        self._output_ended = False
        self._errors = b""

    @property
    def is_open(self) -> bool:
        return bool(self.close.alive)

    def send(self, line: str) -> None:
        """Send a line."""
        if not self.is_open:  # its pipe may belong to another program by now
            raise Broken(say("engine.gone"))
        self._amount = self._amount_late = 0
        try:
            is_sent = self._pipes.write(line.encode() + b"\n")
        except OSError as error:
            raise Broken(self._end_in_words(say("engine.closed_input"))) from error
        if not is_sent:
            raise Broken(say("engine.deaf"))

    def line(self, deadline: float) -> str | None:
        """The next line, or None if there is none by this time of `time.monotonic`.

        What has been written by then counts, even if we are late to read it: a pipe holds about a chunk.
        """
        while True:
            if self._lines:
                return self._lines.popleft().decode("utf-8", "replace").strip()
            if len(self._rest) > MAX_LINE_BYTES:
                raise Broken(say("engine.long_line", most=MAX_LINE_BYTES))
            if self._amount > MOST_OUTPUT:
                raise Broken(say("engine.flood", most=MOST_OUTPUT))
            if self._output_ended:
                raise Broken(self._end_in_words(say("engine.closed_output")))
            left = deadline - time.monotonic()
            if left <= 0 and self._amount_late > CHUNK:
                return None
            amount = self._read(max(left, 0.0))
            if left <= 0:
                self._amount_late += amount
                if amount == 0 and not self._output_ended:
                    return None

    def wait_until_ready(self, seconds: float) -> None:
        """Wait until the program waits for its input, so that no clock counts how long it takes to start.

        This needs a system that reports what programs wait for. The wait ends as well when the program does.
        """
        deadline = time.monotonic() + seconds
        while self._program.poll() is None and time.monotonic() < deadline:
            if waits_for_input(self._program.pid) is not False:
                return
            self._read(READY_POLL)

    def stack(self, deadline: float) -> Iterator[bytes]:
        """Where the threads of a Java machine are, in pieces as it reports them; nothing of other programs."""
        machines = java_machines(self._program.pid) if self.is_open else []
        if not machines:
            return
        for pid in machines:
            with contextlib.suppress(OSError):  # it has just ended
                os.kill(pid, signal.SIGQUIT)
        written = b""
        while STACK_END not in written and (left := deadline - time.monotonic()) > 0:
            output, errors = self._pipes.read(left)
            if output == b"":
                return
            piece = (output or b"") + errors
            written += piece
            yield piece

    @property
    def stderr_tail(self) -> str:
        """The end of what it wrote to standard error, as it is."""
        if self.is_open:
            self._read_remaining_errors()
        return self._errors.decode("utf-8", "replace")

    def last_error_lines(self) -> str:
        """The last lines that it wrote to standard error, in one line."""
        return " / ".join(line.strip() for line in self.stderr_tail.splitlines()[-3:] if line.strip())

    def _read(self, seconds: float) -> int:
        """Read what comes within this many seconds, and return how many bytes that is."""
        output, errors = self._pipes.read(seconds)
        self._errors = (self._errors + errors)[-MOST_ERRORS:]
        if output is None:
            return len(errors)
        self._output_ended = not output
        self._amount += len(output)
        *lines, self._rest = (self._rest + output).split(b"\n")
        self._lines.extend(lines)
        return len(output) + len(errors)

    def _read_remaining_errors(self) -> None:
        """Read standard error to its end if the program has ended, else what is there now.

        A program that never stops writing is not read for ever.
        """
        has_ended = self._program.poll() is not None
        deadline = time.monotonic() + (ERRORS_PATIENCE if has_ended else 0.0)
        amount = 0
        while not self._pipes.errors_ended and amount <= MOST_OUTPUT:
            left = deadline - time.monotonic()
            output, errors = self._pipes.read(max(left, 0.0))
            if left <= 0 and not output and not errors:
                return
            amount += len(output or b"") + len(errors)
            self._errors = (self._errors + errors)[-MOST_ERRORS:]

    def _end_in_words(self, otherwise: Message) -> Message:
        """How the program ended; if it has not, `otherwise`."""
        try:
            return end_in_words(self._program.wait(ENDING))
        except subprocess.TimeoutExpired:
            return otherwise


def _end(
    program: "subprocess.Popen[bytes]",
    pipes: PolledPipes | ThreadedPipes,
    keeper: "subprocess.Popen[bytes] | None",
) -> None:
    """Ask the program to end, kill what is left of its group, and end the keeper."""
    assert program.stdin is not None
    with contextlib.suppress(OSError):
        pipes.write(b"quit\n")
    pipes.close()
    with contextlib.suppress(OSError):
        program.stdin.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        program.wait(QUITTING)
    kill_program(program)
    if keeper is not None:
        keeper.kill()
        keeper.wait()
    program.wait()
    for stream in (program.stdin, program.stdout, program.stderr, keeper.stdin if keeper else None):
        if stream is not None:
            stream.close()
