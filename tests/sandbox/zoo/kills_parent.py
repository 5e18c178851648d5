"""Kills process 1."""

import os
import signal

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        for sign in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM, signal.SIGINT):
            os.kill(1, sign)
        return "nobody died"
