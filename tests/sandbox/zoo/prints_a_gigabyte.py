"""Prints and prints."""

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        while True:
            print("x" * 100_000)
