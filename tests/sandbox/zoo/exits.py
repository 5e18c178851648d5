"""Ends without a word."""

import os

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        os._exit(3)
