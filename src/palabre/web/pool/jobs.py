"""What the server asks of the processes that search, and what they tell it: jobs, reports and results as plain data.

Everything here goes through pipes as JSON, one message in a line. A job brings its whole place, so any process can do
it, and a process that has died is no loss.
"""

from typing import Any, Literal

import msgspec
from msgspec import Struct

from palabre.core.errors import PalabreError
from palabre.core.words import Message, say
from palabre.web.messages import ReviewedMove, ThoughtFacts
from palabre.web.requests import Place

HINT_SECONDS = 2.0  # to think about a place for no longer than this is a hint: a person waits for it

FailureId = Literal[
    "thinking.greedy",  # this browser has asked for too much
    "thinking.busy",  # everybody together has
    "thinking.refused",  # what was asked for makes no sense: the text says what and why
    "thinking.forfeit",  # the bot has failed: an illegal move, an error in its code
    "thinking.error",  # there is a mistake in the code of a game of somebody else, or in ours
    "thinking.late",  # it did not end in its time, and was ended
    "thinking.stopped",  # it was stopped, and has no result that is of use
    "thinking.died",  # the process has died, twice
    "thinking.closed",  # the server ends
]


class JobFailed(PalabreError):
    """Why a job has no result: an id, and what is told to people; nothing else than the message of the id, usually."""

    def __init__(self, id: FailureId, told: Message | str | None = None, **parameters: object) -> None:
        super().__init__(say(id, **parameters) if told is None else told)
        self.id = id

    @property
    def is_bots_fault(self) -> bool:
        """Whether a bot that was to move has failed for good; otherwise it is worth another try."""
        return self.id not in ("thinking.greedy", "thinking.busy", "thinking.stopped", "thinking.closed")


# ---------------------------------------------------------------------------------------------------------------- jobs


class Choose(Struct, frozen=True, tag=True):
    """A bot's move. Where nodes or depth limit the bot, it follows from the place, the bot, the seed and the seat."""

    place: Place
    bot: str
    seed: int = 0
    seat: int = 0
    per_move: float | None = None  # seconds
    remaining: float | None = None
    increment: float = 0.0
    room: str = ""  # somebody's own bot has an instance for each room and seat; a timed one keeps its table for a room
    is_hurried: bool = False  # nobody wants to wait for a compiler: a bot that has to may let a low level move for it


class Think(Struct, frozen=True, tag=True):
    """The best lines of a place, told as they are found."""

    place: Place
    bot: str | None = None  # None for the usual one of the game
    lines: int = 1
    seconds: float = 1.0
    nodes: int | None = None


class Review(Struct, frozen=True, tag=True):
    """What each move of a game was worth."""

    place: Place
    bot: str | None = None


class Prepare(Struct, frozen=True, tag=True):
    """Nothing but to have a bot ready: its kernels compiled and loaded."""

    place: Place
    bot: str


AnyJob = Choose | Think | Review | Prepare

# -------------------------------------------------------------------------------------------------- reports and results


class Preparing(Struct, frozen=True, tag=True):
    """Kernels are being compiled: how much of it is done, and about how long all of it takes, if that is known."""

    fraction: float
    seconds: float | None = None


class Thoughts(Struct, frozen=True, tag=True):
    """The best lines so far."""

    lines: list[ThoughtFacts]
    is_done: bool = False


class Progress(Struct, frozen=True, tag=True):
    """How many moves of a game have been reviewed."""

    done: int
    total: int


Report = Preparing | Thoughts | Progress


class Chosen(Struct, frozen=True, tag=True):
    """A bot's move, the seconds that it took, and what the bot thinks of it, if it tells."""

    move: str
    seconds: float
    thought: ThoughtFacts | None = None


class Reviewed(Struct, frozen=True, tag=True):
    """The moves of a game."""

    moves: list[ReviewedMove]


class Prepared(Struct, frozen=True, tag=True):
    """A bot is ready."""


AnyResult = Chosen | Thoughts | Reviewed | Prepared

# ------------------------------------------------------------------------------------------------ between the processes


class Setup(Struct, frozen=True, tag=True):
    """The first message to a process."""

    bot_folders: list[str]  # the folders whose bots and games may be used
    game_folders: list[str]
    seconds: float  # the most for a move
    memory: int  # megabytes, the most for the table of one bot
    stands_in: bool = False  # as plain Python while others compile, for bots of low levels


class Order(Struct, frozen=True, tag=True):
    """Do this job; a process has one at a time."""

    number: int
    job: AnyJob
    seconds: float  # after so many it is to be stopped


class Stop(Struct, frozen=True, tag=True):
    """End the job of this number with what is known by now."""

    number: int


class EndRoom(Struct, frozen=True, tag=True):
    """The game of a room is over: let its own bots go."""

    room: str
    place: Place | None = None  # the last position


ToWorker = Setup | Order | Stop | EndRoom


class Ready(Struct, frozen=True, tag=True):
    """The process has started."""


class Began(Struct, frozen=True, tag=True):
    """All is prepared: from here on the time of the job runs."""

    number: int


class Told(Struct, frozen=True, tag=True):
    """A report."""

    number: int
    report: Report


class Finished(Struct, frozen=True, tag=True):
    """The result."""

    number: int
    result: AnyResult


class Failed(Struct, frozen=True, tag=True):
    """There is no result."""

    number: int
    id: FailureId
    told: Any = None  # a message as plain data; None if the id says it all


FromWorker = Ready | Began | Told | Finished | Failed

to_worker = msgspec.json.Decoder(ToWorker)
from_worker = msgspec.json.Decoder(FromWorker)
_encoder = msgspec.json.Encoder()


def to_line(message: ToWorker | FromWorker) -> bytes:
    """A message as it goes through a pipe."""
    return _encoder.encode(message)


def is_long(job: AnyJob) -> bool:
    """Whether nobody sits there and waits for the end of a job."""
    return isinstance(job, Review) or (isinstance(job, Think) and job.seconds > HINT_SECONDS)
