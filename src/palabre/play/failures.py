"""What a bot may use, what its turn cost, and how it failed."""

from dataclasses import dataclass, field
from typing import NamedTuple

from palabre.core.errors import PalabreError
from palabre.core.words import Message

MEGABYTE = 1 << 20
STACK_SIGNAL = 64  # Linux's SIGRTMAX, which no library uses: a late process is asked for its stack by it


@dataclass(frozen=True)
class Limits:
    """What a bot may use. Memory, files and processes are those of all its processes together."""

    memory: int = 1024  # megabytes
    scratch: int = 64  # megabytes in /tmp, the only place that can be written to
    files: int = 10_000  # files and folders in /tmp
    processes: int = 64  # threads count as well
    output: int = 8  # megabytes that it may print in a game
    cores: float = 1.0  # processor seconds for each second of its turn
    strikes: int = 2  # turns in which it may use more processor time than allowed; the next one loses the game
    loading: float = 60.0  # seconds to be imported in
    starting: float = 60.0  # seconds for `start`
    patience: float = 60.0  # seconds for a move that no clock limits
    grace: float = 0.0  # seconds over the clock after which it is still waited for
    closing: float = 1.0  # seconds for `end_game` and for `end_event`
    stack: float = 0.1  # seconds in which a bot that has been late may report its stack
    forbids_engine: bool = False  # whether Palabre's own searches are missing
    processors: tuple[int, ...] = ()  # the numbers of the processors that it may run on; empty for all


class Turn(NamedTuple):
    """What was measured while a bot had to answer; of a bot in this process `wall` and `waited` alone."""

    wall: float = 0.0  # seconds from the question to the answer
    cpu: float = 0.0  # processor seconds of all its processes
    waited: float = 0.0  # seconds in which its answer was ready to run, and others than the bot had the processor
    memory: float = 0.0  # megabytes, of all its processes
    stalled: float = 0.0  # seconds in which the supervisor itself could not run, by no fault of the bot
    between: float = 0.0  # processor seconds that it has used since the turn before, while it should stand still
    has_stirred: bool = False  # whether processes or threads of it began or ended meanwhile


class Forfeit(Exception):
    """A bot has lost its game before the end; the message says why."""

    machine_late: bool = False  # it would have been in time, had other programs not had the processor

    def __init__(self, message: Message | str) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True)
class Failure:
    """How a bot failed: the reason for everybody, the rest for its author."""

    kind: str  # error, time, memory, cpu, processes, files, output, died, closed, garbage, early, no move
    reason: Message | str  # in words, one line
    traceback: str = ""  # of an error in its code
    output: str = ""  # the end of what it printed
    stack: str = ""  # where it was when its time was over, as it reports it itself
    turn: Turn = field(default_factory=Turn)


class BotFailed(Forfeit, PalabreError):
    """A bot in a sandbox has failed."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.reason)
        self.failure = failure


class SandboxBroken(PalabreError):
    """A sandbox cannot be started, or has failed for a reason that is not the bot's."""
