"""All rooms of a server: who opens them, comes in and leaves, and what people do there.

A room that nobody looks at is not in memory, and no bot thinks in it; the store has all of it.
"""

import asyncio
import random
import secrets
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial

import msgspec

from palabre.core.errors import BadSpec
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.core.words import say
from palabre.web import messages, requests
from palabre.web.keeping import Keeper
from palabre.web.live import Live, seat_names
from palabre.web.messages import Offer
from palabre.web.pool.thinking import Pool
from palabre.web.reading import Reader
from palabre.web.refusal import Refused, by_name, in_language
from palabre.web.requests import Place, SeatWish
from palabre.web.room import BOT, CLAIM_AFTER, PERSON, Room, seated
from palabre.web.session import Session
from palabre.web.slices import Slices
from palabre.web.store import Browser, Invited, KeptRoom, RoomRow, SeatRow, Store
from palabre.web.turns import Turns

ROOM_BYTES = 9
MOST_SEED = 10**9
MOST_SHOWN = 20  # rooms to one browser: each is in memory as long as somebody looks at it
HEARTBEAT = 2.0  # seconds between two notes of how much time clocks have left


def new_seed() -> int:
    """A seed for a new game."""
    return random.SystemRandom().randrange(MOST_SEED)


class Rooms:
    """The rooms of a server."""

    def __init__(self, store: Store, pool: Pool, reader: Reader, slices: Slices) -> None:
        self.store = store
        self.reader = reader
        self.slices = slices
        self.keeper = Keeper(store, pool)
        self.turns = Turns(pool, self.keeper)
        self._live: dict[str, Live] = {}
        self._loading = asyncio.Lock()

    # -------------------------------------------------------------------------------------------- opening, entering

    def open(self, settings: requests.OpenRoom, positions: Sequence[Position], seed: int, browser: Browser) -> str:
        """Make a room for a browser, with the positions of its place, and return its name."""
        wishes = settings.seats
        game = positions[0].game
        if len(wishes) != game.players:
            raise Refused("seats", players=game.players, seats=len(wishes))
        seats = tuple(self._seat(wish, game, browser) for wish in wishes)
        clock = None if settings.clock is None else (settings.clock.game, settings.clock.increment)
        row = RoomRow(
            secrets.token_urlsafe(ROOM_BYTES),
            game.spec,
            positions[0].start_text,
            seed,
            seats,
            clock,
            msgspec.to_builtins(settings.allowed),
            browser.id,
        )
        self.store.add_room(row, [after.played[-1].text for after in positions[1:]])
        return row.room

    def _seat(self, wish: SeatWish, game: Game, browser: Browser) -> SeatRow:
        if wish.who == "bot":
            return SeatRow(BOT, self.reader.bot(wish.bot, game), None, wish.bot)
        return SeatRow(PERSON, "", browser.id if wish.who == "me" else None, wish.name.strip())

    def live(self, name: str) -> Live:
        """A room that is in memory."""
        if name not in self._live:
            raise Refused("no_room", room=name)
        return self._live[name]

    def has(self, name: str) -> bool:
        """Whether a room is in memory."""
        return name in self._live

    @asynccontextmanager
    async def using(self, name: str, owner: str) -> AsyncIterator[Live]:
        """A room in memory, from the store if need be, as long as the block lasts; longer only if somebody enters it.

        The owner, a browser, pays for replaying it.
        """
        live = self._live.get(name) or await self._load(name, owner)
        live.users += 1
        try:
            yield live
        finally:
            live.users -= 1
            self._let_go(live)

    async def _load(self, name: str, owner: str) -> Live:
        async with self._loading:
            while name not in self._live:
                kept = self.store.room(name)
                if kept is None:
                    raise Refused("no_room", room=name)
                row = kept.row  # refused if it is of a file that is no longer offered
                place = Place(row.game, row.start, [move for move, _ in kept.moves])
                positions = await self.slices.take(self.reader.line(place, row.seed), owner)
                if self.store.room(name) == kept:  # nobody has taken a seat meanwhile
                    self._live[name] = Live(Room.restore(kept, positions, time.monotonic()))
            return self._live[name]

    def _let_go(self, live: Live) -> None:
        """Forget a room that nobody looks at or needs; the store has it."""
        if not live.sessions and not live.users and self._live.get(live.name) is live:
            self._close(live)

    def enter(self, name: str, session: Session) -> messages.RoomState:
        """Show a room to a browser from now on."""
        live = self.live(name)
        now = time.monotonic()
        is_new = session not in live.sessions
        if (
            not live.is_shown_to(session.browser.id)
            and sum(one.is_shown_to(session.browser.id) for one in self._live.values()) >= MOST_SHOWN
        ):
            raise Refused("too_many_pages")
        if not live.sessions:
            self._tell_again_later(name)  # whoever does not come as well, after a restart say, can be claimed against
        live.sessions.add(session)
        live.room.arrive(session.browser.id, now)
        if is_new:
            live.tell(besides=session)
        self.turns.go_on(live)
        return live.state(session)

    def leave(self, name: str, session: Session) -> None:
        """No longer show a room to a browser."""
        live = self._live.get(name)
        if live is None or session not in live.sessions:
            return
        live.sessions.discard(session)
        if not any(other.browser.id == session.browser.id for other in live.sessions):
            live.room.depart(session.browser.id, time.monotonic())
            self._tell_again_later(name)
        if live.sessions:
            live.tell()
        self._let_go(live)

    @property
    def under_way(self) -> int:
        """How many games go on that somebody is looking at."""
        return sum(not live.room.ongoing.is_over for live in self._live.values())

    def _tell_again_later(self, name: str) -> None:
        """Tell those who wait for somebody when they may claim the game."""

        def tell() -> None:
            if name in self._live:
                self._live[name].tell()

        asyncio.get_running_loop().call_later(CLAIM_AFTER + 1, tell)

    def leave_all(self, session: Session) -> None:
        """A browser is gone."""
        for name in [name for name, live in self._live.items() if session in live.sessions]:
            self.leave(name, session)

    def _close(self, live: Live) -> None:
        self.turns.stop(live)
        self.keeper.keep_clocks(live)
        self._live.pop(live.name, None)

    def close(self) -> None:
        """The server ends."""
        for live in list(self._live.values()):
            self._close(live)

    def take_seat(self, invited: Invited, browser: Browser) -> None:
        """Somebody comes by an invitation; a room that nobody looks at stays where it is."""
        live = self._live.get(invited.room)
        kept = self.store.room(invited.room) if live is None else None
        if live is None and kept is None:
            raise Refused("no_room", room=invited.room)
        seats = live.room.seats if live is not None else kept.row.seats if kept is not None else ()
        if any(seat.who == PERSON and seat.browser == browser.id for seat in seats):
            raise Refused("seated_already")
        if live is None:
            self.store.set_seats(invited.room, seated(seats, invited.seat, browser.id, browser.name))
            return
        live.room.take_seat(invited.seat, browser.id, browser.name, time.monotonic())
        self.store.set_seats(invited.room, live.room.seats)
        live.shown.clear()  # it has the names of the players in it
        live.room.run_clock(time.monotonic())
        live.tell()

    # -------------------------------------------------------------------------------------------------------- moves

    def play(self, name: str, ply: int, move: str, session: Session) -> None:
        """A person moves."""
        live = self.live(name)
        live.room.check_turn(session.browser.id, ply)
        with by_name(seat_names(live.room.seats, live.room.position.game, session.language)):
            self.keeper.play(live, move)
        live.tell(since=ply + 1)
        self.turns.go_on(live)

    def undo(self, name: str, session: Session) -> None:
        """Take back, or ask whether one may."""
        live = self.live(name)
        room = live.room
        own = room.seats_of(session.browser.id)
        if not room.may_undo(session.browser.id):
            raise Refused("no_undo")
        if room.is_between_people() and room.allowed.undo == "asked":
            self._offer(live, Offer("undo", own[0]))
        else:
            self._undo(live, own)

    def _undo(self, live: Live, seats: list[int]) -> None:
        target = live.room.undo_target(seats)
        if target is None:
            raise Refused("nothing_to_undo")
        self.keeper.undo(live, seats, target)
        self.turns.stop(live)
        live.tell(since=target + 1)
        self.turns.go_on(live)

    # ---------------------------------------------------------------------------------------------- offers, endings

    def _offer(self, live: Live, offer: Offer) -> None:
        if live.room.offer is not None:
            raise Refused("offer_open")
        live.room.offer = offer
        live.tell()

    def offer_draw(self, name: str, session: Session) -> None:
        """Offer a draw; people at one screen agree with themselves."""
        live = self._able(name, session, "draw")
        own = live.room.seats_of(session.browser.id)
        if len(own) == len(live.room.seats):
            self._end(live, partial(live.room.draw, time.monotonic()))
        else:
            self._offer(live, Offer("draw", own[0]))

    def answer_offer(self, name: str, accept: bool, session: Session) -> None:
        """Say yes or no to what an opponent has asked."""
        live = self._able(name, session, "answer")
        offer = live.room.offer
        assert offer is not None
        live.room.offer = None
        if not accept:
            live.tell()
        elif offer.what == "draw":
            self._end(live, partial(live.room.draw, time.monotonic()))
        elif offer.what == "undo":
            self._undo(live, [offer.seat])
        else:
            self._rematch(live, session)

    def resign(self, name: str, session: Session) -> None:
        """Give up. Of people at one screen, the one whose turn it is."""
        live = self._able(name, session, "resign")
        own = live.room.seats_of(session.browser.id)
        seat = live.room.to_move if live.room.to_move in own else own[0]
        self._end(live, partial(live.room.resign, seat, time.monotonic()))

    def claim(self, name: str, session: Session) -> None:
        """Win against somebody who has been gone for long."""
        live = self._able(name, session, "claim")
        now = time.monotonic()
        gone = live.room.claimable(session.browser.id, now)[0]
        self._end(live, partial(live.room.lose, gone, say("game.left"), now))

    def _end(self, live: Live, ending: "partial[None]") -> None:
        """End a game before its end, unless that cannot be kept."""
        self.keeper.end(live, ending)
        self.turns.stop(live)
        live.tell()

    def rematch(self, name: str, session: Session) -> str | None:
        """Play once more, with the seats exchanged; between people it is an offer."""
        live = self._able(name, session, "rematch")
        if live.room.is_between_people():
            self._offer(live, Offer("rematch", live.room.seats_of(session.browser.id)[0]))
            return None
        return self._rematch(live, session)

    def _rematch(self, live: Live, session: Session) -> str:
        old = live.room.row
        game = live.room.position.game
        seats = (*old.seats[1:], old.seats[0])
        seed = new_seed()
        start = old.start if old.start is None or not game.has_random_start else None
        first = game.start(seed).start_text if start is None else start
        row = replace(old, room=secrets.token_urlsafe(ROOM_BYTES), seed=seed, start=first, seats=seats)
        self.store.add_room(replace(row, created=time.time(), opener=session.browser.id))
        self.store.set_next(old.room, row.room)
        live.room.next_room = row.room
        live.tell()
        return row.room

    def _able(self, name: str, session: Session, what: str) -> Live:
        """The room, if this browser may do such a thing in it."""
        live = self.live(name)
        if what not in live.room.abilities(session.browser.id, live.thinking is not None, time.monotonic()):
            raise Refused("cannot", what=what)
        return live

    def stop_thinking(self, name: str, session: Session) -> None:
        """Have a bot play the best move it knows by now."""
        live = self._able(name, session, "stop")
        if live.job is not None:
            live.job.stop()

    def check_invite(self, name: str, seat: int, session: Session) -> None:
        """Refuse to invite to a seat that is not free."""
        live = self._able(name, session, "invite")
        seats = live.room.seats
        if seat >= len(seats) or seats[seat].who != PERSON or seats[seat].browser is not None:
            raise Refused("seat_taken")

    def position_for_hint(self, name: str, session: Session) -> Position:
        """The position of a room in which this browser may be helped."""
        return self._able(name, session, "hint").room.position

    async def beat(self) -> None:
        """Note from time to time what the clocks show."""
        while True:
            await asyncio.sleep(HEARTBEAT)
            for live in list(self._live.values()):
                self.keeper.keep_clocks(live)

    # -------------------------------------------------------------------------------------------------------- lists

    def entries(self, browser: str | None, language: str) -> list[messages.RoomEntry]:
        """The rooms of a browser, or all."""
        found = []
        for kept in self.store.rooms(browser):
            with suppress(BadSpec):  # of a game in a file that is no longer offered
                found.append(self._entry(kept, self.reader.game(kept.row.game), language))
        return found

    def _entry(self, kept: KeptRoom, game: Game, language: str) -> messages.RoomEntry:
        row = kept.row
        over, words = kept.ending is not None, game.words(language)
        ago = max(0.0, time.time() - kept.changed)
        names = seat_names(row.seats, game, language)
        if kept.ending is not None and kept.ending.shares is not None:
            status = words.result(kept.ending.shares, names)
        else:
            status = in_language("listed.over" if over else "listed.running", language)
        return messages.RoomEntry(row.room, words.title, names, status, kept.plies, over, ago)
