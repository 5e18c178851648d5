"""What the server asks of the processes that search, and what they find: tasks, reports and results as plain data.

A task brings its whole place, so any process can do it, and a process that has died is no loss.
"""

from msgspec import Struct

from palabre.web.messages import ReviewedMove, ThoughtFacts
from palabre.web.requests import Place
from palabre.workers.messages import Task

HINT_SECONDS = 2.0  # to think about a place for no longer than this is a hint: a person waits for it


class Setup(Struct, frozen=True):
    """What a process must know before it can search."""

    bot_folders: list[str]  # the folders whose bots and games may be used
    game_folders: list[str]
    seconds: float  # the most for a move
    memory: int  # megabytes, the most for the table of one bot
    stands_in: bool = False  # as plain Python while others compile, for bots of low levels


# -------------------------------------------------------------------------------------------------- reports and results


class Thoughts(Struct, frozen=True):
    """The best lines so far."""

    lines: list[ThoughtFacts]
    is_done: bool = False


class Reviewing(Struct, frozen=True):
    """How many moves of a game have been reviewed."""

    done: int
    total: int


class Chosen(Struct, frozen=True):
    """A bot's move, the seconds that it took, and what the bot thinks of it, if it tells."""

    move: str
    seconds: float
    thought: ThoughtFacts | None = None


class Reviewed(Struct, frozen=True):
    """The moves of a game."""

    moves: list[ReviewedMove]


# --------------------------------------------------------------------------------------------------------------- tasks


class Choose(Task[Chosen], frozen=True):
    """A bot's move. Where nodes or depth limit the bot, it follows from the place, the bot, the seed and the seat."""

    RESULT = Chosen

    place: Place
    bot: str
    seed: int = 0
    seat: int = 0
    per_move: float | None = None  # seconds
    remaining: float | None = None
    increment: float = 0.0
    room: str = ""  # somebody's own bot has an instance for each room and seat; a timed one keeps its table for a room
    is_hurried: bool = False  # nobody wants to wait for a compiler: a bot that has to may let a low level move for it


class Think(Task[Thoughts], frozen=True):
    """The best lines of a place, told as they are found."""

    RESULT = Thoughts
    REPORT = Thoughts

    place: Place
    bot: str | None = None  # None for the usual one of the game
    lines: int = 1
    seconds: float = 1.0
    nodes: int | None = None


class Review(Task[Reviewed], frozen=True):
    """What each move of a game was worth."""

    RESULT = Reviewed
    REPORT = Reviewing

    place: Place
    bot: str | None = None


class Prepare(Task[None], frozen=True):
    """Nothing but to have a bot ready: its kernels compiled and loaded."""

    place: Place
    bot: str


class EndRoom(Task[None], frozen=True):
    """The game of a room is over: let its own bots go."""

    room: str
    place: Place | None = None  # the last position


def is_long(task: Task[object]) -> bool:
    """Whether nobody sits there and waits for the end of a task."""
    return isinstance(task, Review) or (isinstance(task, Think) and task.seconds > HINT_SECONDS)
