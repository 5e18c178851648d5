"""The notebook of one searching thread: limits, counters and habits in one array of words, by index.

One array and not many: whatever is handed down a recursion is paid for at every position.
"""

from collections.abc import MutableSequence
from typing import Any

from palabre.compile.compiler import words
from palabre.core.game import Game
from palabre.core.kernels import kernel
from palabre.search.repetition import NOT_REPEATED, first_occurrence
from palabre.search.values import MAX_PLY

STOP = 0  # not 0: come back at once, whatever is under way is worthless
NODES = 1  # positions looked at
NODE_LIMIT = 2
DEADLINE = 3  # by `core.instant.now`
AGE = 4  # of the search, for the table
BEST = 5  # the best move at the root
ROOT_PLAYER = 6  # the player who searches: positions are evaluated as he sees them
RESOLUTION = 7  # a point of the evaluation is worth so much
DISABLED = 8  # the techniques that are switched off, one bit each
GUESSES = 9  # how often something that is no proof was used: an evaluation, a shallow entry of the table
PATH_LENGTH = 10  # positions of the game before the root
OLDEST = 11  # the first place of the path that the line being looked at has come back to
EXCLUDED = 12  # moves left out at the root, which principal_variation
CODES = 13  # how many codes a move can have
TABLE_DEPTH = 14  # from which depth on the table is asked and told
LAST_POLL = 15  # when it last looked at the clock
LONGEST_PAUSE = (
    16  # the longest time between two looks of late: other programs had the processor, and will have it again
)
SAFETY_MARGIN = 17  # by how much earlier than the deadline it may stop for the sake of such pauses
EXCLUDED_MOVES = 18
MOST_EXCLUDED = 64
LINE = EXCLUDED_MOVES + MOST_EXCLUDED  # the best play from the root, as the table remembers it
PATH = LINE + MAX_PLY + 2  # repetition numbers of the game so far and of the line being looked at
LONGEST_PATH = 4096
HISTORY = PATH + LONGEST_PATH  # how often a move has refuted something, for each player

NO_LIMIT = 1 << 62  # as a limit
NO_MOVE = 0xFFF  # the largest number that fits where the table keeps a move

TECHNIQUES = ("table", "gains", "history", "reductions", "quiescence", "margin_bounds", "aspiration")
TABLE, GAINS, HISTORY_ORDER, REDUCTIONS, QUIESCENCE, MARGIN_BOUNDS, ASPIRATION = (
    1 << bit for bit in range(len(TECHNIQUES))
)

FEW_MOVES = 8  # where a position has no more, a look two plies deep is repeated sooner than remembered


def new_worker(game: Game, resolution: int, without: int) -> Any:
    """An empty notebook for searches of a game."""
    codes = int(game.rules.MOVE_CODES)
    worker = words([0] * (HISTORY + 2 * codes))
    worker[CODES], worker[RESOLUTION], worker[DISABLED] = codes, resolution, without
    worker[TABLE_DEPTH] = 3 if int(game.rules.MOST_MOVES) <= FEW_MOVES else 1
    return worker


@kernel
def uses(technique: int, worker: MutableSequence[int]) -> bool:
    """Whether a technique is not switched off."""
    return worker[DISABLED] & technique == 0


@kernel
def is_on_path(mark: int, place: int, recent: int, worker: MutableSequence[int]) -> bool:
    """Whether a position is among the `recent` ones before its place on the path; worker how early."""
    found = first_occurrence(mark, worker, PATH + place - recent, PATH + place)
    if found == NOT_REPEATED:
        return False
    worker[OLDEST] = min(worker[OLDEST], found - PATH)
    return True
