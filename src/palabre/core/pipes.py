"""Pipes to a foreign program, read and written without ever waiting for longer than the caller wants.

Where pipes can be polled, one thread is enough. Windows cannot poll them: there each has a thread, which may block.
"""

import contextlib
import os
import queue
import selectors
import subprocess
import threading

from palabre.core import system

CHUNK = 1 << 16  # bytes that are read at once
MAX_POLL = 3600.0  # seconds; the system counts milliseconds in 32 bits
WRITE_PATIENCE = 0.5  # seconds for a program to read what it was sent before, where pipes cannot be polled
# Seconds for a thread to pass on what the program has written already, where pipes cannot be polled. A caller that is
# late must not miss an answer that is in the pipe.
PASS_ON = 0.05


class PolledPipes:
    """The pipes to a program, where the system can poll which of them are ready."""

    def __init__(self, program: "subprocess.Popen[bytes]") -> None:
        assert program.stdin is not None
        assert program.stdout is not None
        assert program.stderr is not None
        self._in, self._out, self._err = (stream.fileno() for stream in (program.stdin, program.stdout, program.stderr))
        self.errors_ended = False  # standard error has been read to its end
        self._selector = selectors.PollSelector()
        for number in (self._in, self._out, self._err):
            os.set_blocking(number, False)
        for number in (self._out, self._err):
            self._selector.register(number, selectors.EVENT_READ)

    def write(self, message: bytes) -> bool:
        """Send a message; False if the pipe is full. Raises `OSError` if its other end is closed."""
        try:
            return os.write(self._in, message) == len(message)
        except BlockingIOError:
            return False

    def read(self, seconds: float) -> tuple[bytes | None, bytes]:
        """What has come on standard output and standard error, after at most this many seconds.

        The output is None if nothing has come, and empty at the end of the stream.
        """
        ready = [key.fd for key, _ in self._selector.select(min(seconds, MAX_POLL))]
        output = self._read_chunk(self._out) if self._out in ready else None
        errors = self._read_chunk(self._err) if self._err in ready else None
        self.errors_ended = self.errors_ended or errors == b""
        return output, errors or b""

    def _read_chunk(self, number: int) -> bytes:
        """Read what there is; a stream at its end would always be ready, so it is not polled any more."""
        chunk = os.read(number, CHUNK)
        if not chunk:
            self._selector.unregister(number)
        return chunk

    def close(self) -> None:
        """Read and write no more."""
        self._selector.close()


class ThreadedPipes:
    """The pipes to a program, each with a thread that may block: the portable fallback."""

    def __init__(self, program: "subprocess.Popen[bytes]") -> None:
        assert program.stdin is not None
        assert program.stdout is not None
        assert program.stderr is not None
        self.errors_ended = False  # standard error has been read to its end
        # One chunk waits at most: a program that writes more than is read blocks, as with any pipe. Both streams
        # share the queue, so that a read of one empties the other.
        self._chunks: queue.Queue[tuple[bool, bytes]] = queue.Queue(1)  # whether it is an error's, and the chunk
        self._messages: queue.Queue[bytes] = queue.Queue(1)
        self._failure: OSError | None = None
        self._closed = threading.Event()
        for target, *arguments in (
            (self._receive, os.dup(program.stdout.fileno()), False),
            (self._receive, os.dup(program.stderr.fileno()), True),
            (self._send, os.dup(program.stdin.fileno())),
        ):
            threading.Thread(target=target, args=arguments, daemon=True).start()

    def write(self, message: bytes) -> bool:
        """Send a message; False if the one before has not been read. Raises `OSError` if the other end is closed."""
        if self._failure is not None:
            raise self._failure
        try:
            self._messages.put(message, timeout=WRITE_PATIENCE)
        except queue.Full:
            return False
        return True

    def read(self, seconds: float) -> tuple[bytes | None, bytes]:
        """What has come on standard output or standard error, after at most this many seconds, or PASS_ON for none.

        The output is None if nothing has come, and empty at the end of the stream.
        """
        try:
            is_error, chunk = self._chunks.get(timeout=min(seconds, MAX_POLL) if seconds > 0 else PASS_ON)
        except queue.Empty:
            return None, b""
        if not is_error:
            return chunk, b""
        self.errors_ended = not chunk
        return None, chunk

    def close(self) -> None:
        """Read and write no more: the threads end."""
        self._closed.set()
        with contextlib.suppress(queue.Full):  # then the thread ends after the message that is in the queue
            self._messages.put_nowait(b"")

    def _send(self, number: int) -> None:
        """Write messages until an empty one comes, or all are written after the pipes were closed."""
        with os.fdopen(number, "wb", buffering=0) as stream:
            while message := self._messages.get():
                try:
                    while message:
                        message = message[stream.write(message) or 0 :]
                except OSError as error:
                    self._failure = error
                    return
                if self._closed.is_set() and self._messages.empty():
                    return

    def _receive(self, number: int, is_error: bool) -> None:
        """Move what the program writes to the queue, up to and including the empty chunk at the end."""
        with os.fdopen(number, "rb", buffering=0) as stream:
            chunk = b" "
            while chunk and not self._closed.is_set():
                try:
                    chunk = stream.read(CHUNK) or b""
                except OSError:
                    chunk = b""
                while not self._closed.is_set():
                    with contextlib.suppress(queue.Full):
                        self._chunks.put((is_error, chunk), timeout=WRITE_PATIENCE)
                        break


def pipes_to(program: "subprocess.Popen[bytes]") -> PolledPipes | ThreadedPipes:
    """The pipes to a program that `start_program` has started."""
    return ThreadedPipes(program) if system.IS_PORTABLE else PolledPipes(program)
