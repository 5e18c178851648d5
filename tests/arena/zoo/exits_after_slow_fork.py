"""Ends without a word, after a start so slow that the process that has forked it was seen."""

import os
import time

from palabre import Bot

leave = os._exit


def leave_late(code):
    time.sleep(0.1)
    leave(code)


os._exit = leave_late


class Hostile(Bot):
    def choose(self, position, clock):
        leave(3)
