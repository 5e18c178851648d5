"""Perft: counts the move sequences of a given length; the classic test of a move generator."""

from collections.abc import MutableSequence

from palabre.compile.compiler import compiled, integers
from palabre.core.given import given_count, given_position
from palabre.core.kernels import kernel
from palabre.core.position import Position
from palabre.core.verbs import State, count_moves, legal_moves, move_buffer, play, repetition_key
from palabre.search.repetition import NOT_REPEATED, first_occurrence


@kernel
def perft(state: State, depth: int) -> int:
    """The sequences of `depth` plies from a state, in a game where repetition has no meaning.

    The moves of the last ply are counted, not played (bulk counting), two plies at a time: this spares most calls.
    """
    if depth <= 1:
        return count_moves(state) if depth == 1 else 1
    moves = move_buffer(state)
    count = legal_moves(state, moves)
    total = 0
    if depth == 2:
        for index in range(count):
            total += count_moves(play(state, moves[index]))
    else:
        for index in range(count):
            total += perft(play(state, moves[index]), depth - 1)
    return total


@kernel
def perft_with_repetition(state: State, depth: int, path: MutableSequence[int], length: int) -> int:
    """The same where a repeated position ends the game; `path` holds the `length` repetition keys so far."""
    if depth <= 1:
        return count_moves(state) if depth == 1 else 1
    moves = move_buffer(state)
    total = 0
    for index in range(legal_moves(state, moves)):
        child = play(state, moves[index])
        path[length] = repetition_key(child)
        if first_occurrence(path[length], path, 0, length) == NOT_REPEATED:
            total += perft_with_repetition(child, depth - 1, path, length + 1)
    return total


def count_sequences(position: Position, depth: int) -> int:
    """Perft of a position, compiled: how many sequences of `depth` plies there are."""
    given_position("count_sequences", position)
    given_count("count_sequences", "depth", depth, 0)
    if not repetition_key(position.state):
        return int(compiled(perft, position.game)(position.state, depth))
    path = integers([*position.seen, *[0] * depth])
    return int(compiled(perft_with_repetition, position.game)(position.state, depth, path, len(position.seen)))


def divide(position: Position, depth: int) -> dict[str, int]:
    """Perft below each legal move."""
    return {move.text: count_sequences(position.play(move), depth - 1) for move in position.moves()}
