"""Hangs in start."""

import time

from palabre import Bot


class Hostile(Bot):
    def start(self, game, seat):
        time.sleep(1e6)

    def choose(self, position, clock):
        return position.moves()[0]
