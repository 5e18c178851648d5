"""The time, for a kernel that must stop in time: it asks for it itself, and so depends on no other thread."""

import time


def now() -> int:
    """Nanoseconds of a clock that never goes back; compiled, a call of the system's own function (POSIX)."""
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)
