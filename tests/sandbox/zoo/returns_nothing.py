"""Forgets to answer."""

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        return None
