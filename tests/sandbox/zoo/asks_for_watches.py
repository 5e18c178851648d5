"""Asks the kernel to tell it when files are opened or read, and for what else would be a line to other sandboxes.

It asks for its own files, for which the kernel would say yes.
"""

import ctypes
import errno
import fcntl
import mmap
import os

from palabre import Bot

libc = ctypes.CDLL(None, use_errno=True)
F_SETSIG, DN_ACCESS, SIGCONT = 10, 1, 18
IN_OPEN, FAN_REPORT_FID, FAN_MARK_ADD, FAN_OPEN, AT_FDCWD = 0x20, 0x200, 1, 0x20, -100


class Hostile(Bot):
    def choose(self, position, clock):
        file = os.open("/tmp/own", os.O_CREAT | os.O_RDWR)
        os.write(file, bytes(8192))
        memory = mmap.mmap(file, 8192)
        page = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        calls = {
            "lease": lambda: fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK),
            "lease?": lambda: fcntl.fcntl(file, fcntl.F_GETLEASE),
            "F_NOTIFY": lambda: fcntl.fcntl(os.open("/tmp", os.O_RDONLY), fcntl.F_NOTIFY, DN_ACCESS),
            "F_SETSIG": lambda: fcntl.fcntl(file, F_SETSIG, SIGCONT),
            "inotify": lambda: called("inotify_init"),
            "inotify 1": lambda: called("inotify_init1", 0),
            "inotify mark": lambda: called("inotify_add_watch", file, b"/tmp", IN_OPEN),
            "fanotify": lambda: called("fanotify_init", FAN_REPORT_FID, os.O_RDONLY),
            "fanotify mark": lambda: called("fanotify_mark", file, FAN_MARK_ADD, FAN_OPEN, AT_FDCWD, b"/tmp"),
            "mincore": lambda: called("mincore", ctypes.c_void_p(page), 8192, bytes(2)),
        }
        allowed = []
        for name, call in calls.items():
            try:
                call()
                allowed.append(name)
            except PermissionError:
                continue
            except OSError as error:
                allowed.append(f"{name}: {error}")
        raise RuntimeError(f"allowed {allowed}")


def called(name, *arguments):
    if getattr(libc, name)(*arguments) < 0:
        raise OSError(ctypes.get_errno(), errno.errorcode[ctypes.get_errno()])
