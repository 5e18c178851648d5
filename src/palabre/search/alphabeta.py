"""Alpha-beta: minimax that stops looking at a move as soon as it cannot matter; the textbook algorithm.

`alpha` is what player 1 can already be sure of elsewhere, `beta` what player 2 can. A position worth more than beta to
player 1 will be avoided by player 2, and one worth less than alpha by player 1: its other moves need not be looked at.
The value at the root is minimax's, to the last bit.
"""

import math
from collections.abc import MutableSequence
from typing import Any

from palabre.core.compiler import compiled, words
from palabre.core.kernels import kernel
from palabre.core.position import Move, Position
from palabre.core.verbs import is_over, legal_moves, move_buffer, play, to_move
from palabre.evaluation.evaluate import evaluate
from palabre.search.minimax import INFINITY
from palabre.search.report import COUNTERS, CUTOFFS, LEAVES, NODES, Report


@kernel
def alphabeta(state: Any, weights: Any, depth: int, alpha: float, beta: float, counters: MutableSequence[int]) -> float:
    """What a position is worth to player 1, exactly if that is between alpha and beta.

    Otherwise a bound: at most alpha if it returns at most alpha, at least beta if it returns at least beta.
    """
    counters[NODES] += 1
    if depth == 0 or is_over(state):
        counters[LEAVES] += 1
        return evaluate(weights, state, 0)
    moves = move_buffer(state)
    count = legal_moves(state, moves)
    if to_move(state) == 0:
        best = -INFINITY
        for index in range(count):
            best = max(best, alphabeta(play(state, moves[index]), weights, depth - 1, alpha, beta, counters))
            alpha = max(alpha, best)
            if alpha >= beta:
                counters[CUTOFFS] += 1
                break
    else:
        best = INFINITY
        for index in range(count):
            best = min(best, alphabeta(play(state, moves[index]), weights, depth - 1, alpha, beta, counters))
            beta = min(beta, best)
            if alpha >= beta:
                counters[CUTOFFS] += 1
                break
    return best


def search(position: Position, weights: Any, depth: int) -> Report:
    """The best legal moves by alpha-beta, all that are worth the same among them; the position has moves."""
    value_of = compiled(alphabeta, position.game, type(weights))
    counters = words([0] * COUNTERS)
    first = position.to_move == 0
    best: list[Move] = []
    reached = -math.inf  # the best value so far, for the player to move
    for move in position.moves():
        # The window begins just below the best value: equal moves are told from worse ones.
        floor = max(-INFINITY, math.nextafter(reached, -math.inf))
        window = (floor, INFINITY) if first else (-INFINITY, -floor)
        value = value_of(position.play(move).state, weights, depth - 1, *window, counters)
        value = value if first else -value
        if value > reached:
            reached, best = value, [move]
        elif value == reached:
            best.append(move)
    return Report.counted(reached, best, depth, counters)
