"""Jobs and the lanes in which they wait. Owners take turns, and so do long searches of different owners."""

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

from msgspec.structs import replace

from palabre.web.messages import ThoughtFacts
from palabre.web.pool.jobs import AnyJob, JobFailed, Order, Report, Stop, Think, Thoughts
from palabre.web.pool.process import WorkerProcess

log = logging.getLogger(__name__)

LEAST_SLICE = 0.1  # seconds: a search that has less left is done

Hear = Callable[[Report], None]
Result = TypeVar("Result")


class Keeper(Protocol):
    """Whoever has the processes: the pool."""

    def stop(self, job: "Job[Any]") -> None: ...

    def cancel(self, job: "Job[Any]") -> None: ...


class Job(Generic[Result]):
    """What somebody has asked for. A task that is cancelled while it awaits the result cancels the job."""

    def __init__(self, keeper: Keeper, number: int, job: AnyJob, lane: "Lane", owner: str, hear: Hear | None) -> None:
        self.number, self.job, self.lane, self.owner = number, job, lane, owner
        self.deaths = 0  # of processes that had it
        self.is_wanted = True  # nobody has cancelled it
        self.is_stopped = False  # it is to end with what is known
        self.is_counted = False  # among those of its owner in its lane that are not done
        self.stand_in: Job[Result] | None = None  # the same, as plain Python, while this one waits for a compiler
        self._keeper, self._hear = keeper, hear
        self._future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._known: list[ThoughtFacts] = []  # by earlier slices of a search, and how long they took
        self._nodes, self._seconds = 0, 0.0

    async def result(self) -> Result:
        """What has come of it; a `JobFailed` says why nothing has."""
        try:
            return await self._future
        except asyncio.CancelledError:
            self.cancel()
            raise

    def stop(self) -> None:
        """Have it end soon, with what is known by then; if it has not begun yet, as soon as it has."""
        self.is_stopped = True
        self._keeper.stop(self)

    def cancel(self) -> None:
        """Nobody listens any more: its process is free for others as soon as can be."""
        self.is_wanted = False
        self._future.cancel()
        self._keeper.cancel(self)

    @property
    def is_done(self) -> bool:
        return self._future.done()

    def when_done(self, function: Callable[["Job[Result]"], None]) -> None:
        """Call a function when there is a result, or will be none."""
        self._future.add_done_callback(lambda future: function(self))

    @property
    def outcome(self) -> Result | None:
        """The result, if there is one by now."""
        has_result = self._future.done() and not self._future.cancelled() and self._future.exception() is None
        return self._future.result() if has_result else None

    # ---------------------------------------------------------------------------------------------- what the pool says

    def tell(self, report: Report) -> None:
        """Tell whoever listens; a search that goes on tells nothing new until it is as deep as it has been."""
        if self._hear is None or not self.is_wanted:
            return
        if isinstance(report, Thoughts):
            if _depth(report.lines) < _depth(self._known):
                return
            report = Thoughts(self._added_up(report.lines))
        try:
            self._hear(report)
        except Exception:  # a mistake of the listener is not that of the process
            log.exception("a report was not heard")

    def finish(self, result: Any) -> None:
        if isinstance(result, Thoughts):
            is_deeper = _depth(result.lines) >= _depth(self._known)
            result = Thoughts(self._added_up(result.lines) if is_deeper else self._known, is_done=True)
        if not self._future.done():
            self._future.set_result(result)

    def fail(self, error: JobFailed) -> None:
        if not self._future.done():
            self._future.set_exception(error)
            self._future.exception()  # whoever never asks for the result need not know

    def go_on_later(self, found: Thoughts, seconds: float) -> bool:
        """Keep what a slice of so many seconds has found; whether there is time left for another."""
        assert isinstance(self.job, Think)
        left = self.job.seconds - seconds
        if self.is_stopped or not self.is_wanted or left < LEAST_SLICE:
            return False
        if _depth(found.lines) >= _depth(self._known):
            self._known = self._added_up(found.lines)
        self._nodes += max((line.nodes for line in found.lines), default=0)
        self._seconds += seconds
        self.job = replace(self.job, seconds=left)
        return True

    def _added_up(self, lines: list[ThoughtFacts]) -> list[ThoughtFacts]:
        """Lines with what the earlier slices took."""
        return [replace(line, nodes=line.nodes + self._nodes, seconds=line.seconds + self._seconds) for line in lines]


class Worker:
    """A process and the job that it has."""

    def __init__(self, lane: "Lane", process: WorkerProcess) -> None:
        self.lane, self.process = lane, process
        self.job: Job[Any] | None = None
        self.has_started = False
        self.is_preparing = False
        self.is_leaving = False  # it gets no more jobs
        self.began = 0.0  # to think about its job, by the loop's clock
        self.is_yielding = False  # it was told to stop, so that others have their turn
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def call_later(self, name: str, seconds: float, function: Callable[["Worker"], None]) -> None:
        """Call a function, unless before a job is done or given, or the timer of this name is set again."""
        if name in self._timers:
            self._timers[name].cancel()
        self._timers[name] = asyncio.get_running_loop().call_later(seconds, function, self)

    def give(self, job: Job[Any], seconds: float) -> None:
        """Have it do a job, which is to be stopped after so many seconds."""
        self._forget_timers()
        self.job = job
        self.process.say(Order(job.number, job.job, seconds))
        if job.is_stopped:
            self.process.say(Stop(job.number))

    def take_job(self) -> Job[Any] | None:
        """Its job, which it no longer has."""
        self._forget_timers()
        self.is_yielding = self.is_preparing = False
        job, self.job = self.job, None
        return job

    def _forget_timers(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()


class Lane:
    """Jobs that wait for the same processes."""

    def __init__(self, most_workers: int, most_jobs: int, *, gives_way: bool = False, is_kept: bool = True) -> None:
        self.most_workers = most_workers
        self.most_jobs = most_jobs  # of one owner
        self.gives_way = gives_way  # its processes leave the processor to others, and its searches take turns
        self.is_kept = is_kept  # a process with nothing to do waits for the next job, however long
        self.workers: list[Worker] = []
        self.jobs: Counter[str] = Counter()  # that are not done, by owner
        self._waiting: dict[str, deque[Job[Any]]] = {}  # by owner, the one whose turn it is first

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def count(self, job: Job[Any]) -> None:
        """Count a job as one of its owner's."""
        job.is_counted = True
        self.jobs[job.owner] += 1

    def discount(self, job: Job[Any]) -> None:
        """Count a job no longer: it is done."""
        if job.is_counted:
            job.is_counted = False
            self.jobs[job.owner] -= 1
            if not self.jobs[job.owner]:
                del self.jobs[job.owner]

    def add(self, job: Job[Any]) -> None:
        """Have a job wait for its turn."""
        self._waiting.setdefault(job.owner, deque()).append(job)

    def put_back(self, job: Job[Any]) -> None:
        """Have a job be the next."""
        own = self._waiting.pop(job.owner, deque())
        own.appendleft(job)
        self._waiting = {job.owner: own, **self._waiting}

    def discard(self, job: Job[Any]) -> None:
        """Forget a job, if it waits."""
        own = self._waiting.get(job.owner, deque())
        if job in own:
            own.remove(job)
            if not own:
                del self._waiting[job.owner]

    def take(self) -> Job[Any]:
        """The job whose turn it is."""
        owner = next(iter(self._waiting))
        own = self._waiting.pop(owner)
        job = own.popleft()
        if own:
            self._waiting[owner] = own  # at the end: others come first
        return job

    @property
    def waiting(self) -> list[Job[Any]]:
        """All jobs that wait."""
        return [job for own in self._waiting.values() for job in own]

    def take_all(self) -> list[Job[Any]]:
        """All jobs that wait, which no longer do."""
        found = self.waiting
        self._waiting.clear()
        return found


def _depth(lines: list[ThoughtFacts]) -> int:
    return lines[0].depth if lines else -1
