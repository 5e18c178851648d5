"""Alpha-beta: minimax that prunes what cannot matter (Knuth & Moore 1975); the textbook algorithm.

`alpha` is what the player at the root is already sure of elsewhere, `beta` what the others can hold them to. The others
avoid a position worth beta or more, the player avoids one worth alpha or less: its other moves need not be searched.
The value at the root is minimax's to the last bit. With more than two players it is, as minimax's, the paranoid value.
"""

from collections.abc import MutableSequence

from palabre.compile.compiler import compiled
from palabre.core.game import Game
from palabre.core.kernels import kernel
from palabre.core.verbs import (
    State,
    Weights,
    evaluate,
    is_over,
    legal_moves,
    move_buffer,
    play,
    to_move,
    weight_classes,
)
from palabre.search.deepening import CUTOFFS, HORIZON, INFINITY, LEAVES, NODES, TextbookSearch, Values, is_time_up


@kernel
def alphabeta(
    state: State, weights: Weights, depth: int, alpha: float, beta: float, player: int, counters: MutableSequence[int]
) -> float:
    """The value of a position for a player, exact if it is between alpha and beta (fail-soft).

    A value of at most alpha is an upper bound, one of at least beta a lower bound. Meaningless once time is up.
    """
    counters[NODES] += 1
    if is_time_up(counters):
        return 0.0
    if depth == 0 or is_over(state):
        counters[LEAVES] += 1
        counters[HORIZON] += 0 if is_over(state) else 1
        return evaluate(weights, state, player)
    moves = move_buffer(state)
    count = legal_moves(state, moves)
    if to_move(state) == player:
        best = -INFINITY
        for index in range(count):
            best = max(best, alphabeta(play(state, moves[index]), weights, depth - 1, alpha, beta, player, counters))
            alpha = max(alpha, best)
            if alpha >= beta:
                counters[CUTOFFS] += 1
                break
    else:
        best = INFINITY
        for index in range(count):
            best = min(best, alphabeta(play(state, moves[index]), weights, depth - 1, alpha, beta, player, counters))
            beta = min(beta, best)
            if alpha >= beta:
                counters[CUTOFFS] += 1
                break
    return best


class AlphaBeta(TextbookSearch):
    """Finds what minimax finds, sooner."""

    def __init__(self, game: Game, weights: Weights) -> None:
        super().__init__(game, weights)
        self._alphabeta = compiled(alphabeta, game, *weight_classes(weights))

    def values(self, state: State, depth: int, alpha: float, player: int) -> Values:
        return (float(self._alphabeta(state, self.weights, depth, alpha, INFINITY, player, self.counters)),)
