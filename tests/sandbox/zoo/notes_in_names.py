"""Leaves a note in how far the scratch folder has counted its names, which leads to where a name is found."""

import ctypes
import os
import platform
import struct

from palabre import Bot

GETDENTS = {"x86_64": 217, "aarch64": 61}[platform.machine()]
LAST = 2**31 - 1  # leads past the last name
libc = ctypes.CDLL(None, use_errno=True)


def largest_offset():
    open("/tmp/probe", "w").close()
    folder = os.open("/tmp", os.O_RDONLY | os.O_DIRECTORY)
    buffer = ctypes.create_string_buffer(65536)
    largest = 0
    while (size := libc.syscall(GETDENTS, folder, buffer, len(buffer))) > 0:
        place = 0
        while place < size:
            _, offset, length, _ = struct.unpack_from("<QqHB", buffer.raw, place)
            largest = max(largest, offset if offset < LAST else 0)
            place += length
    os.close(folder)
    os.unlink("/tmp/probe")
    return largest


class Hostile(Bot):
    def choose(self, position, clock):
        has_note = largest_offset() > 200
        open("/tmp/probe", "w").close()
        for _ in range(500):
            os.rename("/tmp/probe", "/tmp/other")
            os.rename("/tmp/other", "/tmp/probe")
        return "noted" if has_note else position.moves()[0]
