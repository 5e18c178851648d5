"""Hangs in learn."""

import time

from palabre import Bot


class Hostile(Bot):
    def learn(self, data, budget):
        time.sleep(1e6)

    def choose(self, position, clock):
        return position.moves()[0]
