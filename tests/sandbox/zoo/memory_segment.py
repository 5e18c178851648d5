"""Takes a shared segment, which outlives its process."""

import ctypes

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        if ctypes.CDLL(None, use_errno=True).shmget(1, 1 << 30, 0o1777) == -1:
            raise OSError(ctypes.get_errno(), "no segment")
        return position.moves()[0]
