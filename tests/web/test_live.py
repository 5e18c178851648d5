"""A room in memory: what happens is stored, then sent; bots move, and flags fall, by a clock that the test holds."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, cast

import pytest
from starlette.websockets import WebSocket

from palabre.core.registry import game
from palabre.core.words import say
from palabre.web import turns
from palabre.web.live import LiveRoom
from palabre.web.messages import RoomChanged, Thinking
from palabre.web.pool.tasks import Chosen
from palabre.web.pool.thinking import SearchPool
from palabre.web.room import Room
from palabre.web.session import Session
from palabre.web.store import Browser, RoomRow, SeatRow, ServerStore, open_store
from palabre.workers.messages import Preparing, TaskFailed
from tests.command import PATIENCE

ME = SeatRow("person", "", "me", "Ada")
BOT = SeatRow("bot", "greedy", None, "greedy")


class Search:
    """A task of a bot, in the hand of the test."""

    def __init__(self, task: Any, on_progress: Callable[[Any], None]) -> None:
        self.task, self.on_progress = task, on_progress
        self.future: asyncio.Future[Chosen] = asyncio.get_running_loop().create_future()
        self.is_stopped = False

    async def outcome(self) -> Chosen:
        return await self.future

    def stop(self) -> None:
        self.is_stopped = True

    def cancel(self) -> None:
        self.future.cancel()


class Searches:
    """Stands for the pool."""

    def __init__(self) -> None:
        self.moves: list[Search] = []
        self.prepared: list[str] = []
        self.ended: list[str] = []

    def submit(self, task: Any, *, owner: str, on_progress: Callable[[Any], None]) -> Search:
        self.moves.append(Search(task, on_progress))
        return self.moves[-1]

    def prepare(self, place: object, bot: str, on_progress: object) -> None:
        self.prepared.append(bot)

    def end_room(self, room: str, place: object) -> None:
        self.ended.append(room)


class Table:
    """A room in memory with its surroundings."""

    def __init__(self, *seats: SeatRow, clock: tuple[float, float] | None = None) -> None:
        row = RoomRow("room", "awele", None, 0, seats, clock, {}, "me", created=0.0)
        self.store: ServerStore = open_store(None)
        self.store.add_room(row)
        self.time, self.pool = 0.0, Searches()
        room = Room.begin(row, game("awele").start(), lambda: self.time)
        self.live = LiveRoom(room, self.store, cast(SearchPool, self.pool))
        self.sent: list[RoomChanged] = []
        self.session = Session(cast(WebSocket, None), Browser("me", "player"))
        self.session.send = self.sent.append  # type: ignore[assignment,method-assign]

    @property
    def kept(self) -> Any:
        """The room as it is stored."""
        return self.store.room("room")

    def play(self, move: str) -> None:
        self.live.change(lambda room: room.play(move))


def run(scenario: Callable[[], Awaitable[None]]) -> None:
    async def scene() -> None:
        async with asyncio.timeout(PATIENCE):
            await scenario()

    asyncio.run(scene())


async def turn_over() -> None:
    """Let tasks go on until they wait."""
    for _ in range(10):
        await asyncio.sleep(0)


def test_a_bot_answers_and_both_moves_are_stored_before_they_are_sent() -> None:
    async def scenario() -> None:
        table = Table(ME, BOT)
        stored: list[int] = []
        table.session.send = lambda message: stored.append(table.kept.plies)  # type: ignore[method-assign]
        table.live.enter(table.session)
        assert table.pool.prepared == ["greedy"]
        table.play("C")
        await turn_over()
        [search] = table.pool.moves
        assert (search.task.seat, search.task.place.moves) == (1, ["C"])
        assert table.live.turns.thinking is not None
        search.future.set_result(Chosen("c", 0.5))
        await turn_over()
        assert [move for move, _ in table.kept.moves] == ["C", "c"]
        assert table.live.turns.thinking is None
        assert stored == [1, 2]  # the move, after which the bot thinks, and its move
        table.live.close()

    run(scenario)


def test_no_bot_thinks_where_no_browser_looks_on_or_once_the_game_is_over() -> None:
    async def scenario() -> None:
        table = Table(ME, BOT)
        table.play("C")
        await turn_over()
        assert not table.pool.moves
        table.live.enter(table.session)
        await turn_over()
        [search] = table.pool.moves
        table.live.change(lambda room: room.resign(0))
        await turn_over()
        assert search.future.cancelled()
        assert table.pool.ended == ["room"]
        assert table.kept.ending.shares == [0.0, 1.0]
        table.live.close()

    run(scenario)


def test_a_bot_that_fails_has_lost_and_one_that_had_no_chance_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "AGAIN_AFTER", 0.0)

    async def scenario() -> None:
        table = Table(ME, BOT)
        table.live.enter(table.session)
        table.play("C")
        await turn_over()
        table.pool.moves[0].future.set_exception(TaskFailed("task.busy"))
        await turn_over()
        assert not table.live.room.ongoing.is_over
        table.pool.moves[1].future.set_exception(TaskFailed("task.refused", say("game.time_over")))
        await turn_over()
        assert len(table.pool.moves) == 2
        assert table.kept.ending.loser == 1
        table.live.close()

    run(scenario)


def test_a_bot_is_asked_again_if_its_move_could_not_be_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "AGAIN_AFTER", 0.0)

    async def scenario() -> None:
        table = Table(ME, BOT)
        table.live.enter(table.session)
        table.play("C")
        await turn_over()
        table.store._rows("PRAGMA query_only = ON")
        table.pool.moves[0].future.set_result(Chosen("c", 0.5))
        await turn_over()
        assert table.live.room.ply == 1
        table.store._rows("PRAGMA query_only = OFF")
        table.pool.moves[1].future.set_result(Chosen("c", 0.5))
        await turn_over()
        assert table.live.room.ply == table.kept.plies == 2
        table.live.close()

    run(scenario)


def test_what_compiles_is_shown_and_a_bot_can_be_hurried() -> None:
    async def scenario() -> None:
        table = Table(ME, BOT)
        table.live.enter(table.session)
        table.play("C")
        await turn_over()
        [search] = table.pool.moves
        [change] = table.sent
        assert (change.since, change.standing.thinking) == (1, Thinking(1))  # one message has both
        for fraction, shown in ((0.5, 0.5), (1.0, None)):
            search.on_progress(Preparing(1, fraction, 8.0))
            thinking = table.sent[-1].standing.thinking
            assert thinking is not None
            assert (thinking.seat, thinking.preparing) == (1, shown)
        table.live.turns.hurry()
        assert search.is_stopped
        table.live.close()

    run(scenario)


def test_a_move_that_is_taken_back_ends_the_search_for_its_answer() -> None:
    async def scenario() -> None:
        table = Table(ME, BOT)
        table.live.enter(table.session)
        table.play("C")
        await turn_over()
        table.live.change(lambda room: room.undo([0]))
        await turn_over()
        assert table.pool.moves[0].future.cancelled()
        assert table.live.turns.thinking is None
        assert (table.sent[-1].since, table.sent[-1].plies, table.kept.plies) == (1, [], 0)
        table.play("D")
        await turn_over()
        assert table.pool.moves[1].task.place.moves == ["D"]
        table.live.close()

    run(scenario)


def test_a_flag_falls_once_the_clock_says_so_and_again_if_that_could_not_be_stored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turns, "AGAIN_AFTER", 0.0)

    async def scenario() -> None:
        table = Table(ME, ME, clock=(60.0, 0.0))
        table.live.enter(table.session)
        for move in ("C", "c"):
            table.play(move)
        table.live.turns._fall()
        assert not table.live.room.ongoing.is_over
        table.time = 60.0
        table.store._rows("PRAGMA query_only = ON")
        table.live.turns._fall()
        assert not table.live.room.ongoing.is_over
        table.store._rows("PRAGMA query_only = OFF")
        while not table.live.room.ongoing.is_over:
            await asyncio.sleep(0)
        assert table.kept.ending.loser == 0
        assert table.kept.left == [0.0, 60.0]
        table.live.close()

    run(scenario)
