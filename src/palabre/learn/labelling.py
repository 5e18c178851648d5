"""Games of the engine against itself in one compiled loop, with every position of them searched: labels to learn from.

A game begins with random moves. From then on every position is searched with a fixed number of nodes by iterative
deepening; the value is its label, and the best move is played. Beside each position of the game, one that is a few
random moves away is searched as well: it resembles the leaves of a search more than those of a good game do. A game
ends by its rules, by a repeated position, or as soon as a search or the `margin_bounds` prove its result.

The state of a position is kept as its words, so a row of labels is a row of integers: the words, then the columns
below.
"""

from collections.abc import MutableSequence
from typing import Any

from palabre.core.dice import roll, shake
from palabre.core.kernels import kernel
from palabre.core.packing import write_state
from palabre.core.verbs import (
    SameState,
    State,
    award_remaining,
    is_over,
    key,
    legal_moves,
    margin_bounds,
    move_buffer,
    play,
    random_move,
    repetition_key,
    reversible_plies,
    to_move,
    unowned_view,
    win_draw_loss,
)
from palabre.search.pvs import search, static_evaluation, table_key
from palabre.search.repetition import NOT_REPEATED, first_occurrence
from palabre.search.table import AGES
from palabre.search.values import MAX_PLY, PROVEN, WIN, WON
from palabre.search.worker import (
    AGE,
    BEST,
    DEADLINE,
    EXCLUDED,
    GUESSES,
    HISTORY,
    HISTORY_AGING,
    NEXT_POLL,
    NO_LIMIT,
    NO_MOVE,
    NODE_LIMIT,
    NODES,
    OLDEST,
    PATH_LENGTH,
    REPETITION_KEY,
    ROOT_PLAYER,
    STOP,
    TABLE_KEY,
)

# The columns after the words of a state.
VALUE = 0  # what the search found for the player to move, in parts of a point
PROOF = 1  # 1, 0 or -1 if it proves a win, draw or loss for them; else NO_PROOF
RESULT = 2  # of the game for them, in the same numbers; UNKNOWN beside the game
PLY = 3  # how many moves of the game were played before
SEAT = 4  # the player to move
KEY = 5  # the verb `key`: equal for positions with the same future
COLUMNS = 6

NO_PROOF = UNKNOWN = 2
MOST_PLIES = 1000  # a game that is not over by then yields nothing
FEWEST_OPENING, MOST_OPENING = 4, 10  # random moves at the beginning
OPENING_TRIES = 4  # the last opening is taken even if one side is far ahead
MOST_ASIDE = 3  # random moves that lead from a position of the game to one beside it


@kernel
def label_game(
    start: Any,
    weights: Any,
    nodes: int,
    most_lead: int,
    seed: int,
    rows: MutableSequence[int],
    table: MutableSequence[int],
    worker: MutableSequence[int],
) -> int:
    """Play a game, write a row for each position that was searched, and return how many there are.

    `table` and `worker` are as for a new game. An opening counts as balanced if the search finds no lead of more than
    `most_lead`.
    """
    labels, entries, words = unowned_view(rows), unowned_view(table), unowned_view(worker)
    state, place, seed = random_opening(start, weights, nodes, most_lead, seed, entries, words)
    count = 0
    proof = NO_PROOF
    while proof == NO_PROOF and not is_over(state):
        if place == MOST_PLIES:
            return 0
        value, proof = label(state, weights, nodes, place, entries, words)
        move = words[BEST]
        write_row(state, value, proof, 0, place, count, labels)
        count += 1
        seed = shake(seed)
        count += label_beside(state, weights, nodes, place, seed, count, labels, entries, words)
        if proof == NO_PROOF:
            place += 1
            state = play_on(state, move, place, words)
    outcome = win_draw_loss(state, to_move(state)) if is_over(state) else proof
    write_results(len(state) + COLUMNS, outcome, to_move(state), count, labels)
    return count


@kernel
def random_opening(
    start: SameState,
    weights: Any,
    nodes: int,
    most_lead: int,
    seed: int,
    table: MutableSequence[int],
    worker: MutableSequence[int],
) -> tuple[SameState, int, int]:
    """A position after random moves in which neither side is far ahead; also how many moves, and the next seed."""
    state, place = start, 0
    for _ in range(OPENING_TRIES):
        seed = shake(seed)
        plies = FEWEST_OPENING + roll(seed, MOST_OPENING - FEWEST_OPENING + 1)
        state, place = start, 0
        worker[REPETITION_KEY] = repetition_key(state)
        while place < plies and not is_over(state):
            seed = shake(seed)
            place += 1
            state = play_on(state, random_move(state, seed), place, worker)
        if not is_over(state):
            value, proof = label(state, weights, nodes, place, table, worker)
            if proof == NO_PROOF and abs(value) <= most_lead:
                break
    return state, place, shake(seed)


@kernel
def play_on(state: SameState, move: int, place: int, worker: MutableSequence[int]) -> SameState:
    """The state after a move to this place on the path; a position that has occurred before has ended."""
    child = play(state, move)
    repetition = repetition_key(child)
    if repetition == 0 or is_over(child):
        return child
    recent = min(place, reversible_plies(child))
    here = REPETITION_KEY + place
    if first_occurrence(repetition, worker, here - recent, here) != NOT_REPEATED:
        return award_remaining(child)
    worker[here] = repetition
    return child


@kernel
def label_beside(
    state: Any,
    weights: Any,
    nodes: int,
    place: int,
    seed: int,
    count: int,
    rows: MutableSequence[int],
    table: MutableSequence[int],
    worker: MutableSequence[int],
) -> int:
    """Label a position a few random moves away, and return 1; 0 if the result there needs no evaluation.

    The path beyond `place` is overwritten. The game writes it again as it goes on, and no search comes before that.
    """
    seed = shake(seed)
    away = 1 + roll(seed, MOST_ASIDE)
    for step in range(1, away + 1):
        seed = shake(seed)
        state = play_on(state, random_move(state, seed), place + step, worker)
        if is_over(state):
            return 0
    if bounds_proof(state) != NO_PROOF:
        return 0
    value, proof = label(state, weights, nodes, place + away, table, worker)
    write_row(state, value, proof, UNKNOWN, place + away, count, rows)
    return 1


@kernel
def label(
    state: Any, weights: Any, nodes: int, place: int, table: MutableSequence[int], worker: MutableSequence[int]
) -> tuple[int, int]:
    """The value of a position at this place on the path by iterative deepening, and what is proven.

    The best move is left in worker[BEST].
    """
    begin_search(nodes, place, worker)
    worker[TABLE_KEY] = table_key(state, worker)
    value = static_evaluation(state, weights, worker)
    proof = bounds_proof(state)
    for depth in range(1, MAX_PLY + 1):
        guesses = worker[GUESSES]
        found = search(state, weights, depth, -WIN, WIN, 0, table, worker)
        if worker[STOP]:
            break
        value = found
        if worker[GUESSES] == guesses or abs(value) >= PROVEN:
            proof = 1 if value > 0 else -1 if value < 0 else 0
        if worker[GUESSES] == guesses or (abs(value) >= WON and WIN - abs(value) < depth):
            break  # no deeper search would find anything else
    if worker[BEST] == NO_MOVE:  # so few nodes that not one move was searched
        moves = move_buffer(state)
        legal_moves(state, moves)
        worker[BEST] = moves[0]
    return value, proof


@kernel
def begin_search(nodes: int, place: int, worker: MutableSequence[int]) -> None:
    """Write the limits of a search into the worker, as the engine does for every move.

    Positions are evaluated from the first player's side, whoever is to move, so that both share the table's entries.
    """
    for number in range(HISTORY, len(worker)):
        worker[number] >>= worker[HISTORY_AGING]
    worker[AGE] = (worker[AGE] + 1) % AGES
    worker[STOP], worker[BEST], worker[NODES], worker[NEXT_POLL] = 0, NO_MOVE, 0, 0
    worker[NODE_LIMIT], worker[DEADLINE], worker[OLDEST] = nodes, NO_LIMIT, NO_LIMIT
    worker[ROOT_PLAYER], worker[EXCLUDED] = 0, 0
    worker[PATH_LENGTH] = place


@kernel
def bounds_proof(state: State) -> int:
    """What the margin bounds prove for the player to move: 1, 0, -1 or NO_PROOF."""
    least, most = margin_bounds(state)
    if least > 0:
        return 1
    if most < 0:
        return -1
    return 0 if least == most else NO_PROOF


@kernel
def write_row(
    state: Any, value: int, proof: int, result: int, place: int, number: int, rows: MutableSequence[int]
) -> None:
    """Write the row of this number; the result of the game's own positions is written again at its end."""
    write_state(state, rows, number * (len(state) + COLUMNS))
    first = number * (len(state) + COLUMNS) + len(state)
    rows[first + VALUE], rows[first + PROOF], rows[first + RESULT] = value, proof, result
    rows[first + PLY], rows[first + SEAT], rows[first + KEY] = place, to_move(state), key(state)


@kernel
def write_results(size: int, outcome: int, seat: int, count: int, rows: MutableSequence[int]) -> None:
    """Write how the game ended, 1, 0 or -1 for a seat, into the rows of its own positions, from the mover's side."""
    for number in range(count):
        first = number * size + size - COLUMNS
        if rows[first + RESULT] != UNKNOWN:
            rows[first + RESULT] = outcome if rows[first + SEAT] == seat else -outcome
