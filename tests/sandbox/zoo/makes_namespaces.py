"""Becomes root in a world of its own."""

import ctypes

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        if ctypes.CDLL(None, use_errno=True).unshare(0x10020000) == -1:
            raise OSError(ctypes.get_errno(), "no namespaces")
        return "root"
