"""The games of an event that are left, and who plays them: a client of the pool of workers.

Whoever runs an event iterates over `games` and may add tasks meanwhile. This process is the only one that decides and
writes: workers are given games ahead for a fraction of a second, so that none waits for us.
"""

import contextlib
import itertools
import queue
import time
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial

from palabre.arena.playing import SERVICE, Player, PlayGame, Setup
from palabre.arena.rows import GameRow, Meeting, UnderWay
from palabre.core.errors import PalabreError
from palabre.core.words import say
from palabre.workers.job import MOST_DEATHS, Crew, Job, Lane, Machine
from palabre.workers.messages import TaskFailed
from palabre.workers.pool import Pool
from palabre.workers.service import encoded
from palabre.workers.thread import ThreadCrew

POLL = 0.1  # seconds between two looks for Ctrl-C and for the deadline
SWEEP = 0.02  # seconds for which games that have ended are read before more are handed out
AHEAD = 0.5  # seconds of games that a worker is given at once
HESITATION = 0.3  # seconds for which this process plays alone, where that may be all there is to do

OnMoves = Callable[[UnderWay], object]  # called with how games go that take long


class GameQueue:
    """The games that are left, and their players."""

    def __init__(
        self, setup: Setup, crew: Crew | None = None, *, begins_here: bool = False, on_moves: OnMoves | None = None
    ) -> None:
        """The workers come from a crew; without one, everything is played in this process.

        With `begins_here` this process plays alone for a moment, in a thread, so that Ctrl-C works. If the work is
        done by then, no other has to start.
        """
        self.setup = setup
        self.left = 0  # games that no worker has been given
        self.is_stopped = False  # then no meeting is begun any more
        self._first: deque[PlayGame] = deque()  # to be played next
        self._coming: Iterator[PlayGame] = iter(())  # after those: made when they are needed
        self._crew, self._begins_here, self._on_moves = crew, begins_here, on_moves
        self._jobs: dict[Job[GameRow], PlayGame] = {}  # that are not done
        self._done: queue.SimpleQueue[Job[GameRow]] = queue.SimpleQueue()
        self._begun: set[Meeting] = set()  # of which games have ended
        self._seconds, self._played = 0.0, 0
        self._machine: Machine | None = None  # of the game that ended last
        self._player: Player | None = None  # of this process, where it plays alone

    def __enter__(self) -> "GameQueue":
        lanes = []
        if self._crew is not None:
            self._lane = Lane(self._crew, ahead=AHEAD)
            lanes.append(self._lane)
        if self._begins_here:
            self._own_lane = Lane(ThreadCrew(SERVICE, encoded(self.setup)))
            lanes.append(self._own_lane)
        self._pool = Pool(*lanes)
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.close()
        if self._player is not None:
            self._player.close()

    @property
    def workers(self) -> int:
        """How many workers may play at once, besides this process."""
        return 0 if self._crew is None else self._crew.capacity

    @property
    def game_seconds(self) -> float | None:
        """How long a game takes, on average, as far as is known."""
        return self._seconds / self._played if self._played else None

    def add(self, tasks: Iterator[PlayGame], count: int) -> None:
        """Add so many games, to be played after all others. They are made one by one, as they are needed."""
        self._coming = itertools.chain(self._coming, tasks)
        self.left += count

    def add_first(self, task: PlayGame) -> None:
        """Add a game, to be played before all others."""
        self._first.appendleft(task)
        self.left += 1

    def ease(self) -> None:
        """The machine of the latest game was late: let fewer workers play there."""
        if self._machine is not None:
            self._machine.ease()

    def games(self) -> Iterator[GameRow]:
        """Play all that is left, and what is added meanwhile; yield each game as it ends."""
        if self._crew is None and not self._begins_here:
            yield from self._play_here()
            return
        begin = time.monotonic()
        while True:
            if self._begins_here and time.monotonic() - begin > HESITATION and self._is_long():
                self._begins_here = False  # the others take over
            self._submit()
            if not self._jobs:
                return
            with contextlib.suppress(queue.Empty):
                yield self._ended(self._done.get(timeout=POLL))
                end = time.monotonic() + SWEEP
                while time.monotonic() < end:
                    yield self._ended(self._done.get_nowait())

    def ended(self) -> Iterator[GameRow]:
        """The games that have ended and were not yielded yet: what is to be kept when all is stopped."""
        with contextlib.suppress(queue.Empty):
            while True:
                job = self._done.get_nowait()
                if job.future.exception() is None:
                    yield self._ended(job)

    def _play_here(self) -> Iterator[GameRow]:
        self._player = self._player or Player(self.setup)
        while self.left:
            task = self._next()
            if self.is_stopped and task.meeting not in self._begun:
                self.add_first(task)
                return
            row = self._player.play(task, self._on_moves)
            self._count(task, row)
            yield row

    def _next(self) -> PlayGame:
        self.left -= 1
        return self._first.popleft() if self._first else next(self._coming)

    def _is_long(self) -> bool:
        """Whether others had better take over; without a crew, there are no others."""
        return self._crew is not None and self.left * (self.game_seconds or 1.0) > HESITATION

    def _submit(self) -> None:
        """Have as many games wait in the pool as its workers may soon ask for."""
        lane = self._own_lane if self._begins_here else self._lane
        if self.is_stopped:
            for job in self._pool.withdraw(lane):
                self.add_first(self._jobs.pop(job))
            begun = self._begun | {task.meeting for task in self._jobs.values()}
            tasks = [task for task in self._first if task.meeting in begun]
            self._first = deque(task for task in self._first if task.meeting not in begun)
            self.left -= len(tasks)
        else:
            tasks = [self._next() for _ in range(min(self.left, lane.shortage()))]
        for task in tasks:
            on_progress = None if self._on_moves is None else partial(self._report, task)
            job = self._pool.submit(lane, task, on_progress=on_progress)
            self._jobs[job] = task
            job.when_done(self._done.put)

    def _report(self, task: PlayGame, game: UnderWay) -> None:
        """Pass on a report of a worker, if it is about its task."""
        if self._on_moves is not None and game[:3] == (task.meeting, task.rotation, task.bots):
            self._on_moves(game)

    def _ended(self, job: Job[GameRow]) -> GameRow:
        task = self._jobs.pop(job)
        try:
            row = job.result()
        except TaskFailed as error:
            raise _reason(task, error) from None
        self._machine = job.machine
        self._count(task, row)
        return row

    def _count(self, task: PlayGame, row: GameRow) -> None:
        self._begun.add(task.meeting)
        self._seconds += row.duration
        self._played += 1


def _reason(task: PlayGame, error: TaskFailed) -> PalabreError:
    """Why an event ends whose game cannot be played."""
    if error.id != "task.died":
        return PalabreError(error.message)
    bots = list(dict.fromkeys(task.bots))
    return PalabreError(say("event.deaths", bots=bots, times=MOST_DEATHS, words=str(error.exit)))
