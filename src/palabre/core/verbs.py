"""The verbs: every question that Palabre can put to a game. This page is the whole contract of a game.

A game's rules are a module with a class `State`, a NamedTuple of signed 64-bit integers, and two constants:

    MOST_MOVES    the size of a move buffer: no position has more legal moves
    MOVE_CODES    a move is an integer from 0 to MOVE_CODES - 1; MOVE_CODES is at most MAX_MOVE_CODES

A game answers a verb with a `@rule`, a function of the verb's name and parameters. The verbs come in four groups:

    required rules       five verbs that every game answers
    rules with defaults  verbs with an answer that is right for most games; a game may give a faster or a different one
    hints                what a game knows, beyond its rules, for searches and nets; none changes the rules
    evaluate             what a position is worth, by weights

Rules are pure functions. They may assume that moves are legal, and they never raise. Players are 0, 1, 2, …

Three words say who is ahead. The *score* is what the scoreboard shows; the *final score*, which adds any tie-break,
decides an ended game. The *share* is a player's part of an ended game: 1 for a win, 0 for a loss. The *value* is what
a search or an evaluation thinks of a position. A difference of scores is a *lead*, one of final scores a *margin*.
"""

import sys
from collections.abc import Iterator, MutableSequence
from typing import Any, NamedTuple, Protocol, SupportsIndex, TypeVar

from palabre.core.bits import combine
from palabre.core.dice import roll
from palabre.core.kernels import VERBS, kernel, verb, verb_with_default


class State(Protocol):
    """What all states have in common: a state is a NamedTuple of integers."""

    def _asdict(self) -> dict[str, Any]: ...
    def __iter__(self) -> Iterator[int]: ...
    def __len__(self) -> int: ...
    def __hash__(self) -> int: ...
    def __getitem__(self, index: SupportsIndex, /) -> int: ...


class Weights(Protocol):
    """What all weights of evaluations have in common: they are a NamedTuple of numbers, or of further weights."""

    @property
    def _fields(self) -> tuple[str, ...]: ...
    def _asdict(self) -> dict[str, Any]: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __len__(self) -> int: ...
    def __hash__(self) -> int: ...


SameState = TypeVar("SameState", bound=State)  # the class of states that a verb takes and returns
Moves = MutableSequence[int]  # a buffer for the codes of moves
Rows = MutableSequence[int]  # a buffer for the numbers of features

MAX_MOVE_CODES = (1 << 16) - 1  # a search packs a move into 16 bits, and one value means that there is no move
MAX_PLAYERS = 8  # of a game

MANY_PLIES = 1 << 20  # more plies than any game has
FAR = 1 << 20  # more than the difference of any two final scores
USUAL_PLIES = 60  # plies that a game is expected to last if nothing is known about it

# ------------------------------------------------------------------------------------------------------ required rules


@verb
def legal_moves(state: State, moves: Moves) -> int:
    """Write the legal moves to `moves` in ascending order and return how many there are; 0 when the game is over."""
    raise NotImplementedError


@verb
def play(state: SameState, move: int) -> SameState:
    """The state after a legal move."""
    raise NotImplementedError


@verb
def is_over(state: State) -> bool:
    """Whether the game has ended. A game that has not ended has a legal move."""
    raise NotImplementedError


@verb
def to_move(state: State) -> int:
    """The player whose turn it is; in an ended game, the next in turn."""
    raise NotImplementedError


@verb
def score(state: State, player: int) -> int:
    """What the scoreboard shows for a player: seeds, marbles, towers, fish."""
    raise NotImplementedError


# ------------------------------------------------------------------------------------------------- rules with defaults


@verb_with_default
def final_score(state: State, player: int) -> int:
    """The number that decides an ended game: the highest wins, and equal ones share the win."""
    return score(state, player)


@verb_with_default
def players(state: State) -> int:
    """How many players there are, from 2 to MAX_PLAYERS; the same in all positions of a game."""
    return 2


@verb_with_default
def ply(state: State) -> int:
    """How many moves have been played, as far as the state knows; 0 where a game does not count them."""
    return 0


@verb_with_default
def count_moves(state: State) -> int:
    """How many legal moves there are. A game can often count them faster than it can list them."""
    return legal_moves(state, move_buffer(state))


@verb_with_default
def is_legal(state: State, move: int) -> bool:
    """Whether a code, whatever its value, is a legal move. A game can often decide this without listing the moves."""
    moves = move_buffer(state)
    for index in range(legal_moves(state, moves)):
        if moves[index] == move:
            return True
    return False


@verb_with_default
def random_move(state: State, seed: int) -> int:
    """A legal move chosen by the seed, each with the same chance. The game is not over."""
    moves = move_buffer(state)
    return moves[roll(seed, legal_moves(state, moves))]


@verb_with_default
def key(state: State) -> int:
    """A 64-bit fingerprint: the same for states with the same future, different for all others.

    The transposition table relies on it. Two different states share a key by accident with a chance of 1 in 2**64.
    """
    fingerprint = 1
    for word in state:
        fingerprint = combine(fingerprint, word)
    return fingerprint


@verb_with_default
def award_remaining(state: SameState) -> SameState:
    """The state of an ended game once the ending has handed out what is left, such as seeds on the board.

    The game has ended by its rules or by a repeated position. `score` and `final_score` count what is handed out in
    any case; here the board shows it, too. Of a repeated position, it is this state that has ended: `is_over` is True.
    """
    return state


@verb_with_default
def repetition_key(state: State) -> int:
    """A number that is equal exactly for positions that count as the same; 0 where a repetition means nothing.

    A position that is repeated ends the game. Rules know no past, so Palabre finds the repetition and asks for
    `award_remaining`: a game that answers this verb answers that one too, with a state that is over. From then on
    `is_over` alone decides. The answer is 0 in all positions of a game or in none.
    """
    return 0


@verb_with_default
def reversible_plies(state: State) -> int:
    """How many plies ago the last irreversible move was made: no position before it can be repeated."""
    return MANY_PLIES


# --------------------------------------------------------------------------------------------------------------- hints


@verb_with_default
def gain(state: State, move: int) -> int:
    """What a move wins at once, in any unit. Moves that gain more are searched first.

    A move that gains nothing (0 or less) is quiet: a search may reduce its depth.
    """
    return 0


@verb_with_default
def margin_bounds(state: State) -> tuple[int, int]:
    """The least and the most by which the player to move ends ahead, in final scores, if both play their best.

    These are proofs, not guesses: a search trusts them. Equal bounds say how the game ends. Only games of two players
    are asked, and only before the end.
    """
    return -FAR, FAR


@verb_with_default
def tactical_moves(state: State, moves: Moves) -> int:
    """Write the moves that quiescence must try before a position can be evaluated, and return how many there are."""
    return 0


@verb_with_default
def plies_left(state: State) -> int:
    """How many more plies the game is likely to last, for planning time; never more than the rules allow."""
    return USUAL_PLIES


@verb_with_default
def features(state: State, rows: Rows) -> int:
    """Write the numbers of the features that a position has to `rows`, and return how many there are.

    A net has a row of weights for each feature and adds up those of a position; a number that is written twice counts
    twice. The game is not over, and the position is seen from the player to move. The module with the answer has two
    constants: FEATURES, which no number reaches, and MOST_FEATURES, which no position exceeds. A game without features
    has no net.
    """
    return 0


@verb_with_default
def phase(state: State) -> int:
    """The part of the game that a position belongs to, from 0 to PHASES - 1, a constant beside FEATURES.

    A net weighs what it sees differently in each phase. Without PHASES, there is one phase.
    """
    return 0


# --------------------------------------------------------------------------------------------------------- evaluations


@verb
def evaluate(weights: Weights, state: State, player: int) -> float:
    """What a position is worth to a player; higher is better for them. The game may be over.

    The class of the weights decides which formula answers, so a game can have several evaluations.
    """
    raise NotImplementedError


# ------------------------------------------------------------------------------------------------------------- helpers


def move_buffer(state: State) -> Moves:
    """Room for the legal moves of a state. In compiled code it lies on the stack of the kernel that asks for it."""
    return [0] * most_moves(type(state))


def most_moves(state_class: type) -> int:
    """The constant MOST_MOVES of the module that a state class comes from."""
    return int(sys.modules[state_class.__module__].MOST_MOVES)


def row_buffer(state: State) -> Rows:
    """Room for the features of a state. In compiled code it lies on the stack of the kernel that asks for it."""
    return [0] * feature_limits(type(state)).most_features


class FeatureLimits(NamedTuple):
    """The constants beside a game's answer to `features`; a game without one has no features."""

    features: int = 0
    most_features: int = 0
    phases: int = 1


def feature_limits(state_class: type) -> FeatureLimits:
    """The constants FEATURES, MOST_FEATURES and PHASES of the module with the answer to `features`."""
    answers = VERBS["features"].answers
    if state_class not in answers:
        return FeatureLimits()
    module: Any = sys.modules[answers[state_class].__module__]
    return FeatureLimits(module.FEATURES, module.MOST_FEATURES, getattr(module, "PHASES", 1))


def weight_classes(weights: Weights) -> tuple[type, ...]:
    """The class of some weights, and those of any weights in them, as a kernel that takes them is compiled for."""
    inside = (weight_classes(value) for value in weights if hasattr(value, "_fields"))
    return type(weights), *(kind for kinds in inside for kind in kinds)


def unowned_view(words: MutableSequence[int]) -> MutableSequence[int]:
    """The same words as an address and a length, for a kernel that hands them down a recursion.

    In compiled code an array is passed as seven numbers, and threads compete to update its reference count. An unowned
    view is passed as two numbers and has no reference count. The caller must keep the array alive.
    """
    return words


def prefetch(words: MutableSequence[int], place: int) -> None:
    """Prefetch a word that will soon be read. Only the speed changes."""


@kernel
def share(state: State, player: int) -> float:
    """A player's share of an ended game: 1 for a win, 0 for a loss, 1/k for each of k players who share the win."""
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
def win_draw_loss(state: State, player: int) -> int:
    """The result of an ended game for a player: 1 if they have won, -1 if they have lost, 0 if they share the win."""
    own = final_score(state, player)
    best_other = own - 1
    for other in range(players(state)):
        if other != player:
            best_other = max(best_other, final_score(state, other))
    return 1 if own > best_other else -1 if own < best_other else 0


@kernel
def value_for(state: State, weights: Weights, player: int) -> float:
    """`evaluate` as a kernel of its own, so that it can be compiled."""
    return float(evaluate(weights, state, player))
