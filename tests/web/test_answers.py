"""What takes long is done by another process, in turns, and paid for by the browser that has asked."""

import asyncio
import json
import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from starlette.websockets import WebSocket

from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.core.words import text_of, the_player
from palabre.web import answering, requests
from palabre.web import server as web_server
from palabre.web.access import Access
from palabre.web.answering import Answerable, Ask, answer
from palabre.web.answers import MOST_WAITING, Answers, NotAnswered
from palabre.web.limits import Folders, ServerLimits
from palabre.web.rates import RateLimit
from palabre.web.reading import Reader
from palabre.web.refusal import Refused
from palabre.web.requests import Place, ShowLine
from palabre.web.run import Parts, ServerSettings
from palabre.web.session import Session
from palabre.web.store import Browser, open_store
from palabre.workers.messages import Order, TaskFailed
from palabre.workers.service import Running
from tests.command import PATIENCE
from tests.web.pool.pools import pids

READER = Reader(ServerLimits(), Folders())
PLACE = {"game": "awele", "moves": ["C", "d", "D", "c", "A", "f"]}
SHOW = Ask(ShowLine(1, Place("awele")), "en")
REQUESTS: dict[str, dict[str, Any]] = {
    "Catalogue": {},
    "Choices": {"game": "abalone"},
    "Rules": {"game": "penguins"},
    "ReadText": {"text": "C d D c", "game": "awele"},
    "WriteText": {"place": PLACE},
    "ShowLine": {"place": PLACE},
    "WhyNot": {"place": PLACE, "clicks": [0]},
}


def answered(task: Ask) -> object:
    """The answer to a request, in this process."""
    return answer(READER, task, Running(Order(1, msgspec.Raw(b"")), lambda message: None))


def test_a_move_that_is_tried_out_is_refused_in_the_names_of_the_table() -> None:
    tried = Place("awale", moves=["2r"])
    for names in (["Ada", "Level 3"], []):
        with pytest.raises(PalabreError) as raised:
            answered(Ask(ShowLine(1, tried, names=names), "en"))
        told = text_of(raised.value.message)
        assert all(name in told for name in names)
        assert (the_player(0).text() in told) is (not names)


class Priced(Answers):
    """Answers at a price, without a process."""

    def __init__(self, price: float, burst: float = 5.0) -> None:
        self.now, self.price = 0.0, price
        self.order: list[str] = []  # languages of what has been answered
        super().__init__(READER, RateLimit("too_costly", per_second=0.2, burst=burst, clock=lambda: self.now))

    async def _exchange(self, task: Ask, owner: str) -> tuple[msgspec.Raw | TaskFailed, float]:
        await asyncio.sleep(0)
        self.order.append(task.language)
        return msgspec.Raw(b"1"), self.price

    async def count(self, asked: int, owner: str) -> int:
        """How many of so many requests at once are answered."""
        waiting = [self.ask(Ask(SHOW.request, owner), owner) for _ in range(asked)]
        done = await asyncio.gather(*waiting, return_exceptions=True)
        refused = [one for one in done if isinstance(one, Refused)]
        assert {one.id for one in refused} <= {"too_costly", "too_fast"}
        return len(done) - len(refused)


def run(scenario: Callable[[], Awaitable[None]]) -> None:
    async def scene() -> None:
        async with asyncio.timeout(PATIENCE):
            await scenario()

    asyncio.run(scene())


def test_a_browser_pays_by_cost_and_not_by_count() -> None:
    async def scenario() -> None:
        dear, cheap = Priced(0.9), Priced(0.001)
        assert await dear.count(20, "a") == 6  # the sixth begins with something left
        assert await dear.count(20, "a") == 0
        assert await dear.count(1, "b") == 1  # each has their own
        dear.now += 4.6  # 5.4 s have been used: 4.48 are left to pay
        assert await dear.count(20, "a") == 1
        assert await cheap.count(40, "a") == 40

    run(scenario)


def test_what_nobody_can_answer_costs_all_that_a_browser_may_use() -> None:
    class Dying(Priced):
        async def _exchange(self, task: Ask, owner: str) -> tuple[msgspec.Raw | TaskFailed, float]:
            return TaskFailed("task.died"), 0.0

    async def scenario() -> None:
        answers = Dying(0.0)
        with pytest.raises(Refused) as raised:
            await answers.ask(SHOW, "a")
        assert raised.value.id == "too_costly"
        assert await answers.count(10, "a") == 0

    run(scenario)


def test_browsers_take_turns() -> None:
    async def scenario() -> None:
        answers = Priced(0.0)
        asked = [answers.count(10, "a"), answers.count(2, "b"), answers.count(1, "c")]
        assert await asyncio.gather(*asked) == [10, 2, 1]
        assert answers.order == [*"abcaba", *"aaaaaaa"]

    run(scenario)


def test_what_waits_is_bounded_and_nothing_is_done_for_those_who_are_gone() -> None:
    async def scenario() -> None:
        answers = Priced(0.0)
        assert await answers.count(3 * MOST_WAITING, "a") == MOST_WAITING
        answers.order.clear()
        asked = asyncio.create_task(answers.count(5, "b"))
        for _ in range(3):
            await asyncio.sleep(0)
        asked.cancel()
        assert await answers.count(1, "c") == 1
        assert answers.order.count("b") <= 2

    run(scenario)


def test_an_answer_that_takes_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(task: Ask, request: object, reader: Reader) -> None:
        while True:
            pass

    monkeypatch.setitem(answering._ANSWERS, ShowLine, endless)
    monkeypatch.setattr(answering, "MOST_SECONDS", 0.01)
    with pytest.raises(Refused) as raised:
        answered(SHOW)
    assert raised.value.id == "too_costly"
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)


def test_every_request_of_this_kind_is_tried_here() -> None:
    assert {kind.__struct_config__.tag for kind in Answerable.__args__} == set(REQUESTS)


@pytest.mark.processes
def test_the_server_itself_replays_reads_and_draws_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    touched: list[str] = []
    monkeypatch.setattr(Position, "play", lambda self, move: touched.append("play"))
    monkeypatch.setattr(Game, "start", lambda self, seed=0: touched.append("start"))
    monkeypatch.setattr(Game, "position", lambda self, text: touched.append("position"))

    async def scenario() -> None:
        store = open_store(None)
        parts = Parts(ServerSettings(data=tmp_path / "games.db"), store, "", tmp_path, Access(store), lambda: None)
        here = web_server.WebServer(parts)
        session = Session(cast(WebSocket, None), Browser("b", "watcher"))
        told: asyncio.Queue[Any] = asyncio.Queue()
        monkeypatch.setattr(session, "send", told.put_nowait)
        pid = 0
        for kind, fields in REQUESTS.items():
            data = json.dumps({"kind": kind, "ask": 1, **fields})
            assert here._answer({"type": "websocket.receive", "text": data}, session)
            message = await told.get()
            assert isinstance(message.result, msgspec.Raw), message
            assert len(message.result) > 10
            if kind == "WriteText":  # one that dies is replaced
                [pid] = pids(here.context.answers._lane)
                os.kill(pid, signal.SIGSTOP)  # It dies with the request, not before it.
                here._answer({"type": "websocket.receive", "text": data}, session)
                while not any(worker.job for worker in here.context.answers._lane.workers):
                    await asyncio.sleep(0.01)
                os.kill(pid, signal.SIGKILL)
                assert (await told.get()).id == "too_costly"
                here.context.limits.work._full_at.clear()
        assert pids(here.context.answers._lane) not in ([], [pid])
        await here.context.answers.close()
        store.close()

    run(scenario)
    assert touched == []


@pytest.mark.processes
def test_a_refusal_keeps_its_id_and_its_words_in_each_language() -> None:
    request = requests.ReadText(1, "nonsense of no game", "awele")
    with pytest.raises(PalabreError) as expected:
        READER.text(request.text, request.game)

    async def scenario() -> None:
        answers = Answers(READER, RateLimit("too_costly", per_second=1.0, burst=10.0))
        try:
            with pytest.raises(NotAnswered) as raised:
                await answers.ask(Ask(request, "en"), "a")
        finally:
            await answers.close()
        assert raised.value.id == type(expected.value).__name__
        assert raised.value.message == expected.value.message

    run(scenario)
