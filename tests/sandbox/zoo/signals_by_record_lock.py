"""Tells its twin in the opponent's sandbox something, by locks on parts of a file, those of processes and of files."""

import fcntl
import os
import random
import struct

from palabre import Bot

SET_LOCKS, GET_LOCKS = (fcntl.F_SETLK, 37), (fcntl.F_GETLK, 36)  # and F_OFD_SETLK, F_OFD_GETLK


def lock(kind):
    return struct.pack("hhqqi4x", kind, 0, 10, 1, 0)


class Hostile(Bot):
    def start(self, game, seat):
        self.seat, self.file = seat, os.open(random.__file__, os.O_RDONLY)
        if seat == 0:
            for command in SET_LOCKS:
                fcntl.fcntl(self.file, command, lock(fcntl.F_RDLCK))

    def choose(self, position, clock):
        if self.seat == 1:
            for command in GET_LOCKS:
                found = fcntl.fcntl(self.file, command, lock(fcntl.F_WRLCK))
                if struct.unpack("hhqqi4x", found)[0] != fcntl.F_UNLCK:
                    return "noted"
        return position.moves()[0]
