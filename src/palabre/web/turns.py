"""Whose turn it is in a room: bots that think while a browser shows it, and people whose time runs out."""

import asyncio
from typing import TYPE_CHECKING

from palabre.core.words import say
from palabre.web import page
from palabre.web.messages import Thinking
from palabre.web.pool.tasks import Choose, Chosen
from palabre.web.pool.thinking import TEMPORARY, SearchPool
from palabre.web.room import BOT
from palabre.web.store import NotKept
from palabre.workers.job import Job
from palabre.workers.messages import Preparing, TaskFailed

if TYPE_CHECKING:
    from palabre.web.live import LiveRoom

PACE = 0.7  # seconds between the moves of bots that play each other, so that people can follow
AGAIN_AFTER = 1.0  # seconds after which what failed is tried again: the server had too much to do, or its disk was full


class Turns:
    """Has the bots of a room move, and flags fall."""

    def __init__(self, live: "LiveRoom", pool: SearchPool) -> None:
        self.thinking: Thinking | None = None  # the bot that thinks, as browsers are shown it
        self._live, self._pool = live, pool
        self._task: asyncio.Task[None] | None = None  # in which bots move
        self._job: Job[Chosen] | None = None  # the search of the bot to move
        self._flag: asyncio.TimerHandle | None = None  # when the time of the player to move is over
        self._is_prepared = False  # the bots are being compiled, or have been

    def go_on(self) -> None:
        """Let a bot think if it is its turn, or the clock of a person run."""
        self._set_flag()
        if not self._live.room.is_bots_turn:
            if not self._is_prepared:
                self._prepare()
        elif self._live.sessions and self._task is None:
            self.thinking = Thinking(self._live.room.to_move)
            self._task = asyncio.create_task(self._play())

    def stop(self) -> None:
        """Let no bot think any more, and no flag fall. The task that calls this, after a bot's move, goes on."""
        if self._flag is not None:
            self._flag.cancel()
        if self._job is not None:
            self._job.cancel()
        if self._task is not None and self._task is not asyncio.current_task():
            self._task.cancel()
            self._task = None
        self._flag = self._job = self.thinking = None

    def hurry(self) -> None:
        """Have the bot to move play the best move that it knows by now."""
        if self._job is not None:
            self._job.stop()

    # ------------------------------------------------------------------------------------------------------------ bots

    def _prepare(self) -> None:
        """Have the bots of a room compiled while people think about their first move."""
        room = self._live.room
        if not room.ongoing.is_over:
            self._is_prepared = True
            for spec in {seat.bot for seat in room.seats if seat.who == BOT}:
                self._pool.prepare(page.place_of(room.position), spec, self._on_progress_ahead)

    async def _play(self) -> None:
        """Let bots move until it is a person's turn. When this task is cancelled, there may be another already."""
        only_bots = all(seat.who == BOT for seat in self._live.room.seats)
        now = asyncio.get_running_loop().time
        try:
            while self._live.sessions and self._live.room.is_bots_turn:
                began = now()
                await self._move()
                if only_bots:
                    await asyncio.sleep(began + PACE - now())
        finally:
            if self._task is asyncio.current_task():
                self._task = self.thinking = None

    async def _move(self) -> None:
        """Have the bot to move choose, and its move played; it loses the game if it fails."""
        live, room = self._live, self._live.room
        seat, clock = room.to_move, room.ongoing.clocks[room.to_move]
        task = Choose(
            page.place_of(room.position),
            room.seats[seat].bot,
            seed=room.row.seed,
            seat=seat,
            remaining=clock.remaining,
            increment=clock.increment,
            room=live.name,
        )
        if self.thinking is None:  # else that has been sent with the move before
            self.thinking = Thinking(seat)
            live.send()
        self._job = self._pool.submit(task, owner=room.row.opener, on_progress=self._on_progress)
        try:
            try:
                chosen = await self._job.outcome()
                self._job = None
                live.change(lambda room: room.play_bot(chosen.move, chosen.seconds, chosen))
            except TaskFailed as error:
                if error.id in TEMPORARY:
                    raise
                reason = error.message
                live.change(lambda room: room.lose(seat, reason))
        except (TaskFailed, NotKept):
            self._job = self.thinking = None
            live.send()
            await asyncio.sleep(AGAIN_AFTER)

    def _on_progress(self, report: object) -> None:
        if isinstance(report, Preparing) and self.thinking is not None:
            is_done = report.fraction >= 1
            shown = (None, None) if is_done else (report.fraction, report.seconds)
            self.thinking = Thinking(self.thinking.seat, *shown)
            self._live.send()

    def _on_progress_ahead(self, report: object) -> None:
        """How far the compiler has come that was started ahead, if a bot waits for it by now."""
        if self.thinking is not None and self.thinking.preparing is not None:
            self._on_progress(report)

    # ----------------------------------------------------------------------------------------------------------- flags

    def _set_flag(self) -> None:
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        left = self._live.room.seconds_to_flag()
        if left is not None:
            self._flag = asyncio.get_running_loop().call_later(left, self._fall)

    def _fall(self) -> None:
        """The time of the player to move is over, if the clock shows it as well."""
        left = self._live.room.seconds_to_flag()
        if left is None or left > 0:
            self._set_flag()
            return
        try:
            self._live.change(lambda room: room.lose(room.to_move, say("game.time_over")))
        except NotKept:
            self._flag = asyncio.get_running_loop().call_later(AGAIN_AFTER, self._fall)
