"""A task under way, by a clock that the test sets, and what a service sends."""

import threading
from typing import Any

import msgspec
import pytest

from palabre.core.errors import PalabreError
from palabre.core.stopping import StopToken
from palabre.core.words import say
from palabre.workers.messages import Began, Failed, FromWorker, Order, Result, Stopped, Task, TaskFailed, to_raw
from palabre.workers.service import NO_SETUP, Running, TaskRunner, stateless
from tests.command import PATIENCE


class Desk:
    """A task with its clock, and what has happened."""

    def __init__(self, seconds: float | None) -> None:
        self.now = 100.0
        self.sent: list[FromWorker] = []
        self.stops = self.ticks = 0
        self.running = Running(Order(1, msgspec.Raw(b""), seconds), self.sent.append, clock=lambda: self.now)

    def stop(self) -> None:
        self.stops += 1

    def on_tick(self) -> None:
        self.ticks += 1

    def tick(self, at: float) -> None:
        self.now = 100.0 + at
        self.running.tick()


@pytest.fixture(autouse=True)
def _no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test ticks itself."""
    monkeypatch.setattr(Running, "_set_timer", lambda self: None)


def test_a_task_is_stopped_when_its_time_is_over_which_begins_when_all_is_prepared() -> None:
    desk = Desk(seconds=5.0)
    with desk.running.token.calling(desk.stop):
        desk.tick(at=50.0)
        assert desk.stops == 0
        desk.running.begin()
        assert desk.sent == [Began(1)]
        for seconds, stops in ((50.0, 0), (54.9, 0), (55.0, 1), (55.1, 1)):
            desk.tick(at=seconds)
            assert desk.stops == stops
    assert desk.running.token.is_set


def test_ticks_come_until_the_task_is_stopped_or_over() -> None:
    desk = Desk(seconds=5.0)
    desk.running.begin(desk.on_tick)
    desk.tick(at=1.0)
    desk.tick(at=2.0)
    assert desk.ticks == 2
    desk.running.token.set()
    desk.tick(at=3.0)
    assert desk.ticks == 2
    over = Desk(seconds=5.0)
    over.running.begin(over.on_tick)
    over.running.end()
    over.tick(at=1.0)
    over.tick(at=50.0)
    assert (over.ticks, over.running.token.is_set) == (0, False)


def test_a_task_ends_after_the_tick_that_is_under_way() -> None:
    order: list[str] = []
    entered, leave = threading.Event(), threading.Event()
    desk = Desk(seconds=None)

    def on_tick() -> None:
        entered.set()
        leave.wait(PATIENCE)
        order.append("ticked")

    def end() -> None:
        desk.running.end()
        order.append("ended")

    desk.running.begin(on_tick)
    ticking, ending = threading.Thread(target=desk.running.tick), threading.Thread(target=end)
    ticking.start()
    assert entered.wait(PATIENCE)
    ending.start()
    ending.join(0.2)  # It would have ended by now on most machines, if it did not wait.
    leave.set()
    ticking.join(PATIENCE)
    ending.join(PATIENCE)
    assert order == ["ticked", "ended"]


# ----------------------------------------------------------------------------------------------------------- the token


def test_a_stop_that_comes_first_is_not_lost() -> None:
    token, stops = StopToken(), []
    token.set()
    with token.calling(lambda: stops.append(1)):
        assert stops == [1]
    token.set()
    assert stops == [1]


def test_a_token_stops_what_is_under_way_once_and_nothing_afterwards() -> None:
    token, stops = StopToken(), []
    with token.calling(lambda: stops.append("first")):
        pass
    with token.calling(lambda: stops.append("second")):
        token.set()
        token.set()
    assert stops == ["second"]


# ------------------------------------------------------------------------------------------------------------ a service


class Act(Task[int], frozen=True):
    """Do what its name says."""

    RESULT = int

    name: str


def act(state: None, task: Act, running: Running) -> int:
    if task.name == "refuse":
        raise PalabreError(say("task.closed"))
    if task.name == "stop":
        raise Stopped
    if task.name == "fail":
        raise TaskFailed("task.late")
    return 1 // len(task.name)


@pytest.mark.parametrize(
    ("name", "id", "told"),
    [
        ("refuse", "task.refused", "task.closed"),
        ("stop", "task.stopped", "task.stopped"),
        ("fail", "task.late", "task.late"),
        ("", "task.broken", "task.broken"),
    ],
)
def test_why_there_is_no_result(name: str, id: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    message = done(Act(name))
    assert isinstance(message, Failed)
    assert (message.number, message.id, message.message["id"]) == (7, id, told)
    assert ("ZeroDivisionError" in capsys.readouterr().err) is (name == "")


def test_a_result_comes_with_what_it_took() -> None:
    message = done(Act("a"))
    assert isinstance(message, Result)
    assert bytes(message.result) == b"1"
    assert message.processor_seconds >= 0


def done(task: Act) -> Any:
    """What is sent of a task."""
    sent: list[FromWorker] = []
    server: TaskRunner[None] = TaskRunner(stateless({Act: act}), NO_SETUP)
    server.do(Order(7, to_raw(task)), sent.append, StopToken())
    [message] = sent
    return message
