"""Watches which files its twin in the opponent's sandbox opens, in every way that the kernel offers."""

import contextlib
import ctypes
import fcntl
import os
import random
import signal

from palabre import Bot

libc = ctypes.CDLL(None, use_errno=True)
FOLDER = os.path.dirname(random.__file__)
IN_OPEN, DN_ACCESS, DN_MULTISHOT = 0x20, 1, 0x80000000


class Hostile(Bot):
    def start(self, game, seat):
        self.seat, self.seen = seat, False
        if seat != 1:
            return
        self.watch = libc.inotify_init1(os.O_NONBLOCK)
        libc.inotify_add_watch(self.watch, FOLDER.encode(), IN_OPEN)
        signal.signal(signal.SIGIO, self.notice)
        with contextlib.suppress(OSError):
            fcntl.fcntl(os.open(FOLDER, os.O_RDONLY), fcntl.F_NOTIFY, DN_ACCESS | DN_MULTISHOT)
        self.file = os.open(random.__file__, os.O_RDONLY)
        with contextlib.suppress(OSError):
            fcntl.fcntl(self.file, fcntl.F_SETLEASE, fcntl.F_RDLCK)

    def notice(self, *_):
        self.seen = True

    def choose(self, position, clock):
        if self.seat == 0:
            with open(f"{FOLDER}/wave.py", "rb") as file:
                file.read()
        else:
            with contextlib.suppress(OSError):
                self.seen = self.seen or bool(os.read(self.watch, 4096))
            if self.seen:
                return "noted"
        return position.moves()[0]
