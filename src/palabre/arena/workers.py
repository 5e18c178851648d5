"""Workers: local processes that play an event's games. One that dies is replaced, and its meetings are given out again.

This process is the only one that decides and writes. It hands out meetings in chunks that take a fraction of a second:
the shorter the games, the more of them in a chunk, so that no worker waits for us.
"""

import contextlib
import itertools
import json
import queue
import subprocess
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, Protocol

import palabre
from palabre.arena.outcome import Meeting
from palabre.arena.rows import GameRow, UnderWay
from palabre.arena.worker import Job, Player, Setup, job_to_plain, setup_to_plain, to_line
from palabre.core.errors import PalabreError
from palabre.core.system import end_in_words, kill_program, start_keeper, start_program

POLL = 0.1  # seconds between two looks for Ctrl-C and for the deadline
CHUNK_SECONDS = 0.5  # how long a chunk of meetings is to take
LOW = 0.1  # seconds of work left, at which a worker gets its next chunk
PARTS = 4  # a chunk is at most this part of a worker's share of the meetings that are left
MOST_DEATHS = 3  # of workers during one meeting; then it is the fault of its bots
MOST_FAILED_STARTS = 3  # of workers that die before they have played anything
HESITATION = 0.3  # seconds for which this process plays alone, where that may be all there is to do
FAREWELL = 0.5  # seconds for a worker to leave
LAST_WORDS = 2000  # bytes of standard error that are remembered
RUN = "import sys; sys.path.insert(0, {root!r}); from palabre.arena.worker import main; main()"

Said = Callable[[str], None]  # is told what bots print, a line at a time
Told = Callable[[UnderWay], None]  # is told how games go that take long


class Worker(Protocol):
    """Whoever plays the jobs that it is given, in their order."""

    jobs: deque[Job]  # given out, and not finished yet

    def give(self, jobs: list[Job]) -> None: ...

    def close(self) -> None: ...


Message = tuple[Worker, Any]  # a game as a row or as plain data, an error, or None from a worker that is gone


class LocalProcess:
    """A worker in a process of its own."""

    def __init__(self, setup: Setup, messages: "queue.SimpleQueue[Message]", said: Said) -> None:
        self.jobs: deque[Job] = deque()
        self.has_played = False
        self._messages, self._said = messages, said
        self._errors = b""
        # Nothing in the current folder may take the place of a module, so it is not searched (-P).
        root = str(Path(palabre.__file__).parent.parent)
        try:
            self._program = start_program([sys.executable, "-P", "-c", RUN.format(root=root)])
        except OSError as error:
            raise PalabreError(f"a process to play in cannot be started: {error}; try --workers 0") from error
        self._keeper = start_keeper(self._program)
        assert self._program.stdout is not None
        assert self._program.stderr is not None
        self._threads = [
            threading.Thread(target=work, args=(stream,), daemon=True)
            for work, stream in ((self._listen, self._program.stdout), (self._overhear, self._program.stderr))
        ]
        for thread in self._threads:
            thread.start()
        self._say(to_line(setup_to_plain(setup)))

    def give(self, jobs: list[Job]) -> None:
        self.jobs.extend(jobs)
        self._say(json.dumps([job_to_plain(job) for job in jobs]).encode() + b"\n")

    def close(self) -> None:
        """Let it go, at once."""
        assert self._program.stdin is not None
        with contextlib.suppress(OSError):
            self._program.stdin.close()
        if not self.jobs:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._program.wait(FAREWELL)
        kill_program(self._program)
        if self._keeper is not None:
            self._keeper.kill()
            self._keeper.wait()
            assert self._keeper.stdin is not None
            self._keeper.stdin.close()
        self._program.wait()
        for thread in self._threads:
            thread.join()

    def last_words(self) -> str:
        """How it ended, and the end of what it wrote to standard error."""
        try:
            told = f"it {end_in_words(self._program.wait(FAREWELL))}"
        except subprocess.TimeoutExpired:
            told = "it sent what is not a game"
        self._threads[1].join(FAREWELL)
        lines = self._errors.decode("utf-8", "replace").split("\n")
        words = " / ".join(line.strip() for line in lines[-4:] if line.strip())
        return f"{told}; its last words were {words!r}" if words else told

    def _say(self, line: bytes) -> None:
        assert self._program.stdin is not None
        try:
            while line:
                line = line[self._program.stdin.write(line) or 0 :]
        except OSError:
            pass  # it is gone, and the thread that listens tells so

    def _listen(self, stream: IO[bytes]) -> None:
        with stream:
            rest = b""
            with contextlib.suppress(OSError, ValueError):
                while chunk := stream.read(1 << 16):
                    *lines, rest = (rest + chunk).split(b"\n")
                    for line in lines:
                        self._messages.put((self, json.loads(line)))
        self._messages.put((self, None))

    def _overhear(self, stream: IO[bytes]) -> None:
        with stream:
            rest = b""
            with contextlib.suppress(OSError, ValueError):
                while chunk := stream.read(1 << 16):
                    self._errors = (self._errors + chunk)[-LAST_WORDS:]
                    *lines, rest = (rest + chunk).split(b"\n")
                    rest = rest[:LAST_WORDS]
                    for line in lines:
                        self._said(line.decode("utf-8", "replace"))


class OwnThread:
    """A worker in a thread of this process: it costs no start, and is no faster than one."""

    def __init__(self, player: Player, messages: "queue.SimpleQueue[Message]") -> None:
        self.jobs: deque[Job] = deque()
        self.has_played = True
        self._player, self._messages = player, messages
        self._inbox: queue.SimpleQueue[list[Job] | None] = queue.SimpleQueue()
        self._is_closed = False
        threading.Thread(target=self._run, daemon=True).start()

    def give(self, jobs: list[Job]) -> None:
        self.jobs.extend(jobs)
        self._inbox.put(jobs)

    def close(self) -> None:
        """Play no further game; the one under way is left to itself."""
        self._is_closed = True
        self._inbox.put(None)

    def _run(self) -> None:
        while jobs := self._inbox.get():
            try:
                for job in jobs:
                    for row in self._player.play(job):
                        self._messages.put((self, row))
                        if self._is_closed:
                            return
            except BaseException as error:
                self._messages.put((self, error))
                return


class Pool:
    """Workers and the jobs that are left. Whoever runs an event iterates over `games` and may add jobs meanwhile."""

    def __init__(
        self,
        setup: Setup,
        workers: int,
        *,
        begins_here: bool = False,
        said: Said | None = None,
        under_way: Told | None = None,
    ) -> None:
        """`workers` is the number of processes; 0 plays everything in this one.

        With `begins_here` this process plays alone for a moment, in a thread, so that Ctrl-C is heard. If the work is
        done by then, no other has to start.
        """
        self.setup = setup
        self.workers = workers
        self._waiting: deque[Job] = deque()  # to be played next
        self._coming: Iterator[Job] = iter(())  # after those: made when they are needed
        self.left = 0  # jobs that have not been given out
        self.is_stopped = False  # then no further job is given out
        self._said = said or (lambda line: None)
        self._under_way = under_way
        self._begins_here = begins_here
        self._is_threaded = begins_here
        self._messages: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._running: list[Any] = []
        self._deaths: Counter[Meeting] = Counter()
        self._failed_starts = 0
        self._seconds = 0.0  # of all games so far
        self._games = 0
        self._seats = 2
        self._player: Player | None = None

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._running:
            worker.close()
        self._running = []
        if self._player is not None and not self._is_threaded:  # in a thread, a game may be under way
            self._player.close()

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

    def _next_jobs(self, count: int) -> list[Job]:
        found = [self._waiting.popleft() if self._waiting else next(self._coming) for _ in range(count)]
        self.left -= count
        return found

    def games(self) -> Iterator[GameRow]:
        """Play all jobs that are left, and those that are added meanwhile; yield each game as it ends."""
        if self.workers == 0 and not self._begins_here:
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

    def ended(self) -> Iterator[GameRow]:
        """The games that have ended and that nobody has been told of yet: what is to be kept when all is stopped."""
        with contextlib.suppress(queue.Empty, PalabreError):
            while True:
                worker, message = self._messages.get_nowait()
                if isinstance(message, GameRow) or (isinstance(message, dict) and "game" in message):
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
        if self._begins_here and (elapsed < HESITATION or self.workers == 0):
            if not self._running:
                self._running.append(OwnThread(self._own_player(), self._messages))
            return
        if self._begins_here and own and not self._is_long():
            return  # as good as done: it would be over before another process has started
        self._begins_here = False
        for worker in own:
            if not worker.jobs:
                worker.close()
                self._running.remove(worker)
        wanted = min(self.workers, len(self._running) + self.left)
        while len(self._running) < wanted and not self.is_stopped:
            self._running.append(LocalProcess(self.setup, self._messages, self._said))

    def _is_long(self) -> bool:
        return self.left * (self._meeting_seconds() or 1.0) > HESITATION

    def _meeting_seconds(self) -> float | None:
        return None if self.game_seconds is None else self._seats * self.game_seconds

    def _hand_out(self) -> None:
        """Give each worker that has little left its next chunk."""
        seconds = self._meeting_seconds()
        for worker in sorted(self._running[: max(1, self.workers)], key=lambda worker: len(worker.jobs)):
            if self.is_stopped or not self.left:
                return
            if worker.jobs and (seconds is None or len(worker.jobs) * seconds > LOW):
                continue
            if isinstance(worker, OwnThread) and not self._begins_here:
                continue  # the others have taken over
            fitting = 1 if not seconds or isinstance(worker, OwnThread) else int(CHUNK_SECONDS / seconds)
            count = max(1, min(fitting, self.left // (PARTS * max(1, self.workers))))
            if self._waiting and self._deaths[self._waiting[0].meeting]:
                count = 1  # if it dies again, it is known of what
            worker.give(self._next_jobs(count))

    def _heard(self, worker: Any, message: Any) -> Iterator[GameRow]:
        if worker not in self._running:
            return  # it is dead and buried: its jobs are somebody else's
        if message is None:
            self._bury(worker)
        elif isinstance(message, BaseException):
            raise message
        elif isinstance(message, GameRow):
            yield self._ended(worker, message)
        elif isinstance(message, dict) and "error" in message:
            raise PalabreError(str(message["error"]))
        elif isinstance(message, dict) and "under_way" in message:
            self._tell(worker, message["under_way"])
        else:
            # A bot that has found our pipe is not believed either: only the game that is under way can have ended.
            try:
                row = GameRow.from_plain(message["game"])
                is_expected = (
                    worker.jobs[0].meeting == row.meeting and (row.rotation, row.attempt) in worker.jobs[0].turns
                )
            except (LookupError, TypeError, ValueError):
                is_expected = False
            if is_expected:
                yield self._ended(worker, row)
            else:
                self._bury(worker)

    def _tell(self, worker: Any, plain: Any) -> None:
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

    def _ended(self, worker: Any, row: GameRow) -> GameRow:
        worker.has_played = True
        self._failed_starts = 0
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

    def _bury(self, worker: LocalProcess) -> None:
        """A worker has died, or has to: its jobs wait again, the one under way first."""
        self._running.remove(worker)
        jobs, words = list(worker.jobs), worker.last_words()
        worker.close()
        for job in reversed(jobs):
            self.add_first(job)
        if not worker.has_played:
            self._failed_starts += 1
        if jobs:
            meeting = jobs[0].meeting
            self._deaths[meeting] += 1
            if self._deaths[meeting] >= MOST_DEATHS:
                raise PalabreError(
                    f"{' and '.join(dict.fromkeys(meeting.bots))} have ended the process in which they played "
                    f"{MOST_DEATHS} times ({words}); leave out whoever does so, then run the same command again"
                )
        elif self._failed_starts >= MOST_FAILED_STARTS:
            raise PalabreError(f"a process to play in cannot be started: {words}")
