"""Never answers, and never lets go of the interpreter lock."""

import itertools

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        return sum(itertools.count())
