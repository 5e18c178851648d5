"""The pool of an event: its workers, and the jobs that are left. One that dies is replaced, its meetings wait again.

This process is the only one that decides and writes. It hands out meetings in chunks that take a fraction of a second:
the shorter the games, the more of them in a chunk, so that no worker waits for us.
"""

import contextlib
import itertools
import json
import queue
import time
from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from typing import Any

from palabre.arena.outcome import Meeting
from palabre.arena.rows import GameRow, UnderWay
from palabre.arena.worker import Job, Player, Setup
from palabre.arena.workers import Crew, Machine, Messages, OwnThread, Said, Told, Worker
from palabre.core.errors import PalabreError
from palabre.core.retold import known_again
from palabre.core.words import say

POLL = 0.1  # seconds between two looks for Ctrl-C and for the deadline
SWEEP = 0.02  # seconds for which messages that wait are heard before workers are given more to do
CHUNK_SECONDS = 0.5  # how long a chunk of meetings is to take,
LAGS = 3  # and this many times the lag of the machine
LOW = 0.1  # seconds of work left, besides the lag, at which a worker gets its next chunk
PARTS = 4  # a chunk is at most this part of a worker's share of the meetings that are left
MOST_DEATHS = 3  # of workers during one meeting; then it is the fault of its bots
MOST_FAILED_STARTS = 3  # of workers of a machine that die before they have played anything
HESITATION = 0.3  # seconds for which this process plays alone, where that may be all there is to do


class Pool:
    """Workers and the jobs that are left. Whoever runs an event iterates over `games` and may add jobs meanwhile."""

    def __init__(
        self,
        setup: Setup,
        crew: Crew | None = None,
        *,
        begins_here: bool = False,
        said: Said | None = None,
        under_way: Told | None = None,
    ) -> None:
        """The workers come from a crew; without one, everything is played in this process.

        With `begins_here` this process plays alone for a moment, in a thread, so that Ctrl-C is heard. If the work is
        done by then, no other has to start.
        """
        self.setup = setup
        self._waiting: deque[Job] = deque()  # to be played next
        self._coming: Iterator[Job] = iter(())  # after those: made when they are needed
        self.left = 0  # jobs that have not been given out
        self.is_stopped = False  # then no further job is given out
        self._crew = crew
        self._said = said or (lambda line: None)
        self._under_way = under_way
        self._begins_here = begins_here
        self._is_threaded = begins_here
        self._messages: Messages = queue.SimpleQueue()
        self._running: dict[Worker, None] = {}  # in the order in which they came
        self._latest: Worker | None = None  # whose game was told last
        self._deaths: defaultdict[Meeting, list[Machine]] = defaultdict(list)  # where workers died during a meeting
        self._seconds = 0.0  # of all games so far
        self._games = 0
        self._seats = 2
        self._player: Player | None = None

    def __enter__(self) -> "Pool":
        if self._crew is not None:
            self._crew.open(self.setup, self._messages, self._said)
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._running:
            worker.hang_up()
        for worker in self._running:
            worker.close()
        self._running = {}
        if self._crew is not None:
            self._crew.close()
        if self._player is not None and not self._is_threaded:  # in a thread, a game may be under way
            self._player.close()

    @property
    def workers(self) -> int:
        """How many workers may play at once, besides this process."""
        return 0 if self._crew is None else self._crew.workers

    @property
    def game_seconds(self) -> float | None:
        """How long a game takes, on average, as far as is known."""
        return self._seconds / self._games if self._games else None

    def add(self, jobs: Iterator[Job], count: int) -> None:
        """Add so many jobs, to be played after all others. They are made one by one, as they are needed."""
        self._coming = itertools.chain(self._coming, jobs)
        self.left += count

    def add_first(self, job: Job) -> None:
        """Add a job, to be played before all others."""
        self._waiting.appendleft(job)
        self.left += 1

    def ease(self) -> None:
        """The machine of the latest game was late: let fewer workers play there."""
        if self._latest is not None:
            self._latest.machine.ease()

    def _next_jobs(self, count: int) -> list[Job]:
        found = [self._waiting.popleft() if self._waiting else next(self._coming) for _ in range(count)]
        self.left -= count
        return found

    def games(self) -> Iterator[GameRow]:
        """Play all jobs that are left, and those that are added meanwhile; yield each game as it ends."""
        if self._crew is None and not self._begins_here:
            yield from self._play_here()
            return
        begin = time.monotonic()
        while True:
            self._staff(time.monotonic() - begin)
            self._hand_out()
            if not any(worker.jobs for worker in self._running) and (self.is_stopped or not self.left):
                return
            with contextlib.suppress(queue.Empty):
                yield from self._heard(*self._messages.get(timeout=POLL))
                end = time.monotonic() + SWEEP
                while time.monotonic() < end:
                    yield from self._heard(*self._messages.get_nowait())

    def ended(self) -> Iterator[GameRow]:
        """The games that have ended and that nobody has been told of yet: what is to be kept when all is stopped."""
        with contextlib.suppress(queue.Empty, PalabreError):
            while True:
                worker, message = self._messages.get_nowait()
                if isinstance(message, GameRow) or (isinstance(message, bytes) and "game" in _read(message)):
                    yield from self._heard(worker, message)

    def _play_here(self) -> Iterator[GameRow]:
        player = self._own_player()
        while self.left and not self.is_stopped:
            for row in player.play(self._next_jobs(1)[0]):
                self._count(row)
                yield row

    def _own_player(self) -> Player:
        if self._player is None:
            self._player = Player(self.setup, self._under_way)
        return self._player

    def _staff(self, elapsed: float) -> None:
        """Have as many workers as there is work for."""
        own = [worker for worker in self._running if isinstance(worker, OwnThread)]
        if self._crew is None or (self._begins_here and elapsed < HESITATION):
            if not self._running:
                self._running[OwnThread(self._own_player(), Machine("this process", 1), self._messages)] = None
            return
        if self._begins_here and own and not self._is_long():
            return  # as good as done: it would be over before another process has started
        self._begins_here = False
        for worker in own:
            if not worker.jobs:
                worker.close()
                del self._running[worker]
        wanted = min(self.workers, len(self._running) + self.left)
        # A cluster of which no machine is known yet is asked, too, for it may have to say why.
        if not self.is_stopped and (len(self._running) < wanted or not self._running):
            self._running |= dict.fromkeys(self._crew.more(wanted - len(self._running)))

    def _is_long(self) -> bool:
        return self.left * (self._meeting_seconds() or 1.0) > HESITATION

    def _meeting_seconds(self) -> float | None:
        return None if self.game_seconds is None else self._seats * self.game_seconds

    def _hand_out(self) -> None:
        """Give each worker that has little left its next chunk."""
        seconds = self._meeting_seconds()
        for worker in sorted(self._allowed(), key=lambda worker: len(worker.jobs)):
            if self.is_stopped or not self.left:
                return
            lag = worker.machine.lag
            if worker.jobs and (seconds is None or len(worker.jobs) * seconds > LOW + lag):
                continue
            if isinstance(worker, OwnThread) and not self._begins_here:
                continue  # the others have taken over
            chunk = CHUNK_SECONDS + LAGS * lag
            fitting = 1 if not seconds or isinstance(worker, OwnThread) else int(chunk / seconds)
            count = max(1, min(fitting, self.left // (PARTS * max(1, self.workers))))
            if self._waiting and self._deaths_during(self._waiting[0].meeting):
                count = 1  # if it dies again, it is known of what
            worker.give(self._next_jobs(count))

    def _allowed(self) -> Iterator[Worker]:
        """The workers that may play: as many on each machine as it has time for."""
        playing: Counter[Machine] = Counter()
        for worker in self._running:
            playing[worker.machine] += 1
            if playing[worker.machine] <= worker.machine.workers:
                yield worker

    def _heard(self, worker: Worker | None, message: Any) -> Iterator[GameRow]:
        if isinstance(message, BaseException):
            raise message
        if worker is None or worker not in self._running:
            return  # it is dead and buried: its jobs are somebody else's
        if isinstance(message, GameRow):
            yield self._ended(worker, message)
            return
        told = {} if message is None else _read(message)
        if "error" in told:
            raise PalabreError(known_again(str(told["error"])))
        if "under_way" in told:
            self._tell(worker, told["under_way"])
        elif (row := _expected(worker, told)) is not None:
            yield self._ended(worker, row)
        else:
            self._bury(worker)

    def _tell(self, worker: Worker, plain: Any) -> None:
        """Pass on how a game goes, if it is one that this worker was given."""
        try:
            _, rotation, _, start, moves = plain
            meeting = worker.jobs[0].meeting
            names = meeting.lineups()[rotation]
            one = UnderWay(meeting, rotation, names, start and str(start), tuple(map(str, moves)))
        except (LookupError, TypeError, ValueError):
            return  # a bot has found our pipe
        if self._under_way is not None:
            self._under_way(one)

    def _ended(self, worker: Worker, row: GameRow) -> GameRow:
        worker.has_played = True
        worker.machine.failed_starts = 0
        self._latest = worker
        job = worker.jobs[0]
        turns = tuple(turn for turn in job.turns if turn != (row.rotation, row.attempt))
        if turns:
            worker.jobs[0] = job._replace(turns=turns)
        else:
            worker.jobs.popleft()
        self._count(row)
        return row

    def _count(self, row: GameRow) -> None:
        self._seats = len(row.bots)
        self._seconds += row.duration
        self._games += 1

    def _bury(self, worker: Worker) -> None:
        """A worker has died, or has to: its jobs wait again, the one under way first."""
        del self._running[worker]
        jobs, words, machine = list(worker.jobs), worker.last_words(), worker.machine
        worker.close()
        for job in reversed(jobs):
            self.add_first(job)
        if not worker.has_played:
            machine.failed_starts += 1
        if jobs:
            meeting = jobs[0].meeting
            self._deaths[meeting].append(machine)
            if self._deaths_during(meeting) >= MOST_DEATHS:
                bots = list(dict.fromkeys(meeting.bots))
                raise PalabreError(say("event.deaths", bots=bots, times=MOST_DEATHS, words=words))
        elif machine.failed_starts >= MOST_FAILED_STARTS and self._crew is not None:
            self._crew.give_up(machine, words)

    def _deaths_during(self, meeting: Meeting) -> int:
        """How many workers have died during a meeting, but for those whose machine has died with them."""
        return sum(not machine.is_gone for machine in self._deaths.get(meeting, ()))


def _read(line: bytes) -> dict[str, Any]:
    """What a process has told; nothing if it is not a document of ours."""
    try:
        told = json.loads(line)
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def _expected(worker: Worker, told: dict[str, Any]) -> GameRow | None:
    """The game that has ended. A bot that has found our pipe is not believed: only the one under way can have."""
    try:
        row = GameRow.from_plain(told["game"])
        job = worker.jobs[0]
    except (LookupError, TypeError, ValueError):
        return None
    return row if job.meeting == row.meeting and (row.rotation, row.attempt) in job.turns else None
