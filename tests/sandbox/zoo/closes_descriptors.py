"""Closes all that is open, and lives on."""

import os
import time

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        os.closerange(0, 100)
        time.sleep(1e6)
