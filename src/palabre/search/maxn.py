"""Max^n: minimax for any number of players, each of whom wants the most for himself (Luckhardt and Irani, 1986).

A position is worth a number to each player. Who is to move picks the move that is worth the most to himself, whatever
it does to the others; among equals the first. With two players and an evaluation that is as good for one as it is bad
for the other, this is minimax.

Nothing is left out. To prune safely one must know the least a position can be worth to a player and the most it can be
worth to all of them together (Korf, 1991), and an evaluation promises neither.
"""

from collections.abc import MutableSequence
from typing import Any

from palabre.compile.compiler import compiled
from palabre.core.kernels import kernel
from palabre.core.position import Position
from palabre.core.verbs import evaluate, is_over, legal_moves, move_buffer, play, players, to_move
from palabre.search.deepening import Valued, is_time_up, to_depth
from palabre.search.minimax import INFINITY
from palabre.search.report import HORIZON, LEAVES, NODES, Report

MOST_PLAYERS = 4
Values = tuple[float, float, float, float]  # one for each player; of players who are not there, nothing


@kernel
def maxn(state: Any, weights: Any, depth: int, counters: MutableSequence[int]) -> Values:
    """What a position is worth to each player when `depth` plies are looked ahead; meaningless once time is up."""
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


def search(position: Position, weights: Any, depth: int) -> Report:
    """The best legal moves by max^n, all that are worth the same among them; the position has moves."""
    return to_depth(valued(position, weights), position, depth)


def valued(position: Position, weights: Any) -> Valued:
    """What max^n says of the positions after a move, to the player who makes it."""
    run = compiled(maxn, position.game, type(weights))

    def value(state: Any, depth: int, alpha: float, counters: Any) -> float:
        return float(run(state, weights, depth, counters)[position.to_move])

    return value
