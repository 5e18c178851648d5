"""Minimax and alpha-beta: equal values and best moves, numbers counted by hand, and what all searches can do."""

import random

import pytest

import palabre
from palabre.compile.compiler import compiled, integers, is_disabled
from palabre.core.verbs import weight_classes
from palabre.evaluation.names import evaluation, evaluations
from palabre.search.alphabeta import AlphaBeta
from palabre.search.clock import Clock
from palabre.search.minimax import Minimax, minimax
from palabre.search.thought import Thought
from tests.clock import stopping
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
@pytest.mark.bounds_elsewhere
@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("plies", [4, 20, 44])
def test_alphabeta_is_minimax_with_less_work(spec: str, plies: int) -> None:
    position = some_position(spec, plies, plies)
    weights = evaluation(position.game, "score")
    both = Minimax(position.game, weights), AlphaBeta(position.game, weights)
    for depth in (1, 2) if is_disabled() else (1, 2, 3):
        full, pruned = (search.think(position, Clock(depth=depth)) for search in both)
        assert (pruned.value, pruned.best) == (full.value, full.best)
        assert pruned.nodes <= full.nodes
        assert full.cutoffs == 0


def test_minimax_looks_at_every_sequence() -> None:
    position = palabre.game("awele").start()
    found = Minimax(position.game, evaluation(position.game, "score")).think(position, Clock(depth=4))
    assert found.leaves == 1014
    assert found.nodes == 1 + 6 + 36 + 190 + 1014


def test_a_win_on_the_spot_is_seen() -> None:
    position = palabre.game(EXAMPLE).start()
    for move in "aabbcc":
        position = position.play(move)
    for kind in (Minimax, AlphaBeta):
        found = kind(position.game, evaluation(position.game, "score")).think(position, Clock(depth=1))
        assert [move.text for move in found.best] == ["d"]
        assert found.value == 1001.0


def test_an_unknown_evaluation_lists_the_known_ones() -> None:
    game = palabre.game("awele")
    with pytest.raises(palabre.PalabreError, match=r"it has .*score"):
        evaluation(game, "scroe")
    assert "score" in evaluations(game)


# ------------------------------------------------------------------------------------------------------- the interface


@pytest.mark.parametrize("kind", [Minimax, AlphaBeta])
def test_watched_it_tells_every_depth_and_finds_the_same(kind: type[Minimax] | type[AlphaBeta]) -> None:
    position = some_position("awele", 3, 9)
    search = kind(position.game, evaluation(position.game, "score"))
    told: list[Thought] = []
    watched = search.think(position, Clock(depth=4), told.append)
    assert [thought.depth for thought in told] == [1, 2, 3, 4]
    alone = search.think(position, Clock(depth=4))
    assert (watched.value, watched.best) == (alone.value, alone.best) == (told[-1].value, told[-1].best)
    assert alone.nodes < watched.nodes


@pytest.mark.parametrize("kind", [Minimax, AlphaBeta])
@pytest.mark.parametrize("spec", ["awele", "penguins:players=3"])
def test_several_lines_are_the_best_moves_in_order(spec: str, kind: type[Minimax] | type[AlphaBeta]) -> None:
    position = some_position(spec, 4, 20)
    weights = evaluation(position.game, "score")
    told: list[Thought] = []
    kind(position.game, weights).think(position, Clock(depth=3), told.append, 3)
    last = told[-3:]
    assert [thought.rank for thought in last] == [1, 2, 3]
    assert len({thought.move for thought in last}) == 3
    player = position.to_move
    worth = compiled(minimax, position.game, *weight_classes(weights))
    counters = integers([0, 0, 0, 0, 1 << 62, 1 << 62, 0])
    values = sorted(worth(position.play(move).state, weights, 2, player, counters) for move in position.moves())
    assert [thought.value for thought in last] == values[::-1][:3]


def test_nodes_are_limited_and_the_limit_is_deterministic() -> None:
    position = some_position("avalam", 3, 4)
    search = AlphaBeta(position.game, evaluation(position.game, "score"))
    found = [search.think(position, Clock(nodes=3000)) for _ in range(2)]
    assert found[0].nodes == found[1].nodes < 3500  # on its way back it still counts the moves that it drops
    assert (found[0].depth, found[0].best) == (found[1].depth, found[1].best)
    assert found[0].depth >= 1


@pytest.mark.parametrize("kind", [Minimax, AlphaBeta])
def test_another_thread_can_stop_it(kind: type[Minimax] | type[AlphaBeta]) -> None:
    position = palabre.game("abalone").start()
    search = kind(position.game, evaluation(position.game, "score"))
    with stopping(search.stop):
        assert search.think(position, Clock()).move in position.moves()
