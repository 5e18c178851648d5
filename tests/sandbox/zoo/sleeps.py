"""Sleeps for days."""

import time

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        time.sleep(1e6)
