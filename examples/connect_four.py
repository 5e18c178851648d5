"""Connect Four for Palabre, in one file: drop discs into columns, four in a line wins.

A cell is a bit, seven bits to a column from the bottom up; the seventh stays empty, so that no line runs on into the
next column.
"""

from typing import NamedTuple

from palabre.author import (
    Cell,
    Clicks,
    GameFacts,
    ImpossiblePosition,
    Moves,
    Options,
    Piece,
    Rows,
    fields,
    kernel,
    player_from_text,
    popcount,
    rule,
)

GAME = GameFacts("connect-four", "Connect Four", "drop discs into seven columns; four in a line wins")

NAMES = "abcdefg"
COLUMNS, ROWS, HEIGHT = 7, 6, 7
MOST_MOVES = MOVE_CODES = COLUMNS
LINES = (1, HEIGHT - 1, HEIGHT, HEIGHT + 1)  # steps up, down-right, right, up-right
BOTTOMS = sum(1 << HEIGHT * column for column in range(COLUMNS))
TOPS = BOTTOMS << ROWS - 1
FEATURES = 2 * HEIGHT * COLUMNS  # a disc of the player to move on a cell, or one of the opponent
MOST_FEATURES = HEIGHT * COLUMNS


class State(NamedTuple):
    own: int  # discs of the player to move
    other: int  # discs of the opponent


@kernel
def has_four(discs: int) -> bool:
    found = 0
    for step in LINES:
        pairs = discs & discs >> step
        found |= pairs & pairs >> 2 * step
    return found != 0


@rule
def is_over(state: State) -> bool:
    return has_four(state.other) or (state.own | state.other) & TOPS == TOPS


@rule
def to_move(state: State) -> int:
    return popcount(state.own | state.other) & 1


@rule
def legal_moves(state: State, moves: Moves) -> int:
    if is_over(state):
        return 0
    count = 0
    for column in range(COLUMNS):
        moves[count] = column  # overwritten by the next one if the column is full
        count += 1 - ((state.own | state.other) >> HEIGHT * column + ROWS - 1 & 1)
    return count


@rule
def play(state: State, move: int) -> State:
    column = (1 << ROWS) - 1 << HEIGHT * move
    filled = (state.own | state.other) & column
    return State(state.other, state.own | (filled + (1 << HEIGHT * move)) & ~filled & column)


@rule
def score(state: State, player: int) -> int:
    return 1 if has_four(state.own if player == to_move(state) else state.other) else 0


@rule
def features(state: State, rows: Rows) -> int:
    count = 0
    for cell in range(HEIGHT * COLUMNS):
        rows[count] = cell if state.own >> cell & 1 else HEIGHT * COLUMNS + cell
        count += (state.own | state.other) >> cell & 1
    return count


def start(options: Options, seed: int) -> State:
    return State(0, 0)


def move_to_text(state: State, move: int) -> str:
    return NAMES[move]


def state_to_text(state: State) -> str:
    """Six rows from the top, `.` empty, 1 and 2 the players; then the player to move."""
    marks = {piece.cell: str((piece.player or 0) + 1) for piece in pieces(state)}
    rows = ["".join(marks.get(f"{column}{row}", ".") for column in NAMES) for row in range(ROWS, 0, -1)]
    return f"{'/'.join(rows)} {to_move(state) + 1}"


def text_to_state(text: str, options: Options) -> State:
    form = "six rows from the top of '.', 1 and 2, and the player to move"
    board, player_text = fields(text, 2, form)
    rows = fields(board, ROWS, form, "/")[::-1]
    sides = [_bits(rows, "1"), _bits(rows, "2")]
    player = player_from_text(player_text, 2)
    state = State(sides[player], sides[1 - player])
    discs = state.own | state.other
    floats = discs & ~(discs << 1 | BOTTOMS) != 0
    if floats or state_to_text(state) != text or (has_four(state.own) and has_four(state.other)):
        raise ImpossiblePosition("discs lie on discs, players take turns, and only one can have four; " + form)
    return state


def _bits(rows: list[str], sign: str) -> int:
    return sum(1 << HEIGHT * x + y for y, row in enumerate(rows) for x, mark in enumerate(row[:7]) if mark == sign)


def cells(options: Options) -> list[Cell]:
    return [Cell(f"{name}{row}", x, ROWS - row) for x, name in enumerate(NAMES) for row in range(1, ROWS + 1)]


def pieces(state: State) -> list[Piece]:
    sides = {to_move(state): state.own, 1 - to_move(state): state.other}
    cells = [(f"{name}{row + 1}", HEIGHT * x + row) for x, name in enumerate(NAMES) for row in range(ROWS)]
    return [Piece(name, "disc", who) for who, discs in sides.items() for name, bit in cells if discs >> bit & 1]


def clicks(state: State, move: int) -> list[Clicks]:
    return [(f"{NAMES[move]}{row}",) for row in range(1, ROWS + 1)]
