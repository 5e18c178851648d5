"""A room: a game with its seats, its clocks and what the players ask each other. Pure logic, without sockets or tasks.

What browsers may do there is in `room_actions.py`. What happens is tried on a copy of the room, so a change that cannot
be stored leaves no trace.

Times are seconds of the room's clock. A player's clock runs from their second turn on, as soon as all seats have been
taken: a guest may have had to come first. It stands while the server does not run. The time of bots is measured where
they think: neither waiting nor compiling counts.
"""

import json
import random
import re
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace

import msgspec

from palabre.bots.levels import STRONGEST
from palabre.bots.opponents import Outlook, is_hopeless
from palabre.core.plain import readable, stored
from palabre.core.position import Position
from palabre.core.record import Record
from palabre.core.words import Message
from palabre.play.game import OngoingGame
from palabre.search.clock import Clock
from palabre.web.messages import Offer
from palabre.web.refusal import Refused
from palabre.web.requests import Allowed
from palabre.web.store import Ending, KeptRoom, RoomRow, SeatRow

BOT, PERSON = "bot", "person"
CLAIM_AFTER = 120.0  # seconds for which a player must have been gone
NAME_BYTES = 9
MOST_SEED = 10**9


@dataclass(frozen=True)
class Presence:
    """Whether the person in a seat is connected."""

    is_here: bool = False
    gone_since: float = 0.0


@dataclass
class Room:
    """A game and the people and bots in it."""

    row: RoomRow
    ongoing: OngoingGame
    allowed: Allowed
    now: Callable[[], float]  # reads a steady clock
    next_room: str | None = None
    offer: Offer | None = None
    turn_began: float | None = None  # when the clock of the player to move began to run; None while it stands
    spent: float = 0.0  # seconds of this turn before that
    presence: list[Presence] = field(default_factory=list)
    outlooks: Mapping[int, Outlook] = field(default_factory=dict)  # what bots thought, by the plies of their moves
    rematch: RoomRow | None = None  # the room in which the game is played once more, until it has been stored

    @classmethod
    def begin(cls, row: RoomRow, first: Position, now: Callable[[], float] = time.monotonic) -> "Room":
        """A new room."""
        left: list[float | None] = [None if row.clock is None else row.clock[0]] * len(row.seats)
        return cls.restore(KeptRoom(row, 0, [], left, None, None, row.created), [first], now)

    @classmethod
    def restore(cls, kept: KeptRoom, positions: Sequence[Position], now: Callable[[], float]) -> "Room":
        """A room as it is in the store, with all its positions and all clocks standing."""
        row = kept.row
        clock = Clock() if row.clock is None else Clock(remaining=row.clock[0], increment=row.clock[1])
        ongoing = OngoingGame(positions[0], clock=clock, seed=row.seed)
        for after, (_, seconds) in zip(positions[1:], kept.moves, strict=True):
            ongoing.accept(after, seconds)
        allowed = msgspec.convert(row.allowed, Allowed)
        room = cls(row, ongoing, allowed, now, kept.next_room)
        own, left = ongoing.clocks[room.to_move].remaining, kept.left[room.to_move]
        if own is not None and left is not None:
            room.spent = max(0.0, own - left)  # the clock may have been running when the server ended
        if kept.ending is not None:
            room._end(kept.ending)
        room.presence = [Presence(seat.who == BOT, now()) for seat in row.seats]
        return room

    def copy(self) -> "Room":
        """The same room, in which something can happen without happening in this one."""
        return replace(self, ongoing=copy(self.ongoing), presence=list(self.presence))

    # ------------------------------------------------------------------------------------------------- who is who

    @property
    def seats(self) -> tuple[SeatRow, ...]:
        """Who sits where."""
        return self.row.seats

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self.ongoing.position

    @property
    def to_move(self) -> int:
        """The seat whose turn it is."""
        return self.position.to_move

    @property
    def ply(self) -> int:
        """How many moves have been played here."""
        return len(self.ongoing.positions) - 1

    def seats_of(self, browser: str) -> list[int]:
        """The seats of a browser: several, if people share a screen."""
        return [number for number, seat in enumerate(self.seats) if seat.who == PERSON and seat.browser == browser]

    @property
    def waits_for_guests(self) -> bool:
        """Whether a seat is kept for a guest who has not come yet."""
        return any(seat.who == PERSON and seat.browser is None for seat in self.seats)

    def is_between_people(self) -> bool:
        """Whether people at different browsers play each other."""
        return len({seat.browser for seat in self.seats if seat.who == PERSON}) > 1

    def allows_help(self, browser: str) -> bool:
        """Whether hints and analysis may be given to this browser now."""
        return self.allowed.help or self.ongoing.is_over or not self.is_between_people() or not self.seats_of(browser)

    def take_seat(self, number: int, browser: str, name: str) -> None:
        """Let a guest sit down."""
        self.row = replace(self.row, seats=seated(self.seats, number, browser, name))
        self.presence[number] = Presence(False, self.now())
        self.run_clock()

    # ---------------------------------------------------------------------------------------------------- presence

    def arrive(self, browser: str) -> None:
        """A browser shows this room. The clock begins to run again if it is its turn."""
        own = self.seats_of(browser)
        for number in own:
            self.presence[number] = Presence(True)
        if self.to_move in own:
            self.run_clock()

    def depart(self, browser: str) -> None:
        """A browser no longer shows this room."""
        for number in self.seats_of(browser):
            self.presence[number] = Presence(False, self.now())

    def claimable(self, browser: str) -> list[int]:
        """The seats of opponents who have been gone for so long that the game can be claimed."""
        if self.ongoing.is_over or not self.seats_of(browser):
            return []
        return [
            number
            for number, (seat, presence) in enumerate(zip(self.seats, self.presence, strict=True))
            if seat.who == PERSON
            and seat.browser not in (None, browser)
            and not presence.is_here
            and self.now() - presence.gone_since >= CLAIM_AFTER
        ]

    # ------------------------------------------------------------------------------------------------------ clocks

    @property
    def is_running(self) -> bool:
        """Whether the clock of the player to move runs."""
        return self.row.clock is not None and self.turn_began is not None and not self.ongoing.is_over

    def run_clock(self) -> None:
        """Let the clock of the person to move run, if it may."""
        is_first = self.row.clock is not None and self.ply < len(self.seats)
        stands = is_first or self.waits_for_guests or self.ongoing.is_over or self.is_bots_turn
        if self.turn_began is None and not stands:
            self.turn_began = self.now()

    def stop_clock(self) -> None:
        """Let the clock stand, with what is left now."""
        self.spent = self._seconds()
        self.turn_began = None

    def _seconds(self) -> float:
        """How long the player to move has been thinking."""
        return self.spent + (0.0 if self.turn_began is None else self.now() - self.turn_began)

    def left_now(self) -> list[float | None]:
        """Seconds on each clock now."""
        left = [clock.remaining for clock in self.ongoing.clocks]
        own = left[self.to_move]
        if own is not None:
            left[self.to_move] = max(0.0, own - self._seconds())
        return left

    def seconds_to_flag(self) -> float | None:
        """When the player to move will have lost on time; None if they cannot."""
        return self.left_now()[self.to_move] if self.is_running else None

    # ------------------------------------------------------------------------------------------------------- moves

    @property
    def is_bots_turn(self) -> bool:
        """Whether a bot is to move."""
        return not self.ongoing.is_over and self.seats[self.to_move].who == BOT

    def play(self, move: str, seconds: float | None = None) -> None:
        """Play a move; of a bot, with the seconds that it took itself. An illegal one raises and changes nothing."""
        after = self.position.play(move)
        is_timed = self.turn_began is not None or self.spent > 0 or seconds is not None
        took = self._seconds() if seconds is None else seconds
        self.ongoing.accept(after, took if is_timed else None)
        self._begin_turn()

    def play_bot(self, move: str, seconds: float, outlook: Outlook) -> None:
        """Play the move of the bot to move, or resign for it if it has thought for long that it has lost."""
        seat, plies = self.to_move, self.ongoing.positions
        self.outlooks = {**self.outlooks, self.ply: outlook}
        own = [thought for ply, thought in self.outlooks.items() if plies[ply].to_move == seat]
        level = re.search(r"\blevel=(\d+)", self.seats[seat].bot)
        if self.allowed.bots_resign and is_hopeless(own, int(level[1]) if level else STRONGEST, len(self.seats)):
            self.resign(seat)
        else:
            self.play(move, seconds)

    def _begin_turn(self) -> None:
        self.offer = None
        self.spent = 0.0
        self.turn_began = None
        self.run_clock()

    def undo_target(self, seats: list[int]) -> int | None:
        """The ply to which these seats can take back: their last turn; None if they have not moved."""
        turns = [ply for ply, past in enumerate(self.ongoing.positions[:-1]) if past.to_move in seats]
        return turns[-1] if turns else None

    def undo(self, seats: list[int]) -> None:
        """Take back to the last turn of these seats."""
        target = self.undo_target(seats)
        if target is None:
            raise Refused("nothing_to_undo")
        self.ongoing.undo(self.ply - target)
        self.outlooks = {ply: outlook for ply, outlook in self.outlooks.items() if ply < target}
        self._begin_turn()

    def play_again(self, browser: str) -> None:
        """Play once more in a room of its own, with the seats exchanged."""
        old, game, seed = self.row, self.position.game, new_seed()
        is_drawn_by_lot = old.start is None or game.has_random_start
        start = game.start(seed).start_text if is_drawn_by_lot else old.start
        seats = (*old.seats[1:], old.seats[0])
        self.rematch = RoomRow(new_name(), old.game, start, seed, seats, old.clock, old.allowed, browser)
        self.next_room = self.rematch.room

    # ----------------------------------------------------------------------------------------------------- endings

    def resign(self, seat: int) -> None:
        """A player gives up."""
        self._stop()
        self.ongoing.resign(seat)

    def lose(self, seat: int, reason: Message | str) -> None:
        """A player has lost for another reason: time, or a bot that failed."""
        self._stop()
        self.ongoing.lose(seat, reason)

    def draw(self) -> None:
        """The players agree on a draw."""
        self._stop()
        self.ongoing.agree_draw()

    def _stop(self) -> None:
        self.stop_clock()
        self.offer = None

    @property
    def ending(self) -> Ending | None:
        """How the game has ended, as the store keeps it; None if it goes on."""
        ongoing = self.ongoing
        if ongoing.result is None:
            return None
        why_ended = _kept(ongoing.why_ended, self.position.game.words().home)
        return Ending(ongoing.loser, ongoing.is_drawn, why_ended, list(ongoing.result))

    def _end(self, ending: Ending) -> None:
        if ending.drawn:
            self.ongoing.agree_draw()
        elif ending.loser is not None:
            self.ongoing.lose(ending.loser, "")
            self.ongoing.why_ended = _restored(ending.reason, self.position.game.words().home)

    def record(self) -> Record:
        """The record of the game so far."""
        named = [seat.name or self.position.game.words().player(number) for number, seat in enumerate(self.seats)]
        return self.ongoing.record({f"Player{number}": name for number, name in enumerate(named, start=1)})


def seated(seats: Sequence[SeatRow], number: int, browser: str, name: str) -> tuple[SeatRow, ...]:
    """The seats with a guest in one that is free."""
    if number >= len(seats) or seats[number].who != PERSON or seats[number].browser is not None:
        raise Refused("seat_taken")
    return (*seats[:number], SeatRow(PERSON, "", browser, name or seats[number].name), *seats[number + 1 :])


def _kept(message: Message | None, home: str) -> str:
    """A message as the store keeps it; `home` is where the words of the game are."""
    return "" if message is None else json.dumps(stored(message, home))


def _restored(text: str, home: str) -> Message | None:
    """A message from the store; `home` is where the words of the game are."""
    message = readable(json.loads(text), home, "") if text else None
    return message if isinstance(message, Message) else None


def new_name() -> str:
    """A name for a new room, which cannot be guessed."""
    return secrets.token_urlsafe(NAME_BYTES)


def new_seed() -> int:
    """A seed for a new game."""
    return random.SystemRandom().randrange(MOST_SEED)
