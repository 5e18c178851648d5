"""No engine helps in a running game between people, unless its room allows that.

A player who waits for an opponent's move may analyse whatever they like, but not that game: not the positions that it
has just had, not those that it can have soon, and nothing that follows from them. A position is recognised by what lies
on the board and whose turn it is, however it is written down and under whatever rules, also if the board is turned
or mirrored or the players are exchanged.
"""

import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import suppress

from palabre.core.errors import BadSpec
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.core.registry import split
from palabre.web.refusal import Refused
from palabre.web.room import PERSON, Room
from palabre.web.rooms import Rooms
from palabre.web.store import DAY
from palabre.web.symmetry import Look, Outline, look_of, looks_of, outline_of

PAST = 6  # plies of a running game up to now that are its own; what lies further back shows little of its future
MOST_AHEAD = 2_000  # positions ahead that are looked at: one ply at least, further ones while there are few
FORGOTTEN = 7 * DAY  # seconds after its last change for which a game counts as running
MOST_RUNNING = 100  # games of one browser; with more of them against people it gets no help at all
MOST_KEPT = 64  # rooms whose neighbourhoods are remembered


class Neighbourhood:
    """What some positions look like, and all that can soon follow from the last one."""

    def __init__(self) -> None:
        self.looks: set[Look] = set()
        self._outlines: set[Outline] = set()

    @classmethod
    def around(cls, past: Sequence[Position]) -> "Iterator[Neighbourhood]":
        """The neighbourhood of some positions, step by step; it is complete when there are no more steps."""
        near = cls()
        known = {look_of(position): position for position in past}
        edge = [past[-1]]
        while edge:
            after: dict[Look, Position] = {}
            for position in edge:
                after |= {look_of(next_): next_ for next_ in map(position.play, position.moves())}
                yield near
            edge = [position for look, position in after.items() if look not in known]
            known |= after
            ahead = 0
            for position in edge:
                ahead += len(position.moves())
                yield near
            if len(known) + ahead > MOST_AHEAD:
                break
        for look, position in known.items():
            near.looks.add(look)
            near._outlines.add(outline_of(position, look))
            yield near

    def matches(self, positions: Sequence[Position]) -> Iterator[bool]:
        """Whether each of some positions is among these, seen from any side; the first that is comes last."""
        for one in positions:
            is_similar = outline_of(one, look_of(one)) in self._outlines
            is_near = is_similar and any(look in self.looks for look in looks_of(one))
            yield is_near
            if is_near:
                return


class Fairness:
    """Knows with which positions an engine must not help a browser."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._near: OrderedDict[str, tuple[Position, Neighbourhood]] = OrderedDict()  # by room, for its last position

    async def check(self, positions: Sequence[Position], browser: str) -> None:
        """Refuse help with a line of positions, of which one is of a running game of this browser against people."""
        for name in self._running(positions[0].game, browser):
            with suppress(BadSpec):  # of a game in a file that is no longer offered
                async with self._rooms.using(name, browser) as live:
                    if live.room.ply > 0 and not live.room.allows_help(browser):
                        near = await self._neighbourhood(live.room, browser)
                        if any(await self._rooms.slices.take(near.matches(positions), browser)):
                            raise Refused("no_help")

    def _running(self, game: Game, browser: str) -> Iterator[str]:
        """The rooms in which a browser may be playing this game against people."""
        running = self._rooms.store.running(browser, time.time() - FORGOTTEN, MOST_RUNNING)
        if len(running) == MOST_RUNNING:  # there may be more, and one of them may be the one that matters
            raise Refused("no_help")
        for kept in running:
            if split(kept.row.game)[0] != split(game.spec)[0]:
                continue
            people = {seat.browser for seat in kept.row.seats if seat.who == PERSON}
            if kept.plies > 0 and len(people) > 1 and browser in people:
                yield kept.row.room

    async def _neighbourhood(self, room: Room, browser: str) -> Neighbourhood:
        name, now = room.row.room, room.position
        if name not in self._near or self._near[name][0] != now:
            past = room.ongoing.positions[-PAST - 1 :]
            near = (await self._rooms.slices.take(Neighbourhood.around(past), browser))[-1]
            self._near[name] = now, near
        self._near.move_to_end(name)
        while len(self._near) > MOST_KEPT:
            self._near.popitem(last=False)
        return self._near[name][1]
