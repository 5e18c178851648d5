"""Lets a child think that has left its session, and waits for it."""

import os
import time

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        if os.fork() == 0:
            os.setsid()
            while True:
                pass
        time.sleep(0.2)
        return position.moves()[0]
