"""What an event keeps of settings, bots, openings and games: plain data, for files and for other processes."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from palabre.arena.outcome import Meeting, Outcome
from palabre.core.game import Game
from palabre.core.record import Record, result_text
from palabre.play.guard import LEARNING_SECONDS, NO_DATA
from palabre.search.clock import Clock

BOT_CHANGED = "bot changed"
FORFEIT_REPLAYED = "forfeit replayed"
MACHINE_LATE = "machine late"
WITHDRAWN = "bot withdrawn"

COMPETITOR, STAFF, DEMO = "competitor", "staff", "demo"
BY_THE_RULES = "by the rules"  # how a game ended that nobody ended before


@dataclass(frozen=True)
class Settings:
    """What holds for all games of an event. What is here cannot change once the event has begun."""

    game: str  # its spec
    format: str  # how meetings are drawn, such as "match"
    seed: int = 0
    openings: Mapping[str, Any] = field(default_factory=dict)  # the policy by which they are drawn
    grace: float = 0.0  # seconds over its time by which a bot may be late, as often as `strikes` says
    strikes: int = 0  # how often in a game a bot may be late
    data: str = NO_DATA  # what its bots learn from: the title of a `Lesson`
    learning: float = LEARNING_SECONDS  # seconds that a bot has for learning
    forbids_engine: bool = False  # whether bots of others do without Palabre's own searches


@dataclass(frozen=True)
class BotRow:
    """A bot in an event. Its name identifies it; its digest tells whether it is still the same bot."""

    name: str
    spec: str
    digest: str  # of its sources, its options and its clock
    options: Mapping[str, Any] = field(default_factory=dict)  # all parameters, defaults written out
    clock: Clock = field(default_factory=Clock)  # with which it begins a game
    authors: str = ""
    state: str = "admitted"  # or rejected, or superseded by a newer version
    note: str = ""  # why it was rejected; from the second line on, what only its author should read
    role: str = COMPETITOR  # or STAFF or DEMO: both play along and do not compete

    @property
    def file(self) -> str:
        """The name of the file, folder or zip that was handed in; empty for a bot that a spec names."""
        return Path(self.spec).name if self.authors or self.state == "rejected" else ""

    @property
    def reason(self) -> str:
        """Why it was rejected, in one line."""
        return self.note.partition("\n")[0]


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

    number: int
    start: str | None = None  # the text of the first position, None for the game's usual one
    moves: tuple[str, ...] = ()
    value: float | None = None  # the expected share of player 1, where somebody has estimated it
    source: str = ""  # in a few words


class UnderWay(NamedTuple):
    """A game that is being played, as far as it has come."""

    meeting: Meeting
    rotation: int
    bots: tuple[str, ...]  # names, by seat
    start: str | None  # the text of the first position, None for the game's usual one
    moves: tuple[str, ...]  # so far, the opening included


@dataclass(frozen=True)
class GameRow:
    """A finished game."""

    meeting: Meeting
    rotation: int  # by how many seats its bots have moved on: 0 in the first game of a meeting
    attempt: int  # from 1; a game that is played again keeps its earlier attempts, superseded
    bots: tuple[str, ...]  # names, by seat
    shares: tuple[float, ...]  # by seat: 1 for a win, 0 for a loss, 1/k for each of k players who share
    scores: tuple[int, ...]  # by seat, in the last position
    margin: int | None  # by how much the best final score exceeds the next one; None if the game was forfeited
    opening: int  # how many of the moves are the opening
    start: str | None  # the text of the first position, None for the game's usual one
    moves: tuple[str, ...]  # all of them, the opening included
    movers: tuple[int, ...]  # the seat that made each move
    seconds: tuple[float | None, ...]  # for each move, as the referee measured them
    depths: tuple[int | None, ...]  # for each move, where the bot tells it
    nodes: tuple[int | None, ...]  # for each move, where the bot tells it
    ending: str  # in words: why the game ended
    timed: tuple[int, ...] = ()  # the seats whose moves depend on time: such a game cannot be repeated exactly
    forfeit: int | None = None  # the seat that lost by an error, an illegal move or too much time
    details: str | None = None  # of a forfeit: the traceback
    machine_late: bool = False  # the machine, and not a bot, was late: to be played again
    superseded: str | None = None  # why another game counts instead
    digests: tuple[str, ...] = ()  # of the bots, by seat
    started: str = ""  # date and time, UTC
    duration: float = 0.0  # seconds from beginning to end

    @property
    def plies(self) -> int:
        """The number of moves, those of the opening included."""
        return len(self.moves)

    @property
    def outcome(self) -> Outcome:
        """What schedules and ratings need to know of it."""
        return Outcome(self.meeting, self.bots, self.shares, self.scores, self.forfeit)

    def seconds_of(self, seat: int) -> list[float]:
        """The seconds that each move of a seat took, of those that were measured."""
        spent = zip(self.movers, self.seconds, strict=True)
        return [seconds for mover, seconds in spent if mover == seat and seconds is not None]

    def record(
        self, game: Game, specs: Mapping[str, str] | None = None, tags: Mapping[str, str] | None = None
    ) -> Record:
        """Its record; `specs` say what to call the bots, by name."""
        called = {f"Player{seat}": (specs or {}).get(name, name) for seat, name in enumerate(self.bots, start=1)}
        known = {**called, **(tags or {}), "Opening": f"{self.opening} plies"}
        if self.timed:
            known["Timed"] = ", ".join(str(seat + 1) for seat in self.timed)
        if self.forfeit is not None:
            known["Termination"] = self.ending
        return Record(game, self.moves, self.start, result_text(self.shares), known)


def replays(rows: Iterable[GameRow]) -> Counter[str]:
    """How many games were played again because a bot was late and the machine seemed to be the cause, by bot."""
    return Counter(row.bots[row.forfeit] for row in rows if row.superseded == MACHINE_LATE and row.forfeit is not None)
