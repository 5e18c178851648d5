"""The pool: tasks done by workers, shared fairly among their owners.

    with Pool(lane) as pool:
        job = pool.submit(lane, Choose(place, "palabre:level=3"), owner="a browser", on_progress=show)
        chosen = job.result()

Jobs wait in lanes, each with workers of its own, so what a person waits for never waits behind what takes long. Within
a lane the owners take turns, and a long job yields its worker when its slice is over, if others wait. The
time of a job begins when all is prepared. A worker that does not answer soon after that time is ended, and its job has
failed. If a worker dies by itself it is replaced, and its job is done again; at the third death it is to blame.

Everything happens in the threads that read from workers, one at a time. Every callback must return at once.
"""

import itertools
import logging
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from msgspec import Raw

from palabre.core.errors import PalabreError
from palabre.workers.job import Connect, Job, Lane, Machine, OnProgress, Worker
from palabre.workers.messages import (
    Began,
    Exit,
    Failed,
    FromWorker,
    Order,
    Preparing,
    Progress,
    Ready,
    Result,
    Stop,
    Task,
    TaskFailed,
    decoder,
    from_worker,
    to_line,
    to_raw,
)
from palabre.workers.standing_in import send_stand_ins
from palabre.workers.timers import Timers

log = logging.getLogger(__name__)

MOST_FAILED_STARTS = 3  # of workers of a machine, one after another, that have ended before they were ready
GRACE = 3.0  # seconds after its time for which a job is waited for
LEAVING = 5.0  # seconds for an idle worker to end by itself when the pool ends

Outcome = TypeVar("Outcome")


class Pool:
    """All workers, in their lanes."""

    def __init__(self, *lanes: Lane, most_waiting: int | None = None, grace: float = GRACE) -> None:
        self.lanes = lanes
        self.is_open = True
        self._most_waiting, self._grace = most_waiting, grace
        self._numbers = itertools.count(1)
        self._timers = Timers()
        self._lock = threading.RLock()
        self._closing: list[threading.Thread] = []
        for lane in lanes:
            lane.crew.open(self, lane)

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all workers; the jobs that are not done have failed."""
        with self._lock:
            self.is_open = False
            self._timers.clear()
            workers = [worker for lane in self.lanes for worker in lane.workers]
            is_idle = {worker: not worker.jobs for worker in workers}
            for lane in self.lanes:
                self._fail_all(lane, TaskFailed("task.closed"))
                lane.workers = []
        for worker in workers:
            worker.transport.end()
        for worker in workers:
            worker.transport.close(LEAVING if is_idle[worker] else 0.0)
        for lane in self.lanes:
            lane.crew.close()

    def kill(self) -> None:
        """End all workers at once."""
        with self._lock:
            for worker in (worker for lane in self.lanes for worker in lane.workers):
                worker.transport.kill()
        self.close()

    # ------------------------------------------------------------------------------------------------------------- jobs

    def submit(
        self,
        lane: Lane,
        task: Task[Outcome],
        *,
        owner: str = "",
        seconds: float | None = None,
        on_progress: OnProgress | None = None,
        on_preparing: Callable[[Preparing], None] | None = None,
    ) -> Job[Outcome]:
        """Have a task done within so many seconds. The functions are called in threads of the pool."""
        with self._lock:
            job = Job(
                self,
                next(self._numbers),
                task,
                lane,
                owner=owner,
                seconds=seconds,
                on_progress=on_progress,
                on_preparing=on_preparing,
            )
            if not self.is_open:
                job.fail(TaskFailed("task.closed"))
            elif lane.error is not None:
                job.fail(lane.error)
            elif lane.most_jobs is not None and lane.jobs[owner] >= lane.most_jobs:
                job.fail(TaskFailed("task.greedy", most=lane.most_jobs))
            elif self._most_waiting is not None and sum(map(len, self.lanes)) >= self._most_waiting:
                job.fail(TaskFailed("task.busy"))
            else:
                lane.add(job)
                self._hand_out(lane)
                send_stand_ins(self, lane)
            return job

    def withdraw(self, lane: Lane) -> list[Job[Any]]:
        """Take back the jobs that wait, without doing them. The first comes last."""
        with self._lock:
            jobs = lane.take_all()
            for job in jobs:
                lane.discount(job)
            return jobs[::-1]

    def broadcast(self, lane: Lane, task: Task[Any]) -> None:
        """Have all workers of a lane do a task whose result is ignored."""
        with self._lock:
            for worker in lane.workers:
                worker.transport.send(to_line(Order(-next(self._numbers), to_raw(task))))

    def stop(self, job: Job[Any]) -> None:
        with self._lock:
            job.is_stopped = True
            worker = job.lane.worker_of(job)
            if worker is not None:
                worker.transport.send(to_line(Stop(job.number)))
            send_stand_ins(self, job.lane)

    def cancel(self, job: Job[Any]) -> None:
        with self._lock:
            job.is_wanted = False
            self.stop(job)
            job.future.cancel()
            if job.lane.worker_of(job) is None:
                job.lane.discard(job)
                job.lane.discount(job)

    # ---------------------------------------------------------------------------------------------------------- workers

    def keep(self, lane: Lane, workers: int) -> None:
        """From now on have so many workers ready, whether there is work for them or not."""
        with self._lock:
            lane.least = workers
            self.staff(lane)

    def staff(self, lane: Lane) -> None:
        """Have as many workers as there is work for, if the crew can."""
        with self._lock:
            staying = [worker for worker in lane.workers if not worker.is_leaving]
            wanted = min(lane.crew.capacity, max(lane.least, sum(bool(worker.jobs) for worker in staying) + len(lane)))
            # A crew of which no machine is known yet is asked, too, for it may have to say why.
            if self.is_open and lane.error is None and (len(staying) < wanted or (len(lane) and not staying)):
                lane.crew.start(max(1, wanted - len(staying)))

    def add(self, lane: Lane, machine: Machine, connect: Connect) -> None:
        """Add a worker of a crew that has started; `connect` gets the function to call with its lines."""
        with self._lock:
            worker = Worker(lane, machine)
            worker.transport = connect(lambda line: self._on_line(worker, line))
            lane.workers.append(worker)
            self._hand_out(lane)

    def fail(self, lane: Lane, error: BaseException) -> None:
        """Fail all jobs of a lane, those to come included."""
        with self._lock:
            lane.error = error
            self._fail_all(lane, error)

    def _fail_all(self, lane: Lane, error: BaseException) -> None:
        given = [job for worker in lane.workers for job in worker.jobs]
        for job in given + lane.take_all():
            lane.discount(job)
            job.fail(error)

    def _hand_out(self, lane: Lane) -> None:
        """Give waiting jobs to workers that have none, or little left."""
        if not (self.is_open and len(lane)):
            return
        self.staff(lane)
        for worker in sorted(lane.allowed(), key=lambda worker: len(worker.jobs)):
            for _ in range(lane.room(worker)):
                self._give(worker, lane.take())

    def _give(self, worker: Worker, job: Job[Any]) -> None:
        worker.jobs.append(job)
        job.machine = worker.machine
        worker.transport.send(to_line(Order(job.number, to_raw(job.task), job.seconds)))
        if job.is_stopped:
            worker.transport.send(to_line(Stop(job.number)))
        if len(worker.jobs) == 1:
            self._begin(worker)

    def _begin(self, worker: Worker) -> None:
        """Start the clocks of the first job of a worker."""
        self._timers.cancel((worker, "idle"))
        worker.since, worker.began = time.monotonic(), 0.0
        self._expect_answer(worker, worker.lane.preparation)

    def _expect_answer(self, worker: Worker, seconds: float | None) -> None:
        """Kill a worker unless it answers within so many seconds."""
        if seconds is not None:
            self._timers.set((worker, "late"), seconds, lambda: self._late(worker))

    # ----------------------------------------------------------------------------------------------- what workers send

    def _on_line(self, worker: Worker, line: bytes | None) -> None:
        """Called in the thread that reads from a worker."""
        if line is not None:
            with self._lock:
                if worker not in worker.lane.workers:
                    return  # it is gone: others have its jobs
                try:
                    self._on_message(worker, from_worker.decode(line))
                    return
                except msgspec.MsgspecError:
                    pass  # what writes there is not our code
        self._on_end(worker)

    def _on_message(self, worker: Worker, message: FromWorker) -> None:
        job = worker.job
        if isinstance(message, Ready):
            worker.is_ready, worker.machine.failed_starts = True, 0
        elif message.number < 0:
            return  # it was broadcast
        elif isinstance(message, Failed) and message.number == 0:
            self.fail(worker.lane, PalabreError(message.error().message))
        elif job is None or message.number != job.number:
            raise msgspec.ValidationError("it answers another job")
        elif isinstance(message, Preparing):
            worker.is_preparing = True
            self._expect_answer(worker, worker.lane.preparation)
            job.report_preparing(message)
            if worker.lane.preparing[0] is job:  # it speaks for those that wait for a worker
                for waiting in worker.lane.waiting:
                    waiting.report_preparing(message)
            send_stand_ins(self, worker.lane)
        elif isinstance(message, Began):
            self._on_began(worker, job)
        elif isinstance(message, Progress):
            job.report(message.report)
        elif isinstance(message, Failed):
            job.processor_seconds += message.processor_seconds
            self._done(worker, lambda: job.fail(message.error()))
        else:
            self._on_result(worker, job, message)

    def _on_began(self, worker: Worker, job: Job[Any]) -> None:
        worker.is_preparing = False
        worker.began = time.monotonic()
        self._timers.cancel((worker, "late"))
        self._expect_answer(worker, None if job.seconds is None else job.seconds + self._grace)
        if worker.lane.slices is not None and job.task.YIELDS:
            self._timers.set((worker, "slice"), worker.lane.slices, lambda: self._end_slice(worker, job))

    def _on_result(self, worker: Worker, job: Job[Any], message: Result) -> None:
        result = message.result if job.task.RESULT is Raw else decoder(job.task.RESULT).decode(message.result)
        if not job.task.accepts(result):
            raise msgspec.ValidationError("it is no result of its task")
        spent = time.monotonic() - (worker.began or worker.since)
        job.processor_seconds += message.processor_seconds
        if worker.is_yielding and not job.is_stopped and job.is_wanted:
            left = job.task.rest(result, spent)
            if left is not None:
                job.task = left
                if job.seconds is not None:
                    job.seconds -= spent
                self._leave_job(worker)
                worker.lane.add(job)
                self._hand_out(worker.lane)
                return
        worker.lane.seconds += spent
        worker.lane.results += 1
        self._done(worker, lambda: job.finish(result))

    def _end_slice(self, worker: Worker, job: Job[Any]) -> None:
        """Let others have the worker of a long job, if any wait."""
        with self._lock:
            if worker.job is not job:
                return
            if len(worker.lane):
                worker.is_yielding = True
                worker.transport.send(to_line(Stop(job.number)))
            else:
                assert worker.lane.slices is not None
                self._timers.set((worker, "slice"), worker.lane.slices, lambda: self._end_slice(worker, job))

    def _done(self, worker: Worker, settle: Callable[[], None]) -> None:
        """End the first job of a worker; the worker has its next one before any callback runs."""
        job = self._leave_job(worker)
        worker.lane.discount(job)
        if worker.jobs:
            self._begin(worker)
        self._hand_out(worker.lane)
        if not worker.jobs and worker.lane.linger is not None:
            self._timers.set((worker, "idle"), worker.lane.linger, lambda: self._let_go(worker))
        settle()

    def _leave_job(self, worker: Worker) -> Job[Any]:
        self._timers.cancel((worker, "late"), (worker, "slice"))
        worker.is_yielding = worker.is_preparing = False
        return worker.jobs.popleft()

    # ---------------------------------------------------------------------------------------------- workers that end

    def _let_go(self, worker: Worker) -> None:
        """End a worker that has nothing to do; it is not replaced."""
        with self._lock:
            if not worker.jobs:
                worker.is_leaving = True
                worker.transport.end()

    def _late(self, worker: Worker) -> None:
        """Kill a worker that has not answered in time; `_on_end` follows."""
        with self._lock:
            if worker.job is not None:
                log.warning("a worker did not answer in time, and is killed")
                worker.job.fail(TaskFailed("task.late"))
            worker.transport.kill()

    def _on_end(self, worker: Worker) -> None:
        """Close a worker that has ended, or must, and replace it."""
        with self._lock:
            if worker not in worker.lane.workers:
                return
            worker.lane.workers.remove(worker)
            self._timers.cancel((worker, "late"), (worker, "slice"), (worker, "idle"))
        exit = worker.transport.exit_report()
        worker.transport.close()
        with self._lock:
            if self.is_open:
                self._replace(worker, exit)

    def _replace(self, worker: Worker, exit: Exit) -> None:
        """Requeue the jobs of a worker that has ended."""
        lane, machine, jobs = worker.lane, worker.machine, list(worker.jobs)
        worker.jobs.clear()
        for job in reversed(jobs):
            if job.is_done or not job.is_wanted:
                lane.discount(job)
            else:
                lane.put_back(job)
        if not worker.is_ready:
            machine.failed_starts += 1
            if machine.failed_starts >= MOST_FAILED_STARTS and not machine.is_gone:
                machine.failed_starts = 0
                try:
                    lane.crew.give_up(machine, exit)
                except PalabreError as error:
                    self._fail_all(lane, error)
        elif jobs and not jobs[0].is_done:
            self._blame(worker, jobs[0], exit)
        if worker.is_ready:  # else none is started again until it is needed
            self.staff(lane)
        self._hand_out(lane)

    def _blame(self, worker: Worker, job: Job[Any], exit: Exit) -> None:
        """Count a death for a job, unless the machine has died too; after the last one, the job fails."""
        job.deaths += not worker.machine.is_gone
        log.warning("a worker has died and is replaced: %s", exit)
        if job.deaths >= job.lane.most_deaths:
            job.lane.discard(job)
            job.lane.discount(job)
            error = TaskFailed("task.died")
            error.exit = exit
            job.fail(error)
