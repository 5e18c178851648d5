"""Searches for more than two: against plain recursions over Positions, with two players against minimax, and limits."""

import time
from typing import Any

import pytest

import palabre
from palabre.compile.compiler import is_disabled
from palabre.core.verbs import evaluate, gain
from palabre.evaluation.names import evaluation
from palabre.evaluation.score import Score
from palabre.search import alphabeta, bestreply, maxn, minimax
from palabre.search.clock import Clock
from palabre.search.deepening import deepen
from tests.search.test_textbook import some_position
from tests.specs import EXAMPLE

SEARCHES = [maxn, alphabeta, bestreply]
MANY = ["penguins:players=3", "penguins:players=4"]


# ----------------------------------------------------------------------------------------------------- plain recursions


def plain_maxn(position: palabre.Position, weights: Any, depth: int) -> tuple[float, ...]:
    """What a position is worth to each player if each plays for himself."""
    if depth == 0 or position.is_over:
        return tuple(evaluate(weights, position.state, player) for player in range(position.game.players))
    found = [plain_maxn(position.play(move), weights, depth - 1) for move in position.moves()]
    return max(found, key=lambda values: values[position.to_move])  # of equals the first


def plain_bestreply(
    position: palabre.Position,
    weights: Any,
    depth: int,
    player: int,
    before: tuple[int, ...] = (),
    replied: bool = False,
) -> float:
    """What a position is worth to a player if one of the others replies; `before` have had their turn."""
    mover = position.to_move
    if mover == player or mover in before:
        before, replied = (), False
    if replied and not position.is_over:
        return plain_bestreply(obvious(position), weights, depth, player, (*before, mover), True)
    if depth == 0 or position.is_over:
        return float(evaluate(weights, position.state, player))
    children = [position.play(move) for move in position.moves()]
    if mover == player:
        return max(plain_bestreply(child, weights, depth - 1, player) for child in children)
    values = [plain_bestreply(child, weights, depth - 1, player, (*before, mover), True) for child in children]
    passed = obvious(position)
    if not passed.is_over and passed.to_move not in (player, mover, *before):
        values.append(plain_bestreply(passed, weights, depth, player, (*before, mover), False))
    return min(values)


def obvious(position: palabre.Position) -> palabre.Position:
    """The position after the move that gains most, scores most, comes first."""
    move = max(
        position.moves(),
        key=lambda move: (gain(position.state, move.code), position.play(move).scores[position.to_move], -move.code),
    )
    return position.play(move)


@pytest.mark.kernels
@pytest.mark.parametrize("spec", MANY)
@pytest.mark.parametrize("plies", [7, 24, 38])
def test_maxn_is_what_each_player_makes_of_it(spec: str, plies: int) -> None:
    position = some_position(spec, plies, plies)
    player = position.to_move
    for name in ("standard", "score"):
        weights = evaluation(position.game, name)
        for depth in (1, 2) if plies < 30 or is_disabled() else (1, 2, 3):
            found = maxn.search(position, weights, depth)
            values = {move: plain_maxn(position.play(move), weights, depth - 1)[player] for move in position.moves()}
            assert found.value == max(values.values())
            assert list(found.best) == [move for move in values if values[move] == found.value]
            assert found.cutoffs == 0


@pytest.mark.kernels
@pytest.mark.parametrize("spec", MANY)
@pytest.mark.parametrize("plies", [7, 24, 38])
def test_best_reply_is_the_worst_reply_of_anybody(spec: str, plies: int) -> None:
    position = some_position(spec, plies, plies)
    weights = evaluation(position.game, "standard")
    for depth in (1, 2) if plies < 30 or is_disabled() else (1, 2, 3):
        found = bestreply.search(position, weights, depth)
        player = position.to_move
        values = {m: plain_bestreply(position.play(m), weights, depth - 1, player) for m in position.moves()}
        assert found.value == max(values.values())
        assert list(found.best) == [move for move in values if values[move] == found.value]


def test_the_paranoid_expect_the_worst_and_the_others_less() -> None:
    """With one look at the replies: all of them are worse than one of them, and one of them than none in particular."""
    for seed in range(6):
        position = some_position("penguins:players=3", seed, 16 + 4 * seed)
        weights = evaluation(position.game, "score")
        paranoid = alphabeta.search(position, weights, 3).value
        assert paranoid == minimax.search(position, weights, 3).value
        assert paranoid <= bestreply.search(position, weights, 2).value


# ---------------------------------------------------------------------------------------------------------- two players


@pytest.mark.kernels
@pytest.mark.parametrize("spec", ["awele", "avalam:official", "penguins", EXAMPLE])
@pytest.mark.parametrize("plies", [6, 38])
def test_with_two_players_all_searches_agree(spec: str, plies: int) -> None:
    """Also where a player moves twice in a row, as in Penguins, near the end."""
    position = some_position(spec, plies, plies)
    weights = evaluation(position.game, "score")
    for depth in (1, 2) if is_disabled() else (1, 2, 3, 4):
        if depth < 4 or plies > 30:
            full = minimax.search(position, weights, depth)
            for search in SEARCHES:
                found = search.search(position, weights, depth)
                assert (found.value, found.best) == (full.value, full.best), search.__name__


# -------------------------------------------------------------------------------------------------- counters and limits


def test_maxn_looks_at_every_sequence() -> None:
    position = palabre.game("awele").start()
    found = maxn.search(position, Score(), 4)
    assert found.leaves == 1014
    assert found.nodes == 1 + 6 + 36 + 190 + 1014


def test_best_reply_prunes() -> None:
    position = some_position("penguins:players=3", 1, 20)
    weights = evaluation(position.game, "standard")
    found = bestreply.search(position, weights, 3)
    assert found.cutoffs > 0
    assert found.leaves < found.nodes < maxn.search(position, weights, 3).nodes * 3


@pytest.mark.parametrize("search", SEARCHES)
def test_deepening_to_a_depth_finds_what_a_look_at_once_does(search: Any) -> None:
    position = some_position("penguins:players=3", 2, 30)
    weights = evaluation(position.game, "standard")
    for depth in (1, 2, 3):
        at_once = search.search(position, weights, depth)
        by_and_by = deepen(search.valued(position, weights), position, Clock(), depth)
        assert (by_and_by.value, by_and_by.best) == (at_once.value, at_once.best)
        assert by_and_by.depth == depth


@pytest.mark.parametrize("search", SEARCHES)
def test_time_is_kept_and_used(search: Any) -> None:
    position = palabre.game("penguins:players=3").start(3)
    weights = evaluation(position.game, "standard")
    search.search(position, weights, 1)  # compiled
    for seconds in (0.02, 0.1):
        begin = time.perf_counter()
        found = deepen(search.valued(position, weights), position, Clock(per_move=seconds), 30)
        assert 0.5 * seconds < time.perf_counter() - begin < seconds + 0.1  # the machine may be busy
        assert 1 <= found.depth < 30
        assert set(found.best) <= set(position.moves())


@pytest.mark.parametrize("search", SEARCHES)
def test_with_no_time_at_all_some_move_is_found(search: Any) -> None:
    position = palabre.game("penguins:players=4").start(3)
    weights = evaluation(position.game, "standard")
    assert deepen(search.valued(position, weights), position, Clock(per_move=0.0), 30).best


@pytest.mark.parametrize("search", SEARCHES)
def test_nobody_looks_past_the_end(search: Any) -> None:
    """All lines are seen to their end long before thirty plies; the value is then the game's."""
    position = some_position("penguins:players=3", 4, 48)
    weights = evaluation(position.game, "score")
    found = deepen(search.valued(position, weights), position, Clock(), 30)
    assert found.depth < 12
    assert found.value == search.search(position, weights, 20).value
    assert abs(found.value) > 900 or found.value % 1 == 0


def test_the_only_move_is_played_at_once() -> None:
    calls: list[int] = []

    def value(state: Any, depth: int, alpha: float, counters: Any) -> float:
        calls.append(depth)
        counters[3] += 1
        return 0.0

    position = palabre.game("awele").position("0,0,0,0,0,4/4,4,4,4,4,4 10,10 1 0")
    assert len(position.moves()) == 1
    deepen(value, position, Clock(), 9)
    assert calls == [0]
