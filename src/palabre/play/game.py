"""A game in progress: positions, seats, clocks, moves with their seconds, taking back, forfeits, and the record.

The terminal, the referee, the UGI engine's board and self-play all stand on this one class.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from palabre.bots.bot import Bot
from palabre.core.errors import PalabreError
from palabre.core.plain import stored
from palabre.core.position import Move, Position
from palabre.core.record import Record, result_text, termination_tags
from palabre.core.words import Message, say
from palabre.play import judge
from palabre.play.failures import Forfeit
from palabre.play.guard import Now, ask, dismiss, guard, name
from palabre.play.stopwatch import STOPWATCH
from palabre.search.clock import Clock

PERSON = "person"


class OngoingGame:
    """A game between bots and people. Bots have clocks; people take the time they like.

    Whoever runs the game calls `sit_down` once, and then for each turn `play` with a person's move or `ask_bot`. To
    leave the game as it is while a bot thinks in another thread, call `answer` there and `accept` here.
    """

    def __init__(
        self,
        start: Position,
        seats: Sequence[Bot | None] = (),
        *,
        clock: Clock | Sequence[Clock] | None = None,
        seed: int = 0,
        grace: float = 0.0,
        strikes: int = 0,
        now: Now = STOPWATCH.now,
    ) -> None:
        """Begin a game; `seats` has for each player a bot, or None for a person; by default all are people.

        All players have the same clock, or each their own. A bot may be late by `grace` seconds so many times.
        `now` measures the time of bots.
        """
        players = start.game.players
        self.seats: tuple[Bot | None, ...] = tuple(seats) or (None,) * players
        if len(self.seats) != players:
            raise PalabreError(say("game.wrong_seats", game=start.game.spec, players=players, seats=len(self.seats)))
        self.seed = seed  # decides the luck of the bots
        self._now = now
        self.grace, self.strikes = grace, [strikes] * players  # how often each bot may still be late
        self.positions = [start]
        self.seconds: list[float | None] = []  # the time that each move took, None where it was not measured
        clocks = (clock or Clock(),) * players if clock is None or isinstance(clock, Clock) else tuple(clock)
        if len(clocks) != players:
            raise PalabreError(say("game.wrong_clocks", game=start.game.spec, players=players, clocks=len(clocks)))
        self._clocks = [clocks]  # of all seats, in each position
        self.loser: int | None = None  # who forfeited or resigned
        self.absent: tuple[int, ...] = ()  # who failed before the first move, if several did
        self.is_drawn = False  # whether the players have agreed on a draw
        self.why_ended: Message | None = None  # before the end of the rules

    def __copy__(self) -> "OngoingGame":
        """The same game, which can go on without this one."""
        other = object.__new__(OngoingGame)
        lists = {name: list(value) for name, value in vars(self).items() if isinstance(value, list)}
        vars(other).update(vars(self), **lists)
        return other

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self.positions[-1]

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves of this game, without any that led to its first position."""
        return self.position.played[len(self.positions[0].played) :]

    @property
    def clocks(self) -> tuple[Clock, ...]:
        """The clock of each player now."""
        return self._clocks[-1]

    @property
    def names(self) -> list[str]:
        """What to call the players."""
        return [PERSON if seated is None else name(seated) for seated in self.seats]

    @property
    def bot_to_move(self) -> Bot | None:
        """The bot whose turn it is, None if it is a person's."""
        return self.seats[self.position.to_move]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by the rules or because a player lost it before."""
        return self.loser is not None or self.is_drawn or self.position.is_over

    @property
    def result(self) -> tuple[float, ...] | None:
        """Each player's share of an ended game; the others share what one has forfeited. None before the end."""
        if self.is_drawn:
            return (1 / len(self.seats),) * len(self.seats)
        if self.loser is None:
            return self.position.result
        losers = {self.loser, *self.absent}
        others = 1 / max(1, len(self.seats) - len(losers))
        return tuple(0.0 if player in losers else others for player in range(len(self.seats)))

    def sit_down(self) -> None:
        """Begin the game for all bots. One that fails forfeits the game, and the `Forfeit` is raised.

        If several fail, all of them lose; if no other is left, no one wins.
        """
        failed: dict[int, Forfeit] = {}
        for seat, seated in enumerate(self.seats):
            if seated is not None:
                try:
                    guard(seated.sit_down, self.position.game, seat, self.seed)
                except Forfeit as forfeit:
                    failed[seat] = forfeit
        if failed:
            self.lose_all({seat: forfeit.message for seat, forfeit in failed.items()})
            raise next(iter(failed.values()))

    def get_up(self) -> None:
        """End the game for all bots."""
        for seated in self.seats:
            if seated is not None:
                dismiss(seated, self.position)

    def replace_bots(self, make: Callable[[], Bot]) -> None:
        """Put a new bot into the seat of each bot, in the middle of the game; a `Forfeit` says why one cannot play."""
        seats: list[Bot | None] = []
        for seat, seated in enumerate(self.seats):
            fresh = None if seated is None else make()
            if seated is not None and fresh is not None:
                dismiss(seated, self.position)
                guard(fresh.sit_down, self.position.game, seat, self.seed)
            seats.append(fresh)
        self.seats = tuple(seats)

    def last_round(self) -> list[tuple[Position, Position]]:
        """The moves since the last one of the player to move, that one included: the position before and after each."""
        turns = list(itertools.pairwise(self.positions))
        own = [number for number, (before, _) in enumerate(turns) if before.to_move == self.position.to_move]
        return turns[own[-1] if own else 0 :]

    def play(self, move: Move | str) -> None:
        """Play a move of a person, or of an opening; an `IllegalMove` leaves the game as it is."""
        self._refuse_if_over()
        self.accept(self.position.play(move))

    def ask_bot(self) -> None:
        """Let the bot to move play. One that fails forfeits the game, and the `Forfeit` is raised."""
        try:
            self.accept(*self.answer())
        except Forfeit as forfeit:
            self.lose(self.position.to_move, forfeit.message)
            raise

    def answer(self) -> tuple[Position, float]:
        """What the bot to move plays: the position after its move, and the seconds; the game stays as it is."""
        self._refuse_if_over()
        seated = self.bot_to_move
        if seated is None:
            raise PalabreError(say("game.person_to_move", player=self.position.to_move + 1))
        seat = self.position.to_move
        grace = self.grace if self.strikes[seat] else 0.0
        return ask(seated, self.position, self.clocks[seat], grace, self._now)

    def accept(self, position: Position, seconds: float | None = None) -> None:
        """Go on to the position after a legal move, which took so many seconds of the clock."""
        seat = self.position.to_move
        clocks = list(self.clocks)
        if seconds is not None:
            self.strikes[seat] -= judge.late_by(clocks[seat], seconds) > 0
            clocks[seat] = judge.clock_after(clocks[seat], seconds)
        self._clocks.append(tuple(clocks))
        self.seconds.append(seconds)
        self.positions.append(position)

    def lose(self, seat: int, reason: Message | str) -> None:
        """End the game: this player has forfeited it."""
        self._refuse_if_over()
        self.loser, self.why_ended = seat, say("game.loses", player=seat + 1, reason=reason)

    def lose_all(self, reasons: Mapping[int, Message | str]) -> None:
        """End the game: these players, at least one, have lost before the first move; the others share it."""
        (first, reason), *others = reasons.items()
        self.loser, self.why_ended = first, say("game.loses", player=first + 1, reason=reason)
        for seat, why in others:
            self.why_ended = say("game.also", first=self.why_ended, player=seat + 1, reason=why)
        self.absent = tuple(seat for seat, _ in others)

    def resign(self, seat: int) -> None:
        """End the game: this player gives up."""
        self._refuse_if_over()
        self.loser, self.why_ended = seat, say("game.resigns", player=seat + 1)

    def agree_draw(self) -> None:
        """End the game: the players share it."""
        self._refuse_if_over()
        self.is_drawn, self.why_ended = True, say("game.draw_agreed")

    def undo(self, moves: int = 1) -> None:
        """Take back so many moves; the clocks go back, too, and so does whatever ended the game before its end."""
        if not 0 <= moves < len(self.positions):
            raise PalabreError(say("game.cannot_undo", moves=moves, played=len(self.positions) - 1))
        kept = len(self.positions) - moves
        del self.positions[kept:], self._clocks[kept:], self.seconds[kept - 1 :]
        self.loser = self.why_ended = None
        self.is_drawn = False

    def undo_turn(self) -> bool:
        """Take back to the last turn of a person; False if no person has moved yet."""
        turns = [ply for ply, past in enumerate(self.positions[:-1]) if self.seats[past.to_move] is None]
        if turns:
            self.undo(len(self.positions) - 1 - turns[-1])
        return bool(turns)

    def seconds_of(self, seat: int) -> tuple[float, ...]:
        """The seconds that each measured move of a player took."""
        spent = zip(self.positions, self.seconds, strict=False)
        return tuple(seconds for before, seconds in spent if before.to_move == seat and seconds is not None)

    def record(self, tags: Mapping[str, str] | None = None) -> Record:
        """The record of the game so far, with the names of the players, these tags, and why a player lost."""
        known = {f"Player{seat}": player for seat, player in enumerate(self.names, start=1)} | dict(tags or {})
        if self.why_ended is not None:
            message = stored(self.why_ended, self.position.game.words().home)
            known |= termination_tags(self.position.game, str(self.why_ended), message)
        record = Record.of(self.position, **known)
        return replace(record, result=result_text(self.result))

    def _refuse_if_over(self) -> None:
        if self.is_over:
            raise PalabreError(say("game.is_over", why=self.why_ended or result_text(self.result)))
