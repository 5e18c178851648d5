"""Lets a child think that has left its session, and waits until it has thought for some time."""

import os
import time

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        begin, child = time.monotonic(), os.fork()
        if child == 0:
            os.setsid()
            while True:
                pass
        clock_of_child = (~child << 3) | 2  # as pthread_getcpuclockid makes it
        while time.clock_gettime(clock_of_child) < 0.05 + 0.15 * (time.monotonic() - begin):
            time.sleep(0.01)
        return position.moves()[0]
