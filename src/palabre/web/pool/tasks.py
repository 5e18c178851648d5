"""What the server asks of the processes that search, and what they find: tasks, reports and results as plain data.

A task brings its whole place, so any process can do it, and a process that has died is no loss.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from palabre.web.limits import NO_FOLDERS, Folders, ServerLimits
from palabre.web.messages import ShownReviewedMove, ThoughtFacts
from palabre.web.requests import Place
from palabre.workers.messages import Task

LEAST_SLICE = 0.1  # seconds: a search that has less left is done
HINT_SECONDS = 2.0  # to think about a place for no longer than this is a hint: a person waits for it


class SearchSetup(Struct, frozen=True):
    """What a process must know before it can search."""

    limits: ServerLimits
    folders: Folders = NO_FOLDERS  # the bots and games that may be used
    stands_in: bool = False  # as plain Python while others compile, for bots of low levels


# -------------------------------------------------------------------------------------------------- reports and results


class BestLines(Struct, frozen=True):
    """The best lines so far, of all slices of a search."""

    lines: list[ThoughtFacts]
    is_done: bool = False


class Reviewing(Struct, frozen=True):
    """How many moves of a game have been reviewed."""

    done: int
    total: int


class Chosen(Struct, frozen=True):
    """A bot's move, the seconds that it took, and what the bot expects, if it shows that: it may decide to resign."""

    move: str
    seconds: float
    chance: float | None = None
    proven_result: int | None = None


class Reviewed(Struct, frozen=True):
    """The moves of a game."""

    moves: list[ShownReviewedMove]


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
    room: str = ""  # a foreign bot has an instance for each room and seat; a timed one keeps its table for a room
    is_hurried: bool = False  # it must not wait for a compiler: a bot that has to may let a low level move for it

    def stand_in(self, *, is_stopped: bool) -> "Choose":
        """The same move by plain Python; of a bot that is stopped, at any level."""
        return replace(self, is_hurried=is_stopped)


class Think(Task[BestLines], frozen=True):
    """The best lines of a place, reported as they are found; a long search may be done in slices."""

    RESULT = BestLines
    REPORT = BestLines
    YIELDS = True

    place: Place
    bot: str | None = None  # None for the usual one of the game
    lines: int = 1
    seconds: float = 1.0
    nodes: int | None = None
    earlier: tuple[ThoughtFacts, ...] = ()  # the lines of the slices before this one,
    earlier_nodes: int = 0  # what these have searched,
    earlier_seconds: float = 0.0  # and the seconds that they took

    def is_as_deep(self, lines: Sequence[ThoughtFacts]) -> bool:
        """Whether lines of this slice are as deep as the earlier ones."""
        return _depth(lines) >= _depth(self.earlier)

    def with_earlier(self, lines: Sequence[ThoughtFacts]) -> list[ThoughtFacts]:
        """The best lines of all slices, given those of this one."""
        if not self.is_as_deep(lines):
            return list(self.earlier)
        nodes, seconds = self.earlier_nodes, self.earlier_seconds
        return [replace(line, nodes=line.nodes + nodes, seconds=line.seconds + seconds) for line in lines]

    def rest(self, result: BestLines, seconds: float) -> "Think | None":
        """The search that is left, if there is time for another slice."""
        left = self.seconds - seconds
        if left < LEAST_SLICE:
            return None
        return replace(
            self,
            seconds=left,
            earlier=tuple(result.lines),
            earlier_nodes=max([self.earlier_nodes, *(line.nodes for line in result.lines)]),
            earlier_seconds=self.earlier_seconds + seconds,
        )


class ReviewGame(Task[Reviewed], frozen=True):
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


def _depth(lines: Sequence[ThoughtFacts]) -> int:
    return lines[0].depth if lines else -1


def is_long(task: Task[object]) -> bool:
    """Whether no person waits for the end of a task."""
    return isinstance(task, ReviewGame) or (isinstance(task, Think) and task.seconds > HINT_SECONDS)
