"""Calls of a function in other processes of this machine, for work whose pieces know nothing of each other.

`arena.cluster.calls` makes the same calls on a cluster.
"""

import contextlib
import multiprocessing
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

from palabre.core.system import end_with_parent


@contextlib.contextmanager
def local_calls(processes: int) -> Iterator[ProcessPoolExecutor]:
    """A pool of processes. When the block ends, calls under way end at once, however long they would take.

    Ctrl-C reaches this process alone, and if it is killed, the others end as well.
    """
    others = multiprocessing.active_children()
    pool = ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn"), initializer=_begin)
    try:
        yield pool
    finally:
        for process in multiprocessing.active_children():
            if process not in others:
                process.kill()
        pool.shutdown(cancel_futures=True)


def _begin() -> None:
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
