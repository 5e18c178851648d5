"""Takes 10 GB of memory that counts as shared."""

import mmap

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        with mmap.mmap(-1, 10 << 30) as hoard:
            for place in range(0, 10 << 30, 4096):
                hoard[place] = 1
