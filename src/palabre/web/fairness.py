"""No engine helps in a running game between people, unless its room allows that.

Somebody who waits for an opponent's move may analyse whatever they like, but not that game: not the positions that it
has just had, not those that it can have soon, and nothing that follows from them. A position is known again by what
lies on the board and whose turn it is, however it is written down and under whatever rules, also if the board is turned
or mirrored or the players are exchanged.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import suppress

from palabre.core.errors import BadSpec
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.core.registry import split
from palabre.web.mirrors import look_of, looks_of, outline_of
from palabre.web.refusal import Refused
from palabre.web.room import Room
from palabre.web.rooms import Rooms
from palabre.web.store import DAY

PAST = 6  # plies of a running game up to now that are its own; what lies further back tells little about its future
MOST_AHEAD = (
    2_000  # positions ahead that are looked at: one ply at least, and further ones while there are not too many
)
FORGOTTEN = 7 * DAY  # seconds after its last change for which a game counts as running
MOST_KEPT = 64  # rooms whose neighbourhoods are remembered


class Neighbourhood:
    """What some positions look like, and all that can soon follow from the last one."""

    def __init__(self, past: Sequence[Position]) -> None:
        found = {look_of(position): position for position in past}
        edge = [past[-1]]
        while edge:
            after = {look_of(next_): next_ for position in edge for next_ in map(position.play, position.moves())}
            edge = [position for look, position in after.items() if look not in found]
            found |= after
            if len(found) + sum(len(position.moves()) for position in edge) > MOST_AHEAD:
                break
        self.looks = frozenset(found)
        self._outlines = frozenset(outline_of(position, look) for look, position in found.items())

    def has_any(self, positions: Sequence[Position]) -> bool:
        """Whether one of some positions is among these, seen from any side."""
        similar = (one for one in positions if outline_of(one, look_of(one)) in self._outlines)
        return any(look in self.looks for position in similar for look in looks_of(position))


class Fairness:
    """Knows about which positions an engine must not tell a browser anything."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._near: OrderedDict[str, tuple[Position, Neighbourhood]] = OrderedDict()  # by room, for its last position

    async def check(self, positions: Sequence[Position], browser: str) -> None:
        """Refuse help with a line of positions, of which one is of a running game of this browser against people."""
        for room in self._running(positions[0].game, browser):
            near = await self._neighbourhood(room)
            if await asyncio.to_thread(near.has_any, positions):
                raise Refused("no_help")

    def _running(self, game: Game, browser: str) -> Iterator[Room]:
        """The games of this kind that a browser is playing against people without help."""
        for kept in self._rooms.store.rooms(browser):
            is_of_game = split(kept.row.game)[0] == split(game.spec)[0]
            if kept.ending is not None or not is_of_game or time.time() - kept.changed > FORGOTTEN:
                continue
            with suppress(BadSpec):  # of a game in a file that is no longer offered
                room = self._rooms.peek(kept.row.room)
                if room.ply > 0 and not room.allows_help(browser):
                    yield room

    async def _neighbourhood(self, room: Room) -> Neighbourhood:
        name, now = room.row.room, room.position
        if name not in self._near or self._near[name][0] != now:
            past = room.ongoing.positions[-PAST - 1 :]
            self._near[name] = now, await asyncio.to_thread(Neighbourhood, tuple(past))
        self._near.move_to_end(name)
        while len(self._near) > MOST_KEPT:
            self._near.popitem(last=False)
        return self._near[name][1]
