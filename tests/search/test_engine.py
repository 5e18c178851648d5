"""The engine: proven values against exhaustive search, the shortest way to a win, limits, determinism."""

import itertools
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import palabre
from palabre.compile.compiler import is_disabled
from palabre.core.verbs import (
    MAX_MOVE_CODES,
    State,
    evaluate,
    is_over,
    legal_moves,
    move_buffer,
    play,
    tactical_moves,
    to_move,
    win_draw_loss,
)
from palabre.evaluation.names import evaluation
from palabre.search.alphabeta import AlphaBeta
from palabre.search.clock import Clock
from palabre.search.engine import Engine
from palabre.search.engine_parameters import EngineParameters
from palabre.search.minimax import minimax
from palabre.search.parameters import parameters_for
from palabre.search.thought import Thought
from palabre.search.values import (
    MAX_PLY,
    WIN,
)
from palabre.search.worker import (
    ASPIRATION,
    LAST_REDUCTION,
    MARGIN_BOUNDS,
    NODES,
    QUIESCENCE,
    REDUCTIONS,
    TABLE,
    TECHNIQUES,
)
from tests import take_away
from tests.messages import refuses

# The bounds of both searches are checked in Penguins (many codes, bounds of the margin, turns that are skipped) and in
# Awélé (few codes, captures, repetitions); the rules, evaluations and hints of every game are checked by themselves.
AVALAM = [pytest.param(spec, marks=pytest.mark.bounds_elsewhere) for spec in ("avalam", "avalam:official")]
SPECS = [*AVALAM, "penguins"]
FROM_THE_END = 6  # plies: brute force in plain Python goes no further
ENDED = 500  # points: an evaluation that is higher is that of a won game


@cache
def solve(state: State) -> int:
    """WIN minus the plies to the end for a won position, the negative for a lost one, 0 for a draw; by brute force.

    For games in which no position comes again.
    """
    player = to_move(state)
    if is_over(state):
        return WIN * win_draw_loss(state, player)
    values = []
    moves = move_buffer(state)
    for index in range(legal_moves(state, moves)):
        after = play(state, moves[index])
        value = solve(after) if to_move(after) == player else -solve(after)
        values.append(value - 1 if value > 0 else value + 1 if value < 0 else 0)
    return max(values)


def sign(value: float) -> int:
    return (value > 0) - (value < 0)


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
    for seed in range(2, 5 if is_disabled() else 12):
        position = end_game(spec, seed)
        weights = evaluation(position.game, "standard")
        thought = Engine(position.game, weights, megabytes=1).think(position, Clock(depth=30))
        assert thought.is_proven
        assert sign(thought.value) == sign(solve(position.state))
        to_the_end = Engine(position.game, weights, megabytes=1, disable=MARGIN_BOUNDS).think(position, Clock(depth=30))
        assert to_the_end.value == solve(position.state)


def test_a_win_is_taken_by_the_shortest_way() -> None:
    """Playing on from a proven win, every move brings the end a ply nearer, until it is there."""
    position = end_game("avalam:official", 3)
    engine = Engine(position.game, evaluation(position.game, "standard"), megabytes=1, disable=MARGIN_BOUNDS)
    distance = engine.think(position, Clock(depth=30)).plies_to_win
    assert distance is not None
    for left in range(abs(distance), 0, -1):
        thought = engine.think(position, Clock(depth=30))
        assert thought.plies_to_win is not None
        assert abs(thought.plies_to_win) == left
        position = position.play(thought.move)
    assert position.is_over


@pytest.mark.kernels
@pytest.mark.bounds_elsewhere
def test_without_its_techniques_it_is_alpha_beta() -> None:
    compare_with_alpha_beta("awale", "raw")


@pytest.mark.usefixtures("plain_python")
@pytest.mark.parametrize(("spec", "name"), [("abalone", "frabalon"), ("avalam", "divine")])
def test_it_is_alpha_beta_by_any_evaluation(spec: str, name: str) -> None:
    compare_with_alpha_beta(spec, name)


def compare_with_alpha_beta(spec: str, name: str) -> None:
    """By evaluations in which what is good for one player is not as bad for the other."""
    game = palabre.game(spec)
    weights = evaluation(game, name)
    chance = random.Random(1)
    for plies in range(1, 5 if is_disabled() else 9):
        position = game.start()
        for _ in range(plies):
            position = position.play(chance.choice(position.moves()))
        plain = Engine(game, weights, 1, disable=TABLE | REDUCTIONS | QUIESCENCE | MARGIN_BOUNDS)
        depth = 2 if is_disabled() else 3
        thought = plain.think(position, Clock(depth=depth))
        report = AlphaBeta(game, weights).think(position, Clock(depth=depth))
        assert thought.points == pytest.approx(report.value, abs=1.01 / plain.resolution)
        assert thought.move in report.best or name == "frabalon"  # a resolution is no match for 15 digits


def value_when_calm(state: State, weights: Any, root_player: int, left: int) -> float:
    """What a position is worth to the player to move, who may stop or go on with a tactical move, and so on."""
    value = evaluate(weights, state, root_player) * (1 if to_move(state) == root_player else -1)
    best = float(value)
    moves = move_buffer(state)
    for index in range(tactical_moves(state, moves) if left and not is_over(state) else 0):
        after = play(state, moves[index])
        value = value_when_calm(after, weights, root_player, left - 1)
        best = max(best, value if to_move(after) == to_move(state) else -value)
    return best


@pytest.mark.kernels
def test_captures_are_followed_past_the_horizon() -> None:
    compare_when_calm("awele")


@pytest.mark.usefixtures("plain_python")
def test_so_are_pushes_off_the_board() -> None:
    compare_when_calm("abalone:layout=belgian-daisy")


def compare_when_calm(spec: str) -> None:
    """One ply deep: the best move is worth what is left after the best series of captures that each side wants."""
    game = palabre.game(spec)
    weights = evaluation(game, "standard")
    engine = Engine(game, weights, 1, disable=TABLE | REDUCTIONS | MARGIN_BOUNDS)
    plies = engine.parameters.quiescence_plies
    chance = random.Random(5)
    seen = 0
    for _ in range(40):
        position = game.start()
        for _ in range(chance.randrange(8, 40)):
            after = position.play(chance.choice(position.moves()))
            position = position if after.is_over else after
        children = [position.play(move).state for move in position.moves()]
        values, calm = (
            [-value_when_calm(child, weights, position.to_move, left) for child in children] for left in (0, plies)
        )
        if max(map(abs, calm)) < ENDED:  # of a won game the engine tells the length
            thought = engine.think(position, Clock(depth=1))
            assert thought.points == pytest.approx(max(calm), abs=1.01 / engine.resolution)
            seen += max(calm) != max(values)
    assert seen > 5


@pytest.mark.parametrize("technique", range(len(TECHNIQUES)), ids=TECHNIQUES)
def test_ends_are_solved_without_any_one_technique(technique: int) -> None:
    position = end_game("avalam:official", 5)
    engine = Engine(
        position.game, evaluation(position.game, "standard"), megabytes=1, disable=MARGIN_BOUNDS | 1 << technique
    )
    assert engine.think(position, Clock(depth=30)).value == solve(position.state)


@pytest.mark.slow
def test_two_threads_solve_ends_as_well() -> None:
    for seed in range(6):
        position = end_game("avalam:official", seed)
        engine = Engine(
            position.game, evaluation(position.game, "standard"), megabytes=1, threads=2, disable=MARGIN_BOUNDS
        )
        thoughts = [engine.think(position, Clock(depth=30)) for _ in range(3)]
        assert {thought.value for thought in thoughts} == {solve(position.state)}


@pytest.mark.slow
def test_a_complete_look_is_told_from_a_guess() -> None:
    """Draws are proven, too, and a proof ends the search."""
    kinds = set()
    for seed in range(30):
        position = end_game("avalam", seed)
        engine = Engine(position.game, evaluation(position.game, "standard"), megabytes=1)
        thought = engine.think(position, Clock(depth=MAX_PLY))
        assert thought.is_proven
        assert thought.depth < 60
        kinds.add(thought.chance)
    assert 0.5 in kinds
    early = palabre.game("avalam").start()
    engine = Engine(early.game, evaluation(early.game, "standard"), megabytes=1)
    assert not engine.think(early, Clock(depth=3)).is_proven


@pytest.mark.parametrize(("spec", "depth"), [("awele", 4), ("abalone", 2)])
def test_several_lines_are_the_best_moves_in_order(spec: str, depth: int) -> None:
    game = palabre.game(spec)
    position = game.start()
    weights = evaluation(game, "standard")
    alone = Engine(game, weights, 1, disable=REDUCTIONS | TABLE | QUIESCENCE)
    told: list[Thought] = []
    alone.think(position, Clock(depth=depth), told.append, lines=4)
    last = told[-4:]
    assert [thought.rank for thought in last] == [1, 2, 3, 4]
    assert len({thought.move for thought in last}) == 4
    counters = [0, 0, 0, 0, 1 << 62, 1 << 62, 0]
    values = [minimax(position.play(move).state, weights, depth - 1, 0, counters) for move in position.moves()]
    best = sorted(values, reverse=True)[:4]
    assert [thought.points for thought in last] == pytest.approx(best, abs=1.01 / alone.resolution)


@pytest.mark.slow
def test_a_won_game_is_won_without_wandering() -> None:
    """The Awalé authors' players saw a win and went round in loops: here a proven win comes nearer with each move."""
    game = palabre.game("awale")
    chance = random.Random(7)
    engine = Engine(game, evaluation(game, "standard"), megabytes=8)
    proofs = 0
    for _ in range(4):
        position = game.start()
        before = None
        while not position.is_over:
            if position.to_move == 1:
                position = position.play(chance.choice(position.moves()))
                continue
            thought = engine.think(position, Clock(nodes=20_000))
            if before is not None:
                assert thought.plies_to_win is not None
                assert 0 < thought.plies_to_win < before
            before = thought.plies_to_win
            proofs += before is not None
            position = position.play(thought.move)
        assert position.result == (1.0, 0.0)
    assert proofs > 4


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "are_reduced"), [("abalone", True), ("avalam", False), ("avalam:official", False)])
def test_late_moves_are_looked_at_less_deeply_unless_the_game_says_that_they_count(
    spec: str, are_reduced: bool
) -> None:
    game = palabre.game(spec)
    nodes = [
        Engine(game, evaluation(game, "standard"), megabytes=4, disable=disabled)
        .think(game.start(), Clock(depth=3))
        .nodes
        for disabled in (0, REDUCTIONS)
    ]
    assert (nodes[0] < nodes[1]) if are_reduced else (nodes[0] == nodes[1])


@pytest.mark.parametrize(
    ("name", "value", "technique"),
    [
        ("late_move_reductions", 0, REDUCTIONS),
        ("reduction_first_move", LAST_REDUCTION + 1, REDUCTIONS),
        ("aspiration", 0, ASPIRATION),
        ("aspiration_min_depth", MAX_PLY + 1, ASPIRATION),
        ("quiescence_plies", 0, QUIESCENCE),
        ("table_min_depth", MAX_PLY + 1, TABLE),
    ],
)
def test_a_parameter_can_switch_a_technique_off(name: str, value: int, technique: int) -> None:
    game = palabre.game("awele")
    weights = evaluation(game, "standard")
    default = parameters_for(game, "palabre", EngineParameters())
    position = game.position("0,5,1,0,4,6/1,1,2,5,3,4 9,7 1 0")
    nodes = [
        Engine(game, weights, 1, disable=disabled, parameters=parameters).think(position, Clock(depth=9)).nodes
        for disabled, parameters in (
            (0, default._replace(**{name: value})),
            (technique, default),
            (0, default),
        )
    ]
    assert nodes[0] == nodes[1] != nodes[2]


def test_games_have_parameters_of_their_own() -> None:
    for spec, name, value in (("avalam", "late_move_reductions", 0), ("awele", "table_min_depth", 3)):
        game = palabre.game(spec)
        engine = Engine(game, evaluation(game, "score"), megabytes=1)
        assert getattr(engine.parameters, name) == value != getattr(EngineParameters(), name)


@pytest.mark.parametrize("fading", [0.0, 0.75, 1.0])
def test_what_earlier_iterations_changed_the_value_by_fades(fading: float) -> None:
    game = palabre.game("awele")
    parameters = parameters_for(game, "palabre", EngineParameters())._replace(swing_fading=fading)
    thoughts: list[Thought] = []
    Engine(game, evaluation(game, "standard"), 1, parameters=parameters).think(
        game.start(), Clock(depth=6), thoughts.append
    )
    assert len(thoughts) == 6
    for last, thought in itertools.pairwise(thoughts):
        assert thought.swing == max(abs(thought.value - last.value), int(fading * last.swing))


@pytest.mark.kernels
def test_a_new_game_is_played_as_by_a_new_engine() -> None:
    """Also by two threads' workers, and however often it is said."""
    position = palabre.game("awele").start()
    engine = Engine(position.game, evaluation(position.game, "standard"), megabytes=1)
    first = engine.think(position, Clock(nodes=3000))
    again = engine.think(position, Clock(nodes=3000))
    assert (again.depth, again.value) != (first.depth, first.value)
    engine.new_game()
    engine.new_game()
    third = engine.think(position, Clock(nodes=3000))
    assert (third.depth, third.value, third.codes, third.nodes) == (first.depth, first.value, first.codes, first.nodes)


def with_large_codes(folder: Path, offset: int) -> palabre.Game:
    """Take-Away in a file of its own, its moves numbered from `offset` on."""
    text = take_away.source(MOST_MOVES=f"3\nOFFSET = {offset}\nMOVE_CODES = OFFSET + 3")
    text = text.replace("moves[taken] = taken", "moves[taken] = OFFSET + taken")
    text = text.replace("state.heap - move - 1", "state.heap - (move - OFFSET) - 1")
    text = text.replace("str(move + 1)", "str(move - OFFSET + 1)")
    file = folder / "large.py"
    file.write_text(text, encoding="utf-8")
    return palabre.game(str(file))


def test_moves_of_any_code_are_played(tmp_path: Path) -> None:
    """No move wins from a heap of twelve; from ten, taking two leaves eight and wins."""
    game = with_large_codes(tmp_path, MAX_MOVE_CODES - 3)
    engine = Engine(game, evaluation(game, "score"), megabytes=1)
    position = game.start().play("2")
    while not position.is_over:
        thought = engine.think(position, Clock(depth=12))
        assert thought.move in position.moves()
        assert thought.value < 0 or str(thought.move) == str(int(position.text.split()[0]) % 4)
        position = position.play(thought.move)


def test_more_codes_than_a_search_can_keep_are_refused(tmp_path: Path) -> None:
    with refuses("contract.move_codes", value="65536", most=MAX_MOVE_CODES):
        with_large_codes(tmp_path, MAX_MOVE_CODES - 2)


@pytest.mark.parametrize("spec", [pytest.param("awele:abapa", marks=pytest.mark.kernels), "abalone", "avalam:official"])
def test_the_same_nodes_give_the_same_thought(spec: str) -> None:
    game = palabre.game(spec)
    thoughts = []
    nodes = 500 if is_disabled() else 20_000
    for _ in range(2):
        engine = Engine(game, evaluation(game, "standard"), megabytes=1)
        thought = engine.think(game.start(), Clock(nodes=nodes))
        thoughts.append((thought.move, thought.value, thought.depth, thought.nodes, thought.line))
    assert thoughts[0] == thoughts[1]
    assert nodes <= thoughts[0][3] < 1.1 * nodes + 64


def test_lines_are_legal_and_begin_with_the_move() -> None:
    game = palabre.game("avalam")
    thought = Engine(game, evaluation(game, "standard"), megabytes=4).think(game.start(), Clock(depth=4))
    position = game.start()
    assert thought.line[0] == thought.move
    for move in thought.line:
        position = position.play(move)


@pytest.mark.slow
def test_a_move_that_an_unfinished_iteration_has_not_compared_is_not_played() -> None:
    """After a fail-low the last finished iteration's move is searched again first, and stands until another beats it.

    Where the whole iteration in the end finds the same move again, no node limit on the way may yield another.
    """
    game = palabre.game("awele")
    chance = random.Random(11)
    confirmed = 0
    for _ in range(40):
        position = game.start()
        for _ in range(chance.randrange(10, 60)):
            position = position.play(chance.choice(position.moves())) if not position.is_over else game.start()
        told, fail_lows = iterations(position, 12)
        for depth, nodes in fail_lows:
            before, after = told[depth - 2], told[depth - 1]
            if before.move == after.move:
                confirmed += 1
                for limit in range(nodes + 1, after.nodes, max(1, (after.nodes - nodes) // 16)):
                    engine = Engine(game, evaluation(game, "standard"), megabytes=1)
                    assert engine.think(position, Clock(nodes=limit)).move == before.move
    assert confirmed >= 3


def iterations(position: palabre.Position, depth: int) -> tuple[list[Thought], list[tuple[int, int]]]:
    """What each iteration of a search finds; and the depths at which a window failed low, with the nodes until then."""
    told: list[Thought] = []
    fail_lows = []
    engine = Engine(position.game, evaluation(position.game, "standard"), megabytes=1)
    inner = engine._search_root

    def spy(state: Any, weights: Any, depth: int, alpha: int, beta: int, table: Any, worker: Any) -> int:
        value = int(inner(state, weights, depth, alpha, beta, table, worker))
        if value <= alpha:
            fail_lows.append((depth, int(worker[NODES])))
        return value

    engine._search_root = spy
    engine.think(position, Clock(depth=depth), told.append)
    return told, fail_lows


def test_a_window_that_fails_is_opened() -> None:
    """Through the narrowest window nearly every iteration fails low or high, and finds the same value in the end."""
    game = palabre.game("awele")
    weights = evaluation(game, "standard")
    narrow = EngineParameters(aspiration_min_depth=2, aspiration_window=0.0, aspiration_swings=0)
    without = TABLE | REDUCTIONS | MARGIN_BOUNDS
    chance = random.Random(2)
    for _ in range(20):
        position = game.start()
        for _ in range(chance.randrange(4, 40)):
            after = position.play(chance.choice(position.moves()))
            position = position if after.is_over else after
        values = [
            Engine(game, weights, 1, disable=disabled, parameters=narrow).think(position, Clock(depth=6)).value
            for disabled in (without, without | ASPIRATION)
        ]
        assert values[0] == values[1]
