"""Jobs, the workers that do them, and the lanes in which they wait. Owners take turns."""

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Raw

from palabre.workers.messages import Exit, Preparing, Task, decoder

log = logging.getLogger(__name__)

MOST_DEATHS = 3  # of workers that had the same job
LOW = 0.1  # seconds of work left, besides the lag, at which a worker gets more jobs ahead
LAGS = 3  # a worker whose results come late gets jobs ahead for so many times the lag
MOST_AHEAD = 1000  # jobs for a worker
PARTS = 4  # at once it gets at most this part of its share of the jobs that wait

Outcome = TypeVar("Outcome")
# Is called with each line that a worker sends, and with None when it is gone.
OnLine = Callable[[bytes | None], None]
# Called with each report on a task. It is called in a thread of the pool, which waits for it.
OnProgress = Callable[[Any], None]


@dataclass(eq=False)
class Machine:
    """Where workers are."""

    name: str
    capacity: int  # how many workers may be busy there at once
    lag: float = 0.0  # seconds after which a result from there is known, at the latest
    is_gone: bool = False  # then whatever ended there did so for no fault of its own
    failed_starts: int = 0  # of workers, one after another, that have ended before they were ready

    def __post_init__(self) -> None:
        self._least = min(self.capacity, max(1, self.capacity // 2))  # however late the machine is

    def ease(self) -> None:
        """It was late: let fewer workers be busy there."""
        self.capacity = max(self._least, self.capacity - 1)


class Transport(Protocol):
    """The way to a worker: a process, a thread, a node of a cluster."""

    @property
    def pid(self) -> int | None: ...

    def send(self, line: bytes) -> None: ...

    def end(self) -> None:
        """Let it end: at once if it is busy."""

    def kill(self) -> None: ...

    def close(self, patience: float = 0.0) -> None:
        """Wait so long for its end, then end it; nothing of it is left."""

    def exit_report(self) -> Exit: ...


Connect = Callable[[OnLine], Transport]  # makes the way to a worker, given what to call with its lines


class JobPool(Protocol):
    """The pool, as a job sees it."""

    def stop(self, job: "Job[Any]") -> None: ...

    def cancel(self, job: "Job[Any]") -> None: ...


class Job(Generic[Outcome]):
    """A task that was submitted, and what becomes of it."""

    def __init__(
        self,
        pool: JobPool,
        number: int,
        task: Task[Outcome],
        lane: "Lane",
        *,
        owner: str = "",
        seconds: float | None = None,
        on_progress: OnProgress | None = None,
        on_preparing: Callable[[Preparing], None] | None = None,
    ) -> None:
        self.number, self.task, self.lane, self.owner, self.seconds = number, task, lane, owner, seconds
        self.future: Future[Outcome] = Future()
        self.deaths = 0  # of workers that had it
        self.machine: Machine | None = None  # where it was done last
        self.processor_seconds = 0.0
        self.is_wanted = True  # it was not cancelled
        self.is_stopped = False  # it is to end with what is known
        self.is_counted = False  # among those of its owner in its lane that are not done
        self.stand_in: Job[Outcome] | None = None  # does the same in another lane, while a compiler holds this one up
        self._pool, self._on_progress, self._on_preparing = pool, on_progress, on_preparing

    def result(self, timeout: float | None = None) -> Outcome:
        """Wait for its result; raises `TaskFailed` if there is none."""
        return self.future.result(timeout)

    async def outcome(self) -> Outcome:
        """The same for an event loop; a task of the loop that is cancelled meanwhile cancels the job."""
        try:
            return await asyncio.wrap_future(self.future)
        except asyncio.CancelledError:
            self.cancel()
            raise

    def stop(self) -> None:
        """Have it end soon, with what is known by then; if it has not begun yet, as soon as it has."""
        self._pool.stop(self)

    def cancel(self) -> None:
        """Drop it: its worker is free for others as soon as possible."""
        self._pool.cancel(self)

    @property
    def is_done(self) -> bool:
        """Whether there is a result, or will be none."""
        return self.future.done()

    def when_done(self, function: Callable[["Job[Outcome]"], object]) -> None:
        """Call a function when there is a result, or will be none; in a thread of the pool, which waits for it."""
        self.future.add_done_callback(lambda future: function(self))

    # ------------------------------------------------------------------------------------------- called by the pool

    def report(self, report: Raw) -> None:
        """Pass on a report."""
        if self._on_progress is not None and self.is_wanted:
            self._call(self._on_progress, decoder(self.task.REPORT).decode(report))

    def report_preparing(self, message: Preparing) -> None:
        """Pass on that kernels are being compiled which it waits for."""
        if self._on_preparing is not None and self.is_wanted and not self.is_done:
            self._call(self._on_preparing, message)

    def finish(self, result: Outcome) -> None:
        """It is done."""
        with suppress(InvalidStateError):  # it was cancelled, by any thread, or is done already
            self.future.set_result(result)

    def fail(self, error: BaseException) -> None:
        """There will be no result."""
        with suppress(InvalidStateError):
            self.future.set_exception(error)

    def _call(self, function: Callable[[Any], None], argument: object) -> None:
        try:
            function(argument)
        except Exception:  # a mistake of the callback is not that of the worker
            log.exception("a report was lost")


class Worker:
    """A worker and its jobs."""

    def __init__(self, lane: "Lane", machine: Machine) -> None:
        self.lane, self.machine = lane, machine
        self.transport: Transport
        self.jobs: deque[Job[Any]] = deque()  # the first is running
        self.is_ready = False
        self.is_preparing = False
        self.is_leaving = False  # it gets no more jobs
        self.is_yielding = False  # it was stopped, so that others have their turn
        self.since = 0.0  # when it turned to its job
        self.began = 0.0  # when all was prepared for it; 0 before

    @property
    def job(self) -> Job[Any] | None:
        """The job that is running."""
        return self.jobs[0] if self.jobs else None


class Crew(Protocol):
    """Where the workers of a lane come from."""

    @property
    def capacity(self) -> int:
        """How many there may be at once, as far as is known."""

    def open(self, pool: "Recruiter", lane: "Lane") -> None:
        """Workers may be asked for from now on."""

    def start(self, count: int) -> None:
        """Start so many; each is added to the pool as soon as it can be sent orders."""

    def give_up(self, machine: Machine, exit: Exit) -> None:
        """No worker gets ready on a machine: start none there; an error, if it was the last one."""

    def close(self) -> None:
        """All workers have ended."""


class Recruiter(Protocol):
    """The pool, as a crew sees it."""

    def add(self, lane: "Lane", machine: Machine, connect: Connect) -> None: ...

    def staff(self, lane: "Lane") -> None: ...

    def fail(self, lane: "Lane", error: BaseException) -> None: ...


class Lane:
    """Workers of a kind, and the jobs that wait for them."""

    def __init__(
        self,
        crew: Crew,
        *,
        most_jobs: int | None = None,
        linger: float | None = None,
        ahead: float = 0.0,
        preparation: float | None = None,
        slices: float | None = None,
        most_deaths: int = MOST_DEATHS,
        stand_in: "Lane | None" = None,
    ) -> None:
        """One owner has at most so many jobs. A worker with nothing to do stays so many seconds, or for ever. It
        gets jobs ahead for so many seconds. A job that does not begin within its seconds of `preparation` has failed;
        one that takes longer than a slice yields to others. A job of which so many workers have died has failed. What
        a compiler holds up is also done in the lane `stand_in`, if its task says how."""
        self.crew = crew
        self.most_jobs, self.linger, self.ahead = most_jobs, linger, ahead
        self.preparation, self.slices, self.most_deaths = preparation, slices, most_deaths
        self.stand_in = stand_in
        self.least = 0  # workers that are kept ready
        self.workers: list[Worker] = []
        self.jobs: Counter[str] = Counter()  # that are not done, by owner
        self.error: BaseException | None = None  # why nothing can be done here
        self.seconds, self.results = 0.0, 0  # what was spent on all jobs so far, and how many those are
        self._waiting: dict[str, deque[Job[Any]]] = {}  # by owner, the one whose turn it is first
        self._length = 0

    def __len__(self) -> int:
        return self._length

    @property
    def job_seconds(self) -> float | None:
        """How long a job takes on average, as far as is known."""
        return self.seconds / self.results if self.results else None

    def worker_of(self, job: Job[Any]) -> Worker | None:
        """The worker that has a job."""
        return next((worker for worker in self.workers if job in worker.jobs), None)

    def shortage(self) -> int:
        """How many more jobs its workers may soon ask for, besides those that wait."""
        fitting = 1
        if self.ahead and self.job_seconds:
            fitting += min(MOST_AHEAD, int(self.ahead / self.job_seconds))
        return max(0, PARTS * max(1, self.crew.capacity) * fitting - len(self))

    def allowed(self) -> Iterator[Worker]:
        """The workers that may be busy: as many on each machine as it has time for."""
        busy: Counter[Machine] = Counter()
        for worker in self.workers:
            if not worker.is_leaving:
                busy[worker.machine] += 1
                if busy[worker.machine] <= worker.machine.capacity:
                    yield worker

    def room(self, worker: Worker) -> int:
        """How many jobs to give to a worker now."""
        if not len(self):
            return 0
        seconds, lag = self.job_seconds if self.ahead else None, worker.machine.lag
        if not seconds:
            return 0 if worker.jobs else 1
        if worker.jobs and len(worker.jobs) * seconds > LOW + lag:
            return 0
        fitting = min(MOST_AHEAD, int((self.ahead + LAGS * lag) / seconds))
        return max(1, min(fitting, len(self) // (PARTS * max(1, self.crew.capacity))))

    def discount(self, job: Job[Any]) -> None:
        """Count a job no longer: it is done."""
        if job.is_counted:
            job.is_counted = False
            self.jobs[job.owner] -= 1
            if not self.jobs[job.owner]:
                del self.jobs[job.owner]

    def add(self, job: Job[Any]) -> None:
        """Have a job wait for its turn, and count it as one of its owner's until it is done."""
        if not job.is_counted:
            job.is_counted = True
            self.jobs[job.owner] += 1
        self._waiting.setdefault(job.owner, deque()).append(job)
        self._length += 1

    def put_back(self, job: Job[Any]) -> None:
        """Have a job be the next."""
        own = self._waiting.pop(job.owner, deque())
        own.appendleft(job)
        self._waiting = {job.owner: own, **self._waiting}
        self._length += 1

    def discard(self, job: Job[Any]) -> None:
        """Forget a job, if it waits."""
        own = self._waiting.get(job.owner, deque())
        if job in own:
            own.remove(job)
            self._length -= 1
            if not own:
                del self._waiting[job.owner]

    def take(self) -> Job[Any]:
        """The job whose turn it is, which waits no longer."""
        owner = next(iter(self._waiting))
        own = self._waiting.pop(owner)
        job = own.popleft()
        self._length -= 1
        if own:
            self._waiting[owner] = own  # at the end: others come first
        return job

    @property
    def preparing(self) -> list[Job[Any]]:
        """The jobs whose kernels are being compiled."""
        return [worker.job for worker in self.workers if worker.is_preparing and worker.job is not None]

    @property
    def waiting(self) -> list[Job[Any]]:
        """All jobs that wait."""
        return [job for own in self._waiting.values() for job in own]

    def take_all(self) -> list[Job[Any]]:
        """All jobs that wait, which no longer do."""
        jobs = self.waiting
        self._waiting.clear()
        self._length = 0
        return jobs
