"""A room in memory, and the browsers that look at it.

    room.py      decides what happens
    live.py      stores that, and sends it to all who look on
    turns.py     has bots move, and flags fall

A room that no browser shows is not in memory.
"""

import asyncio
from collections.abc import Callable

from msgspec.structs import replace

from palabre.web import page
from palabre.web.messages import RoomChanged, RoomState
from palabre.web.pool.thinking import SearchPool
from palabre.web.refusal import Refused
from palabre.web.room import CLAIM_AFTER, Room
from palabre.web.room_actions import abilities
from palabre.web.session import Session
from palabre.web.shown import ShownRoom
from palabre.web.store import NotKept, ServerStore
from palabre.web.turns import Turns


class LiveRoom:
    """A room in memory."""

    def __init__(self, room: Room, store: ServerStore, pool: SearchPool) -> None:
        self.name, self.room = room.row.room, room
        self.sessions: set[Session] = set()
        self.users = 0  # requests that need it in memory
        self.shown = ShownRoom(lambda: self.room)
        self.turns = Turns(self, pool)
        self._store, self._pool = store, pool

    def is_shown_to(self, browser: str) -> bool:
        """Whether a browser looks at it."""
        return any(session.browser.id == browser for session in self.sessions)

    # ---------------------------------------------------------------------------------------------- what happens there

    def change(self, happen: Callable[[Room], None]) -> None:
        """Have something happen: it is stored, all browsers there get it, and the game goes on.

        What cannot be stored has not happened; then `NotKept` is raised, as is whatever `happen` raises.
        """
        before, room = self.room, self.room.copy()
        happen(room)
        since = None if room.ply == before.ply else min(room.ply, before.ply) + 1
        has_ended = room.ongoing.is_over and not before.ongoing.is_over
        self._store_change(before, room, has_ended=has_ended)
        self.room, room.rematch = room, None
        if room.seats != before.seats:
            self.shown.forget_names()
        if has_ended:
            self._pool.end_room(self.name, page.place_of(room.position))
        if has_ended or since is not None:
            self.turns.stop()
        self.turns.go_on()
        self.send(since)

    def _store_change(self, before: Room, room: Room, *, has_ended: bool) -> None:
        moves, seconds = room.ongoing.moves, room.ongoing.seconds
        self._store.change_room(
            self.name,
            cut=room.ply if room.ply < before.ply else None,
            moves=[(ply, moves[ply].text, seconds[ply]) for ply in range(before.ply, room.ply)],
            left=room.left_now(),
            seats=None if room.seats == before.seats else room.seats,
            ending=room.ending if has_ended else None,
            rematch=room.rematch,
        )

    def send(self, since: int | None = None, besides: Session | None = None) -> None:
        """Send all browsers what has changed: the board from a ply on, or only what is beside it."""
        self.shown.version += 1
        if since is not None:
            self.shown.forget(since)
        changes: dict[str, RoomChanged] = {}  # by language
        for session in self.sessions - {besides}:
            beside, change = self.shown.standing(session, self.turns.thinking), changes.get(session.language)
            if change is None:
                change = changes[session.language] = self.shown.change(since, session.language, beside)
            session.send(replace(change, standing=beside))

    def check(self, ability: str, session: Session) -> None:
        """Refuse what a browser may not do here now."""
        if ability not in abilities(self.room, session.browser.id, self.turns.thinking is not None):
            raise Refused("cannot", what=ability)

    # ------------------------------------------------------------------------------------------------ who looks at it

    def enter(self, session: Session) -> RoomState:
        """Show it to a browser from now on."""
        if not self.sessions:
            self._send_when_claimable()  # against those who do not come as well, after a restart say
        if session not in self.sessions:
            self.sessions.add(session)
            self.room.arrive(session.browser.id)
            self.turns.go_on()
            self.send(besides=session)
        return self.shown.state(session.language, self.shown.standing(session, self.turns.thinking))

    def leave(self, session: Session) -> None:
        """No longer show it to a browser."""
        if session not in self.sessions:
            return
        self.sessions.discard(session)
        if not self.is_shown_to(session.browser.id):
            self.room.depart(session.browser.id)
            self._send_when_claimable()
        self.send()

    def _send_when_claimable(self) -> None:
        """Let those who wait for an opponent know when they may claim the game."""
        asyncio.get_running_loop().call_later(CLAIM_AFTER + 1, self.send)

    # ----------------------------------------------------------------------------------------------------------- clocks

    def note_clocks(self) -> None:
        """Store what the clocks show, for a server that is started again; it is no harm if that fails."""
        if self.room.is_running:
            try:
                self._store.change_room(self.name, left=self.room.left_now())
            except NotKept:
                return

    def close(self) -> None:
        """It is no longer in memory."""
        self.turns.stop()
        self.note_clocks()
