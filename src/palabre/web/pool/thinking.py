"""The pool of the processes that search, for the server's event loop.

    pool = SearchPool(workers=2)
    await pool.start()
    job = pool.submit(Choose(place, "palabre:level=3", seed=7), owner=browser, on_progress=report)
    chosen = await job.outcome()

Each kind of work has a lane. What a person waits for, such as a bot's move or a hint, never waits behind what takes
long, such as an analysis or a review, whose processes also give way to the others. Foreign bots have a process of their
own, from which their sandboxes are run: one that hangs holds up only its like. What is compiled ahead of time has a
process as long as there is something to compile. While a bot's kernels are compiled, a process that needs none stands
in, and the first to have the move wins: a beginner's level answers at once. A stronger bot that is stopped meanwhile
has a low level move for it. The compiler goes on in either case, for the next move.
"""

import asyncio
import contextlib
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from msgspec.structs import replace

from palabre.sandbox.players import is_foreign
from palabre.web.limits import NO_FOLDERS, USUAL_LIMITS, Folders, ServerLimits
from palabre.web.pool.tasks import Choose, EndRoom, Prepare, SearchSetup, Think, is_long
from palabre.web.requests import Place
from palabre.workers.job import Job, Lane
from palabre.workers.local import LocalCrew
from palabre.workers.messages import Task
from palabre.workers.pool import GRACE, Pool
from palabre.workers.service import encoded

MODULE = "palabre.web.pool.thinker"
NICE = 10  # by how much a process whose result is not urgent gives way to others
PLAIN = {"NUMBA_DISABLE_JIT": "1"}  # kernels run as plain Python
PREPARING_SECONDS = 300.0  # for compiling, on a machine that has other things to do
AHEAD = "ahead"  # the owner of what is compiled ahead
MOST_PREPARED = 1000  # bots, each for a game, that are remembered to have been compiled
LINGER = 20.0  # seconds for which a process of a lane that keeps none waits for another job
SLICE = 1.0  # seconds of a long search, if others wait
MOST_JOBS = 200  # of one owner, in each lane but that of analyses: as many rooms with bots as one has open
MOST_ANALYSES = 8  # of one owner
MOST_WAITING = 1000  # jobs in all
TEMPORARY = ("task.greedy", "task.busy", "task.stopped", "task.closed")  # worth another try

Outcome = TypeVar("Outcome")
# Is called with the reports on a task, and with how far the compiler has come.
OnProgress = Callable[[Any], None]


class SearchPool:
    """All processes that search. `workers` of them choose moves; one less, but at least one, does what takes long."""

    def __init__(
        self,
        workers: int = 2,
        *,
        limits: ServerLimits = USUAL_LIMITS,
        most_long_seconds: float = 600.0,
        folders: Folders = NO_FOLDERS,
        most_jobs: int = MOST_JOBS,
        most_analyses: int = MOST_ANALYSES,
        most_waiting: int = MOST_WAITING,
        grace: float = GRACE,
    ) -> None:
        self._most_seconds, self._most_long_seconds = limits.seconds, most_long_seconds
        self._workers, self._most_waiting, self._grace = workers, most_waiting, grace
        setup = SearchSetup(limits, folders)

        def lane(count: int, most: int, *, nice: int = 0, plain: bool = False, **options: Any) -> Lane:
            given = encoded(replace(setup, stands_in=plain))
            crew = LocalCrew(MODULE, given, count, nice=nice, environment=PLAIN if plain else None)
            return Lane(crew, most_jobs=most, preparation=PREPARING_SECONDS, **options)

        self._plain = lane(1, most_jobs, plain=True, linger=LINGER)
        self._moves = lane(workers, most_jobs, stand_in=self._plain)
        self._analyses = lane(max(1, workers - 1), most_analyses, nice=NICE, slices=SLICE)
        self._guests = lane(1, most_jobs)
        self._ahead = lane(1, most_jobs, nice=NICE, linger=LINGER)
        self._prepared: set[tuple[str, str]] = set()  # games, and bots that have been compiled for them
        self._pool: Pool | None = None

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """For moves and hints, analyses and reviews, foreign bots, what is compiled ahead, and stand-ins."""
        return self._moves, self._analyses, self._guests, self._ahead, self._plain

    async def start(self) -> None:
        """Start the processes that choose moves; the others start when they are needed."""
        self._pool = Pool(*self.lanes, most_waiting=self._most_waiting, grace=self._grace)
        self._pool.keep(self._moves, self._workers)

    async def close(self) -> None:
        """End all processes; the jobs that are not done have failed."""
        if self._pool is not None:
            await asyncio.to_thread(self._pool.kill)

    def submit(self, task: Task[Outcome], *, owner: str, on_progress: OnProgress | None = None) -> Job[Outcome]:
        """Have a task done. `on_progress` is called on the event loop."""
        assert self._pool is not None
        report = None if on_progress is None else partial(_soon, asyncio.get_running_loop(), on_progress)
        lane, seconds = self._lane(task)
        return self._pool.submit(lane, task, owner=owner, seconds=seconds, on_progress=report, on_preparing=report)

    def prepare(self, place: Place, bot: str, on_progress: OnProgress) -> None:
        """Have a bot compiled for a game, if that has not been done: a process for it alone takes seconds to start."""
        key = place.game, bot

        def note(job: Job[None]) -> None:  # called in a thread of the pool
            if not job.future.cancelled() and job.future.exception() is None:
                self._prepared.add(key)

        if key not in self._prepared:
            if len(self._prepared) >= MOST_PREPARED:
                self._prepared.clear()
            self.submit(Prepare(place, bot), owner=AHEAD, on_progress=on_progress).when_done(note)

    def end_room(self, room: str, place: Place | None = None) -> None:
        """The game of a room is over: foreign bots that have played in it are let go."""
        assert self._pool is not None
        self._pool.broadcast(self._guests, EndRoom(room, place))

    def _lane(self, task: Task[Any]) -> tuple[Lane, float]:
        """Where a task is done, and the seconds after which it is to be stopped."""
        if isinstance(task, Prepare):
            return self._ahead, self._most_seconds
        if isinstance(task, Choose):
            limits = [limit for limit in (task.per_move, task.remaining) if limit is not None]
            return self._guests if is_foreign(task.bot) else self._moves, min([self._most_seconds, *limits])
        lane, most = (self._analyses, self._most_long_seconds) if is_long(task) else (self._moves, self._most_seconds)
        return lane, min(most, task.seconds) if isinstance(task, Think) else most


def _soon(loop: asyncio.AbstractEventLoop, on_progress: OnProgress, report: object) -> None:
    """Pass on a report from a thread of the pool, unless the loop has ended."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(on_progress, report)
