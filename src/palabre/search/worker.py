"""The worker: all that one searching thread reads and writes, in one array of words.

It is one array and not many because everything that is handed down the recursion costs time at every node. Constants
name the index of each word. From EXCLUDED_MOVES on they name the first word of a block.
"""

import math
from collections.abc import MutableSequence

from palabre.compile.compiler import integers
from palabre.core.game import Game
from palabre.core.kernels import kernel
from palabre.core.system import now
from palabre.core.verbs import MAX_MOVE_CODES
from palabre.search.engine_parameters import EngineParameters
from palabre.search.repetition import NOT_REPEATED, first_occurrence
from palabre.search.values import MAX_PLY

# Limits and counters of the current search.
STOP = 0  # not 0: the search must return at once, and what it returns is meaningless
NODES = 1  # positions searched
NODE_LIMIT = 2
DEADLINE = 3  # in nanoseconds of `core.system.now`
LAST_POLL = 4  # when the clock was last read
LONGEST_PAUSE = 5  # the longest recent time between two reads: other programs had the processor, and will again
SAFETY_MARGIN = 6  # the search may stop this long before the deadline for the sake of such pauses

# The root.
BEST = 7  # the best move at the root; before a search, the move to search first
ROOT_PLAYER = 8  # the player who thinks: positions are evaluated from their side
PATH_LENGTH = 9  # positions of the game before the root
EXCLUDED = 10  # how many root moves are left out because an earlier line begins with them

# The state of the search.
AGE = 11  # of the search, for the table
GUESSES = 12  # how often something that proves nothing was used: an evaluation, a shallow table entry
OLDEST = 13  # the first place on the path that the current line has come back to

# The game, the evaluation and the parameters (`search.engine_parameters`).
CODES = 14  # MOVE_CODES of the game
RESOLUTION = 15  # units of value in a point of the evaluation
DISABLED = 16  # techniques that are switched off, one bit each
TABLE_MIN_DEPTH = 17
QUIESCENCE_PLIES = 18
HISTORY_MAX_BONUS = 19
HISTORY_AGING = 20
POLL_INTERVAL = 21
NEXT_POLL = 22  # the limits are checked when this many positions have been searched

EXCLUDED_MOVES = 23
MOST_EXCLUDED = 64

# The principal variation, as the table remembers it.
LINE = EXCLUDED_MOVES + MOST_EXCLUDED

# By how many plies late moves are reduced, for each depth and number of the move: 0 if reductions are switched off.
REDUCTION_TABLE = LINE + MAX_PLY + 2
REDUCTION_BITS = 6
LAST_REDUCTION = (1 << REDUCTION_BITS) - 1  # deeper and later ones are reduced as this one is

# The per-ply stack: a block of words for each thing that a node leaves to others; the node's own is at its ply.
STACK = REDUCTION_TABLE + (1 << 2 * REDUCTION_BITS)
TABLE_KEY = STACK  # of the table's entry; written by the parent, if the node is deep enough for the table

# Repetition keys (see the verb) of the positions of the game before the root and of the current line, side by side
# because they are scanned. That of the node at a ply is at the place PATH_LENGTH + ply.
REPETITION_KEY = TABLE_KEY + MAX_PLY + 2
LONGEST_PATH = 4096  # places

# The history heuristic: a number for each player and move code.
HISTORY = REPETITION_KEY + LONGEST_PATH

NO_LIMIT = 1 << 62  # as a node limit, a deadline or a place on the path: more than any
NO_MOVE = MAX_MOVE_CODES  # no move has this code, and it fits where the table keeps a move

TECHNIQUES = ("table", "gains", "history", "reductions", "quiescence", "margin_bounds", "aspiration")
TABLE, GAINS, HISTORY_ORDER, REDUCTIONS, QUIESCENCE, MARGIN_BOUNDS, ASPIRATION = (
    1 << bit for bit in range(len(TECHNIQUES))
)


def new_worker(game: Game, resolution: int, disabled: int, parameters: EngineParameters) -> MutableSequence[int]:
    """A worker for searches of a game, with an empty history."""
    codes = int(game.rules.MOVE_CODES)
    worker: MutableSequence[int] = integers([0] * (HISTORY + 2 * codes))
    worker[CODES], worker[RESOLUTION], worker[DISABLED] = codes, resolution, disabled
    worker[TABLE_MIN_DEPTH] = parameters.table_min_depth
    worker[QUIESCENCE_PLIES] = parameters.quiescence_plies
    worker[HISTORY_MAX_BONUS] = parameters.history_max_bonus
    worker[HISTORY_AGING] = parameters.history_aging
    worker[POLL_INTERVAL] = parameters.poll_interval
    for depth in range(LAST_REDUCTION + 1 if disabled & REDUCTIONS == 0 else 0):
        for index in range(LAST_REDUCTION + 1):
            worker[REDUCTION_TABLE + (depth << REDUCTION_BITS) + index] = late_move_reduction(depth, index, parameters)
    return worker


def late_move_reduction(depth: int, index: int, parameters: EngineParameters) -> int:
    """By how many plies the quiet move with this number is reduced.

    The formula with two logarithms is the usual one since Fruit and Stockfish.
    """
    if depth < parameters.reduction_min_depth or index < parameters.reduction_first_move:
        return 0
    return int(parameters.reduction_base + math.log(depth) * math.log(index) / parameters.reduction_divisor)


@kernel
def uses(technique: int, worker: MutableSequence[int]) -> bool:
    """Whether a technique is not switched off."""
    return worker[DISABLED] & technique == 0


@kernel
def is_on_path(repetition: int, place: int, recent: int, worker: MutableSequence[int]) -> bool:
    """Whether a position is among the `recent` ones before its place on the path; OLDEST then knows the earliest."""
    place_before = first_occurrence(repetition, worker, REPETITION_KEY + place - recent, REPETITION_KEY + place)
    if place_before == NOT_REPEATED:
        return False
    worker[OLDEST] = min(worker[OLDEST], place_before - REPETITION_KEY)
    return True


@kernel
def is_out_of_limits(worker: MutableSequence[int]) -> bool:
    """Count a node, and return whether the search must stop; the limits are checked only now and then."""
    worker[NODES] += 1
    return worker[NODES] >= worker[NEXT_POLL] and must_stop(worker)


@kernel
def must_stop(worker: MutableSequence[int]) -> bool:
    """Look at all limits, and say when to do so next: at every node once the search must stop."""
    if worker[NODES] > worker[NODE_LIMIT] or is_time_up(worker):
        worker[STOP] = 1
    after = min(worker[NODES] + worker[POLL_INTERVAL], worker[NODE_LIMIT] + 1)
    worker[NEXT_POLL] = 0 if worker[STOP] else after
    return worker[STOP] != 0


@kernel
def is_time_up(worker: MutableSequence[int]) -> bool:
    """Whether the deadline has come, or could pass while other programs have the processor."""
    moment = now()
    worker[LONGEST_PAUSE] = max(worker[LONGEST_PAUSE], moment - worker[LAST_POLL])
    worker[LAST_POLL] = moment
    return moment + min(worker[LONGEST_PAUSE], worker[SAFETY_MARGIN]) >= worker[DEADLINE]
