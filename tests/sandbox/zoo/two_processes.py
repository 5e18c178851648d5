"""Uses two cores in its own turn, by a process of its own for half of the work, until it has had its advantage."""

import os
import signal
import time

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        begin, before = time.monotonic(), time.process_time()
        child = os.fork()
        while child == 0:
            pass
        clock_of_child = (~child << 3) | 2  # as pthread_getcpuclockid makes it
        used = 0.0
        while (wall := time.monotonic() - begin) < 0.4 and used < 0.05 + 1.15 * wall:
            used = time.process_time() - before + time.clock_gettime(clock_of_child)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return position.moves()[0]
