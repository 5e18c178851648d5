"""My Game: three in a row wins on a board of nine squares. It plays already; make another game of it.

palabre check FILE                                 after every edit: whether the rules are in order
palabre play FILE                                  play it in the browser, or with --terminal here
palabre match palabre mcts --game FILE             let the bots play it

A set of squares is an integer with a bit for each, numbered from 0 row by row:

        a b c
    1   0 1 2
    2   3 4 5
    3   6 7 8

docs/adding_a_game.md explains each part.
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
    Table,
    fields,
    kernel,
    player_from_text,
    popcount,
    rule,
)

GAME = GameFacts("my-game", "My Game", "three in a row wins")

SIZE = 3
SQUARES = [f"{letter}{row}" for row in range(1, SIZE + 1) for letter in "abc"]
FULL = (1 << len(SQUARES)) - 1
ROWS = Table([0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100])
MOVE_CODES = 9  # a move is an integer from 0 to MOVE_CODES - 1; here, the square
MOST_MOVES = 9  # no position has more legal moves


# ----------------------------------------------------------------------------- the rules: integers and plain loops only


class State(NamedTuple):
    own: int  # squares of the player to move
    other: int  # squares of the opponent


@kernel
def has_row(squares: int) -> bool:
    for row in range(len(ROWS)):
        if squares & ROWS[row] == ROWS[row]:
            return True
    return False


@rule
def is_over(state: State) -> bool:
    return has_row(state.other) or state.own | state.other == FULL


@rule
def to_move(state: State) -> int:
    return popcount(state.own | state.other) & 1


@rule
def legal_moves(state: State, moves: Moves) -> int:
    if is_over(state):
        return 0
    count = 0
    for square in range(MOVE_CODES):
        if not (state.own | state.other) >> square & 1:
            moves[count] = square
            count += 1
    return count


@rule
def play(state: State, move: int) -> State:
    return State(state.other, state.own | 1 << move)


@rule
def score(state: State, player: int) -> int:
    return 1 if has_row(state.own if player == to_move(state) else state.other) else 0


def start(options: Options, seed: int) -> State:
    return State(0, 0)


# ------------------------------------------------------------------------------------------ moves and positions as text


def move_to_text(state: State, move: int) -> str:
    return SQUARES[move]


def state_to_text(state: State) -> str:
    """The rows from the top, `.` empty, 1 and 2 the players; then the player to move."""
    marks = {piece.cell: str((piece.player or 0) + 1) for piece in pieces(state)}
    signs = "".join(marks.get(name, ".") for name in SQUARES)
    return f"{signs[0:3]}/{signs[3:6]}/{signs[6:9]} {to_move(state) + 1}"


def text_to_state(text: str, options: Options) -> State:
    form = "three rows of '.', 1 and 2, and the player to move: 1../.2./... 1"
    board, player_text = fields(text, 2, form)
    signs = "".join(fields(board, SIZE, form, "/"))[: len(SQUARES)]
    sides = [sum(1 << square for square, sign in enumerate(signs) if sign == mark) for mark in "12"]
    player = player_from_text(player_text, 2)
    state = State(sides[player], sides[1 - player])
    if state_to_text(state) != text or has_row(state.own):
        raise ImpossiblePosition(f"players take turns until one has a row; expected {form}")
    return state


# -------------------------------------------------------------------------- the board: facts, from which others draw it


BOARD = Board("felt")  # what it is made of


def cells(options: Options) -> list[Cell]:
    return [Cell(name, square % SIZE, square // SIZE, shape="square") for square, name in enumerate(SQUARES)]


def pieces(state: State) -> list[Piece]:
    sides = {to_move(state): state.own, 1 - to_move(state): state.other}
    return [
        Piece(name, "disc", player)
        for player, squares in sides.items()
        for square, name in enumerate(SQUARES)
        if squares >> square & 1
    ]


def clicks(state: State, move: int) -> list[Clicks]:
    """The ways to enter a move with the mouse: here, one click on its square."""
    return [(SQUARES[move],)]


# --------------------------------------------------------------------------------------------- what a position is worth
#
# Without this, searches go by the score. Remove the first two signs of each line to use it, and measure what it gains:
# palabre match palabre:nodes=50 palabre:nodes=50,eval=score --game FILE
#
# class Weights(NamedTuple):
#     centre: float = 1.0  # for having the square in the middle
#     win: float = 100.0  # for the game: more than anything else can be worth
#
#
# @rule
# def evaluate(weights: Weights, state: State, player: int) -> float:
#     value = weights.centre * ((state.own >> 4 & 1) - (state.other >> 4 & 1))
#     value += weights.win * (score(state, to_move(state)) - score(state, 1 - to_move(state)))
#     return value if player == to_move(state) else -value
#
#
# EVALUATIONS = {"standard": Weights()}
