"""A room: a game with its seats, its clocks and what the players ask each other. Pure logic, without sockets or tasks.

Times are seconds of a steady clock, which the caller reads. A player's clock runs from their second turn on, as soon as
all seats have been taken: somebody may have had to come first. It stands while the server does not run, and while a bot
is being prepared.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import msgspec

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


@dataclass
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
    next_room: str | None = None
    version: int = 0
    offer: Offer | None = None
    turn_began: float | None = None  # when the clock of the player to move began to run; None while it stands
    spent: float = 0.0  # seconds of this turn before that
    presence: list[Presence] = field(default_factory=list)

    @classmethod
    def begin(cls, row: RoomRow, first: Position, now: float) -> "Room":
        """A new room."""
        left: list[float | None] = [None if row.clock is None else row.clock[0]] * len(row.seats)
        return cls.restore(KeptRoom(row, 0, [], left, None, None, row.created), [first], now)

    @classmethod
    def restore(cls, kept: KeptRoom, positions: Sequence[Position], now: float) -> "Room":
        """A room as it is in the store, with all its positions and all clocks standing."""
        row = kept.row
        clock = Clock() if row.clock is None else Clock(remaining=row.clock[0], increment=row.clock[1])
        ongoing = OngoingGame(positions[0], clock=clock, seed=row.seed)
        for after, (_, seconds) in zip(positions[1:], kept.moves, strict=True):
            ongoing.accept(after, seconds)
        allowed = msgspec.convert(row.allowed, Allowed)
        room = cls(row, ongoing, allowed, kept.next_room)
        own, left = ongoing.clocks[room.to_move].remaining, kept.left[room.to_move]
        if own is not None and left is not None:
            room.spent = max(0.0, own - left)  # the clock may have been running when the server ended
        if kept.ending is not None:
            room._end(kept.ending)
        room.presence = [Presence(seat.who == BOT, now) for seat in row.seats]
        return room

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
        """Whether a seat is kept for somebody who has not come yet."""
        return any(seat.who == PERSON and seat.browser is None for seat in self.seats)

    def is_between_people(self) -> bool:
        """Whether people at different browsers play each other."""
        return len({seat.browser for seat in self.seats if seat.who == PERSON}) > 1

    def allows_help(self, browser: str) -> bool:
        """Whether hints and analysis may be given to this browser now."""
        return self.allowed.help or self.ongoing.is_over or not self.is_between_people() or not self.seats_of(browser)

    def take_seat(self, number: int, browser: str, name: str, now: float) -> None:
        """Let a guest sit down."""
        self.row = replace(self.row, seats=seated(self.seats, number, browser, name))
        self.presence[number] = Presence(False, now)

    # ---------------------------------------------------------------------------------------------------- presence

    def arrive(self, browser: str, now: float) -> None:
        """A browser shows this room. The clock begins to run again if it is its turn."""
        for number in self.seats_of(browser):
            self.presence[number].is_here = True
        if self.to_move in self.seats_of(browser):
            self.run_clock(now)

    def depart(self, browser: str, now: float) -> None:
        """A browser no longer shows this room."""
        for number in self.seats_of(browser):
            self.presence[number] = Presence(False, now)

    def claimable(self, browser: str, now: float) -> list[int]:
        """The seats of opponents who have been gone for so long that the game can be claimed."""
        if self.ongoing.is_over or not self.seats_of(browser):
            return []
        return [
            number
            for number, seat in enumerate(self.seats)
            if seat.who == PERSON
            and seat.browser not in (None, browser)
            and not self.presence[number].is_here
            and now - self.presence[number].gone_since >= CLAIM_AFTER
        ]

    # ------------------------------------------------------------------------------------------------------ clocks

    @property
    def has_clock(self) -> bool:
        """Whether the players' time is limited."""
        return self.row.clock is not None

    def run_clock(self, now: float) -> None:
        """Let the clock of the player to move run, if it may."""
        is_first = self.has_clock and self.ply < len(self.seats)
        if self.turn_began is None and not (is_first or self.waits_for_guests or self.ongoing.is_over):
            self.turn_began = now

    def stop_clock(self, now: float) -> None:
        """Let the clock stand, with what is left now."""
        self.spent = self._seconds(now)
        self.turn_began = None

    def _seconds(self, now: float) -> float:
        """How long the player to move has been thinking."""
        return self.spent + (0.0 if self.turn_began is None else now - self.turn_began)

    def left_now(self, now: float) -> list[float | None]:
        """Seconds on each clock now."""
        left = [clock.remaining for clock in self.ongoing.clocks]
        own = left[self.to_move]
        if own is not None:
            left[self.to_move] = max(0.0, own - self._seconds(now))
        return left

    def seconds_to_flag(self, now: float) -> float | None:
        """When the player to move will have lost on time; None if they cannot."""
        is_person = self.seats[self.to_move].who == PERSON
        left = self.left_now(now)[self.to_move]
        return left if is_person and self.turn_began is not None and not self.ongoing.is_over else None

    # ------------------------------------------------------------------------------------------------------- moves

    def check_turn(self, browser: str, ply: int) -> None:
        """Refuse a move of somebody whose turn it is not, or in a position that is no longer on the board."""
        if self.ongoing.is_over:
            raise Refused("game_over")
        if ply != self.ply:
            raise Refused("too_late")
        if self.to_move not in self.seats_of(browser):
            raise Refused("not_your_turn")

    def play(self, move: str, now: float, seconds: float | None = None) -> None:
        """Play a move; of a bot, with the seconds that it took itself. An illegal one raises and changes nothing."""
        after = self.position.play(move)
        is_timed = self.turn_began is not None or self.spent > 0 or seconds is not None
        took = self._seconds(now) if seconds is None else seconds
        self.ongoing.accept(after, took if is_timed else None)
        self._begin_turn(now)

    def _begin_turn(self, now: float) -> None:
        self.offer = None
        self.spent = 0.0
        self.turn_began = None
        self.run_clock(now)

    def undo_target(self, seats: list[int]) -> int | None:
        """The ply to which these seats can take back: their last turn; None if they have not moved."""
        turns = [ply for ply, past in enumerate(self.ongoing.positions[:-1]) if past.to_move in seats]
        return turns[-1] if turns else None

    def undo(self, seats: list[int], now: float) -> None:
        """Take back to the last turn of these seats."""
        target = self.undo_target(seats)
        if target is None:
            raise Refused("nothing_to_undo")
        self.ongoing.undo(self.ply - target)
        self._begin_turn(now)

    def may_undo(self, browser: str) -> bool:
        """Whether a browser may take back, or ask for it."""
        if self.allowed.undo == "never" or self.undo_target(self.seats_of(browser)) is None:
            return False
        return not (self.ongoing.is_over and self.is_between_people())

    # ----------------------------------------------------------------------------------------------------- endings

    @property
    def ending(self) -> Ending | None:
        """What ended the game before its end."""
        if self.ongoing.loser is None and not self.ongoing.is_drawn:
            return None
        return Ending(
            self.ongoing.loser, self.ongoing.is_drawn, _kept(self.ongoing.why_ended, self.position.game.words().home)
        )

    def _end(self, ending: Ending) -> None:
        if ending.drawn:
            self.ongoing.agree_draw()
        elif ending.loser is not None:
            self.ongoing.lose(ending.loser, "")
            self.ongoing.why_ended = _restored(ending.reason, self.position.game.words().home)

    def resign(self, seat: int, now: float) -> None:
        """A player gives up."""
        self.stop_clock(now)
        self.ongoing.resign(seat)
        self.offer = None

    def lose(self, seat: int, reason: Message | str, now: float) -> None:
        """A player has lost for another reason: time, or a bot that failed."""
        self.stop_clock(now)
        self.ongoing.lose(seat, reason)
        self.offer = None

    def draw(self, now: float) -> None:
        """The players agree on a draw."""
        self.stop_clock(now)
        self.ongoing.agree_draw()
        self.offer = None

    def record(self) -> Record:
        """The record of the game so far."""
        named = [seat.name or self.position.game.words().player(number) for number, seat in enumerate(self.seats)]
        return self.ongoing.record({f"Player{number}": name for number, name in enumerate(named, start=1)})

    # ------------------------------------------------------------------------------------------------ what one may

    def abilities(self, browser: str, is_thinking: bool, now: float) -> list[str]:
        """What a browser may do here now."""
        own = self.seats_of(browser)
        running = not self.ongoing.is_over
        two = len(self.seats) == 2
        opposed = [seat for number, seat in enumerate(self.seats) if number not in own and seat.who != BOT]
        found = {
            "move": running and self.to_move in own,
            "undo": bool(own) and self.may_undo(browser) and self.offer is None,
            "draw": running and two and bool(own) and (bool(opposed) or len(own) == 2) and self.offer is None,
            "resign": running and bool(own) and (two or not opposed),
            "claim": bool(self.claimable(browser, now)),
            "rematch": not running and bool(own) and self.offer is None and self.next_room is None,
            "hint": running and bool(own) and self.allows_help(browser),
            "analyse": self.allows_help(browser),
            "invite": self.waits_for_guests and (bool(own) or self.row.opener == browser),
            "answer": self.offer is not None and bool(own) and self.offer.seat not in own,
            "stop": is_thinking and (bool(own) or self.row.opener == browser),
        }
        return [name for name, may in found.items() if may]


def seated(seats: Sequence[SeatRow], number: int, browser: str, name: str) -> tuple[SeatRow, ...]:
    """The seats with a guest in one that is free."""
    if number >= len(seats) or seats[number].who != PERSON or seats[number].browser is not None:
        raise Refused("seat_taken")
    return (*seats[:number], SeatRow(PERSON, "", browser, name or seats[number].name), *seats[number + 1 :])


def _kept(message: Message | None, home: str) -> str:
    """A message as the store keeps it; `home` is where the words of the game are."""
    return "" if message is None else json.dumps(stored(message, home))


def _restored(text: str, home: str) -> Message | None:
    """A message from the store."""
    message = readable(json.loads(text), home, "") if text else None
    return message if isinstance(message, Message) else None
