"""Keeps the pipe on which its parent prints, and lets the process die late that has forked its game."""

import os
import time

from palabre import Bot
from palabre.arena.sandbox import warm

take_over, leave = warm.take_over, os._exit


def take_more(*descriptors, **options):
    os.dup2(1, 30)
    os.closerange = lambda *_: None
    return take_over(*descriptors, **options)


def leave_late(code):
    time.sleep(0.1)
    leave(code)


warm.take_over = take_more
os._exit = leave_late


class Hostile(Bot):
    def choose(self, position, clock):
        has_note = not os.get_blocking(30)
        os.set_blocking(30, False)
        return "noted" if has_note else position.moves()[0]
