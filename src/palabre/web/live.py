"""A room that somebody looks at, and what everybody there is told of it, each in their language."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from palabre.core.game import Game
from palabre.web import messages, page
from palabre.web.answering import Ask, Plies
from palabre.web.answers import Answers
from palabre.web.bot_titles import bot_title, level_title
from palabre.web.messages import Now, Ply, RoomChanged, Standing, Thinking, ThoughtFacts
from palabre.web.pool.tasks import Chosen
from palabre.web.pool.thinking import AsyncJob
from palabre.web.refusal import why_ended
from palabre.web.room import BOT, PERSON, Room
from palabre.web.session import Session
from palabre.web.store import SeatRow

FEW_PLIES = 4  # that are drawn at once; more of them are drawn by another process

Drawn = Ply | msgspec.Raw  # the latter as JSON


@dataclass(eq=False)
class Live:
    """A room in memory."""

    room: Room
    sessions: set[Session] = field(default_factory=set)
    shown: dict[str, list[Drawn]] = field(default_factory=dict)  # the plies so far, by language
    turn: "asyncio.Task[None] | None" = None  # of bots
    job: "AsyncJob[Chosen] | None" = None  # the search of the bot to move
    thinking: Thinking | None = None
    outlooks: dict[int, list[ThoughtFacts | None]] = field(default_factory=dict)  # of the bots at their moves, by seat
    flag: asyncio.TimerHandle | None = None  # when the time of the player to move is over
    users: int = 0  # requests that need it in memory
    is_prepared: bool = False  # its bots are being compiled, or have been

    @property
    def name(self) -> str:
        """The name of the room."""
        return self.room.row.room

    def is_shown_to(self, browser: str) -> bool:
        """Whether a browser looks at it."""
        return any(session.browser.id == browser for session in self.sessions)

    def tell(self, since: int | None = None, besides: Session | None = None) -> None:
        """Tell everybody what has changed: the board from a ply on, or only what is beside it."""
        self.room.version += 1
        nows: dict[str, Now] = {}
        if since is not None:
            for shown in self.shown.values():
                del shown[since:]
        for session in list(self.sessions):
            if session is not besides:
                session.send(self._change(since, session, nows))

    def _change(self, since: int | None, session: Session, nows: dict[str, Now]) -> RoomChanged:
        room, standing = self.room, self._standing(session)
        if since is None and not room.ongoing.is_over:
            return RoomChanged(self.name, room.version, standing)
        if self._missing(session.language) > FEW_PLIES:
            # A version that does not follow on the last one has the page enter again, when they will be drawn.
            return RoomChanged(self.name, room.version + 1, standing)
        plies = self._plies(session.language)
        first = len(plies) if since is None else since
        moves = [move.text for move in room.ongoing.moves]
        now = nows.get(session.language) or nows.setdefault(session.language, self._now(session.language))
        return RoomChanged(self.name, room.version, standing, first, plies[first:], moves, now)

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
            seat_names(room.seats, game, language),
            page.ground_of(game),
            self._plies(language),
            self._now(language),
            self._standing(session),
            room.allowed,
        )

    def _missing(self, language: str) -> int:
        """How many plies have not been drawn in a language."""
        return len(self.room.ongoing.positions) - len(self.shown.get(language, ()))

    async def draw(self, language: str, answers: Answers, owner: str) -> None:
        """Have another process draw the plies in a language, if there are many; the owner, a browser, pays for it."""
        while self._missing(language) > FEW_PLIES:
            shown, ongoing = self.shown.setdefault(language, []), self.room.ongoing
            since, last, count = len(shown), ongoing.position, len(ongoing.positions)
            names = seat_names(self.room.seats, last.game, language)
            plies = Plies(page.place_of(last), since, list(ongoing.seconds), names)
            drawn = msgspec.json.decode(await answers.ask(Ask(plies, language), owner), type=list[msgspec.Raw])
            is_same = self.shown.get(language) is shown and len(shown) == since
            if is_same and len(ongoing.positions) >= count and ongoing.positions[count - 1] is last:
                shown += drawn

    def _plies(self, language: str) -> list[Drawn]:
        shown = self.shown.setdefault(language, [])
        ongoing = self.room.ongoing
        if len(shown) < len(ongoing.positions):
            names = seat_names(self.room.seats, self.room.position.game, language)
            shown += page.plies(ongoing.positions, language, len(shown), ongoing.seconds, names)
        return shown

    def _now(self, language: str) -> Now:
        room = self.room
        return page.now(room.position, language, room.ongoing.result, why_over(room, language))

    def _standing(self, session: Session) -> Standing:
        room, now = self.room, time.monotonic()
        left = room.left_now(now)
        names = seat_names(room.seats, room.position.game, session.language)
        seats = [
            messages.Seat(
                names[number],
                "bot" if seat.who == BOT else "person",
                seat.bot,
                seat.who == PERSON and seat.browser == session.browser.id,
                seat.who == BOT or seat.browser is not None,
                room.presence[number].is_here,
                left[number],
            )
            for number, seat in enumerate(room.seats)
        ]
        running = room.to_move if room.has_clock and room.turn_began is not None and not room.ongoing.is_over else None
        can = room.abilities(session.browser.id, self.thinking is not None, now)
        return Standing(seats, running, self.thinking, room.offer, can, room.next_room)


def why_over(room: Room, language: str) -> str:
    """Why the game of a room is over, with the players by their names; nothing if it goes on."""
    if not room.ongoing.is_over:
        return ""
    names = seat_names(room.seats, room.position.game, language)
    return why_ended(room.ongoing.why_ended or room.position.why_over or "", names, language)


def seat_names(seats: Sequence[SeatRow], game: Game, language: str) -> list[str]:
    """What to call the players, everywhere: bots by their level or name, people as they call themselves, or as the
    game does. Players of the same name have the number of their seat behind it."""
    found = [_name(seat, number, game, language) for number, seat in enumerate(seats)]
    return [name if found.count(name) == 1 else f"{name} ({seat})" for seat, name in enumerate(found, start=1)]


def _name(seat: SeatRow, number: int, game: Game, language: str) -> str:
    if seat.who == PERSON:
        return seat.name or game.words(language).player(number)
    # The highest level is the default, which the bot's spec leaves out; what somebody asked for still has it.
    return level_title(seat.name, language) or bot_title(seat.bot, game, language)
