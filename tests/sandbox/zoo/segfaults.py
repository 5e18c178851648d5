"""Reads where there is nothing."""

import ctypes

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        ctypes.string_at(0)
