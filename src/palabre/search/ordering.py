"""The order in which moves are looked at: the sooner the best one, the more of the others need no look.

First the table's move, then what wins something at once, then quiet moves by how often they have refuted something
(history).
"""

from collections.abc import MutableSequence
from typing import Any

from palabre.core.kernels import kernel
from palabre.core.verbs import Moves, gain, to_move
from palabre.search.worker import CODES, GAINS, HISTORY, uses

# How promising a move is and its code share a word, so that one comparison orders moves: promise << 16 | 65535 - code.
# Of equally promising moves the one with the lower code comes first.
CODE_BITS = 16
CODE_MASK = (1 << CODE_BITS) - 1
TABLE_FIRST, GAIN_UNIT, MOST_HISTORY = 1 << 46, 1 << 26, 1 << 24
AGING = 3  # history is divided by two so many times before the next move


@kernel
def score_moves(state: Any, moves: Moves, count: int, first: int, worker: MutableSequence[int]) -> None:
    """Write to each move how promising it is; `first` is the table's."""
    history = HISTORY + to_move(state) * worker[CODES]
    for index in range(count):
        move = moves[index]
        promise = worker[history + move]
        if uses(GAINS, worker):
            promise += gain(state, move) * GAIN_UNIT
        if move == first:
            promise = TABLE_FIRST
        moves[index] = promise << CODE_BITS | move ^ CODE_MASK


@kernel
def code_of(rated: int) -> int:
    """The code of a rated move."""
    return rated & CODE_MASK ^ CODE_MASK


@kernel
def is_quiet(rated: int) -> bool:
    """Whether a rated move wins nothing at once, nor comes from the table."""
    return rated < GAIN_UNIT - MOST_HISTORY << CODE_BITS


@kernel
def pick_best(moves: Moves, place: int, count: int) -> int:
    """Swap the most promising of the rated moves from `place` on to it, and return it."""
    found = moves[place]
    for index in range(place + 1, count):
        found = max(found, moves[index])  # no branch, several at a time
    best = place
    while moves[best] != found:
        best += 1
    moves[best] = moves[place]
    moves[place] = found
    return found


@kernel
def update_history(state: Any, moves: Moves, index: int, depth: int, worker: MutableSequence[int]) -> None:
    """The quiet move at `index` was too good for the opponent, those before it were not: look at it early hereafter."""
    history = HISTORY + to_move(state) * worker[CODES]
    weight = min(depth * depth, 400)
    adjust(history + code_of(moves[index]), weight, worker)
    for earlier in range(index):
        if is_quiet(moves[earlier]):
            adjust(history + code_of(moves[earlier]), -weight, worker)


@kernel
def adjust(place: int, weight: int, worker: MutableSequence[int]) -> None:
    """Move a number of the history up or down, the less the nearer it is to its limit."""
    scaled = weight << 14
    worker[place] += scaled - worker[place] * abs(scaled) // MOST_HISTORY


@kernel
def age_history(worker: MutableSequence[int]) -> None:
    """Forget most of the history: the game has moved on."""
    for place in range(HISTORY, HISTORY + 2 * worker[CODES]):
        worker[place] >>= AGING
