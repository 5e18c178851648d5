"""The engine's limits: time, nodes, being told to stop, and pauses of the machine."""

import pytest

import palabre
from palabre.evaluation.names import evaluation
from palabre.search.clock import Clock
from palabre.search.engine import Engine
from palabre.search.engine_parameters import EngineParameters
from palabre.search.parameters import parameters_for
from palabre.search.thought import Thought
from palabre.search.worker import (
    DEADLINE,
    LAST_POLL,
    LONGEST_PAUSE,
    SAFETY_MARGIN,
    is_time_up,
    new_worker,
)
from tests.clock import SteppingClock, stopping


def test_the_longest_pause_is_forgotten_bit_by_bit() -> None:
    game = palabre.game("awele")
    for fading, left in ((2, 32), (32, 62)):
        parameters = parameters_for(game, "palabre", EngineParameters())._replace(pause_fading=fading)
        engine = Engine(game, evaluation(game, "standard"), 1, parameters=parameters)
        engine.workers[0][LONGEST_PAUSE] = 64 * 10**12
        engine.think(game.start(), Clock(depth=1))
        assert engine.workers[0][LONGEST_PAUSE] == left * 10**12


@pytest.mark.parametrize("threads", [1, 2])
def test_a_limit_of_time_ends_a_search(threads: int) -> None:
    """It would go on for ever; benchmarks/promise.py measures how late its answer is."""
    game = palabre.game("abalone")
    engine = Engine(game, evaluation(game, "standard"), megabytes=4, threads=threads)
    for limit in (0.005, 0.1):
        assert engine.think(game.start(), Clock(per_move=limit)).depth >= 1


def test_the_clock_is_read_often_and_the_search_ends_before_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that goes on by a millisecond whenever it is read."""
    clock = SteppingClock(0.001, monkeypatch)
    game = palabre.game("abalone")
    parameters = parameters_for(game, "palabre", EngineParameters())._replace(poll_interval=8)
    engine = Engine(game, evaluation(game, "standard"), megabytes=1, parameters=parameters)
    engine.think(game.start(), Clock(depth=1))
    begin, readings = clock.seconds, clock.readings
    thought = engine.think(game.start(), Clock(per_move=0.2))
    assert 0.6 * 0.2 <= clock.seconds - begin <= 0.2
    assert thought.nodes <= 8 * (clock.readings - readings) + 100  # the first iteration is on no clock


def test_a_thought_tells_the_nodes_and_the_time_of_the_whole_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not those of the last iteration that was finished."""
    clock = SteppingClock(0.001, monkeypatch)
    game = palabre.game("abalone")
    engine = Engine(game, evaluation(game, "standard"), megabytes=1)
    heard: list[Thought] = []
    begin = clock.seconds
    thought = engine.think(game.start(), Clock(per_move=0.2), heard.append)
    assert thought.seconds > heard[-1].seconds
    assert thought.seconds == pytest.approx(clock.seconds - begin, abs=0.01)
    assert thought.nodes > heard[-1].nodes


@pytest.mark.kernels
@pytest.mark.parametrize("spec", ["awele", "avalam:official"])
def test_depth_one_is_finished_however_short_the_time_is(spec: str) -> None:
    """The deadline has passed before the first position is searched, as on a machine with other things to do."""
    position = palabre.game(spec).start().play(palabre.game(spec).start().moves()[-1])
    engine = Engine(position.game, evaluation(position.game, "standard"), megabytes=1)
    wanted = engine.think(position, Clock(depth=1))
    engine.new_game()
    thought = engine.think(position, Clock(per_move=1e-9))
    assert (thought.depth, thought.value, thought.codes) == (1, wanted.value, wanted.codes)
    engine.new_game()
    assert [line.depth for line in engine_lines(engine, position, Clock(per_move=1e-9))] == [1, 1, 1]


def engine_lines(engine: Engine, position: palabre.Position, clock: Clock) -> list[Thought]:
    """The three best lines, as told to whoever watches."""
    told: list[Thought] = []
    engine.think(position, clock, told.append, lines=3)
    return told


@pytest.mark.kernels
def test_stop_and_a_limit_of_nodes_hold_in_depth_one_too() -> None:
    position = palabre.game("avalam:official").start()
    engine = Engine(position.game, evaluation(position.game, "standard"), megabytes=1)
    thought = engine.think(position, Clock(nodes=10))
    assert (thought.depth, thought.nodes) == (0, 11)


def test_a_search_that_is_made_to_wait_stops_earlier(monkeypatch: pytest.MonkeyPatch) -> None:
    second = 10**9
    moment = 1000 * second
    monkeypatch.setattr("palabre.search.worker.now", lambda: moment)
    worker = new_worker(palabre.game("awele"), 1000, 0, EngineParameters())
    worker[SAFETY_MARGIN] = 2 * second
    worker[LAST_POLL], worker[DEADLINE] = moment, moment + 100 * second
    assert not is_time_up(worker)
    moment += 3 * second
    assert not is_time_up(worker)  # it has been away for three seconds, but there is time
    assert worker[LONGEST_PAUSE] == 3 * second
    worker[DEADLINE] = moment + second
    assert is_time_up(worker)  # the next pause could be as long
    worker[SAFETY_MARGIN] = 0
    assert not is_time_up(worker)


def test_a_pause_costs_half_of_the_time_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SteppingClock(0.0001, monkeypatch)
    game = palabre.game("awele")
    engine = Engine(game, evaluation(game, "standard"), 1)
    engine.think(game.start(), Clock(depth=1))
    engine.workers[0][LONGEST_PAUSE] = 10**12
    begin = clock.seconds
    engine.think(game.start(), Clock(per_move=0.04))
    assert 0.0175 <= clock.seconds - begin < 0.0185


def test_stop_ends_a_search() -> None:
    game = palabre.game("awele")
    engine = Engine(game, evaluation(game, "standard"), megabytes=1)
    with stopping(engine.stop):
        assert engine.think(game.start(), Clock()).move in game.start().moves()
