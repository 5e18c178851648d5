"""No engine helps in a running game between people, unless its room allows that.

Somebody who waits for an opponent's move may analyse whatever they like, but not that game: not the positions that it
has just had, not those that it can have soon, and nothing that follows from them. A position is known again by what
lies on the board and whose turn it is, however it is written down and under whatever rules.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import suppress

from palabre.core.board import Piece
from palabre.core.errors import BadSpec
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.core.registry import split
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

Look = tuple[int, frozenset[Piece]]


class Fairness:
    """Knows about which positions an engine must not tell a browser anything."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._near: OrderedDict[str, tuple[Position, frozenset[Look]]] = OrderedDict()  # by room, for its last position

    async def check(self, positions: Sequence[Position], browser: str) -> None:
        """Refuse help with a line of positions, of which one is of a running game of this browser against people."""
        for room in self._running(positions[0].game, browser):
            near = await self._neighbourhood(room)
            if any(look_of(position) in near for position in positions):
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

    async def _neighbourhood(self, room: Room) -> frozenset[Look]:
        name, now = room.row.room, room.position
        if name not in self._near or self._near[name][0] != now:
            past = room.ongoing.positions[-PAST - 1 :]
            self._near[name] = now, await asyncio.to_thread(neighbourhood, tuple(past))
        self._near.move_to_end(name)
        while len(self._near) > MOST_KEPT:
            self._near.popitem(last=False)
        return self._near[name][1]


def neighbourhood(past: Sequence[Position]) -> frozenset[Look]:
    """What these positions look like, and all that can soon follow from the last one."""
    near = {look_of(position) for position in past}
    edge = [past[-1]]
    while edge:
        after = [position.play(move) for position in edge for move in position.moves()]
        found = {look_of(position): position for position in after}
        edge = [position for look, position in found.items() if look not in near]
        near.update(found)
        if len(near) + sum(len(position.moves()) for position in edge) > MOST_AHEAD:
            break
    return frozenset(near)


def look_of(position: Position) -> Look:
    """What people see of a position: whose turn it is and what lies on the board, without stores, scores and counts."""
    view = position.game.view
    stores = {cell.name for cell in view.cells(position.game.options) if cell.store}
    return position.to_move, frozenset(piece for piece in view.pieces(position.state) if piece.cell not in stores)
