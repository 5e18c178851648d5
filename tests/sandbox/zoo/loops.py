"""Never answers."""

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        while True:
            pass
