"""The verbs: everything Palabre ever asks a game. This page is the whole contract between a game and the rest.

A game's rules are a module with a `State` class, a NamedTuple of signed 64-bit integers, two constants,

    MOST_MOVES    no position has more legal moves than this (the size of a move buffer)
    MOVE_CODES    moves are integers from 0 to MOVE_CODES - 1

and a `@rule` for each verb below. The first five must be answered; the others have an answer that is right for most
games and can be given a faster or a different one. Rules are pure, assume legal moves, and never raise.
Players are 0, 1, …
"""

import sys
from collections.abc import MutableSequence
from typing import Any, TypeVar

from palabre.core.bits import combine
from palabre.core.dice import roll
from palabre.core.kernels import kernel, verb, verb_with_default

State = TypeVar("State", bound="tuple[int, ...]")
Moves = MutableSequence[int]

MANY_PLIES = 1 << 20  # more than any game has
FAR = 1 << 20  # more than any standing
USUAL_PLIES = 60  # that a game is expected to have yet where nothing is known about it

# ---------------------------------------------------------------------------------------- what every game must say


@verb
def legal_moves(state: Any, moves: Moves) -> int:
    """Write the legal moves to `moves` in ascending order and return how many there are; 0 when the game is over."""
    raise NotImplementedError


@verb
def play(state: State, move: int) -> State:
    """The state after a legal move."""
    raise NotImplementedError


@verb
def is_over(state: Any) -> bool:
    """Whether the game has ended."""
    raise NotImplementedError


@verb
def to_move(state: Any) -> int:
    """The player whose turn it is; in an ended game, the next in turn."""
    raise NotImplementedError


@verb
def score(state: Any, player: int) -> int:
    """What the scoreboard shows for a player: seeds, marbles, towers, fish."""
    raise NotImplementedError


# ------------------------------------------------------------------------------- what has an answer for most games


@verb_with_default
def final_score(state: Any, player: int) -> int:
    """The number that decides an ended game: the highest wins, equal ones share. The score, plus any tie-break."""
    return score(state, player)


@verb_with_default
def players(state: Any) -> int:
    """How many players there are."""
    return 2


@verb_with_default
def ply(state: Any) -> int:
    """How many moves the state knows to have been played; 0 where a game does not count them."""
    return 0


@verb_with_default
def count_moves(state: Any) -> int:
    """How many legal moves there are, without listing them where a game can."""
    return legal_moves(state, move_buffer(state))


@verb_with_default
def is_legal(state: Any, move: int) -> bool:
    """Whether a code, whatever its value, is a legal move here, without listing all moves where a game can."""
    moves = move_buffer(state)
    for index in range(legal_moves(state, moves)):
        if moves[index] == move:
            return True
    return False


@verb_with_default
def random_move(state: Any, seed: int) -> int:
    """A legal move, each as likely as any other, decided by the seed; the game is not over."""
    moves = move_buffer(state)
    return moves[roll(seed, legal_moves(state, moves))]


@verb_with_default
def key(state: Any) -> int:
    """A 64-bit fingerprint: equal for states with the same future, different (but for a 2**-64 accident) otherwise."""
    fingerprint = 1
    for word in state:
        fingerprint = combine(fingerprint, word)
    return fingerprint


@verb_with_default
def award_remaining(state: State) -> State:
    """A game that has ended, by its rules or by a repeated position, with all that the ending hands out on the board.

    `score` and `final_score` count what is handed out in any case; this shows it.
    """
    return state


@verb_with_default
def repetition_key(state: Any) -> int:
    """A number equal exactly for positions that count as the same one; 0 where repetition has no meaning."""
    return 0


@verb_with_default
def reversible_plies(state: Any) -> int:
    """How many plies ago a move was made that cannot be undone: no position before it will ever be repeated."""
    return MANY_PLIES


# -------------------------------------------------------------- hints: what a game can tell a search beyond its rules


@verb_with_default
def gain(state: Any, move: int) -> int:
    """What a move wins at once, in points of the score or any other unit: the higher, the sooner it is looked at.

    A move that wins nothing (0 or less) is quiet: a search may look at it less deeply.
    """
    return 0


@verb_with_default
def late_moves_count(state: Any) -> bool:
    """Whether a move that comes late in the order is as likely as others to turn the game.

    Then a search does not look at it less deeply.
    """
    return False


@verb_with_default
def margin_bounds(state: Any) -> tuple[int, int]:
    """The least and the most by which the player to move can end ahead of the other, in standing; for games of two.

    Never a guess: bounds that hold however both play. Equal ones tell how the game ends. The game is not over.
    """
    return -FAR, FAR


@verb_with_default
def tactical_moves(state: Any, moves: Moves) -> int:
    """Write the moves that must be looked at before a position can be evaluated, and return how many there are."""
    return 0


@verb_with_default
def plies_left(state: Any) -> int:
    """How many plies the game is likely to have yet, for planning time; never more than the rules allow."""
    return USUAL_PLIES


# --------------------------------------------------------------------------------------------------------- evaluations


@verb
def evaluate(weights: Any, state: Any, player: int) -> float:
    """What a position, also one where the game is over, is worth to a player; higher is better for him."""
    raise NotImplementedError


# --------------------------------------------------------------------------------------------- not verbs, but near


def move_buffer(state: Any) -> Moves:
    """Room for the legal moves of a state; compiled, it lies on the stack of the kernel that asks for it."""
    return [0] * most_moves(type(state))


def unowned_view(words: MutableSequence[int]) -> MutableSequence[int]:
    """The same words, as light as move buffers: for a kernel that hands them down a recursion.

    Compiled, an array is seven numbers at every call and counts its users, with an instruction that two threads fight
    over. What is unowned_view is an address and a length; the caller keeps the array.
    """
    return words


def prefetch(words: MutableSequence[int], place: int) -> None:
    """Tell the processor that a word will soon be wanted; it changes nothing but the time that takes."""


def most_moves(state_class: type) -> int:
    """The constant MOST_MOVES of the module that a state class comes from."""
    return int(sys.modules[state_class.__module__].MOST_MOVES)


@kernel
def share(state: Any, player: int) -> float:
    """A player's part of an ended game: 1 for a win, 0 for a loss, 1/k for each of k who share."""
    own = final_score(state, player)
    sharing = 0
    for other in range(players(state)):
        value = final_score(state, other)
        if value > own:
            return 0.0
        if value == own:
            sharing += 1
    return 1.0 / sharing


@kernel
def win_draw_loss(state: Any, player: int) -> int:
    """Of an ended game: 1 if a player has won, -1 if another has, 0 if he shares the win."""
    own = final_score(state, player)
    best_other = own - 1
    for other in range(players(state)):
        if other != player:
            best_other = max(best_other, final_score(state, other))
    return 1 if own > best_other else -1 if own < best_other else 0


@kernel
def value_for(state: Any, weights: Any, player: int) -> float:
    """`evaluate` as a kernel of its own, to be compiled: what a position is worth to a player."""
    return float(evaluate(weights, state, player))
