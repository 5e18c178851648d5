"""Writes an answer that never ends."""

import os

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        while True:
            os.write(3, b"x" * 10_000)
