"""Work on the event loop in slices, so that all others have their turn in between: replaying a game, mostly.

One piece of work goes on at a time, and the browser that has asked for it pays with the time that it takes.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

from palabre.web.rates import RateLimit

SLICE = 0.005  # seconds

Step = TypeVar("Step")


class Slices:
    """Takes the steps of one iterator after another."""

    def __init__(self, budget: RateLimit, clock: Callable[[], float] = time.perf_counter) -> None:
        self._budget = budget
        self._clock = clock
        self._turn = asyncio.Lock()

    async def take(self, steps: Iterator[Step], owner: str) -> list[Step]:
        """All steps; `Refused` if their owner has used up what they may."""
        self._budget.require(owner)
        async with self._turn:
            self._budget.require(owner)
            taken: list[Step] = []
            spent, began = 0.0, self._clock()
            try:
                for step in steps:
                    taken.append(step)
                    if self._clock() - began >= SLICE:
                        spent += self._clock() - began
                        await asyncio.sleep(0)
                        began = self._clock()
            finally:
                self._budget.charge(owner, spent + self._clock() - began)
            return taken
