"""Minimax: look at every move, every answer, every answer to that; the textbook algorithm, written to be read.

A player picks the move that is worth the most to him, and expects his opponent to do the same. At depth 0, and where
the game is over, the evaluation says what a position is worth. Two players; what one wins the other loses.
"""

from collections.abc import MutableSequence
from typing import Any

from palabre.core.compiler import compiled, words
from palabre.core.kernels import kernel
from palabre.core.position import Position
from palabre.core.verbs import is_over, legal_moves, move_buffer, play, to_move
from palabre.evaluation.evaluate import evaluate
from palabre.search.report import COUNTERS, LEAVES, NODES, Report

INFINITY = 1e30


@kernel
def minimax(state: Any, weights: Any, depth: int, counters: MutableSequence[int]) -> float:
    """What a position is worth to player 1 (0 in code) when both look `depth` plies ahead."""
    counters[NODES] += 1
    if depth == 0 or is_over(state):
        counters[LEAVES] += 1
        return evaluate(weights, state, 0)
    moves = move_buffer(state)
    count = legal_moves(state, moves)
    if to_move(state) == 0:
        best = -INFINITY
        for index in range(count):
            best = max(best, minimax(play(state, moves[index]), weights, depth - 1, counters))
    else:
        best = INFINITY
        for index in range(count):
            best = min(best, minimax(play(state, moves[index]), weights, depth - 1, counters))
    return best


def search(position: Position, weights: Any, depth: int) -> Report:
    """The value of each legal move by minimax, and so the best ones; the position has moves."""
    value_of = compiled(minimax, position.game, type(weights))
    counters = words([0] * COUNTERS)
    sign = 1 if position.to_move == 0 else -1
    values = {
        move: sign * value_of(position.play(move).state, weights, depth - 1, counters) for move in position.moves()
    }
    best = max(values.values())
    return Report.counted(best, [move for move, value in values.items() if value == best], depth, counters)
