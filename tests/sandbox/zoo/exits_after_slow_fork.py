"""Ends without a word, after a start so slow that the process that has forked it was seen."""

import os
import time

from palabre import Bot
from palabre.sandbox import warm


def fork_slowly():
    if (pid := os.fork()) == 0 and os.fork() != 0:
        time.sleep(0.1)
        os._exit(0)
    if pid != 0:
        os.waitpid(pid, 0)
    return pid


warm.fork_sibling = fork_slowly


class Hostile(Bot):
    def choose(self, position, clock):
        os._exit(3)
