"""Has a timer wake it again and again, and thinks in the opponent's time."""

import ctypes
import signal
import threading

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
        self.timer = ctypes.c_void_p()
        event = Event(None, signal.SIGCONT, 0)
        assert libc.timer_create(1, ctypes.byref(event), ctypes.byref(self.timer)) == 0
        threading.Thread(target=self.think, daemon=True).start()

    def think(self):
        while True:
            pass

    def choose(self, position, clock):
        often = (ctypes.c_long * 4)(0, 30_000_000, 0, 30_000_000)  # every 30 ms, also when it has been stopped
        assert libc.timer_settime(self.timer, 0, ctypes.byref(often), None) == 0
        return position.moves()[0]
