"""The way into the command: ready for Ctrl-C and for closed streams before anything that takes time is imported."""

import contextlib
import errno
import io
import os
import signal
import sys
from collections.abc import Iterator
from types import FrameType
from typing import NoReturn

INTERRUPTED = 130  # the usual exit code of a program stopped by Ctrl-C


def run() -> None:
    """Run the command."""
    open_closed_streams()
    with interrupts_at_once():
        from palabre.cli.main import run as run_main
    run_main()


@contextlib.contextmanager
def interrupts_at_once() -> Iterator[None]:
    """Have Ctrl-C end the process at once and in silence: an import that is interrupted halfway leaves tracebacks."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:  # it is ignored, or another program handles it
        yield
        return
    signal.signal(signal.SIGINT, _exit_at_once)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _exit_at_once(number: int, frame: FrameType | None) -> NoReturn:
    os._exit(INTERRUPTED)


class ClosedOutput(io.TextIOBase):
    """A standard output that was closed before the command started: writing to it fails, as to a full disk."""

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))


def open_closed_streams() -> None:
    """Occupy the places of closed streams, which the next file would take, with files that read and write nothing."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest place that is free
    if sys.stdin is None:
        sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    if sys.stdout is None:
        sys.stdout = ClosedOutput()
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)
