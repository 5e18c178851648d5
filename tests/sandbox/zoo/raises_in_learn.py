"""Raises in learn."""

from palabre import Bot


class Hostile(Bot):
    def learn(self, data, budget):
        raise RuntimeError("not today")

    def choose(self, position, clock):
        return position.moves()[0]
