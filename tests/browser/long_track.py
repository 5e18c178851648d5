"""A race on two rows of ten squares, as somebody might have written it: a long board on which pieces are dragged.

Whoever is to move takes the own counter one or two squares ahead. Who comes to the end first wins.
"""

from typing import NamedTuple

from palabre.author import (
    Cell,
    Clicks,
    GameFacts,
    Moves,
    Options,
    Piece,
    Preset,
    fields,
    number,
    player_from_text,
    rule,
)

GAME = GameFacts("long-track", "Long Track", "a race on ten squares", Preset("standard", "one counter each"))
MOST_MOVES = MOVE_CODES = 2  # one square less than the counter goes ahead
LAST = 9


class State(NamedTuple):
    first: int  # how far player 1 has come
    second: int
    player: int


@rule
def legal_moves(state: State, moves: Moves) -> int:
    here = state.second if state.player else state.first
    count = min(2, LAST - here)
    for move in range(count):
        moves[move] = move
    return count


@rule
def play(state: State, move: int) -> State:
    if state.player:
        return State(state.first, state.second + move + 1, 0)
    return State(state.first + move + 1, state.second, 1)


@rule
def is_over(state: State) -> bool:
    return state.first == LAST or state.second == LAST


@rule
def to_move(state: State) -> int:
    return state.player


@rule
def score(state: State, player: int) -> int:
    return 1 if (state.second if player else state.first) == LAST else 0


def start(options: Options, seed: int) -> State:
    return State(0, 0, 0)


def move_to_text(state: State, move: int) -> str:
    return str(move + 1)


def state_to_text(state: State) -> str:
    return f"{state.first} {state.second} {state.player + 1}"


def text_to_state(text: str, options: Options) -> State:
    first, second, player = fields(text, 3, "how far both have come, and the player to move")
    return State(number(first, LAST, "squares"), number(second, LAST, "squares"), player_from_text(player, 2))


def cells(options: Options) -> list[Cell]:
    return [Cell(square(player, far), far, 1 - player, "square") for player in (1, 0) for far in range(LAST + 1)]


def square(player: int, far: int) -> str:
    return f"{'abcdefghij'[far]}{player + 1}"


def pieces(state: State) -> list[Piece]:
    return [Piece(square(0, state.first), "disc", 0), Piece(square(1, state.second), "disc", 1)]


def clicks(state: State, move: int) -> list[Clicks]:
    here = state.second if state.player else state.first
    return [(square(state.player, here), square(state.player, here + move + 1))]
