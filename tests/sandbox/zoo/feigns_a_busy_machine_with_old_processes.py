"""Lets its time run out while processes of an earlier turn wait for a processor, and end without a trace."""

import os
import signal
import time

from palabre import Bot


class Hostile(Bot):
    def start(self, game, seat):
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        gate, self.latch = os.pipe()
        for _ in range(15):
            if os.fork() == 0:
                os.close(self.latch)
                os.read(gate, 1)
                while time.thread_time() < 0.01:
                    pass
                os._exit(0)

    def choose(self, position, clock):
        os.close(self.latch)
        time.sleep(600)
