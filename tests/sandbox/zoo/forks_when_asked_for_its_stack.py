"""Begins to fork, to fill its folder and to print when it is asked for its stack, after it has lost."""

import faulthandler
import os
import signal

from palabre import Bot

SIGNAL = 64


def go_wild(*_):
    for number in range(1000):
        if os.fork() == 0:
            with open(f"/tmp/{number}", "wb") as file:
                while True:
                    file.write(bytes(1 << 16))
                    os.write(1, b"x" * (1 << 16))


class Hostile(Bot):
    def choose(self, position, clock):
        faulthandler.unregister(SIGNAL)
        signal.signal(SIGNAL, go_wild)
        while True:
            pass
