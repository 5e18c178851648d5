"""Takes memory as a file that nobody maps."""

import os

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        os.memfd_create("hoard")
