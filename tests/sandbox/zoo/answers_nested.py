"""Writes brackets in brackets where its answer should be."""

import os
import time

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        os.write(3, b"[" * 60_000 + b"\n")
        time.sleep(1)
