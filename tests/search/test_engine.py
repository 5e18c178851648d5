"""The engine: proven values against exhaustive search, the shortest way to a win, limits, determinism."""

import random
import threading
import time
from functools import cache

import pytest

import palabre
from palabre.core.compiler import is_disabled
from palabre.evaluation.names import evaluation
from palabre.search.clock import Clock
from palabre.search.engine import Engine
from palabre.search.values import WIN

SPECS = ["avalam", "avalam:official", "penguins"]
FROM_THE_END = 6  # plies: brute force in plain Python goes no further


@cache
def solve(position: palabre.Position) -> int:
    """WIN minus the plies to the end for a won position, the negative for a lost one, 0 for a draw; by brute force."""
    player = position.to_move
    if position.result is not None:
        return 0 if position.result[player] not in (0.0, 1.0) else WIN if position.result[player] else -WIN
    values = []
    for move in position.moves():
        after = position.play(move)
        value = solve(after) if after.to_move == player else -solve(after)
        values.append(value - 1 if value > 0 else value + 1 if value < 0 else 0)
    return max(values)


def end_game(spec: str, seed: int) -> palabre.Position:
    """A position near the end of a random game."""
    chance = random.Random(seed)
    positions = [palabre.game(spec).start(seed)]
    while not positions[-1].is_over:
        positions.append(positions[-1].play(chance.choice(positions[-1].moves())))
    return positions[-1 - FROM_THE_END]


@pytest.mark.kernels
@pytest.mark.parametrize("spec", SPECS)
def test_ends_are_solved_as_by_brute_force(spec: str) -> None:
    for seed in range(3 if is_disabled() else 10):
        position = end_game(spec, seed)
        engine = Engine(position.game, evaluation(position.game, "score"), megabytes=1)
        thought = engine.think(position, Clock(depth=30))
        assert thought.value == solve(position)


def test_a_win_is_taken_by_the_shortest_way() -> None:
    """Playing on from a proven win, every move brings the end a ply nearer, until it is there."""
    position = end_game("avalam:official", 3)
    engine = Engine(position.game, evaluation(position.game, "score"), megabytes=1)
    distance = engine.think(position, Clock(depth=30)).plies_to_win
    assert distance is not None
    for left in range(abs(distance), 0, -1):
        thought = engine.think(position, Clock(depth=30))
        assert thought.plies_to_win is not None
        assert abs(thought.plies_to_win) == left
        position = position.play(thought.move)
    assert position.is_over


@pytest.mark.parametrize("spec", ["awele", "abalone", "avalam:official"])
def test_the_same_nodes_give_the_same_thought(spec: str) -> None:
    game = palabre.game(spec)
    thoughts = []
    for _ in range(2):
        engine = Engine(game, evaluation(game, "score"), megabytes=1)
        thought = engine.think(game.start(), Clock(nodes=20_000))
        thoughts.append((thought.move, thought.value, thought.depth, thought.nodes, thought.line))
    assert thoughts[0] == thoughts[1]
    assert 20_000 <= thoughts[0][3] < 22_000


def test_lines_are_legal_and_begin_with_the_move() -> None:
    game = palabre.game("avalam")
    thought = Engine(game, evaluation(game, "score"), megabytes=4).think(game.start(), Clock(depth=4))
    position = game.start()
    assert thought.line[0] == thought.move
    for move in thought.line:
        position = position.play(move)


def test_stop_is_heard_at_once() -> None:
    game = palabre.game("awele")
    engine = Engine(game, evaluation(game, "score"), megabytes=1)
    engine.think(game.start(), Clock(depth=1))
    threading.Timer(0.2, engine.stop).start()
    begin = time.perf_counter()
    thought = engine.think(game.start(), Clock())
    assert time.perf_counter() - begin < 5
    assert thought.move in game.start().moves()
