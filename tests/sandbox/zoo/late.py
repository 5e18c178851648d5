"""Answers a little late."""

import time

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        time.sleep(0.6)
        return position.moves()[0]
