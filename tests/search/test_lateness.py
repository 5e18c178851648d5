"""The engine plans for a machine that made its last searches end late; its clock is one that the test holds."""

import random

import pytest

import palabre
from palabre.evaluation.names import evaluation
from palabre.play.judge import GRACE
from palabre.search import engine as engine_module
from palabre.search import worker as worker_module
from palabre.search.clock import (
    MAX_LATENESS,
    MAX_RESERVE_PART,
    MAX_SAFETY_MARGIN,
    REACTION,
    Clock,
    Lateness,
    TimeLimits,
)
from palabre.search.engine import Engine

GAME = palabre.game("awele")
LIMITS = TimeLimits(0.06, 0.095)


class Machine:
    """A processor whose clock goes on by so much at each look, and which is taken away now and then."""

    def __init__(self, pause: float, chance: float) -> None:
        self.time = 0
        self.pause, self.chance = pause, chance
        self.dice = random.Random(1)

    def now(self) -> int:
        self.time += 1_000_000
        if self.dice.random() < self.chance:
            self.time += int(self.pause * 1e9)
        return self.time


def new_engine(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> Engine:
    for module in (engine_module, worker_module):
        monkeypatch.setattr(module, "now", machine.now)
    return Engine(GAME, evaluation(GAME, "standard"), megabytes=1)


def seconds_of_searches(engine: Engine, machine: Machine, number: int, limit: float = 0.1) -> list[float]:
    spent = []
    for _ in range(number):
        begin = machine.time
        engine.think(GAME.start(), Clock(per_move=limit))
        spent.append((machine.time - begin) / 1e9)
    return spent


class Careless(Lateness):
    """Reserves nothing."""

    def reserved(self, limits: TimeLimits) -> TimeLimits:
        return limits


@pytest.mark.usefixtures("plain_python")
def test_a_busy_machine_makes_no_search_late(monkeypatch: pytest.MonkeyPatch) -> None:
    searches = 40

    def late(lateness: type[Lateness]) -> int:
        machine = Machine(pause=0.095, chance=1 / 60)
        engine = new_engine(machine, monkeypatch)
        engine.lateness = lateness()
        engine.lateness.seconds = MAX_LATENESS  # the machine has been so before
        return sum(spent > 0.1 + GRACE for spent in seconds_of_searches(engine, machine, searches))

    assert late(Careless) > 0
    assert late(Lateness) == 0


@pytest.mark.usefixtures("plain_python")
def test_an_idle_machine_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(pause=0.0, chance=0.0)
    engine = new_engine(machine, monkeypatch)
    spent = seconds_of_searches(engine, machine, 5)
    assert engine.lateness.reserved(LIMITS) == LIMITS
    engine = new_engine(machine, monkeypatch)
    engine.lateness = Careless()
    assert seconds_of_searches(engine, machine, 5) == pytest.approx(spent)


def test_time_for_reacting_is_reserved_only_once() -> None:
    lateness = Lateness()
    lateness.observe(REACTION / 2, 0.0)
    assert lateness.reserved(LIMITS) == LIMITS


@pytest.mark.parametrize(("overshoot", "pause"), [(0.02, 0.0), (-0.01, MAX_SAFETY_MARGIN + 0.02)])
def test_what_a_search_was_late_by_or_could_have_been_is_reserved_for_the_next(overshoot: float, pause: float) -> None:
    lateness = Lateness()
    lateness.observe(overshoot, pause)
    reserved = lateness.reserved(LIMITS)
    assert reserved.hard == pytest.approx(0.095 - (2 * 0.02 - REACTION))
    assert reserved.soft == pytest.approx(0.06)


@pytest.mark.usefixtures("plain_python")
def test_many_short_pauses_cost_no_more_than_the_safety_margin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other programs often take the processor for a few milliseconds, which together are half of the time."""
    machine = Machine(pause=0.004, chance=0.25)
    engine = new_engine(machine, monkeypatch)
    seconds_of_searches(engine, machine, 20)
    assert engine.lateness.reserved(LIMITS) == LIMITS


def test_a_reserve_is_part_of_the_time_and_is_forgotten() -> None:
    lateness = Lateness()
    lateness.observe(100.0, 0.0)
    assert lateness.reserved(LIMITS).hard == pytest.approx((1 - MAX_RESERVE_PART) * 0.095)
    hard = lateness.reserved(TimeLimits(6.0, 10.0)).hard
    assert hard == pytest.approx(10.0 - 2 * MAX_LATENESS + REACTION)
    for _ in range(30):
        lateness.observe(-0.01, 0.0)
    assert lateness.reserved(LIMITS) == LIMITS


def test_without_a_limit_of_time_nothing_is_reserved() -> None:
    lateness = Lateness()
    lateness.seconds = MAX_LATENESS
    assert lateness.reserved(TimeLimits(None, None)) == (None, None)
