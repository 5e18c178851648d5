"""The engine where positions may not be repeated: what holds on one path only, and what is proven."""

import random

import pytest

import palabre
from palabre.arena.openings import random_opening
from palabre.compile.compiler import is_disabled
from palabre.core.verbs import State, reversible_plies
from palabre.evaluation.names import evaluation
from palabre.search.clock import Clock
from palabre.search.engine import Engine
from palabre.search.pvs import COMPLETE, table_key
from palabre.search.table import EXACT, NO_ENTRY, packed, probe, store, value_in
from palabre.search.values import (
    DECIDED,
    MAX_PLY,
    PROVEN,
    PROVEN_ELSEWHERE,
    WIN,
    as_proven_elsewhere,
    from_table,
    to_table,
)
from palabre.search.worker import NO_MOVE, REDUCTIONS


def sign(value: float) -> int:
    return (value > 0) - (value < 0)


@pytest.mark.slow
def test_what_a_repetition_is_worth_on_one_line_is_not_kept_for_others() -> None:
    """By Abapa's rules a repeated position ends the game: a proof found after any past must hold in a game without."""
    game = palabre.game("awele:abapa")
    weights = evaluation(game, "standard")
    chance = random.Random(3)
    proofs = 0
    for _ in range(40):
        position = game.start()
        while not position.is_over and sum(position.scores) < 36:
            position = position.play(chance.choice(position.moves()))
        if position.is_over:
            continue
        shared = Engine(game, weights, megabytes=4)
        shared.think(position, Clock(nodes=30_000))
        bare = game.position(position.text)
        thought = shared.think(bare, Clock(nodes=300_000))
        alone = Engine(game, weights, megabytes=4).think(bare, Clock(nodes=300_000))
        if thought.plies_to_win is not None:
            proofs += 1
            assert alone.plies_to_win is not None
            assert sign(alone.value) == sign(thought.value)
    assert proofs > 2


@pytest.mark.kernels
@pytest.mark.parametrize(("stores", "outcome"), [("24,22", 1), ("22,24", -1)])
def test_a_repeated_position_ends_the_game(stores: str, outcome: int) -> None:
    """One seed each going round: after twelve plies the position comes again, and each side keeps its seeds."""
    game = palabre.game("awele:abapa")
    engine = Engine(game, evaluation(game, "standard"), megabytes=1)
    thought = engine.think(game.position(f"0,0,0,0,1,0/0,0,0,0,1,0 {stores} 1 0"), Clock(depth=20))
    assert thought.value == outcome * (WIN - 12)


@pytest.mark.usefixtures("plain_python")
def test_what_rests_on_a_position_before_it_is_not_kept_in_the_table() -> None:
    """One seed each going round: the first position comes again after twelve plies, and on this path alone.

    Of the positions between, nothing is kept that the repetition decides; of the first, which is repeated, it is.
    """
    position = palabre.game("awele:abapa").position("0,0,0,0,1,0/0,0,0,0,1,0 24,22 1 0")
    engine = Engine(position.game, evaluation(position.game, "score"), megabytes=1)
    assert engine.think(position, Clock(depth=20)).value == WIN - 12

    def kept(state: State) -> int | None:
        entry = probe(table_key(state, engine.workers[0]), engine.table)
        return None if entry == NO_ENTRY else value_in(entry)

    assert kept(position.state) == WIN - 12
    between = []
    for _ in range(11):
        position = position.play(position.moves()[0])
        between.append(kept(position.state))
    assert {value for value in between if value is not None}  # what shallower searches have seen
    assert all(value is None or abs(value) < PROVEN_ELSEWHERE for value in between)


@pytest.mark.skipif(is_disabled(), reason="whole games take too long in plain Python")
def test_a_proven_win_is_won_though_positions_may_not_be_repeated() -> None:
    """A proof that the table remembers may lead through a position that, on the way taken, was there before.

    The games after openings 42 and 479 were such ones: wins in 20 and in 16 plies were told, and then lost.
    """
    game = palabre.game("awele:abapa")
    proofs = 0
    for opening in (*range(41, 51), *range(471, 481)):
        engines = [Engine(game, evaluation(game, "standard"), megabytes=1) for _ in range(2)]
        position = game.start()
        for move in random_opening(position, 4, opening):
            position = position.play(move)
        winner = None
        while not position.is_over:
            thought = engines[position.to_move].think(position, Clock(nodes=2000))
            if thought.is_proven and thought.value > 0:
                assert winner in (None, position.to_move)
                winner = position.to_move
                proofs += 1
            position = position.play(thought.move)
        if winner is not None:
            assert position.result is not None
            assert position.result[winner] == 1.0
    assert proofs > 20


def test_proofs_from_elsewhere_are_worth_less_than_proofs_and_more_than_opinions() -> None:
    near, far = WIN - 1, WIN - MAX_PLY
    kept = [as_proven_elsewhere(value) for value in (near, far, DECIDED + 3)]
    assert PROVEN > kept[0] > kept[1] > kept[2] >= PROVEN_ELSEWHERE
    assert [as_proven_elsewhere(-value) for value in (near, far, DECIDED + 3)] == [-value for value in kept]
    assert [as_proven_elsewhere(value) for value in (0, 5, -5, PROVEN_ELSEWHERE - 1)] == [
        0,
        5,
        -5,
        PROVEN_ELSEWHERE - 1,
    ]
    for value in (near, -near, kept[0], -kept[0]):
        at_ply_10 = value - 10 * sign(value)  # of a position ten plies from the root, ten plies farther away
        assert to_table(at_ply_10, 10) == value
        assert from_table(value, 10) == at_ply_10


@pytest.mark.usefixtures("plain_python")
@pytest.mark.parametrize("result", [1, -1])
@pytest.mark.parametrize(
    ("text", "can_repeat"), [("4,4,4,4,4,4/4,4,4,4,4,4 0,0 1 0", True), ("0,0,0,0,0,1/1,4,4,4,4,4 13,13 1 0", False)]
)
def test_a_proof_of_the_table_counts_as_one_only_where_nothing_can_be_repeated(
    text: str, can_repeat: bool, result: int
) -> None:
    """The table says of every move that it wins, or loses, as another path to the same positions has proven.

    After a quiet move the proof may lead through a position of this path; after a capture it cannot.
    """
    position = palabre.game("awele:abapa").position(text)
    engine = Engine(position.game, evaluation(position.game, "score"), megabytes=1, disable=REDUCTIONS)
    engine.think(position, Clock(depth=1))
    for move in position.moves():
        child = position.play(move).state
        assert (reversible_plies(child) > 0) == can_repeat
        entry = packed(NO_MOVE, EXACT, COMPLETE, 0, -result * (WIN - 7))
        store(table_key(child, engine.workers[0]), entry, engine.table)
    thought = engine.think(position, Clock(depth=engine.parameters.table_min_depth + 1))
    assert thought.is_complete == (not can_repeat), "a deeper search may find that the proof does not hold here"
    if can_repeat:
        assert PROVEN_ELSEWHERE <= result * thought.value < PROVEN
        assert not thought.is_proven
    else:
        assert result * thought.value == WIN - 8
        assert thought.is_proven
