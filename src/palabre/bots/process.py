"""A foreign program as a partner in a conversation by lines: it cannot hang us, fill our memory or outlive us.

Its output is read only while somebody waits for a line, and never after the deadline; a program that writes more than
is read has to wait, as always with a pipe. It is the leader of a process group, all of which is ended with it: when it
is closed, when nobody holds it any more, and by its keeper when our own process is gone, however that went.
"""

import contextlib
import os
import selectors
import signal
import subprocess
import time
import weakref
from collections import deque
from collections.abc import Sequence
from typing import IO

MAX_LINE_BYTES = 1 << 16  # bytes
MOST_OUTPUT = 1 << 22  # bytes between two things we say
CHUNK = 1 << 16
MOST_ERRORS = 2000  # bytes of standard error that are remembered, the last ones
LONGEST_POLL = 3600.0  # seconds; the system counts milliseconds, and not very far
FAREWELL = 0.5  # seconds to leave in when asked to, and for the system to tell how it ended
# Waits until the pipe that only our process holds is closed; a polite program has noticed that, too, and has a second.
KEEPER = 'read nothing; sleep 1; kill -s KILL -- "-$1"'


class Broken(Exception):
    """The conversation is over; the message says how the program ended it."""


class Process:
    """A running program. An `OSError` says why it cannot be started."""

    def __init__(self, words: Sequence[str]) -> None:
        pipe = subprocess.PIPE
        self._program = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True)
        keeper = subprocess.Popen(
            ["/bin/sh", "-c", KEEPER, "keeper", str(self._program.pid)],
            stdin=pipe,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.close = weakref.finalize(self, _end, self._program, keeper)
        self._in, self._out, self._err = (
            _unblocked(stream) for stream in (self._program.stdin, self._program.stdout, self._program.stderr)
        )
        self._selector = selectors.PollSelector()
        self._selector.register(self._out, selectors.EVENT_READ)
        self._selector.register(self._err, selectors.EVENT_READ)
        self._lines: deque[bytes] = deque()  # what has been read and nobody has asked for yet
        self._rest = b""  # the beginning of the line after them
        self._amount = 0  # bytes read since we said something
        self._errors = b""

    @property
    def is_open(self) -> bool:
        return bool(self.close.alive)

    def say(self, line: str) -> None:
        """Send a line."""
        if not self.is_open:  # and its pipe may be somebody else's by now
            raise Broken("has been ended")
        self._amount = 0
        message = line.encode() + b"\n"
        try:
            written = os.write(self._in, message)
        except BlockingIOError:
            written = 0
        except OSError as error:
            raise Broken(self._end_in_words("closed its input")) from error
        if written < len(message):
            raise Broken("does not read what it is told")

    def line(self, deadline: float) -> str | None:
        """The next line, or None if there is none by this time of `time.monotonic`."""
        while (left := deadline - time.monotonic()) > 0:
            if self._lines:
                return self._lines.popleft().decode("utf-8", "replace").strip()
            if len(self._rest) > MAX_LINE_BYTES:
                raise Broken(f"printed a line of more than {MAX_LINE_BYTES} bytes")
            if self._amount > MOST_OUTPUT:
                raise Broken(f"printed more than {MOST_OUTPUT} bytes without an answer")
            ready = [key.fd for key, _ in self._selector.select(min(left, LONGEST_POLL))]
            if self._err in ready:
                self._read_errors()
            if self._out in ready:
                self._read_output()
        return None

    def last_words(self) -> str:
        """The end of what it wrote to standard error, in one line."""
        if self.is_open:
            self._read_errors()
        text = self._errors.decode("utf-8", "replace")
        return " / ".join(line.strip() for line in text.splitlines()[-3:] if line.strip())

    def _read_output(self) -> None:
        chunk = os.read(self._out, CHUNK)
        if not chunk:
            raise Broken(self._end_in_words("closed its output"))
        self._amount += len(chunk)
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        self._lines.extend(lines)

    def _read_errors(self) -> None:
        """What there is on standard error now, though not for ever from one that never ends."""
        for _ in range(MOST_OUTPUT // CHUNK):
            try:
                chunk = os.read(self._err, CHUNK)
            except BlockingIOError:
                return
            if not chunk:
                with contextlib.suppress(KeyError):  # has ended before
                    self._selector.unregister(self._err)
                return
            self._errors = (self._errors + chunk)[-MOST_ERRORS:]

    def _end_in_words(self, otherwise: str) -> str:
        """How the program ended, or what it did if it has not."""
        try:
            code = self._program.wait(FAREWELL)
        except subprocess.TimeoutExpired:
            return otherwise
        return f"ended with exit code {code}" if code >= 0 else f"was ended by {signal.Signals(-code).name}"


def _unblocked(stream: IO[bytes] | None) -> int:
    assert stream is not None  # all three are pipes
    os.set_blocking(stream.fileno(), False)
    return stream.fileno()


def _end(program: "subprocess.Popen[bytes]", keeper: "subprocess.Popen[bytes]") -> None:
    """Ask the program to leave, see to it that all of its group has left, and let the keeper go."""
    assert program.stdin is not None
    with contextlib.suppress(OSError):
        program.stdin.write(b"quit\n")
        program.stdin.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        program.wait(FAREWELL)
    with contextlib.suppress(ProcessLookupError, PermissionError):  # nobody is left
        os.killpg(program.pid, signal.SIGKILL)
    keeper.kill()
    for ended in (program, keeper):
        ended.wait()
    for stream in (program.stdin, program.stdout, program.stderr, keeper.stdin):
        if stream is not None:
            stream.close()
