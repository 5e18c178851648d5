"""A foreign program that we talk to line by line. It cannot hang us, fill our memory or outlive us.

We read its output only while somebody waits for a line, and never after the deadline. A program that writes more than
we read has to wait, as with any pipe. It leads a process group, and the whole group ends with it: when the program is
closed, when nobody holds it any more, and, by its keeper, when our own process is gone. `core.system` says how much of
this works on systems without process groups.
"""

import contextlib
import subprocess
import time
import weakref
from collections import deque
from collections.abc import Sequence

from palabre.core.system import (
    CHUNK,
    PolledPipes,
    ThreadedPipes,
    end_in_words,
    kill_program,
    pipes_to,
    start_keeper,
    start_program,
)
from palabre.core.words import Message, say

MAX_LINE_BYTES = 1 << 16
MOST_OUTPUT = 1 << 22  # bytes between two lines that we send
MOST_ERRORS = 2000  # bytes of standard error that are remembered, the last ones
FAREWELL = 0.5  # seconds for the program to leave when asked to, and for the system to say how it ended


class Broken(Exception):
    """The conversation is over; the message says how the program ended it."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


class Process:
    """A running program. An `OSError` says why it cannot be started."""

    def __init__(self, words: Sequence[str]) -> None:
        self._program = start_program(words)
        self._pipes = pipes_to(self._program)
        keeper = start_keeper(self._program)
        self.close = weakref.finalize(self, _end, self._program, self._pipes, keeper)
        self._lines: deque[bytes] = deque()  # what has been read and nobody has asked for yet
        self._rest = b""  # the beginning of the line after them
        self._amount = 0  # bytes read since we said something
        self._errors = b""

    @property
    def is_open(self) -> bool:
        return bool(self.close.alive)

    def say(self, line: str) -> None:
        """Send a line."""
        if not self.is_open:  # its pipe may belong to another program by now
            raise Broken(say("engine.gone"))
        self._amount = 0
        try:
            is_sent = self._pipes.write(line.encode() + b"\n")
        except OSError as error:
            raise Broken(self._end_in_words(say("engine.closed_input"))) from error
        if not is_sent:
            raise Broken(say("engine.deaf"))

    def line(self, deadline: float) -> str | None:
        """The next line, or None if there is none by this time of `time.monotonic`."""
        while (left := deadline - time.monotonic()) > 0:
            if self._lines:
                return self._lines.popleft().decode("utf-8", "replace").strip()
            if len(self._rest) > MAX_LINE_BYTES:
                raise Broken(say("engine.long_line", most=MAX_LINE_BYTES))
            if self._amount > MOST_OUTPUT:
                raise Broken(say("engine.flood", most=MOST_OUTPUT))
            self._read(left)
        return None

    def last_words(self) -> str:
        """The end of what it wrote to standard error, in one line."""
        if self.is_open:
            self._read_remaining_errors()
        text = self._errors.decode("utf-8", "replace")
        return " / ".join(line.strip() for line in text.splitlines()[-3:] if line.strip())

    def _read(self, seconds: float) -> None:
        output, errors = self._pipes.read(seconds)
        self._errors = (self._errors + errors)[-MOST_ERRORS:]
        if output is None:
            return
        if not output:
            raise Broken(self._end_in_words(say("engine.closed_output")))
        self._amount += len(output)
        *lines, self._rest = (self._rest + output).split(b"\n")
        self._lines.extend(lines)

    def _read_remaining_errors(self) -> None:
        """Read what is on standard error now; a program that never stops writing is not read for ever."""
        for _ in range(MOST_OUTPUT // CHUNK):
            _, errors = self._pipes.read(0)
            if not errors:
                return
            self._errors = (self._errors + errors)[-MOST_ERRORS:]

    def _end_in_words(self, otherwise: Message) -> Message:
        """How the program ended; if it has not, `otherwise`."""
        try:
            return end_in_words(self._program.wait(FAREWELL))
        except subprocess.TimeoutExpired:
            return otherwise


def _end(
    program: "subprocess.Popen[bytes]",
    pipes: PolledPipes | ThreadedPipes,
    keeper: "subprocess.Popen[bytes] | None",
) -> None:
    """Ask the program to leave, kill what is left of its group, and let the keeper go."""
    assert program.stdin is not None
    with contextlib.suppress(OSError):
        pipes.write(b"quit\n")
    pipes.close()
    with contextlib.suppress(OSError):
        program.stdin.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        program.wait(FAREWELL)
    kill_program(program)
    if keeper is not None:
        keeper.kill()
        keeper.wait()
    program.wait()
    for stream in (program.stdin, program.stdout, program.stderr, keeper.stdin if keeper else None):
        if stream is not None:
            stream.close()
