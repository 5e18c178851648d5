"""Functions that are called later, by one thread."""

import heapq
import itertools
import threading
import time
from collections.abc import Callable, Hashable

SLACK = 100  # timers that do not count any more, and may be kept in memory besides as many as do


class Timers:
    """Timers by key; setting one again replaces it. The thread runs as long as there are any."""

    def __init__(self) -> None:
        self._due: dict[Hashable, tuple[int, Callable[[], None]]] = {}  # by key: which setting counts, and what to do
        self._heap: list[tuple[float, int, Hashable]] = []
        self._numbers = itertools.count()
        self._condition = threading.Condition()
        self._thread: threading.Thread | None = None

    def set(self, key: Hashable, seconds: float, function: Callable[[], None]) -> None:
        """Call a function after so many seconds, unless this timer is set again or cancelled before."""
        with self._condition:
            number = next(self._numbers)
            self._due[key] = number, function
            heapq.heappush(self._heap, (time.monotonic() + seconds, number, key))
            if len(self._heap) > SLACK + 2 * len(self._due):  # most of them have been set again or cancelled
                self._heap = [entry for entry in self._heap if self._due.get(entry[2], (None,))[0] == entry[1]]
                heapq.heapify(self._heap)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, daemon=True)
                self._thread.start()
            elif self._heap[0][1] == number:  # else the thread waits for an earlier one
                self._condition.notify()

    def cancel(self, *keys: Hashable) -> None:
        """Forget timers."""
        with self._condition:
            for key in keys:
                self._due.pop(key, None)

    def clear(self) -> None:
        """Forget all timers."""
        with self._condition:
            self._due.clear()
            self._heap.clear()
            self._condition.notify()

    def _run(self) -> None:
        while True:
            with self._condition:
                while self._heap and self._heap[0][0] > time.monotonic():
                    self._condition.wait(self._heap[0][0] - time.monotonic())
                if not self._heap:
                    self._thread = None
                    return
                _, number, key = heapq.heappop(self._heap)
                if self._due.get(key, (None,))[0] != number:
                    continue
                function = self._due.pop(key)[1]
            function()
