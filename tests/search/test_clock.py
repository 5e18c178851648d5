"""Planning time: over whole games the engine neither loses on time nor leaves half of it unused."""

import random
from collections.abc import Iterator

import pytest

import palabre
from palabre.core.verbs import USUAL_PLIES, plies_left
from palabre.evaluation.names import evaluation, evaluations
from palabre.search.clock import Clock, TimeLimits, own_moves_left, time_limits
from palabre.search.engine import Engine
from palabre.search.engine_parameters import EngineParameters
from tests import take_away
from tests.clock import SteppingClock
from tests.specs import all_games


def spent(limits: TimeLimits, first: float, factor: float, plies: int) -> float:
    """What a search takes whose every iteration takes so many times as long as the last, up to the end of the game."""
    assert limits.soft is not None
    assert limits.hard is not None
    total, cost = 0.0, first
    for _ in range(plies):
        if total + cost > limits.hard:
            return limits.hard
        total += cost
        if total >= limits.soft:
            break
        cost *= factor
    return total


def whole_game(clock: Clock, plies: int, factor: float) -> Iterator[tuple[float, float]]:
    """The time used and the time there was, move by move, in a game of so many plies."""
    chance = random.Random(plies)
    remaining = clock.remaining
    assert remaining is not None
    for left in range(plies, 0, -2):
        limits = time_limits(Clock(remaining=remaining, increment=clock.increment), (left + 1) // 2)
        used = spent(limits, chance.uniform(1e-4, 4e-4), factor * chance.uniform(0.8, 1.2), left)
        yield used, remaining
        remaining += clock.increment - used


@pytest.mark.parametrize("factor", [2, 3, 4, 6, 10])
@pytest.mark.parametrize(
    "clock", [Clock(remaining=900), Clock(remaining=3), Clock(remaining=60, increment=1), Clock(remaining=0.5)]
)
def test_a_whole_game_is_neither_lost_on_time_nor_half_unused(clock: Clock, factor: float) -> None:
    moves = list(whole_game(clock, 50, factor))
    assert all(used <= there for used, there in moves)
    assert clock.remaining is not None
    assert sum(used for used, _ in moves) >= 0.5 * (clock.remaining + 24 * clock.increment)


@pytest.mark.parametrize("factor", [3, 4, 5])
def test_the_fifteen_minutes_of_abalone_are_used_sensibly(factor: float) -> None:
    """The engine's iterations take three to five times as long as the one before."""
    used = [used for used, _ in whole_game(Clock(remaining=900), 50, factor)]
    assert 0.6 * 900 <= sum(used) <= 0.93 * 900
    assert max(used) < 90


def test_a_longer_game_than_planned_is_not_lost_on_time() -> None:
    """Ten moves to go, again and again: the share of each gets smaller, and never exceeds what there is."""
    remaining = 10.0
    for _ in range(300):
        limits = time_limits(Clock(remaining=remaining), 10)
        assert limits.hard is not None
        assert limits.hard <= max(remaining / 2, 0.0005)
        remaining = max(remaining - limits.hard, 0.001)


def test_limits_for_a_move_hold_beside_those_for_the_game() -> None:
    assert time_limits(Clock(), 20) == (None, None)
    alone = time_limits(Clock(per_move=1.0), 20)
    assert alone == pytest.approx((0.6, 0.995))
    assert time_limits(Clock(per_move=1.0, remaining=1000.0), 20) == alone
    both = time_limits(Clock(per_move=1.0, remaining=2.0), 20)
    assert both == time_limits(Clock(remaining=2.0), 20)


def test_an_increment_is_spent_and_the_last_move_leaves_something() -> None:
    without, added = (time_limits(Clock(remaining=10, increment=increment), 20) for increment in (0.0, 1.0))
    assert added.soft is not None
    assert without.soft is not None
    assert 0.3 < added.soft - without.soft < 1.0
    last = time_limits(Clock(remaining=10, increment=5), 1)
    assert last.hard is not None
    assert last.hard <= 5.0
    assert last == time_limits(Clock(remaining=10), 1)  # what is added after the last move comes too late


# ------------------------------------------------------------------------------------------------ how long a game lasts


def test_no_game_is_expected_to_last_longer_than_it_can() -> None:
    """Along random games: at least one ply, and where the rules have a limit never more than up to it."""
    for game in all_games():
        evaluations(game)  # loads what the game answers
        chance = random.Random(game.spec)
        position = game.start()
        turns = dict(game.options.values).get("turns") if game.facts.name == "abalone" else None
        while not position.is_over:
            left = plies_left(position.state)
            assert left >= 1
            if turns is not None:
                assert left <= int(turns) - position.ply
            if game.facts.name in ("avalam", "penguins"):
                assert left <= {"avalam": 48, "penguins": 60}[game.facts.name] - position.ply
            assert 1 <= own_moves_left(position) <= left
            position = position.play(chance.choice(position.moves()))


def test_abalone_counts_down_to_its_last_ply_and_others_take_the_usual_number() -> None:
    position = palabre.game("abalone").start()
    evaluations(position.game)
    assert (plies_left(position.state), own_moves_left(position)) == (50, 25)
    assert own_moves_left(position.play(position.moves()[0])) == 25
    assert plies_left(palabre.game("abalone:official").start().state) == USUAL_PLIES
    assert plies_left(palabre.game(take_away.__file__).start().state) == USUAL_PLIES


def test_a_game_of_abalone_uses_its_time_and_is_not_lost_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that goes on by a tenth of a second whenever it is read; the engine plays both sides."""
    clock = SteppingClock(0.1, monkeypatch)
    position = palabre.game("abalone").start()
    parameters = EngineParameters(poll_interval=4)
    engine = Engine(position.game, evaluation(position.game, "standard"), 1, parameters=parameters)
    remaining = [60.0, 60.0]
    while not position.is_over:
        begin = clock.seconds
        thought = engine.think(position, Clock(remaining=remaining[position.to_move]))
        remaining[position.to_move] -= clock.seconds - begin
        assert remaining[position.to_move] > 0
        position = position.play(thought.move)
    assert position.ply == 50 or max(position.scores) == 6
    assert max(remaining) <= 30
