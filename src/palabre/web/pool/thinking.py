"""The pool: searches in processes of their own, shared fairly among all who ask.

    pool = Pool(workers=2)
    await pool.start()
    job = pool.submit(Choose(place, "palabre:level=3", seed=7), owner=browser, hear=report)
    chosen = await job.result()

Jobs wait in lanes, each with its own processes. What a person waits for, such as a bot's move or a hint, never waits
behind what takes long, such as an analysis or a review, whose processes also give way to the others. Bots of somebody
else have a process of their own, from which their sandboxes are run: one that hangs holds up nobody but its like. What
is compiled ahead of time has a process as long as there is something to compile. While a bot's kernels are compiled, a
process that needs none stands in, and whoever has the move first wins: a beginner's level answers at once. A stronger
bot that is stopped meanwhile has a low level move for it. The compiler goes on in either case, for the next move.

Within a lane the owners take turns; a long search also yields its process every second if somebody waits, and goes on
later where it was. The time of a job begins when all is prepared. A process that does not answer soon after the end of
that time is killed, and its job has failed. If a process dies by itself, its job is tried once more.
"""

import asyncio
import logging
from functools import partial
from typing import Any, overload

from msgspec.structs import replace

from palabre.arena.players import is_foreign
from palabre.web.limits import NO_FOLDERS, USUAL_LIMITS, Folders
from palabre.web.plain import from_plain
from palabre.web.pool import jobs
from palabre.web.pool.jobs import AnyJob, Choose, JobFailed, Prepare, Preparing, Review, Stop, Think, is_long
from palabre.web.pool.lanes import Hear, Job, Lane, Worker
from palabre.web.pool.process import WorkerProcess
from palabre.web.requests import Place

__all__ = ["Choose", "Job", "JobFailed", "Pool", "Prepare", "Review", "Think"]

log = logging.getLogger(__name__)

PREPARING_SECONDS = 300.0  # for compiling, on a machine that has other things to do
GRACE = 3.0  # seconds after its time for which a job is waited for
LINGER = 20.0  # seconds for which a process of a lane that keeps none waits for another job
SLICE = 1.0  # seconds of a long search, if others wait
MOST_DEATHS = 2  # of processes that had the same job
MOST_JOBS = 200  # of one owner, in each lane but that of analyses: as many rooms with bots as one has open
MOST_ANALYSES = 8  # of one owner
MOST_WAITING = 1000  # jobs in all


class Pool:
    """All processes that search. `workers` of them choose moves; one less, but at least one, does what takes long."""

    def __init__(
        self,
        workers: int = 2,
        *,
        most_seconds: float = USUAL_LIMITS.seconds,
        most_long_seconds: float = 600.0,
        memory: int = USUAL_LIMITS.memory,
        folders: Folders = NO_FOLDERS,
        most_jobs: int = MOST_JOBS,
        most_analyses: int = MOST_ANALYSES,
        most_waiting: int = MOST_WAITING,
        grace: float = GRACE,
    ) -> None:
        self._most_seconds, self._most_long_seconds = most_seconds, most_long_seconds
        self._most_waiting, self._grace = most_waiting, grace
        bots, games = ([str(folder.resolve()) for folder in paths] for paths in (folders.bots, folders.games))
        self._setup = jobs.Setup(bots, games, most_seconds, memory)
        self._moves = Lane(workers, most_jobs)
        self._analyses = Lane(max(1, workers - 1), most_analyses, gives_way=True)
        self._guests = Lane(1, most_jobs)
        self._ahead = Lane(1, most_jobs, gives_way=True, is_kept=False)
        self._plain = Lane(1, most_jobs, is_kept=False)
        self._numbers = 0
        self._is_open = False

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """For moves and hints, analyses and reviews, bots of somebody else, what is compiled ahead, and stand-ins."""
        return self._moves, self._analyses, self._guests, self._ahead, self._plain

    async def start(self) -> None:
        """Start the processes that choose moves; the others start when they are needed."""
        self._is_open = True
        while len(self._moves.workers) < self._moves.most_workers:
            self._start_worker(self._moves)

    async def close(self) -> None:
        """End all processes; the jobs that are not done have failed."""
        self._is_open = False
        workers = [worker for lane in self.lanes for worker in lane.workers]
        for job in [job for lane in self.lanes for job in lane.take_all()]:
            self._fail(job, JobFailed("thinking.closed"))
        for worker in workers:
            worker.process.kill()
        await asyncio.gather(*(worker.process.ended() for worker in workers))

    @overload
    def submit(self, job: Choose, *, owner: str, hear: Hear | None = None) -> Job[jobs.Chosen]: ...
    @overload
    def submit(self, job: Think, *, owner: str, hear: Hear | None = None) -> Job[jobs.Thoughts]: ...
    @overload
    def submit(self, job: Review, *, owner: str, hear: Hear | None = None) -> Job[jobs.Reviewed]: ...
    @overload
    def submit(self, job: AnyJob, *, owner: str, hear: Hear | None = None) -> Job[Any]: ...
    def submit(self, job: AnyJob, *, owner: str, hear: Hear | None = None) -> Job[Any]:
        """Have a job done. `hear` is told of its progress, on the event loop."""
        lane = self._lane(job)
        made: Job[Any] = Job(self, self._next_number(), job, lane, owner, hear)
        if not self._is_open:
            made.fail(JobFailed("thinking.closed"))
        elif lane.jobs[owner] >= lane.most_jobs:
            made.fail(JobFailed("thinking.greedy", most=lane.most_jobs))
        elif sum(map(len, self.lanes)) >= self._most_waiting:
            made.fail(JobFailed("thinking.busy"))
        else:
            lane.count(made)
            lane.add(made)
            self._hand_out(lane)
            self._send_stand_ins()
        return made

    def end_room(self, room: str, place: Place | None = None) -> None:
        """The game of a room is over: bots of somebody else that have played in it are let go."""
        for worker in self._guests.workers:
            worker.process.say(jobs.EndRoom(room, place))

    def stop(self, job: Job[Any]) -> None:
        """Have a job end soon, if it has begun."""
        worker = self._worker(job)
        if worker is not None:
            worker.process.say(Stop(job.number))
        if job.stand_in is not None and not job.stand_in.is_done:
            job.stand_in.stop()
        self._send_stand_ins()

    def cancel(self, job: Job[Any]) -> None:
        """Nobody wants a job any more."""
        self.stop(job)
        if job.stand_in is not None:
            job.stand_in.cancel()
        if self._worker(job) is None:
            job.lane.discard(job)
            job.lane.discount(job)

    # ----------------------------------------------------------------------------------------------------- handing out

    def _next_number(self) -> int:
        self._numbers += 1
        return self._numbers

    def _lane(self, job: AnyJob) -> Lane:
        if isinstance(job, Choose) and is_foreign(job.bot):
            return self._guests
        if isinstance(job, Prepare):
            return self._ahead
        return self._analyses if is_long(job) else self._moves

    def _worker(self, job: Job[Any]) -> Worker | None:
        """The process that has a job."""
        return next((worker for worker in job.lane.workers if worker.job is job), None)

    def _hand_out(self, lane: Lane) -> None:
        """Give waiting jobs to processes that have none."""
        while self._is_open and len(lane) > 0:
            staying = [worker for worker in lane.workers if not worker.is_leaving]
            worker = next((worker for worker in staying if worker.job is None), None)
            if worker is None:
                if len(staying) >= lane.most_workers:
                    return
                worker = self._start_worker(lane)
            job = lane.take()
            worker.give(job, self._seconds(job))
            worker.call_later("late", PREPARING_SECONDS, self._late)

    def _seconds(self, job: Job[Any]) -> float:
        """When a job is to be stopped."""
        limits = [self._most_long_seconds if job.lane is self._analyses else self._most_seconds]
        if isinstance(job.job, Choose):
            limits += [limit for limit in (job.job.per_move, job.job.remaining) if limit is not None]
        elif isinstance(job.job, Think):
            limits.append(job.job.seconds)
        return min(limits)

    def _start_worker(self, lane: Lane) -> Worker:
        setup = replace(self._setup, stands_in=lane is self._plain)
        process = WorkerProcess(setup, lambda message: self._hear(worker, message), gives_way=lane.gives_way)
        worker = Worker(lane, process)
        lane.workers.append(worker)
        return worker

    # --------------------------------------------------------------------------------------------------------- hearing

    def _hear(self, worker: Worker, message: jobs.FromWorker | None) -> None:
        job = worker.job
        if message is None:
            self._gone(worker)
        elif isinstance(message, jobs.Ready):
            worker.has_started = True
        elif job is None or message.number != job.number:
            log.warning("a process answered a question that nobody has asked: %s", type(message).__name__)
        elif isinstance(message, jobs.Began):
            worker.is_preparing = False
            worker.began = asyncio.get_running_loop().time()
            worker.call_later("late", self._seconds(job) + self._grace, self._late)
            if worker.lane is self._analyses and isinstance(job.job, Think):
                worker.call_later("slice", SLICE, self._end_slice)
        elif isinstance(message, jobs.Told):
            if isinstance(message.report, Preparing):
                worker.is_preparing = True
                worker.call_later("late", PREPARING_SECONDS, self._late)
                self._send_stand_ins()
                for waiting in self._moves.waiting if worker in self._moves.workers[:1] else ():
                    waiting.tell(message.report)  # one process speaks for all who wait for it
            job.tell(message.report)
        elif isinstance(message, jobs.Failed):
            job.fail(JobFailed(message.id, from_plain(message.told)))
            self._free(worker)
        else:
            self._heard_result(worker, job, message.result)

    def _heard_result(self, worker: Worker, job: Job[Any], result: jobs.AnyResult) -> None:
        spent = asyncio.get_running_loop().time() - worker.began
        if worker.is_yielding and isinstance(result, jobs.Thoughts) and job.go_on_later(result, spent):
            worker.take_job()
            worker.lane.add(job)
            self._hand_out(worker.lane)
        else:
            job.finish(result)
            self._free(worker)

    def _end_slice(self, worker: Worker) -> None:
        """Let others have the process of a long search, if somebody waits for it."""
        if worker.job is None:
            return
        if len(worker.lane) > 0:
            worker.is_yielding = True
            worker.process.say(Stop(worker.job.number))
        else:
            worker.call_later("slice", SLICE, self._end_slice)

    # ------------------------------------------------------------------------------------------------------- stand-ins

    def _send_stand_ins(self) -> None:
        """Have moves also chosen as plain Python, if a compiler holds them up; by a low level, if they are stopped."""
        workers = self._moves.workers
        held_up = [worker.job for worker in workers if worker.is_preparing and worker.job is not None]
        if len(held_up) == self._moves.most_workers:
            held_up += self._moves.waiting
        for job in held_up:
            if isinstance(job.job, Choose) and not job.is_done and needs_stand_in(job):
                hurried = replace(job.job, is_hurried=job.is_stopped)
                job.stand_in = Job(self, self._next_number(), hurried, self._plain, job.owner, None)
                job.stand_in.when_done(partial(self._stood_in, job))
                self._plain.add(job.stand_in)
        self._hand_out(self._plain)

    def _stood_in(self, job: Job[Any], stand_in: Job[Any]) -> None:
        """A stand-in is done. If it has a move, the job is done, too; its process goes on compiling for the next."""
        if stand_in.outcome is not None and not job.is_done:
            job.finish(stand_in.outcome)
            self.cancel(job)
        elif self._is_open:
            self._send_stand_ins()  # the job may have been stopped meanwhile

    # ------------------------------------------------------------------------------------------------- those that end

    def _free(self, worker: Worker) -> None:
        """A process has done its job."""
        job = worker.take_job()
        assert job is not None
        worker.lane.discount(job)
        if job.stand_in is not None:
            job.stand_in.cancel()
        self._hand_out(worker.lane)
        if worker.job is None and not worker.lane.is_kept:
            worker.call_later("idle", LINGER, self._let_go)

    def _let_go(self, worker: Worker) -> None:
        """End a process that has nothing to do; it is not replaced."""
        worker.is_leaving = True
        worker.process.kill()

    def _gone(self, worker: Worker) -> None:
        """A process has ended: its job is tried once more, in another one."""
        worker.lane.workers.remove(worker)
        job = worker.take_job()
        if job is not None:
            self._mourn(worker, job)
        # One that could not even start is not started again until it is needed.
        if self._is_open and worker.has_started and worker.lane.is_kept:
            self._start_worker(worker.lane)
        self._hand_out(worker.lane)

    def _mourn(self, worker: Worker, job: Job[Any]) -> None:
        job.deaths += 1
        if job.is_done or not job.is_wanted:
            worker.lane.discount(job)
        elif not self._is_open:
            self._fail(job, JobFailed("thinking.closed"))
        elif job.deaths < MOST_DEATHS:
            log.warning("a process has died and is replaced: %s", worker.process.last_words)
            worker.lane.put_back(job)
        else:
            log.warning("%d processes have died of the same job: %s", job.deaths, worker.process.last_words)
            self._fail(job, JobFailed("thinking.died"))

    def _late(self, worker: Worker) -> None:
        """A process has not answered in time: it is killed, and `_gone` follows."""
        if worker.job is not None:
            log.warning("a process did not answer in time, and is killed")
            worker.job.fail(JobFailed("thinking.late"))
        worker.process.kill()

    def _fail(self, job: Job[Any], error: JobFailed) -> None:
        job.fail(error)
        job.lane.discount(job)


def needs_stand_in(job: Job[Any]) -> bool:
    """Whether a move that a compiler holds up has nobody who may choose it meanwhile."""
    sent = job.stand_in
    if sent is None:
        return True
    is_too_strong = sent.is_done and sent.outcome is None and isinstance(sent.job, Choose) and not sent.job.is_hurried
    return is_too_strong and job.is_stopped
