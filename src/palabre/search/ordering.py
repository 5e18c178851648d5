"""Move ordering: the sooner the best move is searched, the more of the others are cut off.

The table's move comes first, then moves by what they gain at once, then quiet moves by the history heuristic: how often
they have caused a cutoff anywhere in the tree (Schaeffer, "The History Heuristic", 1983 and 1989).
"""

from collections.abc import MutableSequence
from typing import Any

from palabre.core.kernels import kernel
from palabre.core.verbs import Moves, gain, to_move
from palabre.search.worker import CODES, GAINS, HISTORY, HISTORY_AGING, HISTORY_MAX_BONUS, uses

# A move's score and its code share a word, so that one comparison orders moves: score << 16 | 65535 - code.
# Of moves with equal scores the one with the lower code comes first.
CODE_BITS = 16
CODE_MASK = (1 << CODE_BITS) - 1
TABLE_MOVE_SCORE = 1 << 46
GAIN_SCORE = 1 << 26  # for each unit of the verb `gain`, of which a move has fewer than 2 ** 20
MAX_HISTORY = 1 << 24  # the history of a move stays within plus and minus this
BONUS_SHIFT = 14  # scales a bonus to the range of the history


@kernel
def score_moves(state: Any, moves: Moves, count: int, table_move: int, worker: MutableSequence[int]) -> None:
    """Replace each move by its score and its code."""
    history = HISTORY + to_move(state) * worker[CODES]
    for index in range(count):
        move = moves[index]
        score = worker[history + move]
        if uses(GAINS, worker):
            score += gain(state, move) * GAIN_SCORE
        if move == table_move:
            score = TABLE_MOVE_SCORE
        moves[index] = score << CODE_BITS | move ^ CODE_MASK


@kernel
def code_of(scored: int) -> int:
    """The code of a scored move."""
    return scored & CODE_MASK ^ CODE_MASK


@kernel
def is_quiet(scored: int) -> bool:
    """Whether a scored move gains nothing at once and is not the table's."""
    return scored < GAIN_SCORE - MAX_HISTORY << CODE_BITS


@kernel
def pick_best(moves: Moves, place: int, count: int) -> int:
    """Swap the best of the scored moves from `place` on to that place, and return it (a step of selection sort)."""
    highest = moves[place]
    for index in range(place + 1, count):
        highest = max(highest, moves[index])  # without a branch, the compiler does several at a time
    best = place
    while moves[best] != highest:
        best += 1
    moves[best] = moves[place]
    moves[place] = highest
    return highest


@kernel
def update_history(state: Any, moves: Moves, index: int, depth: int, worker: MutableSequence[int]) -> None:
    """Reward the quiet move at `index`, which caused a cutoff, and punish the quiet moves that were tried before it."""
    history = HISTORY + to_move(state) * worker[CODES]
    bonus = min(depth * depth, worker[HISTORY_MAX_BONUS])
    add_bonus(history + code_of(moves[index]), bonus, worker)
    for earlier in range(index):
        if is_quiet(moves[earlier]):
            add_bonus(history + code_of(moves[earlier]), -bonus, worker)


@kernel
def add_bonus(place: int, bonus: int, worker: MutableSequence[int]) -> None:
    """Move a history number up or down, by less the nearer it is to its limit ("history gravity")."""
    scaled = bonus << BONUS_SHIFT
    worker[place] += scaled - worker[place] * abs(scaled) // MAX_HISTORY


def age_history(worker: Any) -> None:
    """Forget most of the history, because the game has moved on."""
    aging = worker[HISTORY_AGING]
    if isinstance(worker, list):  # where kernels run as plain Python
        worker[HISTORY:] = [number >> aging for number in worker[HISTORY:]]
    else:
        worker[HISTORY:] >>= aging
