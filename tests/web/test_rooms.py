"""Rooms in memory: those that somebody looks at, and no others, whatever has been asked of them."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from starlette.requests import Request
from starlette.websockets import WebSocket

from palabre.core.position import Position
from palabre.web import answering, page, requests, shown
from palabre.web import rooms as web_rooms
from palabre.web import server as web_server
from palabre.web.access import IN_SCOPE, Access
from palabre.web.downloads import download
from palabre.web.rates import RateLimit
from palabre.web.refusal import Refused
from palabre.web.run import Parts, ServerSettings
from palabre.web.session import Session
from palabre.web.slices import SLICE, Slices
from palabre.web.store import Browser, Invited, open_store
from tests.command import PATIENCE
from tests.web.test_trespass import FOR_PLAYERS, FOR_SEATED, HARMLESS

MOVES = ["C", "d", "D", "c"]
OF_ROOMS = {**HARMLESS, **FOR_PLAYERS, **FOR_SEATED}
IN_A_ROOM = [kind for kind in OF_ROOMS if "room" in OF_ROOMS[kind]] + ["Hint"]


class Here:
    """A server in the loop of the test, without sockets, and with a room that is kept and not in memory."""

    def __init__(self, server: web_server.WebServer) -> None:
        self.server = server
        self.told: asyncio.Queue[Any] = asyncio.Queue()

    def session(self, name: str, role: Any = "player") -> Session:
        session = Session(cast(WebSocket, None), Browser(name, role))
        session.send = self.told.put_nowait  # type: ignore[assignment,method-assign]
        return session

    async def ask(self, session: Session, kind: str, **fields: Any) -> Any:
        data = json.dumps({"kind": kind, "ask": 1, **fields})
        assert self.server._answer({"type": "websocket.receive", "text": data}, session)
        while True:
            message = await self.told.get()
            if hasattr(message, "ask"):
                await asyncio.sleep(0)  # the task ends
                return message

    async def room(self, *seats: str) -> str:
        place = {"game": "awele", "moves": MOVES}
        opened = await self.ask(
            self.session("mine"), "OpenRoom", place=place, seats=[{"who": seat} for seat in seats or ("me", "guest")]
        )
        return str(opened.result.name)


@asynccontextmanager
async def here(folder: Path) -> AsyncIterator[Here]:
    store = open_store(None)
    parts = Parts(ServerSettings(data=folder / "games.db"), store, "", folder, Access(store), lambda: None)
    server = web_server.WebServer(parts)
    yield Here(server)
    server.context.rooms.close()
    await server.context.answers.close()
    store.close()


def run(folder: Path, scenario: Callable[[Here], Awaitable[None]]) -> None:
    async def scene() -> None:
        async with asyncio.timeout(PATIENCE), here(folder) as server:
            await scenario(server)

    asyncio.run(scene())


@pytest.mark.parametrize("who", ["mine", "another"])
@pytest.mark.parametrize("kind", [kind for kind in IN_A_ROOM if kind != "Enter"])
def test_no_request_leaves_a_room_in_memory_that_nobody_looks_at(tmp_path: Path, kind: str, who: str) -> None:
    async def scenario(here: Here) -> None:
        room = await here.room()
        fields = {**OF_ROOMS[kind], "room": room}
        fields.pop("place", None)
        await here.ask(here.session(who), kind, **fields)
        assert here.server.context.rooms.live == {}
        await here.ask(here.session(who), kind, **{**fields, "room": "nowhere"})
        assert here.server.context.rooms.live == {}

    run(tmp_path, scenario)


def test_every_request_has_a_handler() -> None:
    assert set(web_server.HANDLERS) == set(requests.AnyRequest.__args__)


def test_every_request_with_a_room_is_tried_here() -> None:
    kinds = {kind.__struct_config__.tag for kind in requests.AnyRequest.__args__ if "room" in kind.__struct_fields__}
    assert kinds == set(IN_A_ROOM)


def test_what_cannot_be_stored_has_not_happened(tmp_path: Path) -> None:
    async def scenario(here: Here) -> None:
        mine = here.session("mine")
        room = await here.room("me", "me")
        async with here.server.context.rooms.using(room, "mine") as live:
            before, store = live.room, here.server.context.rooms.store
            store._rows("PRAGMA query_only = ON")
            for kind, fields in (("PlayMove", {"ply": len(MOVES), "move": "E"}), ("Undo", {}), ("Resign", {})):
                refused = await here.ask(mine, kind, room=room, **fields)
                assert refused.id == "not_kept"
                assert str(tmp_path) not in refused.text
                assert live.room is before
                assert (live.room.ply, live.room.ongoing.is_over) == (len(MOVES), False)
            store._rows("PRAGMA query_only = OFF")
            assert (await here.ask(mine, "Undo", room=room)).result is None
            assert live.room.ply == len(MOVES) - 1

    run(tmp_path, scenario)


def test_a_move_is_refused_in_the_names_of_the_table(tmp_path: Path) -> None:
    async def scenario(here: Here) -> None:
        mine = here.session("mine")
        seats = [{"who": "me"}, {"who": "me"}]
        opened = await here.ask(mine, "OpenRoom", place={"game": "awale"}, seats=seats)
        name = opened.result.name
        names = (await here.ask(mine, "Enter", room=name)).result.player_names
        refused = await here.ask(mine, "PlayMove", room=name, ply=0, move="2r")
        assert all(each in refused.text for each in names), refused.text

    run(tmp_path, scenario)


@pytest.mark.processes
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_long_game_is_drawn_by_another_process_as_it_would_be_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    draw = page.plies
    drawn: list[int] = []

    def count(positions: Any, language: str, since: int = 0, *more: Any) -> Any:
        drawn.append(len(positions) - since)
        return draw(positions, language, since, *more)

    async def scenario(here: Here) -> None:
        room, session = await here.room("me", "me"), here.session("mine")
        await here.ask(session, "Hello", language=language)
        monkeypatch.setattr(page, "plies", count)
        state = (await here.ask(session, "Enter", room=room)).result
        assert sum(drawn) == 0
        live = here.server.context.rooms.live[room]
        expected = draw(live.room.ongoing.positions, language, 0, live.room.ongoing.seconds, state.player_names)
        assert msgspec.json.encode(state.plies) == msgspec.json.encode(expected)
        for _ in range(3):
            move = str(live.room.position.moves()[0])
            assert (await here.ask(session, "PlayMove", room=room, ply=live.room.ply, move=move)).result is None
        assert drawn == [1, 1, 1]

    run(tmp_path, scenario)


@pytest.mark.processes
@pytest.mark.parametrize(("ending", "part"), [("txt", b"[Game"), ("svg", b"<svg"), ("html", b"<!DOCTYPE html")])
def test_a_game_to_take_away_is_made_by_another_process_and_not_compressed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str, part: bytes
) -> None:
    for name in ("standalone_replay", "svg", "Record"):
        monkeypatch.setattr(answering, name, None)

    async def scenario(here: Here) -> None:
        room = await here.room("me", "me")
        fields = {"type": "http", "method": "GET", "headers": [], "query_string": b""}
        request = Request({**fields, "path_params": {"name": f"{room}.{ending}"}, IN_SCOPE: Browser("mine", "player")})
        answer = await download(request, here.server.context.rooms, here.server.context.answers)
        assert (answer.status_code, answer.headers["Content-Encoding"]) == (200, "identity")
        assert part in answer.body
        assert here.server.context.rooms.live == {}
        here.server.context.limits.work.charge("mine", 1e9)
        answer = await download(request, here.server.context.rooms, here.server.context.answers)
        assert answer.status_code == 429

    run(tmp_path, scenario)


@pytest.mark.processes
def test_who_changes_the_language_is_made_to_enter_again_and_nothing_is_drawn_meanwhile(tmp_path: Path) -> None:
    async def scenario(here: Here) -> None:
        room, session = await here.room("me", "me"), here.session("mine")
        version = (await here.ask(session, "Enter", room=room)).result.version
        await here.ask(session, "Hello", language="fr")
        live = here.server.context.rooms.live[room]
        move = str(live.room.position.moves()[0])
        live.change(lambda room: room.play(move))
        pushed = await here.told.get()
        assert pushed.version > version + 1  # the page takes it as a sign that it has missed something
        assert pushed.plies == []
        state = (await here.ask(session, "Enter", room=room)).result
        assert len(state.plies) == len(MOVES) + 2

    run(tmp_path, scenario)


@pytest.mark.processes
def test_who_leaves_while_a_room_is_being_drawn_is_not_in_it(tmp_path: Path) -> None:
    async def scenario(here: Here) -> None:
        room, session = await here.room("me", "me"), here.session("mine")
        here.server._answer(
            {"type": "websocket.receive", "text": f'{{"kind":"Enter","ask":7,"room":"{room}"}}'}, session
        )
        assert session.entering == {} or session.entering == {room: 7}
        for _ in range(5):
            await asyncio.sleep(0)
        assert session.entering == {room: 7}
        await here.ask(session, "Leave", room=room)
        while session.entering:
            await asyncio.sleep(0)
        assert here.server.context.rooms.live == {}
        assert (await here.ask(session, "Enter", room="nowhere")).id == "no_room"
        assert session.entering == {}

    run(tmp_path, scenario)


@pytest.mark.processes
def test_a_room_stays_as_long_as_somebody_looks_at_it(tmp_path: Path) -> None:
    async def scenario(here: Here) -> None:
        room = await here.room("me", "me")
        mine, other = here.session("mine"), here.session("another", "watcher")
        assert (await here.ask(mine, "Enter", room=room)).result.room == room
        refused = await here.ask(other, "Undo", room=room)
        assert refused.id == "no_undo"
        assert set(here.server.context.rooms.live) == {room}
        move = str(here.server.context.rooms.live[room].room.position.moves()[0])
        assert (await here.ask(mine, "PlayMove", room=room, ply=len(MOVES), move=move)).result is None
        await here.ask(mine, "Leave", room=room)
        assert here.server.context.rooms.live == {}
        assert (await here.ask(mine, "Undo", room=room)).result is None  # it works without looking, too
        assert here.server.context.rooms.live == {}
        kept = here.server.context.rooms.store.room(room)
        assert kept is not None
        assert [text for text, _ in kept.moves] == MOVES

    run(tmp_path, scenario)


def test_a_browser_looks_at_so_many_rooms_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_rooms, "MOST_SHOWN", 3)
    monkeypatch.setattr(shown, "FEW_PLIES", 100)

    async def scenario(here: Here) -> None:
        names = [await here.room("me", "me") for _ in range(5)]
        pages = [here.session("mine") for _ in names]
        answers = [await here.ask(session, "Enter", room=room) for session, room in zip(pages, names, strict=True)]
        assert [getattr(answer, "id", "") for answer in answers] == ["", "", "", "too_many_pages", "too_many_pages"]
        assert set(here.server.context.rooms.live) == set(names[:3])
        assert (await here.ask(here.session("another"), "Enter", room=names[4])).result.room == names[4]
        assert (await here.ask(pages[0], "Leave", room=names[0])).result is None
        assert (await here.ask(pages[0], "Enter", room=names[3])).result.room == names[3]

    run(tmp_path, scenario)


def test_whoever_is_invited_sits_down_without_the_room_in_memory(tmp_path: Path) -> None:
    async def scenario(here: Here) -> None:
        room, rooms = await here.room(), here.server.context.rooms
        with pytest.raises(Refused, match="already"):
            rooms.take_seat(Invited(room, 1), Browser("mine", "player"))
        rooms.take_seat(Invited(room, 1), Browser("another", "player", "Ada"))
        with pytest.raises(Refused):
            rooms.take_seat(Invited(room, 1), Browser("third", "player"))
        kept = rooms.store.room(room)
        assert kept is not None
        assert [seat.browser for seat in kept.row.seats] == ["mine", "another"]
        assert rooms.live == {}

    run(tmp_path, scenario)


def test_two_who_come_at_once_are_in_the_same_room(tmp_path: Path) -> None:
    async def scenario(here: Here) -> None:
        room, rooms = await here.room(), here.server.context.rooms

        async def use() -> int:
            async with rooms.using(room, "mine") as live:
                await asyncio.sleep(0)
                return id(live)

        assert len(set(await asyncio.gather(*(use() for _ in range(5))))) == 1
        assert rooms.live == {}

    run(tmp_path, scenario)


def test_a_long_game_is_replayed_in_slices_and_at_the_cost_of_who_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between two slices others have their turn: counted are the turns, by a clock that each replayed move sets."""
    now, turns = [0.0], [0]
    play = Position.play

    def slow(self: Position, move: Any) -> Position:
        now[0] += 0.6 * SLICE
        return play(self, move)

    async def scenario(here: Here) -> None:
        room, rooms = await here.room("me", "me"), here.server.context.rooms
        budget = RateLimit("too_costly", per_second=0.001, burst=len(MOVES) * SLICE, clock=lambda: now[0])
        rooms.slices = Slices(budget, clock=lambda: now[0])
        monkeypatch.setattr(Position, "play", slow)

        async def count() -> None:
            while True:
                turns[0] += 1
                await asyncio.sleep(0)

        counting = asyncio.create_task(count())
        await asyncio.sleep(0)
        before = turns[0]
        async with rooms.using(room, "mine"):
            assert turns[0] - before >= len(MOVES) // 2
        async with rooms.using(room, "mine"):
            pass
        with pytest.raises(Refused) as raised:
            async with rooms.using(room, "mine"):
                pass
        assert raised.value.id == "too_costly"
        async with rooms.using(room, "another"):
            pass
        counting.cancel()

    run(tmp_path, scenario)


def test_work_that_is_given_up_is_paid_for_and_lets_the_next_begin() -> None:
    now = [0.0]

    def steps() -> Iterator[int]:
        for number in range(10):
            now[0] += 1.0
            yield number

    async def scenario() -> None:
        budget = RateLimit("too_costly", per_second=0.001, burst=5.0, clock=lambda: now[0])
        slices = Slices(budget, clock=lambda: now[0])
        task = asyncio.create_task(slices.take(steps(), "a"))
        for _ in range(6):
            await asyncio.sleep(0)
        task.cancel()
        assert await slices.take(steps(), "b") == list(range(10))
        with pytest.raises(Refused):
            await slices.take(steps(), "a")

    asyncio.run(scenario())
