"""Leaves folders in folders, locked, that are hard to remove."""

import os

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        os.chdir("/tmp")
        for _ in range(400):
            os.mkdir("down")
            os.chdir("down")
        os.chmod("/tmp/down/down", 0)
        return "dug"
