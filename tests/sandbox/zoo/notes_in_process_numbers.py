"""Starts processes, which the next game sees by its own number."""

import os

from palabre import Bot

PARENT = os.getpid()


class Hostile(Bot):
    def choose(self, position, clock):
        has_note = os.getpid() > PARENT + 50
        for _ in range(100):
            if (child := os.fork()) == 0:
                os._exit(0)
            os.waitpid(child, 0)
        return "noted" if has_note else position.moves()[0]
