"""Raises what a person would with Ctrl-C."""

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        raise KeyboardInterrupt
