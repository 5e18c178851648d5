"""Returns something that cannot even be shown."""

from palabre import Bot


class Odd:
    def __repr__(self):
        raise ValueError("not shown")


class Hostile(Bot):
    def choose(self, position, clock):
        return Odd()
