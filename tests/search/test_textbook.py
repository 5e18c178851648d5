"""Minimax and alpha-beta: equal values and best moves, and numbers counted by hand."""

import random

import pytest

import palabre
from palabre.compile.compiler import is_disabled
from palabre.evaluation.names import evaluation, evaluations
from palabre.search import alphabeta, minimax
from tests.specs import EXAMPLE

SPECS = [
    "awele",
    "awale",
    "abalone",
    "abalone:official",
    "avalam",
    "avalam:official",
    "penguins",
    "penguins:players=3",
    EXAMPLE,
]


def some_position(spec: str, seed: int, plies: int) -> palabre.Position:
    """A position of a random game, with moves."""
    chance = random.Random(seed)
    position = palabre.game(spec).start(seed)
    for _ in range(plies):
        after = position.play(chance.choice(position.moves()))
        if after.is_over:
            break
        position = after
    return position


@pytest.mark.kernels
@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("plies", [4, 20, 44])
def test_alphabeta_is_minimax_with_less_work(spec: str, plies: int) -> None:
    position = some_position(spec, plies, plies)
    weights = evaluation(position.game, "score")
    for depth in (1, 2) if is_disabled() else (1, 2, 3):
        full, pruned = minimax.search(position, weights, depth), alphabeta.search(position, weights, depth)
        assert (pruned.value, pruned.best) == (full.value, full.best)
        assert pruned.nodes <= full.nodes
        assert full.cutoffs == 0


def test_minimax_looks_at_every_sequence() -> None:
    position = palabre.game("awele").start()
    found = minimax.search(position, evaluation(position.game, "score"), 4)
    assert found.leaves == 1014
    assert found.nodes == 1 + 6 + 36 + 190 + 1014


def test_a_win_on_the_spot_is_seen() -> None:
    position = palabre.game(EXAMPLE).start()
    for move in "aabbcc":
        position = position.play(move)
    for search in (minimax.search, alphabeta.search):
        found = search(position, evaluation(position.game, "score"), 1)
        assert [move.text for move in found.best] == ["d"]
        assert found.value == 1001.0


def test_an_unknown_evaluation_lists_the_known_ones() -> None:
    game = palabre.game("awele")
    with pytest.raises(palabre.PalabreError, match=r"it has .*score"):
        evaluation(game, "scroe")
    assert "score" in evaluations(game)
