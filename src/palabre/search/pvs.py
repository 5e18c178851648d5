"""Principal variation search: the engine's search_root at one position, and past the horizon.

Alpha-beta with a transposition table. The first move is looked at with the whole window, the others only have to show
that they are no better; late and quiet ones even at less depth first. What is proven is told from what is guessed:
while a search has used no guess (`worker[GUESSES]`), its value holds at any depth.
"""

import math
from collections.abc import MutableSequence
from typing import Any

from palabre.core.kernels import Table, kernel
from palabre.core.system import now
from palabre.core.verbs import (
    award_remaining,
    evaluate,
    is_over,
    key,
    late_moves_count,
    legal_moves,
    margin_bounds,
    move_buffer,
    play,
    prefetch,
    repetition_key,
    reversible_plies,
    tactical_moves,
    to_move,
    unowned_view,
)
from palabre.search.ordering import code_of, is_quiet, pick_best, score_moves, update_history
from palabre.search.table import (
    EXACT,
    LOWER_BOUND,
    NO_ENTRY,
    UPPER_BOUND,
    bound_in,
    bucket_of,
    depth_in,
    move_in,
    packed,
    probe,
    store,
    value_in,
)
from palabre.search.values import (
    MAX_PLY,
    PROVEN_ELSEWHERE,
    WIN,
    WON,
    as_proven_elsewhere,
    decided,
    from_table,
    terminal_value,
    to_table,
)
from palabre.search.worker import (
    AGE,
    BEST,
    DEADLINE,
    EXCLUDED,
    EXCLUDED_MOVES,
    GUESSES,
    HISTORY_ORDER,
    LAST_POLL,
    LINE,
    LONGEST_PAUSE,
    MARGIN_BOUNDS,
    NO_LIMIT,
    NO_MOVE,
    NODE_LIMIT,
    NODES,
    OLDEST,
    PATH,
    PATH_LENGTH,
    QUIESCENCE,
    REDUCTIONS,
    RESOLUTION,
    ROOT_PLAYER,
    SAFETY_MARGIN,
    STOP,
    TABLE,
    TABLE_DEPTH,
    is_on_path,
    uses,
)

POLL = 64  # nodes between two looks at the clock
COMPLETE = 255  # as a depth in the table: no deeper search_root would find anything else
QUIESCENCE_PLIES = 8  # how far a line of loud moves is followed past the horizon
ROOT_PLAYER_KEY = 0x5DEECE66D1B54A33  # what the second player sees is kept apart from what the first sees

# By how many plies a late quiet move is looked at less deeply: [depth][number of the move].
MIN_REDUCED_DEPTH, FIRST_REDUCED_MOVE = 2, 2
LAST_ROW = 63
REDUCTION = Table(
    [
        [
            int(0.8 + math.log(depth) * math.log(index) / 1.7)
            if depth >= MIN_REDUCED_DEPTH and index >= FIRST_REDUCED_MOVE
            else 0
            for index in range(LAST_ROW + 1)
        ]
        for depth in range(LAST_ROW + 1)
    ]
)


@kernel
def search_root(
    state: Any,
    weights: Any,
    depth: int,
    alpha: int,
    beta: int,
    table: MutableSequence[int],
    worker: MutableSequence[int],
) -> int:
    """`search` from outside: from the root."""
    return search(state, weights, depth, alpha, beta, 0, unowned_view(table), unowned_view(worker))


@kernel
def search(
    state: Any,
    weights: Any,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    table: MutableSequence[int],
    worker: MutableSequence[int],
) -> int:
    """The value of a position for the player to move, searched `depth` plies deep.

    Exact if alpha < value < beta; at most alpha, or at least beta, otherwise. Meaningless once worker[STOP] is set.
    """
    # Step 1. Limits.
    if is_out_of_limits(worker):
        return 0

    # Step 2. The end of the game, by the rules or by a repeated position.
    if is_over(state):
        return terminal_value(state, ply)
    mark = repetition_key(state)
    place = worker[PATH_LENGTH] + ply
    recent = min(place, reversible_plies(state)) if mark else 0  # positions on the path that may come again
    if mark:
        if ply > 0 and is_on_path(mark, place, recent, worker):
            worker[GUESSES] += 1  # true on this line only
            return terminal_value(award_remaining(state), ply)
        worker[PATH + place] = mark

    # Step 3. A game that is decided though it goes on, or that can no longer be lost or won.
    if ply > 0 and uses(MARGIN_BOUNDS, worker):
        least, most = margin_bounds(state)
        if least > 0 or most < 0:
            return decided(least, most)
        if (least == 0 and beta <= 0) or (most == 0 and alpha >= 0) or least == most:
            return 0

    # Step 4. The horizon.
    if depth <= 0 or ply >= MAX_PLY:
        return quiescence(state, weights, alpha, beta, ply, QUIESCENCE_PLIES, worker)

    # Step 5. No line can be worth more than winning on the next move, or less than having lost here.
    alpha = max(alpha, -WIN + ply)
    beta = min(beta, WIN - ply - 1)
    if alpha >= beta:
        return alpha

    # Step 6. What an earlier search found. Where only the length of a win is in question, guesses are no help. Nor is
    # a proof one where positions may come again that did not lie on the path when it was found.
    position_key = key(state) ^ ROOT_PLAYER_KEY * worker[ROOT_PLAYER]
    known = probe(position_key, table) if depth >= worker[TABLE_DEPTH] and uses(TABLE, worker) else NO_ENTRY
    table_move = NO_MOVE
    if known != NO_ENTRY:
        table_move = move_in(known)
        value = from_table(value_in(known), ply)
        is_sure = depth_in(known) == COMPLETE and recent == 0
        if recent > 0 and bound_in(known) != (UPPER_BOUND if value > 0 else LOWER_BOUND):
            value = as_proven_elsewhere(value)
        is_about_length = alpha >= WON or beta <= -WON
        if ply > 0 and depth_in(known) >= depth and (is_sure or not is_about_length or abs(value) >= WON):
            bound = bound_in(known)
            if bound == EXACT or (bound == LOWER_BOUND and value >= beta) or (bound == UPPER_BOUND and value <= alpha):
                if not is_sure:
                    worker[GUESSES] += 1
                return value

    # Step 7. The moves, the most promising first.
    moves = move_buffer(state)
    count = legal_moves(state, moves)
    if ply == 0:
        count = without_excluded(moves, count, worker)
    score_moves(state, moves, count, table_move, worker)
    guesses = worker[GUESSES]
    oldest = worker[OLDEST]
    worker[OLDEST] = NO_LIMIT
    best = -WIN
    best_move = NO_MOVE
    first_alpha = alpha
    for index in range(count):
        rated = pick_best(moves, index, count)
        move = code_of(rated)
        quiet = is_quiet(rated)
        child = play(state, move)
        if depth > worker[TABLE_DEPTH]:
            prefetch(table, bucket_of(key(child) ^ ROOT_PLAYER_KEY * worker[ROOT_PLAYER], table))
        # A player whose opponent is skipped moves again: then the child's value is his own, not its negative.
        sign = 1 if to_move(child) == to_move(state) else -1

        # Step 8. Only the first move gets the full window at once; late and quiet ones begin with less depth, but not
        # where a shorter win than a proven one is looked for, nor where the game says that they count.
        reduction = 0
        if quiet and alpha < WON and uses(REDUCTIONS, worker) and not late_moves_count(state):
            reduction = REDUCTION[min(depth, LAST_ROW)][min(index, LAST_ROW)]
        value = alpha + 1
        if index > 0:
            low, high = (alpha, alpha + 1) if sign > 0 else (-alpha - 1, -alpha)
            value = sign * search(child, weights, depth - 1 - reduction, low, high, ply + 1, table, worker)
            if value > alpha and reduction > 0:
                value = sign * search(child, weights, depth - 1, low, high, ply + 1, table, worker)
        if index == 0 or alpha < value < beta:
            low, high = (alpha, beta) if sign > 0 else (-beta, -alpha)
            value = sign * search(child, weights, depth - 1, low, high, ply + 1, table, worker)
        if worker[STOP]:
            return 0

        # Step 9. Is it the best so far?
        if value > best:
            best = value
            best_move = move
            if ply == 0 and (index == 0 or value > alpha):
                worker[BEST] = move
            alpha = max(alpha, value)
            if alpha >= beta:
                if quiet and uses(HISTORY_ORDER, worker):
                    update_history(state, moves, index, depth, worker)
                break

    # Step 10. Remember what was found, unless it holds on this line only.
    is_on_any_line = worker[OLDEST] >= place
    worker[OLDEST] = oldest if is_on_any_line else min(oldest, worker[OLDEST])
    if depth >= worker[TABLE_DEPTH] and is_on_any_line and worker[EXCLUDED] == 0:
        bound = LOWER_BOUND if best >= beta else EXACT if best > first_alpha else UPPER_BOUND
        kept_depth = COMPLETE if worker[GUESSES] == guesses else depth
        store(position_key, packed(best_move, bound, kept_depth, worker[AGE], to_table(best, ply)), table)
    return best


@kernel
def quiescence(
    state: Any, weights: Any, alpha: int, beta: int, ply: int, left: int, worker: MutableSequence[int]
) -> int:
    """The value of a running game when the loud moves have been played out; each player may prefer to leave it."""
    worker[GUESSES] += 1
    best = static_evaluation(state, weights, worker)
    if best >= beta or left == 0 or not uses(QUIESCENCE, worker):
        return best
    moves = move_buffer(state)
    for index in range(tactical_moves(state, moves)):
        if is_out_of_limits(worker):
            return 0
        alpha = max(alpha, best)
        child = play(state, moves[index])
        if is_over(child):
            value = (
                -terminal_value(child, ply + 1) if to_move(child) != to_move(state) else terminal_value(child, ply + 1)
            )
        elif to_move(child) != to_move(state):
            value = -quiescence(child, weights, -beta, -alpha, ply + 1, left - 1, worker)
        else:
            value = quiescence(child, weights, alpha, beta, ply + 1, left - 1, worker)
        best = max(best, value)
        if best >= beta:
            break
    return best


@kernel
def static_evaluation(state: Any, weights: Any, worker: MutableSequence[int]) -> int:
    """What the evaluation says, as the player who searches sees it, for the player to move."""
    seen = int(evaluate(weights, state, worker[ROOT_PLAYER]) * worker[RESOLUTION])
    value = seen if to_move(state) == worker[ROOT_PLAYER] else -seen
    return max(1 - PROVEN_ELSEWHERE, min(PROVEN_ELSEWHERE - 1, value))


@kernel
def is_out_of_limits(worker: MutableSequence[int]) -> bool:
    """Count a position; whether the search must stop, for which it looks at the clock now and then."""
    worker[NODES] += 1
    if worker[NODES] > worker[NODE_LIMIT] or (worker[NODES] % POLL == 0 and is_time_up(worker)):
        worker[STOP] = 1
    return worker[STOP] != 0


@kernel
def is_time_up(worker: MutableSequence[int]) -> bool:
    """Whether the deadline has come, or could pass while other programs have the processor."""
    moment = now()
    worker[LONGEST_PAUSE] = max(worker[LONGEST_PAUSE], moment - worker[LAST_POLL])
    worker[LAST_POLL] = moment
    return moment + min(worker[LONGEST_PAUSE], worker[SAFETY_MARGIN]) >= worker[DEADLINE]


@kernel
def without_excluded(moves: MutableSequence[int], count: int, worker: MutableSequence[int]) -> int:
    """Take the moves to be skipped at the root off a list; returns how many are left."""
    left = 0
    for index in range(count):
        is_excluded = False
        for place in range(EXCLUDED_MOVES, EXCLUDED_MOVES + worker[EXCLUDED]):
            is_excluded = is_excluded or worker[place] == moves[index]
        if not is_excluded:
            moves[left] = moves[index]
            left += 1
    return left


@kernel
def principal_variation(state: Any, most: int, table: MutableSequence[int], worker: MutableSequence[int]) -> int:
    """Write the best play that the table remembers to the line in the notebook, after its first move; its length."""
    length = 1
    state = play(state, worker[LINE])
    while length < most and not is_over(state):
        known = probe(key(state) ^ ROOT_PLAYER_KEY * worker[ROOT_PLAYER], table)
        move = move_in(known) if known != NO_ENTRY else NO_MOVE
        moves = move_buffer(state)
        is_legal = False
        for index in range(legal_moves(state, moves)):
            is_legal = is_legal or moves[index] == move
        if not is_legal:
            break
        worker[LINE + length] = move
        length += 1
        state = play(state, move)
    return length
