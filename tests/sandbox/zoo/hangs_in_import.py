"""Hangs at import."""

import time

from palabre import Bot

time.sleep(1e6)


class Hostile(Bot):
    def choose(self, position, clock):
        return position.moves()[0]
