"""Takes little, but by ten children."""

import os
import sys
import time

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        for _ in range(10):
            if os.fork() == 0:
                hoard = b"x" * 60_000_000
                time.sleep(1e6)
                sys.exit(len(hoard))
        time.sleep(1e6)
