"""Writes a number where its move should be."""

import os
import time

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        os.write(3, b'{"move": 7}\n')
        time.sleep(1)
