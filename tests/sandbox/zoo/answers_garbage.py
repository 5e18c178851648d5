"""Writes bytes that mean nothing where its answer should be."""

import os
import time

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        os.write(3, b"\xff\xfe{]\n")
        time.sleep(1)
