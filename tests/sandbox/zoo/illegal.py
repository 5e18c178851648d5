"""Plays what the rules do not allow."""

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        return "Z9"
