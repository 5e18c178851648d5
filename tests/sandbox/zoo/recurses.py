"""Calls itself for ever."""

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        return self.choose(position, clock)
