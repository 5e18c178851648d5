"""A measured rate, and the loop that measures it.

Seconds are CPU seconds of this process, because the machines that run benchmarks are shared.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Rate:
    """`count` things of a kind (`unit`) done in `seconds`; `note` is how, or why nothing was measured."""

    name: str
    unit: str
    count: int
    seconds: float
    note: str

    @property
    def per_second(self) -> float | None:
        """The rate, or None when nothing was measured."""
        return self.count / self.seconds if self.seconds > 0 else None

    def __str__(self) -> str:
        """One line for a person."""
        rate = self.per_second
        figure = "not measured" if rate is None else f"{rate:,.0f} {self.unit}/s"
        return f"{self.name}: {figure} ({self.note})"


def not_measured(name: str, unit: str, reason: str) -> Rate:
    """The rate of something that cannot run here."""
    return Rate(name, unit, 0, 0.0, reason)


def measure(work: Callable[[], int], seconds: float) -> tuple[int, float]:
    """Call `work`, which returns how many things it did, for about `seconds`; return how many were done, and the time.

    One call before the timing starts pays for what happens only once.
    """
    work()
    count = 0
    start = now = time.process_time()
    while now - start < seconds:
        count += work()
        now = time.process_time()
    return count, now - start
