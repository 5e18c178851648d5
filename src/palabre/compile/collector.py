"""Python's garbage collector, which programs may keep away from what Numba has in memory."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_is_frozen = False  # of the whole process, which has one collector


def freeze_collector() -> None:
    """Have Python's garbage collector leave alone whatever Numba keeps in memory, from now on.

    Numba keeps hundreds of thousands of objects. Looking through them takes a fifth of a second, which may fall into
    any search and make it late. Programs call this once when they start; a library must not decide it for its users.
    """
    global _is_frozen
    _is_frozen = True


def leave_alone(has_litter: bool) -> None:
    """Leave alone what is in memory now, if the program has asked for it; compiling leaves litter to collect first."""
    if _is_frozen:
        if has_litter:
            gc.collect()
        gc.freeze()


@contextmanager
def paused() -> Iterator[None]:
    """Collect no garbage meanwhile: what a compiler makes is in use until it is done, and is searched in vain."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
