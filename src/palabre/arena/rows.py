"""What an event keeps of settings, bots, openings and games: plain data, for files and for other processes.

As in `play/finished.py`, the types say what a file may hold, and msgspec checks them wherever a row is read.

A meeting is the unit of everything: the same bots play from one opening once in each rotation of the seats, which for
two players is the usual pair of games. Its games are not independent, so errors are clustered by meeting.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta, Struct

from palabre.core.plain import readable, stored
from palabre.core.words import Message
from palabre.play.finished import LARGEST, FinishedGame, Integer, Seconds, Share, Whole
from palabre.play.guard import LEARNING_SECONDS, NO_DATA
from palabre.search.clock import Clock

BOT_CHANGED = "bot changed"
FORFEIT_REPLAYED = "forfeit replayed"
MACHINE_LATE = "machine late"
WITHDRAWN = "bot withdrawn"

COMPETITOR, STAFF, DEMO = "competitor", "staff", "demo"
Role = Annotated[str, Meta(pattern="^(competitor|staff|demo)$")]
Value = Annotated[float, Meta(ge=-LARGEST, le=LARGEST)]


class Meeting(NamedTuple):
    """Bots that play from one opening, in each rotation of the seats."""

    round: Whole  # from 0; a round is drawn when the one before it has been played
    bots: tuple[str, ...]  # names, in the seats of the first game
    repeat: Whole  # from 0: which of the meetings between these bots this is; it decides opening and luck

    def lineups(self) -> list[tuple[str, ...]]:
        """Who sits where in each of its games: every rotation of the seats."""
        return [self.bots[turn:] + self.bots[:turn] for turn in range(len(self.bots))]


class Outcome(NamedTuple):
    """What schedules and ratings need to know of a finished game."""

    meeting: Meeting
    bots: tuple[str, ...]  # names, by seat
    shares: tuple[Share, ...]  # by seat: 1 for a win, 0 for a loss, 1/k for each of k players who share
    scores: tuple[Integer, ...]  # by seat, in the last position
    forfeit: Whole | None = None  # the seat that lost by an error, an illegal move or too much time


class Beginning(Struct, frozen=True):
    """Where all games of an event begin: the text of a position, None for the game's usual one, and the moves since."""

    start: str | None
    moves: tuple[str, ...]


class RandomOpenings(Struct, frozen=True, tag_field="kind", tag="random"):
    """Openings that are drawn."""

    plies: Whole = 4  # random moves before the bots take over: enough to make games differ, too few to decide them
    balanced: bool = False  # whether openings are drawn again that are nearly decided
    after: Beginning | None = None


class GivenOpenings(Struct, frozen=True, tag_field="kind", tag="file"):
    """Openings that were given, and are played in turn."""

    digest: str


@dataclass(frozen=True)
class Settings:
    """What holds for all games of an event. What is here cannot change once the event has begun."""

    game: str  # its spec
    format: str  # how meetings are drawn, such as "match"
    seed: Integer = 0
    openings: RandomOpenings | GivenOpenings = field(default_factory=RandomOpenings)
    grace: Seconds = 0.0  # seconds over its time by which a bot may be late, as often as `strikes` says
    strikes: Whole = 0  # how often in a game a bot may be late
    data: str = NO_DATA  # what its bots learn from: the title of a `Lesson`
    learning: Seconds = LEARNING_SECONDS  # seconds that a bot has for learning
    forbids_engine: bool = False  # whether bots of others do without Palabre's own searches


@dataclass(frozen=True)
class BotRow:
    """A bot in an event. Its name identifies it; its digest shows whether it is still the same bot."""

    name: Annotated[str, Meta(min_length=1)]
    spec: str
    digest: str  # of its sources, its options and its clock
    options: Mapping[str, Any] = field(default_factory=dict)  # all parameters, defaults written out
    clock: Clock = field(default_factory=Clock)  # with which it begins a game
    authors: str = ""
    state: Literal["admitted", "rejected", "superseded"] = "admitted"  # superseded by a newer version
    note: str = ""  # why it was rejected, in English; from the second line on, what only its author should read
    role: Role = COMPETITOR  # staff and demos play along and do not compete
    message: Any = None  # why it was rejected, for readers in any language, as `core/plain.py` stores it

    @property
    def file(self) -> str:
        """The name of the file, folder or zip that was handed in; empty for a bot that a spec names."""
        return Path(self.spec).name if self.authors or self.state == "rejected" else ""

    @property
    def reason(self) -> str:
        """Why it was rejected, in English and in one line."""
        return self.note.partition("\n")[0]

    def rejected(self, reason: Message | str, home: str | None = None, details: str = "") -> "BotRow":
        """The same bot, rejected; `home` is the folder of the game's words, and only its author reads the details."""
        note = "\n".join(filter(None, (str(reason), details)))
        return replace(
            self, state="rejected", note=note, message=stored(reason, home) if isinstance(reason, Message) else None
        )

    def why_rejected(self, home: str | None = None) -> Message | str:
        """Why it was rejected, for readers in any language; `home` is the folder of the game's words."""
        return readable(self.message, home, self.reason)


def clock_options(clock: Clock) -> list[str]:
    """A clock as it is given on the command line."""
    words = [] if clock.per_move is None else ["--time", f"{clock.per_move:g}"]
    if clock.remaining is not None:
        increment = f"+{clock.increment:g}" if clock.increment else ""
        words += ["--clock", f"{clock.remaining:g}{increment}"]
    return words


@dataclass(frozen=True)
class Opening:
    """A position from which bots meet: where the game starts, and the moves from there."""

    number: Whole
    start: str | None = None  # the text of the first position, None for the game's usual one
    moves: tuple[str, ...] = ()  # and the moves from there
    value: Value | None = None  # the expected share of player 1, where it has been estimated
    source: str = ""  # in a few words


class UnderWay(NamedTuple):
    """A game that is being played, as far as it has come."""

    meeting: Meeting
    rotation: int
    bots: tuple[str, ...]  # names, by seat
    start: str | None  # the text of the first position, None for the game's usual one
    moves: tuple[str, ...]  # so far, the opening included


@dataclass(frozen=True, kw_only=True)
class GameRow(FinishedGame):
    """A finished game of an event."""

    meeting: Meeting
    rotation: Whole  # by how many seats its bots have moved on: 0 in the first game of a meeting
    attempt: Whole  # from 1; a game that is played again keeps its earlier attempts, superseded
    superseded: str | None = None  # why another game counts instead
    digests: tuple[str, ...] = ()  # of the bots, by seat

    @property
    def outcome(self) -> Outcome:
        """What schedules and ratings need to know of it."""
        return Outcome(self.meeting, self.bots, self.shares, self.scores, self.forfeit)


def replays(rows: Iterable[GameRow]) -> Counter[str]:
    """How many games were played again because a bot was late and the machine seemed to be the cause, by bot."""
    return Counter(row.bots[row.forfeit] for row in rows if row.superseded == MACHINE_LATE and row.forfeit is not None)
