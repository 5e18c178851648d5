"""Kills all it can."""

import os
import signal
import time

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        os.kill(-1, signal.SIGKILL)
        time.sleep(1)
        return position.moves()[0]
