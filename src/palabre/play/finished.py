"""A finished game: what the referee reports, a worker sends and an event keeps, with the same checks everywhere.

The types say what a file or another process may hold in a field. msgspec checks them wherever a game is read; a game
that has just been played is not checked.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from msgspec import Meta

from palabre.core.game import Game
from palabre.core.plain import readable
from palabre.core.record import Record, result_text, termination_tags
from palabre.core.words import Message

BY_THE_RULES = "by the rules"  # how a game ended that nobody ended before
LARGEST = 2**63 - 1
Whole = Annotated[int, Meta(ge=0, le=2**31)]
Integer = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]
Seconds = Annotated[float, Meta(ge=0, le=1e12)]
Share = Annotated[float, Meta(ge=0, le=1)]


@dataclass(frozen=True, kw_only=True)
class FinishedGame:
    """A finished game."""

    bots: tuple[str, ...]  # names, by seat
    shares: tuple[Share, ...]  # by seat: 1 for a win, 0 for a loss, 1/k for each of k players who share
    scores: tuple[Integer, ...]  # by seat, in the last position
    margin: Integer | None = None  # by how much the best final score exceeds the next one; None after a forfeit
    opening: Whole = 0  # how many of the moves are the opening
    start: str | None = None  # the text of the first position, None for the game's usual one
    moves: tuple[str, ...]  # all of them, the opening included
    movers: tuple[Whole, ...]  # the seat that made each move
    seconds: tuple[Seconds | None, ...]  # for each move, as the referee measured them
    depths: tuple[Integer | None, ...]  # for each move, where the bot reports it
    nodes: tuple[Integer | None, ...]  # for each move, where the bot reports it
    ending: str  # why the game ended, in English
    message: Any = None  # the same for readers in any language, as `core/plain.py` stores it; None if it says no more
    timed: tuple[Whole, ...] = ()  # the seats whose moves depend on time: such a game cannot be repeated exactly
    forfeit: Whole | None = None  # the seat that lost by an error, an illegal move or too much time
    details: str | None = None  # of a forfeit: the traceback
    machine_late: bool = False  # the machine, and not a bot, was late: to be played again
    started: str = ""  # date and time, UTC
    duration: Seconds = 0.0  # seconds from beginning to end

    @property
    def plies(self) -> int:
        """The number of moves, those of the opening included."""
        return len(self.moves)

    @property
    def reason(self) -> str | None:
        """Why a bot forfeited the game, in English; None if none did."""
        return None if self.forfeit is None else self.ending

    def why_ended(self, home: str | None = None) -> Message | str:
        """Why the game ended, for readers in any language; `home` is the folder of the game's words."""
        return readable(self.message, home, self.ending)

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
            known |= termination_tags(game, self.ending, self.message)
        return Record(game, self.moves, self.start, result_text(self.shares), known)
