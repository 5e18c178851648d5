"""The kernels of a vector of boards: loops over arrays, each a single call from Python.

A vector keeps its states as rows of words, one board after another. Kernels get all arrays flat. They run as plain
Python over the same arrays: whatever they read from one, they pass through `int`.
"""

from collections.abc import MutableSequence

from palabre.core.dice import shake
from palabre.core.kernels import kernel
from palabre.core.packing import read_state, write_state
from palabre.core.verbs import (
    State,
    award_remaining,
    features,
    is_legal,
    is_over,
    legal_moves,
    move_buffer,
    play,
    players,
    random_move,
    repetition_key,
    reversible_plies,
    row_buffer,
    share,
    to_move,
)
from palabre.search.repetition import NOT_REPEATED, first_occurrence

Integers = MutableSequence[int]
Numbers = MutableSequence[float]
Flags = MutableSequence[bool]


@kernel
def reward(share: float, count: int) -> float:
    """What a share of a game of so many players is worth: 1 for a win, 0 for a draw of all; the sum of all is 0."""
    return (count * share - 1.0) / (count - 1)


@kernel
def step_boards(
    start: State,
    states: Integers,
    actions: Integers,
    punishes: bool,
    rewards: Numbers,
    terminated: Flags,
    illegal: Flags,
    history: Integers,
    lengths: Integers,
) -> int:
    """Play an action on every board, and put `start` on each board whose game ends.

    If `punishes`, an illegal action loses the game, and the others share it. Otherwise nothing is played if there is
    one, and the answer is -1 minus the first such board. The answer is else the length of the longest history.
    `history` has equally many words for each board and, where repetitions matter, room for one more key.
    """
    boards = len(actions)
    width = len(start)
    if not punishes:
        for board in range(boards):
            if not is_legal(read_state(start, states, board * width), int(actions[board])):
                return -1 - board
    remembers = repetition_key(start) != 0
    capacity = len(history) // boards
    count = players(start)
    longest = 0
    for board in range(boards):
        state = read_state(start, states, board * width)
        action = int(actions[board])
        if punishes and not is_legal(state, action):
            illegal[board] = terminated[board] = True
            loser = to_move(state)
            for player in range(count):
                part = 0.0 if player == loser else 1.0 / (count - 1)
                rewards[board * count + player] = reward(part, count)
        else:
            state = play(state, action)
            if remembers and not is_over(state):
                length = remember(state, history, board * capacity, int(lengths[board]))
                lengths[board] = length
                if length == 0:
                    state = award_remaining(state)
                longest = max(longest, length)
            if is_over(state):
                terminated[board] = True
                for player in range(count):
                    rewards[board * count + player] = reward(share(state, player), count)
        if terminated[board]:
            state = start
            if remembers:
                history[board * capacity] = repetition_key(start)
                lengths[board] = 1
        write_state(state, states, board * width)
    return longest


@kernel
def remember(state: State, history: Integers, first: int, length: int) -> int:
    """Add a position to the history of its board, which begins at `first`; the new length, or 0 if it is a repetition.

    An irreversible move makes everything before it impossible, so that the history begins anew.
    """
    key = repetition_key(state)
    reversible = reversible_plies(state)
    if reversible == 0:
        length = 0
    if first_occurrence(key, history, first + max(0, length - reversible), first + length) != NOT_REPEATED:
        return 0
    history[first + length] = key
    return length + 1


@kernel
def mark_legal(like: State, states: Integers, boards: int, mask: Flags) -> None:
    """Set the flags of the legal moves of every board; there are equally many flags for each."""
    codes = len(mask) // boards
    moves = move_buffer(like)
    for board in range(boards):
        for index in range(legal_moves(read_state(like, states, board * len(like)), moves)):
            mask[board * codes + moves[index]] = True


@kernel
def choose_randomly(like: State, states: Integers, dice: Integers, actions: Integers) -> None:
    """Choose a legal action for every board by its own dice."""
    for board in range(len(actions)):
        seed = shake(int(dice[board]))
        dice[board] = seed
        actions[board] = random_move(read_state(like, states, board * len(like)), seed)


@kernel
def list_players(like: State, states: Integers, turns: Integers) -> None:
    """Write the player to move on every board."""
    for board in range(len(turns)):
        turns[board] = to_move(read_state(like, states, board * len(like)))


@kernel
def list_features(like: State, states: Integers, boards: int, rows: Integers) -> None:
    """Write the features of every board; there is equally much room for each."""
    most = len(rows) // boards
    buffer = row_buffer(like)
    for board in range(boards):
        for index in range(features(read_state(like, states, board * len(like)), buffer)):
            rows[board * most + index] = buffer[index]
