"""Principal variation search with a transposition table, and the quiescence search past its horizon.

The first move of a node is searched with the whole window. The others are searched with a null window, which only shows
whether they are better (Marsland and Campbell 1982; Reinefeld's NegaScout 1983), and once more if they are.

The search distinguishes what is proven from what is guessed: as long as it has used no guess (`worker[GUESSES]`), its
value holds at any depth.
"""

from collections.abc import MutableSequence
from typing import Any

from palabre.core.kernels import kernel
from palabre.core.verbs import (
    award_remaining,
    evaluate,
    is_legal,
    is_over,
    key,
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
    EXCLUDED,
    EXCLUDED_MOVES,
    GUESSES,
    HISTORY_ORDER,
    LAST_REDUCTION,
    LINE,
    MARGIN_BOUNDS,
    NO_LIMIT,
    NO_MOVE,
    OLDEST,
    PATH_LENGTH,
    QUIESCENCE,
    QUIESCENCE_PLIES,
    REDUCTION_BITS,
    REDUCTION_TABLE,
    REPETITION_KEY,
    RESOLUTION,
    ROOT_PLAYER,
    STOP,
    TABLE,
    TABLE_KEY,
    TABLE_MIN_DEPTH,
    is_on_path,
    is_out_of_limits,
    uses,
)

COMPLETE = 255  # as the depth of a table entry: no deeper search would find anything else
PV_LENGTH = 20  # plies of best play that a thought shows
ROOT_PLAYER_KEY = 0x5DEECE66D1B54A33  # keeps what the second player evaluates apart from what the first does


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
    """`search` from the root, for callers outside the kernels; it leaves the principal variation in the worker.

    Read-only data, such as that of nets, is in memory whose address is among the weights.
    """
    words = unowned_view(worker)
    words[TABLE_KEY] = table_key(state, words)
    entries = unowned_view(table)
    value = search(state, weights, depth, alpha, beta, 0, entries, words)
    write_principal_variation(state, min(depth, PV_LENGTH), entries, words)
    return value


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
    """The value of a position for the player to move, searched `depth` plies deep (fail-soft).

    It is exact if alpha < value < beta, an upper bound if value <= alpha, and a lower bound if value >= beta. It is
    meaningless once worker[STOP] is set.
    """
    # Step 1. Limits of nodes and time.
    if is_out_of_limits(worker):
        return 0

    # Step 2. The end of the game, by the rules or by a repeated position.
    if is_over(state):
        return terminal_value(state, ply)
    repetition = repetition_key(state)
    place = worker[PATH_LENGTH] + ply
    recent = min(place, reversible_plies(state)) if repetition else 0  # positions on the path that may be repeated
    if repetition:
        if ply > 0 and is_on_path(repetition, place, recent, worker):
            worker[GUESSES] += 1  # the value holds on this line only
            return terminal_value(award_remaining(state), ply)
        worker[REPETITION_KEY + place] = repetition

    # Step 3. Margin bounds: a game that is decided though it goes on, or that can no longer be lost or won.
    if ply > 0 and uses(MARGIN_BOUNDS, worker):
        least, most = margin_bounds(state)
        if least > 0 or most < 0:
            return decided(least, most)
        if (least == 0 and beta <= 0) or (most == 0 and alpha >= 0) or least == most:
            return 0

    # Step 4. The horizon: quiescence search.
    if depth <= 0 or ply >= MAX_PLY:
        return quiescence(state, weights, alpha, beta, ply, worker[QUIESCENCE_PLIES], worker)

    # Step 5. Mate distance pruning: no line is worth more than a win on the next move, or less than a loss here.
    alpha = max(alpha, -WIN + ply)
    beta = min(beta, WIN - ply - 1)
    if alpha >= beta:
        return alpha

    # Step 6. Transposition table. Where only the length of a win is in question, a guess does not help. Nor does a
    # proof where positions may be repeated that were not on its path (graph-history interaction).
    is_table_used = depth >= worker[TABLE_MIN_DEPTH]
    entry = probe(worker[TABLE_KEY + ply], table) if is_table_used and uses(TABLE, worker) else NO_ENTRY
    table_move = NO_MOVE
    if entry != NO_ENTRY:
        table_move = move_in(entry)
        value = from_table(value_in(entry), ply)
        is_sure = depth_in(entry) == COMPLETE and recent == 0
        if recent > 0 and bound_in(entry) != (UPPER_BOUND if value > 0 else LOWER_BOUND):
            value = as_proven_elsewhere(value)
        is_about_length = alpha >= WON or beta <= -WON
        if ply > 0 and depth_in(entry) >= depth and (is_sure or not is_about_length or abs(value) >= WON):
            bound = bound_in(entry)
            if bound == EXACT or (bound == LOWER_BOUND and value >= beta) or (bound == UPPER_BOUND and value <= alpha):
                if not is_sure:
                    worker[GUESSES] += 1
                return value

    # Step 7. Move ordering. At the root the last iteration's move comes first: until it has been searched, nothing
    # can be said against it.
    moves = move_buffer(state)
    count = legal_moves(state, moves)
    if ply == 0:
        table_move = worker[BEST] if worker[BEST] != NO_MOVE else table_move
        count = without_excluded(moves, count, worker)
    score_moves(state, moves, count, table_move, worker)

    # Step 8. The loop over the moves.
    guesses = worker[GUESSES]
    oldest = worker[OLDEST]
    worker[OLDEST] = NO_LIMIT
    best = -WIN
    best_move = NO_MOVE
    first_alpha = alpha
    reductions = REDUCTION_TABLE + (min(depth, LAST_REDUCTION) << REDUCTION_BITS)
    for index in range(count):
        scored = pick_best(moves, index, count)
        move = code_of(scored)
        quiet = is_quiet(scored)
        child = play(state, move)
        if depth > worker[TABLE_MIN_DEPTH]:
            child_key = table_key(child, worker)
            prefetch(table, bucket_of(child_key, table))
            worker[TABLE_KEY + ply + 1] = child_key
        # If the opponent is skipped, the same player moves again, and the child's value is theirs already.
        sign = 1 if to_move(child) == to_move(state) else -1

        # Step 9. Late move reductions: late quiet moves are searched less deeply first, but not where a shorter win
        # than a proven one is looked for.
        reduction = 0
        if quiet and alpha < WON:
            reduction = worker[reductions + min(index, LAST_REDUCTION)]

        # Step 10. Principal variation search: the first move with the whole window, the others with a null window, and
        # again with more depth or a wider window if they turn out better.
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

        # Step 11. A new best move, or a cutoff. The root's first move stands until another scores above alpha.
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

    # Step 12. Store the result, unless it rests on a repetition of a position before this one (graph-history
    # interaction) or on a part of the root's moves.
    is_on_any_line = worker[OLDEST] >= place
    worker[OLDEST] = oldest if is_on_any_line else min(oldest, worker[OLDEST])
    if is_table_used and is_on_any_line and worker[EXCLUDED] == 0:
        bound = LOWER_BOUND if best >= beta else EXACT if best > first_alpha else UPPER_BOUND
        kept_depth = COMPLETE if worker[GUESSES] == guesses else depth
        entry = packed(best_move, bound, kept_depth, worker[AGE], to_table(best, ply))
        store(worker[TABLE_KEY + ply], entry, table)
    return best


@kernel
def quiescence(
    state: Any, weights: Any, alpha: int, beta: int, ply: int, left: int, worker: MutableSequence[int]
) -> int:
    """The value of a running game after tactical moves, followed for `left` plies.

    Each player may also stop and take the static evaluation ("stand pat").
    """
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
    """The evaluation from the root player's point of view, turned to the player to move."""
    seen = int(evaluate(weights, state, worker[ROOT_PLAYER]) * worker[RESOLUTION])
    value = seen if to_move(state) == worker[ROOT_PLAYER] else -seen
    return max(1 - PROVEN_ELSEWHERE, min(PROVEN_ELSEWHERE - 1, value))


@kernel
def table_key(state: Any, worker: MutableSequence[int]) -> int:
    """The key under which the table keeps a position."""
    return key(state) ^ ROOT_PLAYER_KEY * worker[ROOT_PLAYER]


@kernel
def without_excluded(moves: MutableSequence[int], count: int, worker: MutableSequence[int]) -> int:
    """Take the excluded moves off the root's list, and return how many are left."""
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
def write_principal_variation(state: Any, most: int, table: MutableSequence[int], worker: MutableSequence[int]) -> None:
    """Write the best move and what the table remembers of the play after it, then NO_MOVE, from worker[LINE] on."""
    length = 0
    move = worker[BEST]
    while move != NO_MOVE:
        worker[LINE + length] = move
        length += 1
        state = play(state, move)
        move = NO_MOVE
        if length < most and not is_over(state):
            entry = probe(table_key(state, worker), table)
            if entry != NO_ENTRY and is_legal(state, move_in(entry)):
                move = move_in(entry)
    worker[LINE + length] = NO_MOVE
