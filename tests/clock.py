"""Searches and time: a clock that the test holds, and a stop that comes in the middle of a search."""

import contextlib
import importlib
import threading
from collections.abc import Callable, Iterator

import pytest

READERS = (  # the modules of searches that read the clock
    "palabre.search.deepening",
    "palabre.search.engine",
    "palabre.search.mcts",
    "palabre.search.montecarlo",
    "palabre.search.simulation",
    "palabre.search.worker",
)


class SteppingClock:
    """A clock that goes on by a step whenever a search reads it. It has kernels run as plain Python."""

    def __init__(self, step: float, monkeypatch: pytest.MonkeyPatch) -> None:
        self.step = step  # seconds
        self.readings = 0
        monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
        for reader in READERS:
            monkeypatch.setattr(importlib.import_module(reader), "now", self.now)

    def now(self) -> int:
        self.readings += 1
        return round(self.seconds * 1e9)

    @property
    def seconds(self) -> float:
        """How far it has gone."""
        return self.readings * self.step


@contextlib.contextmanager
def stopping(stop: Callable[[], None]) -> Iterator[None]:
    """Say stop from another thread, again and again: one that comes before the search begins has no effect."""
    is_done = threading.Event()

    def repeat() -> None:
        while not is_done.wait(0.01):
            stop()

    thread = threading.Thread(target=repeat)
    thread.start()
    try:
        yield
    finally:
        is_done.set()
        thread.join()
