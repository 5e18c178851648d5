"""Keeps the pipe on which its parent prints, and lets the process die late that has forked its game."""

import os
import time

from palabre import Bot
from palabre.sandbox import warm

take_over = warm.take_over


def take_more(*descriptors, **options):
    os.dup2(1, 30)
    os.closerange = lambda *_: None
    return take_over(*descriptors, **options)


def fork_slowly():
    if (pid := os.fork()) == 0 and os.fork() != 0:
        time.sleep(0.1)
        os._exit(0)
    if pid != 0:
        os.waitpid(pid, 0)
    return pid


warm.take_over = take_more
warm.fork_sibling = fork_slowly


class Hostile(Bot):
    def choose(self, position, clock):
        has_note = not os.get_blocking(30)
        os.set_blocking(30, False)
        return "noted" if has_note else position.moves()[0]
