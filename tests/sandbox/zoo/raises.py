"""Has a mistake."""

from palabre import Bot


def helper(position):
    return position.moves()[1000]


class Hostile(Bot):
    def choose(self, position, clock):
        return helper(position)
