"""Lets its time run out while processes of its own wait for a processor, as if the machine had other things to do."""

import os
import time

from palabre import Bot


class Hostile(Bot):
    def choose(self, position, clock):
        gate, latch = os.pipe()
        for _ in range(15):
            if os.fork() == 0:
                os.close(latch)
                os.read(gate, 1)
                while time.thread_time() < 0.01:
                    pass
                time.sleep(600)
        os.close(latch)  # all of them at once
        time.sleep(600)
