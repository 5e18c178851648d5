"""The pool of the processes that search, for the server's event loop.

    pool = Pool(workers=2)
    await pool.start()
    job = pool.submit(Choose(place, "palabre:level=3", seed=7), owner=browser, on_progress=report)
    chosen = await job.result()

Each kind of work has a lane. What a person waits for, such as a bot's move or a hint, never waits behind what takes
long, such as an analysis or a review, whose processes also give way to the others. Bots of somebody else have a process
of their own, from which their sandboxes are run: one that hangs holds up nobody but its like. What is compiled ahead of
time has a process as long as there is something to compile. While a bot's kernels are compiled, a process that needs
none stands in, and whoever has the move first wins: a beginner's level answers at once. A stronger bot that is stopped
meanwhile has a low level move for it. The compiler goes on in either case, for the next move.
"""

import asyncio
import contextlib
from collections.abc import Callable
from functools import partial
from typing import Any, Generic, TypeVar

from msgspec.structs import replace

from palabre.sandbox.players import is_foreign
from palabre.web.limits import NO_FOLDERS, USUAL_LIMITS, Folders
from palabre.web.messages import ThoughtFacts
from palabre.web.pool.tasks import Choose, EndRoom, Prepare, Setup, Think, Thoughts, is_long
from palabre.web.requests import Place
from palabre.workers import pool as workers_pool
from palabre.workers.job import Job, Lane
from palabre.workers.local import LocalCrew
from palabre.workers.messages import Preparing, Task
from palabre.workers.pool import GRACE
from palabre.workers.service import encoded

MODULE = "palabre.web.pool.thinker"
NICE = 10  # by how much a process that nobody waits for gives way to others
PLAIN = {"NUMBA_DISABLE_JIT": "1"}  # kernels run as plain Python
PREPARING_SECONDS = 300.0  # for compiling, on a machine that has other things to do
LINGER = 20.0  # seconds for which a process of a lane that keeps none waits for another job
SLICE = 1.0  # seconds of a long search, if others wait
LEAST_SLICE = 0.1  # seconds: a search that has less left is done
MOST_JOBS = 200  # of one owner, in each lane but that of analyses: as many rooms with bots as one has open
MOST_ANALYSES = 8  # of one owner
MOST_WAITING = 1000  # jobs in all
NOBODYS_FAULT = ("task.greedy", "task.busy", "task.stopped", "task.closed")  # worth another try

Outcome = TypeVar("Outcome")
# Is called with the reports on a task, and with how far the compiler has come.
OnProgress = Callable[[Any], None]


class AsyncJob(Generic[Outcome]):
    """A job, for an event loop. A task of the loop that is cancelled while it awaits the result cancels the job."""

    def __init__(
        self,
        job: Job[Outcome],
        on_stop: Callable[[], None] | None = None,
        finish: Callable[[Any], Any] | None = None,
    ) -> None:
        """`finish` makes the result of what the last slice of the job has found."""
        self.job = job
        self.stand_in: AsyncJob[Outcome] | None = None  # the same, as plain Python, while this one waits for a compiler
        self._on_stop, self._finish = on_stop, finish
        self._loop = asyncio.get_running_loop()
        self._future: asyncio.Future[Outcome] = self._loop.create_future()
        job.when_done(lambda job: soon(self._loop, self._on_done))

    async def result(self) -> Outcome:
        """What has come of it; a `TaskFailed` says why nothing has."""
        try:
            return await self._future
        except asyncio.CancelledError:
            self.cancel()
            raise

    def stop(self) -> None:
        """Have it end soon, with what is known by then; if it has not begun yet, as soon as it has."""
        self.job.stop()
        if self._on_stop is not None:
            self._on_stop()

    def cancel(self) -> None:
        """Nobody listens any more: its process is free for others as soon as can be."""
        self._future.cancel()
        self.job.cancel()
        if self.stand_in is not None:
            self.stand_in.cancel()

    @property
    def is_done(self) -> bool:
        return self._future.done()

    @property
    def outcome(self) -> Outcome | None:
        """The result, if there is one by now."""
        has_result = self._future.done() and not self._future.cancelled() and self._future.exception() is None
        return self._future.result() if has_result else None

    def when_done(self, function: Callable[[], object]) -> None:
        """Call a function when there is a result, or will be none."""
        self._future.add_done_callback(lambda future: function())

    def settle(self, result: Outcome) -> None:
        """Take this as the result; the process goes on with what it is compiling."""
        if not self._future.done():
            self._future.set_result(result)
            self.job.cancel()

    def _on_done(self) -> None:
        future = self.job.future
        if self._future.done():
            return
        if future.cancelled():
            self._future.cancel()
        elif (error := future.exception()) is not None:
            self._future.set_exception(error)
            self._future.exception()  # whoever never asks for the result need not know
        else:
            self._future.set_result(future.result() if self._finish is None else self._finish(future.result()))
        if self.stand_in is not None:
            self.stand_in.cancel()


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
        self._workers, self._most_waiting, self._grace = workers, most_waiting, grace
        bots, games = ([str(folder.resolve()) for folder in paths] for paths in (folders.bots, folders.games))
        setup = Setup(bots, games, most_seconds, memory)

        def lane(count: int, most: int, *, nice: int = 0, plain: bool = False, **options: Any) -> Lane:
            given = encoded(replace(setup, stands_in=plain))
            crew = LocalCrew(MODULE, given, count, nice=nice, environment=PLAIN if plain else None)
            return Lane(crew, most_jobs=most, preparation=PREPARING_SECONDS, **options)

        self._moves = lane(workers, most_jobs)
        self._analyses = lane(max(1, workers - 1), most_analyses, nice=NICE, slices=SLICE)
        self._guests = lane(1, most_jobs)
        self._ahead = lane(1, most_jobs, nice=NICE, linger=LINGER)
        self._plain = lane(1, most_jobs, plain=True, linger=LINGER)
        # The moves that are not chosen yet, and who is told of their progress.
        self._choosing: dict[Job[Any], tuple[AsyncJob[Any], OnProgress | None]] = {}
        self._pool: workers_pool.Pool | None = None

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """For moves and hints, analyses and reviews, bots of somebody else, what is compiled ahead, and stand-ins."""
        return self._moves, self._analyses, self._guests, self._ahead, self._plain

    async def start(self) -> None:
        """Start the processes that choose moves; the others start when they are needed."""
        self._loop = asyncio.get_running_loop()
        self._pool = workers_pool.Pool(*self.lanes, most_waiting=self._most_waiting, grace=self._grace)
        self._pool.keep(self._moves, self._workers)

    async def close(self) -> None:
        """End all processes; the jobs that are not done have failed."""
        if self._pool is not None:
            await asyncio.to_thread(self._pool.kill)

    def submit(self, task: Task[Outcome], *, owner: str, on_progress: OnProgress | None = None) -> AsyncJob[Outcome]:
        """Have a task done. `on_progress` is called on the event loop."""
        assert self._pool is not None
        search = Slices(task) if isinstance(task, Think) else None
        lane, seconds = self._lane(task), self._seconds(task)
        made: AsyncJob[Any] | None = None

        def on_own_preparing(report: Any) -> None:
            if on_progress is not None and not (made is not None and made.is_done):
                on_progress(report)

        def on_report(report: Any) -> None:
            told = report if search is None else search.added_up(report)
            if told is not None and on_progress is not None:
                soon(self._loop, on_progress, told)

        job = self._pool.submit(
            lane,
            task,
            owner=owner,
            seconds=seconds,
            on_progress=on_report,
            on_preparing=lambda message: soon(self._loop, self._on_preparing, message, on_own_preparing),
            resume=None if search is None or lane is not self._analyses else search.resume,
        )
        made = AsyncJob(job, self._send_stand_ins, None if search is None else search.finish)
        if lane is self._moves and isinstance(task, Choose):
            self._choosing[job] = made, on_progress
            made.when_done(lambda: self._choosing.pop(job, None))
            self._send_stand_ins()
        return made

    def end_room(self, room: str, place: Place | None = None) -> None:
        """The game of a room is over: bots of somebody else that have played in it are let go."""
        assert self._pool is not None
        self._pool.broadcast(self._guests, EndRoom(room, place))

    def _lane(self, task: Task[Any]) -> Lane:
        if isinstance(task, Choose) and is_foreign(task.bot):
            return self._guests
        if isinstance(task, Prepare):
            return self._ahead
        return self._analyses if is_long(task) else self._moves

    def _seconds(self, task: Task[Any]) -> float:
        """When a task is to be stopped."""
        limits = [self._most_long_seconds if self._lane(task) is self._analyses else self._most_seconds]
        if isinstance(task, Choose):
            limits += [limit for limit in (task.per_move, task.remaining) if limit is not None]
        elif isinstance(task, Think):
            limits.append(task.seconds)
        return min(limits)

    # ------------------------------------------------------------------------------------------------------- stand-ins

    def _on_preparing(self, message: Preparing, on_progress: OnProgress) -> None:
        """A process compiles. The first one that chooses moves also speaks for those that wait for it."""
        listeners: list[OnProgress | None] = [on_progress]
        assert self._pool is not None
        preparing, waiting = self._pool.held_up(self._moves)
        if preparing and preparing[0].number == message.number:
            listeners += [self._choosing[job][1] for job in waiting if job in self._choosing]
        for listener in listeners:
            if listener is not None:
                listener(message)
        self._send_stand_ins()

    def _send_stand_ins(self) -> None:
        """Have moves also chosen as plain Python, if a compiler holds them up; by a low level, if they are stopped."""
        assert self._pool is not None
        preparing, waiting = self._pool.held_up(self._moves)
        for job in preparing + (waiting if len(preparing) == self._workers else []):
            made, _ = self._choosing.get(job, (None, None))
            if made is not None and not made.is_done and needs_stand_in(made):
                assert isinstance(job.task, Choose)
                hurried = replace(job.task, is_hurried=job.is_stopped)
                sent = self._pool.submit(self._plain, hurried, owner=job.owner, seconds=job.seconds)
                made.stand_in = AsyncJob(sent)
                made.stand_in.when_done(partial(self._stood_in, made, made.stand_in))

    def _stood_in(self, made: AsyncJob[Any], stand_in: AsyncJob[Any]) -> None:
        """A stand-in is done. If it has a move, the job is done, too; its process goes on compiling for the next."""
        if stand_in.outcome is not None:
            made.settle(stand_in.outcome)
        elif self._pool is not None and self._pool.is_open:
            self._send_stand_ins()  # the job may have been stopped meanwhile


def needs_stand_in(made: AsyncJob[Any]) -> bool:
    """Whether a move that a compiler holds up has nobody who may choose it meanwhile."""
    sent = made.stand_in
    if sent is None:
        return True
    assert isinstance(sent.job.task, Choose)
    is_too_strong = sent.is_done and sent.outcome is None and not sent.job.task.is_hurried
    return is_too_strong and made.job.is_stopped


class Slices:
    """A search that may be done in slices: what the earlier ones have found, and what they took."""

    def __init__(self, task: Think) -> None:
        self._task = task
        self._known: list[ThoughtFacts] = []
        self._nodes, self._seconds = 0, 0.0

    def added_up(self, report: Thoughts) -> Thoughts | None:
        """What to tell of a report: nothing until the search is as deep as it has been."""
        return None if _depth(report.lines) < _depth(self._known) else Thoughts(self._with_earlier(report.lines))

    def resume(self, found: Thoughts, seconds: float) -> Think | None:
        """Keep what a slice has found; the search that is left, if there is time for another slice."""
        left = self._task.seconds - seconds
        if left < LEAST_SLICE:
            return None
        if _depth(found.lines) >= _depth(self._known):
            self._known = self._with_earlier(found.lines)
        self._nodes += max((line.nodes for line in found.lines), default=0)
        self._seconds += seconds
        self._task = replace(self._task, seconds=left)
        return self._task

    def finish(self, result: Thoughts) -> Thoughts:
        """The result of all slices, given that of the last one."""
        is_deeper = _depth(result.lines) >= _depth(self._known)
        return Thoughts(self._with_earlier(result.lines) if is_deeper else self._known, is_done=True)

    def _with_earlier(self, lines: list[ThoughtFacts]) -> list[ThoughtFacts]:
        return [replace(line, nodes=line.nodes + self._nodes, seconds=line.seconds + self._seconds) for line in lines]


def _depth(lines: list[ThoughtFacts]) -> int:
    return lines[0].depth if lines else -1


def soon(loop: asyncio.AbstractEventLoop, function: Callable[..., object], *arguments: object) -> None:
    """Call a function on the event loop, from any thread; nothing if the loop has ended."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(function, *arguments)
