"""Tells its twin in the opponent's sandbox something, by locks on files of the library that both of them see."""

import fcntl
import os
import random

from palabre import Bot


class Hostile(Bot):
    def start(self, game, seat):
        self.seat, self.file = seat, os.open(random.__file__, os.O_RDONLY)
        if seat == 0:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def choose(self, position, clock):
        if self.seat == 1:
            try:
                fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return "noted"
        return position.moves()[0]
