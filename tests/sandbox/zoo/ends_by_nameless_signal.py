"""Ends by a signal that has no name."""

import os

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        os.kill(os.getpid(), 40)
