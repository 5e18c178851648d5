"""Perft: the number of move sequences of exactly so many plies, the classic test of a move generator."""

from typing import Any

from palabre.core.kernels import kernel
from palabre.core.verbs import count_moves, legal_moves, move_buffer, play


@kernel
def perft(state: Any, depth: int) -> int:
    """Sequences of `depth` plies from here, the last ply counted in bulk; positions are not remembered."""
    if depth <= 1:
        return count_moves(state) if depth == 1 else 1
    moves = move_buffer(state)
    total = 0
    for index in range(legal_moves(state, moves)):
        total += perft(play(state, moves[index]), depth - 1)
    return total
