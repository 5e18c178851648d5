"""Has the parent of its games count the signals that they send to it."""

import os
import signal

from palabre import Bot

NOTES = []
PARENT = os.getpid()
signal.signal(signal.SIGUSR1, lambda *_: NOTES.append(1))


class Hostile(Bot):
    def choose(self, position, clock):
        os.kill(PARENT, signal.SIGUSR1)
        return "noted" if NOTES else position.moves()[0]
