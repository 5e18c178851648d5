"""Minimax: look at every move, every answer, every answer to that; the textbook algorithm, written to be read.

The player who searches picks the move that is worth the most to him, and expects the others to pick what is worth the
least to him. At depth 0, and where the game is over, the evaluation says what a position is worth to him: always to
the one who searches, whoever is to move there. With more than two players this is the paranoid search.
"""

from collections.abc import MutableSequence
from typing import Any

from palabre.compile.compiler import compiled, words
from palabre.core.kernels import kernel
from palabre.core.position import Position
from palabre.core.verbs import evaluate, is_over, legal_moves, move_buffer, play, to_move
from palabre.search.report import COUNTERS, LEAVES, NODES, Report

INFINITY = 1e30


@kernel
def minimax(state: Any, weights: Any, depth: int, player: int, counters: MutableSequence[int]) -> float:
    """What a position is worth to a player when `depth` plies are looked ahead."""
    counters[NODES] += 1
    if depth == 0 or is_over(state):
        counters[LEAVES] += 1
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


def search(position: Position, weights: Any, depth: int) -> Report:
    """The value of each legal move by minimax, and so the best ones; the position has moves."""
    value_of = compiled(minimax, position.game, type(weights))
    counters = words([0] * COUNTERS)
    values = {
        move: value_of(position.play(move).state, weights, depth - 1, position.to_move, counters)
        for move in position.moves()
    }
    best = max(values.values())
    return Report.counted(best, [move for move, value in values.items() if value == best], depth, counters)
