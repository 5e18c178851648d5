"""Trio for Palabre, in one file: a small game for three, with a wall on the board.

In turn, each player puts a disc on an empty square. When the board is full, every two discs of one player on squares
side by side count a point for them. The most points win, and equal ones share the win.

A set of squares is an integer with a bit for each, numbered from 0 row by row; the wall `#` is square 5:

        a  b  c  d
    1   0  1  2  3
    2   4  #  6  7
    3   8  9 10 11
    4  12 13 14 15
"""

from typing import NamedTuple

from palabre.author import (
    Board,
    Cell,
    Clicks,
    GameFacts,
    ImpossiblePosition,
    Moves,
    Options,
    Piece,
    fields,
    kernel,
    player_from_text,
    popcount,
    rule,
)

GAME = GameFacts("trio", "Trio", "three players; discs side by side count", unit="pairs")

SIZE = 4
PLAYERS = 3
SQUARES = [f"{letter}{row}" for row in range(1, SIZE + 1) for letter in "abcd"]
WALL = 1 << SQUARES.index("b2")
FULL = (1 << len(SQUARES)) - 1
LAST_COLUMN = 0b1000_1000_1000_1000
MOVE_CODES = len(SQUARES)  # a move is its square
MOST_MOVES = len(SQUARES) - 1


class State(NamedTuple):
    one: int  # squares of player 0, whom people call player 1
    two: int
    three: int


@kernel
def discs(state: State, player: int) -> int:
    """The squares of a player. A rule cannot index a state by a number that is known only when it runs."""
    return state.one if player == 0 else state.two if player == 1 else state.three


@kernel
def taken(state: State) -> int:
    return state.one | state.two | state.three | WALL


@rule
def players(state: State) -> int:
    return PLAYERS


@rule
def to_move(state: State) -> int:
    return popcount(state.one | state.two | state.three) % PLAYERS


@rule
def is_over(state: State) -> bool:
    return taken(state) == FULL


@rule
def legal_moves(state: State, moves: Moves) -> int:
    count = 0
    for square in range(MOVE_CODES):
        if not taken(state) >> square & 1:
            moves[count] = square
            count += 1
    return count


@rule
def play(state: State, move: int) -> State:
    player, disc = to_move(state), 1 << move
    return State(
        state.one | (disc if player == 0 else 0),
        state.two | (disc if player == 1 else 0),
        state.three | (disc if player == 2 else 0),
    )


@rule
def score(state: State, player: int) -> int:
    own = discs(state, player)
    beside = own & ~LAST_COLUMN & own >> 1
    below = own & own >> SIZE
    return popcount(beside) + popcount(below)


@rule
def plies_left(state: State) -> int:
    """A hint: a game has as many plies as there are squares."""
    return MOVE_CODES - popcount(taken(state))


def start(options: Options, seed: int) -> State:
    return State(0, 0, 0)


def move_to_text(state: State, move: int) -> str:
    return SQUARES[move]


def state_to_text(state: State) -> str:
    """The rows from the top, `.` empty, `#` the wall, 1 to 3 the players; then the player to move."""
    marks = {piece.cell: "#" if piece.player is None else str(piece.player + 1) for piece in pieces(state)}
    signs = "".join(marks.get(name, ".") for name in SQUARES)
    rows = [signs[first : first + SIZE] for first in range(0, len(SQUARES), SIZE)]
    return f"{'/'.join(rows)} {to_move(state) + 1}"


def text_to_state(text: str, options: Options) -> State:
    form = "four rows of '.', '#' and 1 to 3, and the player to move: 12../.#../..../.... 3"
    board, player_text = fields(text, 2, form)
    player_from_text(player_text, PLAYERS)
    signs = "".join(fields(board, SIZE, form, "/"))[: len(SQUARES)]
    state = State(*(sum(1 << place for place, sign in enumerate(signs) if sign == mark) for mark in "123"))
    counts = [popcount(discs(state, player)) for player in range(PLAYERS)]
    if state_to_text(state) != text or counts != sorted(counts, reverse=True) or counts[0] > counts[-1] + 1:
        raise ImpossiblePosition(f"players take turns, and the wall stays; expected {form}")
    return state


BOARD = Board("slate", players=("amber", "blue", "green"))


def cells(options: Options) -> list[Cell]:
    return [Cell(name, place % SIZE, place // SIZE, shape="square") for place, name in enumerate(SQUARES)]


def pieces(state: State) -> list[Piece]:
    wall = [
        Piece("b2", "wall", text="#")
    ]  # of nobody: it is drawn in a neutral colour, and in the terminal as its text
    return wall + [
        Piece(name, "disc", player)
        for player in range(PLAYERS)
        for place, name in enumerate(SQUARES)
        if discs(state, player) >> place & 1
    ]


def clicks(state: State, move: int) -> list[Clicks]:
    return [(SQUARES[move],)]
