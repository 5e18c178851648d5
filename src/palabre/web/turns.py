"""Whose turn it is: bots that think while somebody looks on, and people whose time runs out."""

import asyncio
import re
import time
from contextlib import suppress
from functools import partial

from palabre.bots.levels import STRONGEST
from palabre.bots.opponents import is_hopeless
from palabre.core.words import say
from palabre.web import page
from palabre.web.keeping import Keeper
from palabre.web.live import Live
from palabre.web.messages import Thinking
from palabre.web.pool.tasks import Choose, Chosen, Prepare
from palabre.web.pool.thinking import NOBODYS_FAULT, Pool
from palabre.web.room import BOT, PERSON
from palabre.web.store import NotKept
from palabre.workers.messages import Preparing, TaskFailed

PACE = 0.7  # seconds between the moves of bots that play each other, so that people can follow
AHEAD = "ahead"  # the owner of what is done before anybody asks for it
AGAIN_AFTER = 1.0  # seconds after which a bot is asked again if the server had too much to do, or its disk was full


class Turns:
    """Lets bots take their turns, and flags fall."""

    def __init__(self, pool: Pool, keeper: Keeper) -> None:
        self._pool = pool
        self._keeper = keeper

    def go_on(self, live: Live) -> None:
        """Let a bot think if it is its turn, or the clock of a person run."""
        room = live.room
        self._set_flag(live)
        self._prepare(live)
        if live.turn is None and self._is_bots_turn(live):
            room.turn_began = None  # a bot's time is measured where it thinks: waiting and compiling do not count
            live.turn = asyncio.create_task(self._take_turns(live))

    def stop(self, live: Live) -> None:
        """Let no bot think any more, and no flag fall."""
        if live.flag is not None:
            live.flag.cancel()
        for going_on in (live.turn, live.job):
            if going_on is not None:
                going_on.cancel()
        live.flag = live.turn = live.job = live.thinking = None
        live.outlooks.clear()

    def _is_bots_turn(self, live: Live) -> bool:
        room = live.room
        return bool(live.sessions) and not room.ongoing.is_over and room.seats[room.to_move].who == BOT

    def _prepare(self, live: Live) -> None:
        """Have the bots of a room compiled while people think about their first move."""
        room = live.room
        if not live.is_prepared and not room.ongoing.is_over and room.seats[room.to_move].who == PERSON:
            live.is_prepared = True
            for spec in {seat.bot for seat in room.seats if seat.who == BOT}:
                ahead = Prepare(page.place_of(room.position), spec)
                self._pool.submit(ahead, owner=AHEAD, on_progress=partial(self._on_progress_ahead, live))

    async def _take_turns(self, live: Live) -> None:
        """Let bots move until it is a person's turn. Whoever cancels this task may already have begun another."""
        only_bots = all(seat.who == BOT for seat in live.room.seats)
        try:
            while self._is_bots_turn(live):
                began = time.monotonic()
                await self._take_turn(live)
                if only_bots:
                    await asyncio.sleep(max(0.0, PACE - (time.monotonic() - began)))
        finally:
            if live.turn is asyncio.current_task():
                live.turn = None
        self._set_flag(live)

    async def _take_turn(self, live: Live) -> None:
        room, seat, ply = live.room, live.room.to_move, live.room.ply
        clock = room.ongoing.clocks[seat]
        task = Choose(
            page.place_of(room.position),
            room.seats[seat].bot,
            seed=room.row.seed,
            seat=seat,
            remaining=clock.remaining,
            increment=clock.increment,
            room=live.name,
        )
        live.thinking = Thinking(seat)
        live.tell()
        live.job = self._pool.submit(task, owner=room.row.opener, on_progress=partial(self._on_progress, live))
        is_again, since = False, None
        try:
            chosen = await live.job.result()
            if self._gives_up(live, seat, chosen):
                self._keeper.end(live, partial(room.resign, seat, time.monotonic()))
            else:
                self._keeper.play(live, chosen.move, chosen.seconds)
                since = ply + 1
        except TaskFailed as error:
            is_again = error.id in NOBODYS_FAULT
            if not is_again:
                with suppress(NotKept):
                    self._keeper.end(live, partial(room.lose, seat, error.message, time.monotonic()))
        except NotKept:
            is_again = True
        live.job = live.thinking = None
        live.tell(since)
        if is_again:
            await asyncio.sleep(AGAIN_AFTER)

    def _gives_up(self, live: Live, seat: int, chosen: Chosen) -> bool:
        """Whether a bot resigns, by what it has thought at its last moves."""
        room = live.room
        outlooks = live.outlooks.setdefault(seat, [])
        outlooks.append(chosen.thought)
        level = re.search(r"\blevel=(\d+)", room.seats[seat].bot)
        known = int(level[1]) if level else STRONGEST
        return room.allowed.bots_resign and is_hopeless(outlooks, known, len(room.seats))

    def _on_progress(self, live: Live, report: object) -> None:
        if isinstance(report, Preparing) and live.thinking is not None:
            done = report.fraction >= 1
            seat = live.thinking.seat
            live.thinking = Thinking(seat, None if done else report.fraction, None if done else report.seconds)
            live.tell()

    def _on_progress_ahead(self, live: Live, report: object) -> None:
        """How far the compiler has come that was started ahead, if a bot waits for it by now."""
        if live.thinking is not None and live.thinking.preparing is not None:
            self._on_progress(live, report)

    def _set_flag(self, live: Live) -> None:
        if live.flag is not None:
            live.flag.cancel()
            live.flag = None
        left = live.room.seconds_to_flag(time.monotonic())
        if left is not None:
            live.flag = asyncio.get_running_loop().call_later(left, self._fall, live)

    def _fall(self, live: Live) -> None:
        """Somebody's time is over, if the clock says so as well."""
        now = time.monotonic()
        left = live.room.seconds_to_flag(now)
        if left is None or left > 0:
            self._set_flag(live)
            return
        with suppress(NotKept):
            self._keeper.end(live, partial(live.room.lose, live.room.to_move, say("game.time_over"), now))
            live.tell()
