"""Says good-bye."""

import sys

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        sys.exit("good-bye")
