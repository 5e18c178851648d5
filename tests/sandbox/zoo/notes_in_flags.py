"""Leaves notes on the scratch folder itself: in its flags, and in its extended attributes."""

import contextlib
import fcntl
import os
import struct

from palabre import Bot

GET_FLAGS, SET_FLAGS, NO_DUMP = 0x80086601, 0x40086602, 0x40


class Hostile(Bot):
    def choose(self, position, clock):
        folder = os.open("/tmp", os.O_RDONLY)
        has_note = bool(os.listxattr("/tmp"))
        with contextlib.suppress(OSError):
            has_note |= bool(struct.unpack("l", fcntl.ioctl(folder, GET_FLAGS, bytes(8)))[0] & NO_DUMP)
        with contextlib.suppress(OSError):
            fcntl.ioctl(folder, SET_FLAGS, struct.pack("l", NO_DUMP))
        with contextlib.suppress(OSError):
            os.setxattr("/tmp", "user.note", b"noted")
        return "noted" if has_note else position.moves()[0]
