"""Answers from the process that reads and shows what browsers name (`answering.py`), shared fairly among browsers.

Browsers take turns, one request each. Each pays for its answers with the processor time that they take; one that has
used up what it may has to wait.
"""

import asyncio
from collections import Counter

from msgspec import Raw

from palabre.core.errors import PalabreError
from palabre.web.answering import Ask
from palabre.web.rates import RateLimit
from palabre.web.reading import Reader
from palabre.web.refusal import Refused
from palabre.workers.job import Lane
from palabre.workers.local import LocalCrew
from palabre.workers.messages import TaskFailed
from palabre.workers.pool import Pool
from palabre.workers.service import encoded

PATIENCE = 60.0  # seconds for an answer, whatever else the machine does
MOST_WAITING = 50  # requests of one browser
MODULE = "palabre.web.answering"


class NotAnswered(PalabreError):
    """What the process has refused."""

    def __init__(self, error: TaskFailed) -> None:
        super().__init__(error.message)
        self.id = error.name


class Answers:
    """Asks the process, one request at a time; it is started when it is needed, and again if it has died."""

    def __init__(self, reader: Reader, budget: RateLimit) -> None:
        crew = LocalCrew(MODULE, encoded(reader), 1)
        self._lane = Lane(crew, preparation=PATIENCE, most_deaths=1)
        self._pool = Pool(self._lane)
        self._budget = budget
        self._turns: dict[str, asyncio.Lock] = {}  # of the browsers that wait: each has one request done at a time
        self._waiting: Counter[str] = Counter()

    def start(self) -> None:
        """Start the process ahead of the first request."""
        self._pool.keep(self._lane, 1)

    async def ask(self, task: Ask, owner: str) -> Raw:
        """The answer as JSON; a `PalabreError` says why there is none."""
        self._budget.require(owner)
        if self._waiting[owner] >= MOST_WAITING:
            raise Refused("too_fast")
        self._waiting[owner] += 1
        try:
            async with self._turns.setdefault(owner, asyncio.Lock()):
                self._budget.require(owner)
                return await self._answer(task, owner)
        finally:
            self._waiting[owner] -= 1
            if not self._waiting[owner]:
                del self._waiting[owner], self._turns[owner]

    async def close(self) -> None:
        """End the process; what has not been answered never will be."""
        await asyncio.to_thread(self._pool.kill)

    async def _answer(self, task: Ask, owner: str) -> Raw:
        found, seconds = await self._exchange(task, owner)
        is_fatal = isinstance(found, TaskFailed) and found.id in ("task.died", "task.late")
        # What has ended the process, or hangs, costs all that a browser may use.
        self._budget.charge(owner, self._budget.burst if is_fatal else seconds)
        if is_fatal:
            raise Refused("too_costly")
        if not isinstance(found, TaskFailed):
            return found
        if found.id == "task.refused":
            raise NotAnswered(found)
        raise RuntimeError(f"{type(task.request).__name__} could not be answered: {found.id}")

    async def _exchange(self, task: Ask, owner: str) -> tuple[Raw | TaskFailed, float]:
        """What the process answers, or why it does not, and the processor seconds that this took."""
        job = self._pool.submit(self._lane, task, owner=owner)
        try:
            return await job.outcome(), job.processor_seconds
        except TaskFailed as error:
            return error, job.processor_seconds
