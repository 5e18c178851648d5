"""Principal variation search: the engine's look at one position, and past the horizon.

Alpha-beta with a transposition table. The first move is looked at with the whole window, the others only have to show
that they are no better; late and quiet ones even at less depth first. What is proven is told from what is guessed:
while a search has used no guess (`notes[GUESSES]`), its value holds at any depth.
"""

import math
from collections.abc import MutableSequence
from typing import Any

from palabre.core.instant import now
from palabre.core.kernels import Table, kernel
from palabre.core.verbs import (
    borrowed,
    evaluate,
    fetch,
    is_over,
    key,
    late_moves_count,
    legal_moves,
    loud_moves,
    move_buffer,
    outlook,
    play,
    repetition,
    reversible_plies,
    settle,
    to_move,
)
from palabre.search.notebook import (
    AGE,
    BEST,
    DEADLINE,
    GUESSES,
    HISTORIES,
    LINE,
    LOOKED,
    LOUD,
    NEVER,
    NO_MOVE,
    NODE_LIMIT,
    NODES,
    OLDEST,
    OUTLOOK,
    PATH,
    PATH_LENGTH,
    PAUSE,
    REDUCTIONS,
    RESOLUTION,
    SKIP_LIST,
    SKIPPED,
    SPARE,
    STOP,
    TABLE,
    TABLE_DEPTH,
    VIEWER,
    is_on_path,
    uses,
)
from palabre.search.ordering import bring_best_forward, code_of, is_quiet, rate_moves, remember_refutation
from palabre.search.table import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    NOTHING,
    bound_in,
    bucket_of,
    depth_in,
    keep,
    look_up,
    move_in,
    packed,
    value_in,
)
from palabre.search.values import DEEPEST, LIKELY, WIN, WON, decided, doubted, from_table, outcome, to_table

POLL = 64  # nodes between two looks at the clock
COMPLETE = 255  # as a depth in the table: no deeper look would find anything else
LOUD_PLIES = 8  # how far a line of loud moves is followed past the horizon
VIEWER_MARK = 0x5DEECE66D1B54A33  # what the second player sees is kept apart from what the first sees

# By how many plies a late quiet move is looked at less deeply: [depth][number of the move].
LATE_DEPTH, LATE_MOVE = 2, 2
LAST_ROW = 63
LATE = Table(
    [
        [
            int(0.8 + math.log(depth) * math.log(index) / 1.7) if depth >= LATE_DEPTH and index >= LATE_MOVE else 0
            for index in range(LAST_ROW + 1)
        ]
        for depth in range(LAST_ROW + 1)
    ]
)


@kernel
def look(
    state: Any,
    weights: Any,
    depth: int,
    alpha: int,
    beta: int,
    table: MutableSequence[int],
    notes: MutableSequence[int],
) -> int:
    """`visit` from outside: from the root."""
    return visit(state, weights, depth, alpha, beta, 0, borrowed(table), borrowed(notes))


@kernel
def visit(
    state: Any,
    weights: Any,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    table: MutableSequence[int],
    notes: MutableSequence[int],
) -> int:
    """The value of a position for the player to move, searched `depth` plies deep.

    Exact if alpha < value < beta; at most alpha, or at least beta, otherwise. Meaningless once notes[STOP] is set.
    """
    # Step 1. Limits.
    if is_out_of_limits(notes):
        return 0

    # Step 2. The end of the game, by the rules or by a repeated position.
    if is_over(state):
        return outcome(state, ply)
    mark = repetition(state)
    place = notes[PATH_LENGTH] + ply
    recent = min(place, reversible_plies(state)) if mark else 0  # positions on the path that may come again
    if mark:
        if ply > 0 and is_on_path(mark, place, recent, notes):
            notes[GUESSES] += 1  # true on this line only
            return outcome(settle(state), ply)
        notes[PATH + place] = mark

    # Step 3. A game that is decided though it goes on, or that can no longer be lost or won.
    if ply > 0 and uses(OUTLOOK, notes):
        least, most = outlook(state)
        if least > 0 or most < 0:
            return decided(least, most)
        if (least == 0 and beta <= 0) or (most == 0 and alpha >= 0) or least == most:
            return 0

    # Step 4. The horizon.
    if depth <= 0 or ply >= DEEPEST:
        return settle_down(state, weights, alpha, beta, ply, LOUD_PLIES, notes)

    # Step 5. No line can be worth more than winning on the next move, or less than having lost here.
    alpha = max(alpha, -WIN + ply)
    beta = min(beta, WIN - ply - 1)
    if alpha >= beta:
        return alpha

    # Step 6. What an earlier visit found. Where only the length of a win is in question, guesses are no help. Nor is
    # a proof one where positions may come again that did not lie on the path when it was found.
    position_key = key(state) ^ VIEWER_MARK * notes[VIEWER]
    known = look_up(position_key, table) if depth >= notes[TABLE_DEPTH] and uses(TABLE, notes) else NOTHING
    table_move = NO_MOVE
    if known != NOTHING:
        table_move = move_in(known)
        value = from_table(value_in(known), ply)
        is_sure = depth_in(known) == COMPLETE and recent == 0
        if recent > 0 and bound_in(known) != (AT_MOST if value > 0 else AT_LEAST):
            value = doubted(value)
        is_about_length = alpha >= WON or beta <= -WON
        if ply > 0 and depth_in(known) >= depth and (is_sure or not is_about_length or abs(value) >= WON):
            bound = bound_in(known)
            if bound == EXACT or (bound == AT_LEAST and value >= beta) or (bound == AT_MOST and value <= alpha):
                if not is_sure:
                    notes[GUESSES] += 1
                return value

    # Step 7. The moves, the most promising first.
    moves = move_buffer(state)
    count = legal_moves(state, moves)
    if ply == 0:
        count = without_skipped(moves, count, notes)
    rate_moves(state, moves, count, table_move, notes)
    guesses = notes[GUESSES]
    oldest = notes[OLDEST]
    notes[OLDEST] = NEVER
    best = -WIN
    best_move = NO_MOVE
    first_alpha = alpha
    for index in range(count):
        rated = bring_best_forward(moves, index, count)
        move = code_of(rated)
        quiet = is_quiet(rated)
        child = play(state, move)
        if depth > notes[TABLE_DEPTH]:
            fetch(table, bucket_of(key(child) ^ VIEWER_MARK * notes[VIEWER], table))
        # A player whose opponent is skipped moves again: then the child's value is his own, not its negative.
        sign = 1 if to_move(child) == to_move(state) else -1

        # Step 8. Only the first move gets the full window at once; late and quiet ones begin with less depth, but not
        # where a shorter win than a proven one is looked for, nor where the game says that they count.
        less = 0
        if quiet and alpha < WON and uses(REDUCTIONS, notes) and not late_moves_count(state):
            less = LATE[min(depth, LAST_ROW)][min(index, LAST_ROW)]
        value = alpha + 1
        if index > 0:
            low, high = (alpha, alpha + 1) if sign > 0 else (-alpha - 1, -alpha)
            value = sign * visit(child, weights, depth - 1 - less, low, high, ply + 1, table, notes)
            if value > alpha and less > 0:
                value = sign * visit(child, weights, depth - 1, low, high, ply + 1, table, notes)
        if index == 0 or alpha < value < beta:
            low, high = (alpha, beta) if sign > 0 else (-beta, -alpha)
            value = sign * visit(child, weights, depth - 1, low, high, ply + 1, table, notes)
        if notes[STOP]:
            return 0

        # Step 9. Is it the best so far?
        if value > best:
            best = value
            best_move = move
            if ply == 0 and (index == 0 or value > alpha):
                notes[BEST] = move
            alpha = max(alpha, value)
            if alpha >= beta:
                if quiet and uses(HISTORIES, notes):
                    remember_refutation(state, moves, index, depth, notes)
                break

    # Step 10. Remember what was found, unless it holds on this line only.
    is_on_any_line = notes[OLDEST] >= place
    notes[OLDEST] = oldest if is_on_any_line else min(oldest, notes[OLDEST])
    if depth >= notes[TABLE_DEPTH] and is_on_any_line and notes[SKIPPED] == 0:
        bound = AT_LEAST if best >= beta else EXACT if best > first_alpha else AT_MOST
        kept_depth = COMPLETE if notes[GUESSES] == guesses else depth
        keep(position_key, packed(best_move, bound, kept_depth, notes[AGE], to_table(best, ply)), table)
    return best


@kernel
def settle_down(
    state: Any, weights: Any, alpha: int, beta: int, ply: int, left: int, notes: MutableSequence[int]
) -> int:
    """The value of a running game when the loud moves have been played out; each player may prefer to leave it."""
    notes[GUESSES] += 1
    best = static_value(state, weights, notes)
    if best >= beta or left == 0 or not uses(LOUD, notes):
        return best
    moves = move_buffer(state)
    for index in range(loud_moves(state, moves)):
        if is_out_of_limits(notes):
            return 0
        alpha = max(alpha, best)
        child = play(state, moves[index])
        if is_over(child):
            value = -outcome(child, ply + 1) if to_move(child) != to_move(state) else outcome(child, ply + 1)
        elif to_move(child) != to_move(state):
            value = -settle_down(child, weights, -beta, -alpha, ply + 1, left - 1, notes)
        else:
            value = settle_down(child, weights, alpha, beta, ply + 1, left - 1, notes)
        best = max(best, value)
        if best >= beta:
            break
    return best


@kernel
def static_value(state: Any, weights: Any, notes: MutableSequence[int]) -> int:
    """What the evaluation says, as the player who searches sees it, for the player to move."""
    seen = int(evaluate(weights, state, notes[VIEWER]) * notes[RESOLUTION])
    value = seen if to_move(state) == notes[VIEWER] else -seen
    return max(1 - LIKELY, min(LIKELY - 1, value))


@kernel
def is_out_of_limits(notes: MutableSequence[int]) -> bool:
    """Count a position; whether the search must stop, for which it looks at the clock now and then."""
    notes[NODES] += 1
    if notes[NODES] > notes[NODE_LIMIT] or (notes[NODES] % POLL == 0 and is_time_up(notes)):
        notes[STOP] = 1
    return notes[STOP] != 0


@kernel
def is_time_up(notes: MutableSequence[int]) -> bool:
    """Whether the deadline has come, or could pass while other programs have the processor."""
    moment = now()
    notes[PAUSE] = max(notes[PAUSE], moment - notes[LOOKED])
    notes[LOOKED] = moment
    return moment + min(notes[PAUSE], notes[SPARE]) >= notes[DEADLINE]


@kernel
def without_skipped(moves: MutableSequence[int], count: int, notes: MutableSequence[int]) -> int:
    """Take the moves to be skipped at the root off a list; returns how many are left."""
    left = 0
    for index in range(count):
        is_skipped = False
        for place in range(SKIP_LIST, SKIP_LIST + notes[SKIPPED]):
            is_skipped = is_skipped or notes[place] == moves[index]
        if not is_skipped:
            moves[left] = moves[index]
            left += 1
    return left


@kernel
def follow(state: Any, most: int, table: MutableSequence[int], notes: MutableSequence[int]) -> int:
    """Write the best play that the table remembers to the line in the notebook, after its first move; its length."""
    length = 1
    state = play(state, notes[LINE])
    while length < most and not is_over(state):
        known = look_up(key(state) ^ VIEWER_MARK * notes[VIEWER], table)
        move = move_in(known) if known != NOTHING else NO_MOVE
        moves = move_buffer(state)
        is_legal = False
        for index in range(legal_moves(state, moves)):
            is_legal = is_legal or moves[index] == move
        if not is_legal:
            break
        notes[LINE + length] = move
        length += 1
        state = play(state, move)
    return length
