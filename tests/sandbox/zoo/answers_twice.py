"""Gives two answers at once."""

import os
import time

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        os.write(3, b'{"move": "A"}\n{"move": "B"}\n')
        time.sleep(1)
