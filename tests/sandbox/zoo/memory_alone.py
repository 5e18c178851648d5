"""Takes 10 GB."""

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        hoard = []
        while True:
            hoard.append(b"x" * 10_000_000)
