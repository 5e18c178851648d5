"""Has a timer wake it, and forks a child that thinks in the opponent's time and is gone without a trace."""

import ctypes
import os
import signal
import time

from palabre import Bot

libc = ctypes.CDLL(None, use_errno=True)


class Event(ctypes.Structure):
    """struct sigevent, as far as it is needed: SIGEV_SIGNAL."""

    _fields_ = (
        ("value", ctypes.c_void_p),
        ("signo", ctypes.c_int),
        ("notify", ctypes.c_int),
        ("rest", ctypes.c_char * 48),
    )


class Hostile(Bot):
    def start(self, game, seat):
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        self.timer = ctypes.c_void_p()
        event = Event(None, signal.SIGCONT, 0)
        assert libc.timer_create(1, ctypes.byref(event), ctypes.byref(self.timer)) == 0

    def wake(self, *_):
        signal.signal(signal.SIGCONT, signal.SIG_DFL)  # one child is enough
        if os.fork() == 0:
            until = time.thread_time() + 0.05
            while time.thread_time() < until:
                pass
            os._exit(0)

    def choose(self, position, clock):
        signal.signal(signal.SIGCONT, self.wake)
        again = (ctypes.c_long * 4)(0, 30_000_000, 0, 30_000_000)  # every 30 ms, also when it has been stopped
        assert libc.timer_settime(self.timer, 0, ctypes.byref(again), None) == 0
        return position.moves()[0]
