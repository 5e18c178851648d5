"""The bench signature: a refactoring leaves it as it is, a change of the search writes its own here."""

import pytest

from benchmarks.signature import DEPTHS, engine_nodes, mcts_visits

pytestmark = pytest.mark.slow

SIGNATURE = {
    "awele": 218_003,
    "awele:abapa": 224_914,
    "awale": 150_539,
    "abalone": 98_236,
    "abalone:official": 115_737,
    "avalam": 1_570_227,
    "avalam:official": 808_655,
    "penguins": 737_988,
    "mcts awele": 5_825,
    "mcts awele:abapa": 9_536,
    "mcts awale": 8_618,
    "mcts abalone": 531_676,
    "mcts abalone:official": 177_771,
    "mcts avalam": 66_470,
    "mcts avalam:official": 28_685,
    "mcts penguins": 50_448,
}


@pytest.mark.parametrize("spec", DEPTHS)
def test_the_engine_searches_what_it_did(spec: str) -> None:
    assert engine_nodes(spec) == SIGNATURE[spec]


@pytest.mark.parametrize("spec", DEPTHS)
def test_the_tree_search_says_what_it_did(spec: str) -> None:
    assert mcts_visits(spec) == SIGNATURE[f"mcts {spec}"]
