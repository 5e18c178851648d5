"""Minimax: search every move, every reply, every reply to that; the textbook algorithm, written to be read.

The player at the root maximises the value, and expects all others to minimise it. At depth 0, and where the game is
over, the evaluation gives the value of a position: always for the player at the root, not for the one to move. With
more than two players this is the paranoid search (Sturtevant & Korf 2000).
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
from palabre.search.deepening import HORIZON, INFINITY, LEAVES, NODES, TextbookSearch, Values, is_time_up


@kernel
def minimax(state: State, weights: Weights, depth: int, player: int, counters: MutableSequence[int]) -> float:
    """The value of a position for a player, `depth` plies deep; meaningless once time is up."""
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
            best = max(best, minimax(play(state, moves[index]), weights, depth - 1, player, counters))
    else:
        best = INFINITY
        for index in range(count):
            best = min(best, minimax(play(state, moves[index]), weights, depth - 1, player, counters))
    return best


class Minimax(TextbookSearch):
    """Searches everything."""

    def __init__(self, game: Game, weights: Weights) -> None:
        super().__init__(game, weights)
        self._minimax = compiled(minimax, game, *weight_classes(weights))

    def values(self, state: State, depth: int, alpha: float, player: int) -> Values:
        return (float(self._minimax(state, self.weights, depth, player, self.counters)),)
