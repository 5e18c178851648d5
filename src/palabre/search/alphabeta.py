"""Alpha-beta: minimax that stops looking at a move as soon as it cannot matter; the textbook algorithm.

`alpha` is what the player who searches can already be sure of elsewhere, `beta` what the others can hold him to. A
position worth more than beta to him will be avoided by them, and one worth less than alpha by him: its other moves
need not be looked at. The value at the root is minimax's, to the last bit; with more than two players it is, like
minimax's, the paranoid one.
"""

from collections.abc import MutableSequence
from typing import Any

from palabre.compile.compiler import compiled
from palabre.core.kernels import kernel
from palabre.core.position import Position
from palabre.core.verbs import evaluate, is_over, legal_moves, move_buffer, play, to_move
from palabre.search.deepening import Valued, is_time_up, to_depth
from palabre.search.minimax import INFINITY
from palabre.search.report import CUTOFFS, HORIZON, LEAVES, NODES, Report


@kernel
def alphabeta(
    state: Any, weights: Any, depth: int, alpha: float, beta: float, player: int, counters: MutableSequence[int]
) -> float:
    """What a position is worth to a player, exactly if that is between alpha and beta.

    Otherwise a bound: at most alpha if it returns at most alpha, at least beta if it returns at least beta.
    Meaningless once time is up.
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


def search(position: Position, weights: Any, depth: int) -> Report:
    """The best legal moves by alpha-beta, all that are worth the same among them; the position has moves."""
    return to_depth(valued(position, weights), position, depth)


def valued(position: Position, weights: Any) -> Valued:
    """What alpha-beta says of the positions after a move, to the player who makes it."""
    run = compiled(alphabeta, position.game, type(weights))

    def value(state: Any, depth: int, alpha: float, counters: Any) -> float:
        return float(run(state, weights, depth, alpha, INFINITY, position.to_move, counters))

    return value
