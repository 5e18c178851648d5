"""Raises in start."""

from palabre import Bot


class Hostile(Bot):
    def start(self, game, seat):
        raise RuntimeError("not today")

    def choose(self, position, clock):
        return position.moves()[0]
