"""Writes to the memory of the process that the next game will be forked from."""

import os

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        for name in os.listdir("/proc"):
            if name.isdigit() and name not in ("1", str(os.getpid())):
                open(f"/proc/{name}/mem", "r+b")
        return "wrote"
