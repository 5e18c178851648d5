"""A room that somebody looks at, and what everybody there is told of it, each in their language."""

import asyncio
import time
from dataclasses import dataclass, field

from palabre.core.game import Game
from palabre.core.words import text_of
from palabre.web import messages, page
from palabre.web.bot_titles import bot_title
from palabre.web.messages import Now, Ply, RoomChanged, Standing, Thinking, ThoughtFacts
from palabre.web.pool.jobs import Chosen
from palabre.web.pool.thinking import Job
from palabre.web.room import BOT, PERSON, Room
from palabre.web.session import Session
from palabre.web.store import SeatRow


@dataclass(eq=False)
class Live:
    """A room in memory."""

    room: Room
    sessions: set[Session] = field(default_factory=set)
    shown: dict[str, list[Ply]] = field(default_factory=dict)  # the plies so far, by language
    turn: "asyncio.Task[None] | None" = None  # of bots
    job: "Job[Chosen] | None" = None  # the search of the bot to move
    thinking: Thinking | None = None
    outlooks: dict[int, list[ThoughtFacts | None]] = field(default_factory=dict)  # of the bots at their moves, by seat
    flag: asyncio.TimerHandle | None = None  # when the time of the player to move is over
    is_prepared: bool = False  # its bots are being compiled, or have been

    @property
    def name(self) -> str:
        """The name of the room."""
        return self.room.row.room

    def tell(self, since: int | None = None, besides: Session | None = None) -> None:
        """Tell everybody what has changed: the board from a ply on, or only what is beside it."""
        self.room.version += 1
        if since is not None:
            for shown in self.shown.values():
                del shown[since:]
        for session in list(self.sessions):
            if session is not besides:
                session.send(self._change(since, session))

    def _change(self, since: int | None, session: Session) -> RoomChanged:
        room, standing = self.room, self._standing(session)
        if since is None and not room.ongoing.is_over:
            return RoomChanged(self.name, room.version, standing)
        plies = self._plies(session.language)
        first = len(plies) if since is None else since
        moves = [move.text for move in room.ongoing.moves]
        return RoomChanged(self.name, room.version, standing, first, plies[first:], moves, self._now(session.language))

    def state(self, session: Session) -> messages.RoomState:
        """The whole room, as somebody is shown it who comes in."""
        room, language = self.room, session.language
        game = room.position.game
        return messages.RoomState(
            self.name,
            room.version,
            page.place_of(room.position),
            game.words(language).title,
            page.rules_in_words(game, language),
            page.player_names(game, language),
            page.ground_of(game),
            self._plies(language),
            self._now(language),
            self._standing(session),
            room.allowed,
        )

    def _plies(self, language: str) -> list[Ply]:
        shown = self.shown.setdefault(language, [])
        ongoing = self.room.ongoing
        if len(shown) < len(ongoing.positions):
            shown += page.plies(ongoing.positions, language, len(shown), ongoing.seconds)
        return shown

    def _now(self, language: str) -> Now:
        room = self.room
        why = text_of(room.ongoing.why_ended or room.position.why_over or "", language) if room.ongoing.is_over else ""
        return page.now(room.position, language, room.ongoing.result, why)

    def _standing(self, session: Session) -> Standing:
        room, now = self.room, time.monotonic()
        left = room.left_now(now)
        seats = [
            messages.Seat(
                seat_name(seat, number, room.position.game, session.language),
                "bot" if seat.who == BOT else "person",
                seat.bot,
                seat.who == PERSON and seat.browser == session.browser.id,
                seat.who == BOT or seat.browser is not None,
                room.presence[number].is_here,
                left[number],
            )
            for number, seat in enumerate(room.seats)
        ]
        running = None if room.turn_began is None or room.ongoing.is_over else room.to_move
        can = room.abilities(session.browser.id, self.thinking is not None, now)
        return Standing(seats, running, self.thinking, room.offer, can, room.next_room)


def seat_name(seat: SeatRow, number: int, game: Game, language: str) -> str:
    """What to call the player in a seat: people as they call themselves, or as the game does."""
    return bot_title(seat.bot, game, language) if seat.who == BOT else seat.name or game.words(language).player(number)
