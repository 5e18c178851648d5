"""What happens in rooms, kept in the store before anybody is told of it: what cannot be kept has not happened."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from palabre.web import page
from palabre.web.live import Live
from palabre.web.pool.thinking import Pool
from palabre.web.store import Ending, NotKept, Store


class Keeper:
    """Writes down moves, endings and clocks."""

    def __init__(self, store: Store, pool: Pool) -> None:
        self.store = store
        self._pool = pool

    def play(self, live: Live, move: str, seconds: float | None = None) -> None:
        """Play a move and keep it; of a bot, with the seconds that it took."""
        room, now = live.room, time.monotonic()
        before = room.turn_began, room.spent, room.offer
        room.play(move, now, seconds)
        played, took = room.ongoing.moves[-1].text, room.ongoing.seconds[-1]
        try:
            self.store.add_move(live.name, room.ply - 1, played, took, room.left_now(now))
        except NotKept:
            room.ongoing.undo(1)
            room.turn_began, room.spent, room.offer = before
            raise
        if room.ongoing.is_over:
            with suppress(NotKept):  # the moves say so, too
                self._keep_ending(live)

    def undo(self, live: Live, seats: list[int], target: int) -> None:
        """Take back to the last turn of these seats, which was at this ply."""
        self.store.cut_moves(live.name, target)
        live.room.undo(seats, time.monotonic())

    def end(self, live: Live, ending: Callable[[], None]) -> None:
        """End a game before its end, by calling this."""
        ending()
        try:
            self._keep_ending(live)
        except NotKept:
            live.room.ongoing.undo(0)
            raise

    def _keep_ending(self, live: Live) -> None:
        """Keep that a game is over, and let the bots of others know."""
        ending, result = live.room.ending or Ending(None, False, ""), live.room.ongoing.result
        self.store.set_ending(live.name, replace(ending, shares=None if result is None else list(result)))
        self._pool.end_room(live.name, page.place_of(live.room.position))

    def keep_clocks(self, live: Live) -> None:
        """Note what the clocks show, so that a restarted server knows; it is no harm if that fails."""
        room = live.room
        if room.has_clock and room.turn_began is not None and not room.ongoing.is_over:
            with suppress(NotKept):
                self.store.set_left(live.name, room.left_now(time.monotonic()))
