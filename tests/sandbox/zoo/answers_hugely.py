"""Returns a move of ten megabytes."""

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        return "x" * 10_000_000
