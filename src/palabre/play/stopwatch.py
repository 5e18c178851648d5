"""The clock of bots in this process. It stands still while a person uses a debugger."""

import bdb
import contextlib
import time
from collections.abc import Callable, Iterator
from typing import Any


class Stopwatch:
    """Seconds on a clock that never goes back."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._stopped: float | None = None  # when it was stopped
        self._lost = 0.0  # seconds for which it has stood still

    @property
    def is_stopped(self) -> bool:
        return self._stopped is not None

    def now(self) -> float:
        """The time; no sense in it but differences."""
        stopped = self._stopped
        return (self._clock() if stopped is None else stopped) - self._lost

    @contextlib.contextmanager
    def stopped(self) -> Iterator[None]:
        """Stand still."""
        if self.is_stopped:
            yield
            return
        self._stopped = self._clock()
        try:
            yield
        finally:
            # In this order another thread may see the time before, but never one that is too late.
            self._lost += self._clock() - self._stopped
            self._stopped = None

    @contextlib.contextmanager
    def stopped_by_debuggers(self) -> Iterator[None]:
        """Stand still whenever a debugger has the word: pdb, and every other one that is built on `bdb`."""
        dispatch = bdb.Bdb.trace_dispatch

        def stopping(debugger: bdb.Bdb, *arguments: Any) -> Any:
            with self.stopped():
                return dispatch(debugger, *arguments)

        bdb.Bdb.trace_dispatch = stopping  # type: ignore[method-assign, assignment]
        try:
            yield
        finally:
            bdb.Bdb.trace_dispatch = dispatch  # type: ignore[method-assign]


STOPWATCH = Stopwatch()  # of this process
