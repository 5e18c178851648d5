"""Writes what looks like a stack, with signs that change what a terminal shows, and endlessly, before it is asked."""

import contextlib
import os
import signal

from palabre import Bot

STACK, SIGNAL = 5, 64


class Hostile(Bot):
    def choose(self, position, clock):
        signal.signal(SIGNAL, signal.SIG_IGN)
        os.set_blocking(STACK, False)
        os.write(STACK, b'  File "rival.py", line 1 in choose\x1b[2J\xe2\x80\xae\n' * 100)
        while True:
            with contextlib.suppress(BlockingIOError):
                os.write(STACK, b"x" * 4096)
