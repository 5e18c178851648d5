"""Workers: who plays an event's games. Here are those of this machine, in processes of their own or in a thread.

A crew is where workers come from, and a machine is where they play: this one, or a node of a cluster (`cluster/`). What
workers tell arrives in one queue, as lines of JSON: nothing of a process that runs bots is unpickled or believed.
"""

import contextlib
import json
import queue
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

import palabre
from palabre.arena.rows import GameRow, UnderWay
from palabre.arena.worker import Job, Player, Setup, job_to_plain, setup_to_plain, to_line
from palabre.core.errors import PalabreError
from palabre.core.system import end_in_words, kill_program, start_keeper, start_program
from palabre.core.words import say

LEAVING = 5.0  # seconds for a worker to close its bots and leave
ENDING = 30.0  # seconds for a busy machine to end a process that has closed its output
STDERR_TAIL = 2000  # bytes of standard error that are remembered
RUN = "import sys; sys.path.insert(0, {root!r}); from palabre.arena.worker import main; main()"

Said = Callable[[str], None]  # is told what bots print, a line at a time
Told = Callable[[UnderWay], None]  # is told how games go that take long


@dataclass(eq=False)
class Machine:
    """Where workers play."""

    name: str
    workers: int  # that may play there at once
    lag: float = 0.0  # seconds after which we hear of a game that has ended there, at the latest
    is_gone: bool = False  # then whatever ended there did so for no fault of its own
    failed_starts: int = 0  # of workers, one after another, that have ended before they had played anything

    def __post_init__(self) -> None:
        self._least = min(self.workers, max(1, self.workers // 2))  # however late the machine is

    def ease(self) -> None:
        """It was late: let fewer workers play there."""
        self.workers = max(self._least, self.workers - 1)


class Worker(Protocol):
    """Whoever plays the jobs that it is given, in their order."""

    jobs: deque[Job]  # given out, and not finished yet
    machine: Machine
    has_played: bool

    def give(self, jobs: list[Job]) -> None: ...

    def hang_up(self) -> None:
        """Let it leave; `close` waits for that."""

    def close(self) -> None: ...

    def last_words(self) -> str:
        """How it ended, and what it said of that."""


# A line that a process has written, the row of a game, an error that ends the event, or None if the worker is gone.
Message = tuple[Worker | None, bytes | GameRow | BaseException | None]
Messages = queue.SimpleQueue[Message]


class Crew(Protocol):
    """Where the workers of an event come from."""

    @property
    def workers(self) -> int:
        """How many may play at once, as far as is known."""

    def open(self, setup: Setup, messages: Messages, said: Said) -> None:
        """Get ready for an event."""

    def more(self, count: int) -> list[Worker]:
        """Workers that are ready: so many, or fewer if others still have to start."""

    def give_up(self, machine: Machine, why: str) -> None:
        """Start no more workers on a machine where none gets as far as to play; or an error, if it was the last one."""

    def close(self) -> None:
        """The event is over, and all workers are closed."""


class LocalProcess:
    """A worker in a process of its own."""

    def __init__(self, setup: Setup, machine: Machine, messages: Messages, said: Said) -> None:
        self.jobs: deque[Job] = deque()
        self.machine = machine
        self.has_played = False
        self._messages, self._said = messages, said
        self._stderr_tail = b""
        self._has_closed_output = False
        # Nothing in the current folder may take the place of a module, so it is not searched (-P).
        root = str(Path(palabre.__file__).parent.parent)
        try:
            self._program = start_program([sys.executable, "-P", "-c", RUN.format(root=root)])
        except OSError as error:
            raise PalabreError(say("event.no_first_process", error=str(error))) from error
        self._keeper = start_keeper(self._program)
        assert self._program.stdout is not None
        assert self._program.stderr is not None
        self._threads = [
            threading.Thread(target=work, args=(stream,), daemon=True)
            for work, stream in ((self._listen, self._program.stdout), (self._overhear, self._program.stderr))
        ]
        for thread in self._threads:
            thread.start()
        self.send(to_line(setup_to_plain(setup)))

    def give(self, jobs: list[Job]) -> None:
        self.jobs.extend(jobs)
        self.send(jobs_to_line(jobs))

    def send(self, line: bytes) -> None:
        """Write a line to it."""
        assert self._program.stdin is not None
        try:
            while line:
                line = line[self._program.stdin.write(line) or 0 :]
        except OSError:
            pass  # it is gone, and the thread that listens tells so

    def hang_up(self) -> None:
        assert self._program.stdin is not None
        with contextlib.suppress(OSError):
            self._program.stdin.close()

    def close(self) -> None:
        """End it: at once if it plays, and else as soon as it has closed its bots."""
        self.hang_up()
        if not self.jobs:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._program.wait(LEAVING)
        kill_program(self._program)
        if self._keeper is not None:
            self._keeper.kill()
            self._keeper.wait()
            assert self._keeper.stdin is not None
            self._keeper.stdin.close()
        self._program.wait()
        for thread in self._threads:
            thread.join(LEAVING)  # a program that a bot has started may live on and hold the pipe

    def last_words(self) -> str:
        """How it ended, and the end of what it wrote to standard error."""
        if self._has_closed_output:
            try:
                told = f"it {end_in_words(self._program.wait(ENDING))}"
            except subprocess.TimeoutExpired:
                told = "it closed its output"
        else:
            told = "it sent something that is not a game"
        kill_program(self._program)  # with all that it has started, so that the pipe below has an end
        self._threads[1].join(LEAVING)
        lines = self._stderr_tail.decode("utf-8", "replace").split("\n")
        words = " / ".join(line.strip() for line in lines[-4:] if line.strip())
        return f"{told}; its last words were {words!r}" if words else told

    def _listen(self, stream: IO[bytes]) -> None:
        with stream:
            rest = b""
            with contextlib.suppress(OSError, ValueError):
                while chunk := stream.read(1 << 16):
                    *lines, rest = (rest + chunk).split(b"\n")
                    for line in lines:
                        self._messages.put((self, line))
        self._has_closed_output = True
        self._messages.put((self, None))

    def _overhear(self, stream: IO[bytes]) -> None:
        with stream:
            rest = b""
            with contextlib.suppress(OSError, ValueError):
                while chunk := stream.read(1 << 16):
                    self._stderr_tail = (self._stderr_tail + chunk)[-STDERR_TAIL:]
                    *lines, rest = (rest + chunk).split(b"\n")
                    rest = rest[:STDERR_TAIL]
                    for line in lines:
                        self._said(line.decode("utf-8", "replace"))


class OwnThread:
    """A worker in a thread of this process: it costs no start, and is no faster than one."""

    def __init__(self, player: Player, machine: Machine, messages: Messages) -> None:
        self.jobs: deque[Job] = deque()
        self.machine = machine
        self.has_played = True
        self._player, self._messages = player, messages
        self._inbox: queue.SimpleQueue[list[Job] | None] = queue.SimpleQueue()
        self._is_closed = False
        threading.Thread(target=self._run, daemon=True).start()

    def give(self, jobs: list[Job]) -> None:
        self.jobs.extend(jobs)
        self._inbox.put(jobs)

    def hang_up(self) -> None:
        pass

    def close(self) -> None:
        """Play no further game; the one under way is left to itself."""
        self._is_closed = True
        self._inbox.put(None)

    def last_words(self) -> str:
        return "its thread has ended"

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


class LocalCrew:
    """Processes of this machine."""

    def __init__(self, workers: int) -> None:
        self.machine = Machine("this machine", workers)

    @property
    def workers(self) -> int:
        return self.machine.workers

    def open(self, setup: Setup, messages: Messages, said: Said) -> None:
        self._setup, self._messages, self._said = setup, messages, said

    def more(self, count: int) -> list[Worker]:
        return [LocalProcess(self._setup, self.machine, self._messages, self._said) for _ in range(count)]

    def give_up(self, machine: Machine, why: str) -> None:
        raise PalabreError(say("event.no_process", error=why))

    def close(self) -> None:
        pass


def jobs_to_line(jobs: list[Job]) -> bytes:
    """Jobs, as a process that plays reads them."""
    return json.dumps([job_to_plain(job) for job in jobs]).encode() + b"\n"
