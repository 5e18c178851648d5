"""All rooms of a server: who opens them, comes in and leaves.

A room that no browser shows is not in memory, and no bot thinks in it; the store has all of it.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress

import msgspec

from palabre.core.errors import BadSpec
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.web import messages, requests
from palabre.web.live import LiveRoom
from palabre.web.pool.thinking import SearchPool
from palabre.web.reading import Reader
from palabre.web.refusal import Refused, in_language
from palabre.web.requests import Place, SeatWish
from palabre.web.room import BOT, PERSON, Room, new_name, seated
from palabre.web.session import Session
from palabre.web.shown import seat_names
from palabre.web.slices import Slices
from palabre.web.store import Browser, Invited, KeptRoom, RoomRow, SeatRow, ServerStore

MOST_SHOWN = 20  # rooms to one browser: each is in memory as long as a browser shows it
HEARTBEAT = 2.0  # seconds between two notes of how much time clocks have left


class Rooms:
    """The rooms of a server."""

    def __init__(
        self,
        store: ServerStore,
        pool: SearchPool,
        reader: Reader,
        slices: Slices,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """`now` is the clock of all rooms."""
        self.store = store
        self.slices = slices
        self._pool, self._reader, self._now = pool, reader, now
        self.live: dict[str, LiveRoom] = {}  # those in memory, by name
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
            new_name(),
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
            return SeatRow(BOT, self._reader.bot(wish.bot, game), None, wish.bot)
        return SeatRow(PERSON, "", browser.id if wish.who == "me" else None, wish.name.strip())

    @asynccontextmanager
    async def using(self, name: str, owner: str) -> AsyncIterator[LiveRoom]:
        """A room in memory, from the store if need be, as long as the block lasts; longer only if a browser enters it.

        The owner, a browser, pays for replaying it.
        """
        live = self.live.get(name) or await self._load(name, owner)
        live.users += 1
        try:
            yield live
        finally:
            live.users -= 1
            self._let_go(live)

    async def _load(self, name: str, owner: str) -> LiveRoom:
        async with self._loading:
            while name not in self.live:
                kept = self.store.room(name)
                if kept is None:
                    raise Refused("no_room", room=name)
                row = kept.row  # refused if it is of a file that is no longer offered
                place = Place(row.game, row.start, [move for move, _ in kept.moves])
                positions = await self.slices.take(self._reader.line(place, row.seed), owner)
                if self.store.room(name) == kept:  # no guest has taken a seat meanwhile
                    self.live[name] = LiveRoom(Room.restore(kept, positions, self._now), self.store, self._pool)
            return self.live[name]

    def _let_go(self, live: LiveRoom) -> None:
        """Forget a room that no browser shows or needs; the store has it."""
        if not live.sessions and not live.users and self.live.get(live.name) is live:
            live.close()
            del self.live[live.name]

    def enter(self, live: LiveRoom, session: Session) -> messages.RoomState:
        """Show a room to a browser from now on."""
        browser = session.browser.id
        if not live.is_shown_to(browser) and sum(one.is_shown_to(browser) for one in self.live.values()) >= MOST_SHOWN:
            raise Refused("too_many_pages")
        return live.enter(session)

    def leave(self, name: str, session: Session) -> None:
        """No longer show a room to a browser."""
        live = self.live.get(name)
        if live is not None:
            live.leave(session)
            self._let_go(live)

    def leave_all(self, session: Session) -> None:
        """A browser is gone."""
        for name in list(self.live):
            self.leave(name, session)

    def take_seat(self, invited: Invited, browser: Browser) -> None:
        """Give a seat to a browser that comes by an invitation; a room that is not in memory stays where it is."""
        live = self.live.get(invited.room)
        kept = self.store.room(invited.room)
        if kept is None:
            raise Refused("no_room", room=invited.room)
        if any(seat.who == PERSON and seat.browser == browser.id for seat in kept.row.seats):
            raise Refused("seated_already")
        if live is None:
            seats = seated(kept.row.seats, invited.seat, browser.id, browser.name)
            self.store.change_room(invited.room, seats=seats)
        else:
            live.change(lambda room: room.take_seat(invited.seat, browser.id, browser.name))

    # ------------------------------------------------------------------------------------------------- while it runs

    @property
    def under_way(self) -> int:
        """How many games go on that a browser shows."""
        return sum(not live.room.ongoing.is_over for live in self.live.values())

    async def beat(self) -> None:
        """Note from time to time what the clocks show."""
        while True:
            await asyncio.sleep(HEARTBEAT)
            for live in list(self.live.values()):
                live.note_clocks()

    def close(self) -> None:
        """The server ends."""
        for live in self.live.values():
            live.close()
        self.live.clear()

    # -------------------------------------------------------------------------------------------------------- lists

    def entries(self, browser: str | None, language: str) -> list[messages.RoomEntry]:
        """The rooms of a browser, or all."""
        entries = []
        for kept in self.store.rooms(browser):
            with suppress(BadSpec):  # of a game in a file that is no longer offered
                entries.append(self._entry(kept, self._reader.game(kept.row.game), language))
        return entries

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
