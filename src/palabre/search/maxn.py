"""Max^n: minimax for any number of players, each of whom maximises their own value (Luckhardt & Irani 1986).

A position has a value for each player. The player to move picks the move with the highest value for themselves,
whatever it does to the others; among equals the first. With two players and a zero-sum evaluation, this is minimax.

Nothing is pruned. Shallow pruning (Korf 1991) needs to know the least value a player can have and the largest sum of
all values, and an evaluation promises neither.
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
    players,
    to_move,
    weight_classes,
)
from palabre.search.deepening import HORIZON, INFINITY, LEAVES, NODES, TextbookSearch, Values, is_time_up

MAXN_PLAYERS = 4  # the most that it is written for
Four = tuple[float, float, float, float]  # one for each player; 0 for players who are not there


@kernel
def maxn(state: State, weights: Weights, depth: int, counters: MutableSequence[int]) -> Four:
    """The value of a position for each player, `depth` plies deep; meaningless once time is up."""
    counters[NODES] += 1
    if is_time_up(counters):
        return 0.0, 0.0, 0.0, 0.0
    if depth == 0 or is_over(state):
        counters[LEAVES] += 1
        counters[HORIZON] += 0 if is_over(state) else 1
        return (
            evaluate(weights, state, 0),
            evaluate(weights, state, 1),
            evaluate(weights, state, 2) if players(state) > 2 else 0.0,
            evaluate(weights, state, 3) if players(state) > 3 else 0.0,
        )
    moves = move_buffer(state)
    count = legal_moves(state, moves)
    player = to_move(state)
    best = (-INFINITY, -INFINITY, -INFINITY, -INFINITY)
    for index in range(count):
        values = maxn(play(state, moves[index]), weights, depth - 1, counters)
        if values[player] > best[player]:
            best = values
    return best


class MaxN(TextbookSearch):
    """Expects each player to play for themselves."""

    def __init__(self, game: Game, weights: Weights) -> None:
        super().__init__(game, weights)
        self._maxn = compiled(maxn, game, *weight_classes(weights))

    def values(self, state: State, depth: int, alpha: float, player: int) -> Values:
        return tuple(self._maxn(state, self.weights, depth, self.counters)[: self.game.players])
