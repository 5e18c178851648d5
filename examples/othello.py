"""Othello for Palabre, in one file: outflank the other's discs and turn them over; whoever has more discs wins.

The rules are those of the World Othello Federation. A player who cannot outflank anything passes; if neither can, the
game is over. The board has 64 squares, one bit each, so a set of squares fills a signed word up to its sign:

        a  b  c  d  e  f  g  h
    1   0  1  2  3  4  5  6  7
    …
    8  56 57 58 59 60 61 62 63
"""

from typing import NamedTuple

from palabre.core.bits import lowest, popcount, shift_right, signed
from palabre.core.board import Cell, Clicks, Piece
from palabre.core.errors import ImpossiblePosition, UnreadableText
from palabre.core.kernels import Table, kernel, rule
from palabre.core.spec import GameFacts, Options
from palabre.core.text import fields, player_from_text
from palabre.core.verbs import Moves

GAME = GameFacts("othello", "Othello", "outflank discs to turn them over; most discs win", unit="discs")

SIZE = 8
SQUARES = [f"{letter}{number}" for number in range(1, SIZE + 1) for letter in "abcdefgh"]
PASS = len(SQUARES)  # the code of the move that is none
MOVE_CODES = len(SQUARES) + 1
MOST_MOVES = 60  # the squares that are empty at the start; no position comes near it


def squares(*names: str) -> int:
    """A set of squares as one signed word."""
    return signed(sum(1 << SQUARES.index(name) for name in names))


LATE_FROM = 40  # discs on the board
CENTRE = squares("d4", "e4", "d5", "e5")
CORNERS = squares("a1", "h1", "a8", "h8")
LEFT, RIGHT, TOP, BOTTOM = (squares(*(name for name in SQUARES if sign in name)) for sign in "ah18")
EDGES = LEFT | RIGHT | TOP | BOTTOM
# The eight directions, diagonals last, and where a step can land: to the right, never on the left edge.
STEPS = Table([1, -1, 8, -8, 9, -9, 7, -7])
LANDINGS = Table([~LEFT, ~RIGHT, -1, -1, ~LEFT, ~RIGHT, ~RIGHT, ~LEFT])


class State(NamedTuple):
    own: int  # discs of the player to move
    other: int  # discs of the opponent
    player: int  # who is to move, 0 or 1: after a pass the number of discs does not tell


# ---------------------------------------------------------------------------------------------------------- the rules


@kernel
def step_all(discs: int, direction: int) -> int:
    """Every disc of a set one step further; those that leave the board are gone."""
    step, landing = int(STEPS[direction]), int(LANDINGS[direction])
    return landing & (signed(discs << step) if step > 0 else shift_right(discs, -step))


@kernel
def outflanking(own: int, other: int) -> int:
    """The squares where a disc would outflank others, in all directions at once."""
    found = 0
    for direction in range(len(STEPS)):
        line = step_all(own, direction) & other
        for _ in range(SIZE - 3):
            line |= step_all(line, direction) & other
        found |= step_all(line, direction)
    return found & ~(own | other)


@kernel
def turned(own: int, other: int, square: int) -> int:
    """The discs that a new disc turns over."""
    found = 0
    for direction in range(len(STEPS)):
        line = 0
        disc = step_all(signed(1 << square), direction)
        while disc & other:
            line |= disc
            disc = step_all(disc, direction)
        if disc & own:
            found |= line
    return found


@rule
def is_over(state: State) -> bool:
    return outflanking(state.own, state.other) == 0 and outflanking(state.other, state.own) == 0


@rule
def to_move(state: State) -> int:
    return state.player


@rule
def legal_moves(state: State, moves: Moves) -> int:
    places = outflanking(state.own, state.other)
    if places == 0:
        moves[0] = PASS
        return 0 if is_over(state) else 1
    count = 0
    while places:
        moves[count] = lowest(places)
        places = signed(places & places - 1)
        count += 1
    return count


@rule
def play(state: State, move: int) -> State:
    if move == PASS:
        return State(state.other, state.own, 1 - state.player)
    flipped = turned(state.own, state.other, move)
    return State(state.other ^ flipped, state.own | flipped | signed(1 << move), 1 - state.player)


@rule
def score(state: State, player: int) -> int:
    return popcount(state.own if player == state.player else state.other)


def start(options: Options, seed: int) -> State:
    return State(squares("e4", "d5"), squares("d4", "e5"), 0)


# -------------------------------------------------------------------------------------------- what a position is worth


class Standard(NamedTuple):
    """Weights: what counts is to have moves and corners. Having many discs early is of no use."""

    mobility: float = 1.0  # for each move more than the opponent has
    frontier: float = -0.8  # for each own disc beside an empty square: it gives the opponent moves
    corner: float = 10.0  # for each corner
    diagonal: float = -5.0  # for each own disc on the diagonal beside an empty corner
    edge: float = -1.0  # for each own disc on the edge beside an empty corner
    anchored: float = 5.0  # for each own disc that a row of own discs joins to a corner along the edge
    late: float = 0.03  # for each own disc, times the discs on the board beyond LATE_FROM: in the end discs count
    win: float = 1000.0  # for the game
    odds: float = 0.08  # log-odds of winning for each point, to tell a value as a chance


@kernel
def beside(discs: int, first: int, last: int) -> int:
    """The neighbours of discs in the directions from `first` up to `last`."""
    found = 0
    for direction in range(first, last):
        found |= step_all(discs, direction)
    return found


@kernel
def one_side(weights: Standard, own: int, other: int) -> float:
    """What one side has that counts."""
    empty = ~(own | other)
    empty_corners, anchored = empty & CORNERS, own & CORNERS
    for _ in range(SIZE - 2):
        anchored |= beside(anchored, 0, 4) & own & EDGES
    return (
        weights.mobility * popcount(outflanking(own, other))
        + weights.frontier * popcount(own & beside(empty, 0, 8))
        + weights.corner * popcount(own & CORNERS)
        + weights.diagonal * popcount(own & beside(empty_corners, 4, 8))
        + weights.edge * popcount(own & beside(empty_corners, 0, 4))
        + weights.anchored * popcount(anchored & ~CORNERS)
        + weights.late * popcount(own) * max(0, PASS - LATE_FROM - popcount(empty))
    )


@rule
def evaluate(weights: Standard, state: State, player: int) -> float:
    if is_over(state):
        ahead = popcount(state.own) - popcount(state.other)
        value = float(ahead) + (weights.win if ahead > 0 else -weights.win if ahead < 0 else 0.0)
    else:
        value = one_side(weights, state.own, state.other) - one_side(weights, state.other, state.own)
    return value if player == state.player else -value


EVALUATIONS = {"standard": Standard()}

# With `gain` below, late moves are rarely the best: the engine may reduce them sooner and by more than its default.
SEARCH_PARAMETERS = {"palabre": {"reduction_base": 1.2, "reduction_divisor": 1.4, "reduction_first_move": 1}}


@rule
def gain(state: State, move: int) -> int:
    """A hint: search corners first, and never less deeply; then moves that leave the opponent few replies."""
    if move != PASS and CORNERS >> move & 1:
        return 1
    after = play(state, move)
    return -popcount(outflanking(after.own, after.other))


@rule
def plies_left(state: State) -> int:
    """A hint: every empty square is likely to be filled."""
    return PASS - popcount(state.own | state.other)


# ---------------------------------------------------------------------------------------------------------- the texts


def move_to_text(state: State, move: int) -> str:
    return "pass" if move == PASS else SQUARES[move]


def explain(state: State, text: str) -> str:
    if text.lower() not in [*SQUARES, "pass"]:
        return "a move is a square such as d3, or pass"
    return "a disc there turns nothing over" if text.lower() != "pass" else "there is a move, so nobody may pass"


def state_to_text(state: State) -> str:
    """Eight rows from row 1, `.` empty, 1 and 2 the players; then the player to move."""
    marks = {piece.cell: str((piece.player or 0) + 1) for piece in pieces(state)}
    signs = "".join(marks.get(name, ".") for name in SQUARES)
    return f"{'/'.join(signs[row : row + SIZE] for row in range(0, len(SQUARES), SIZE))} {state.player + 1}"


def text_to_state(text: str, options: Options) -> State:
    form = "eight rows of eight signs '.', 1 and 2, and the player to move"
    board, player_text = fields(text, 2, form)
    signs = "".join(fields(board, SIZE, form, "/"))
    if any(len(row) != SIZE for row in board.split("/")) or set(signs) - set(".12"):
        raise UnreadableText(f"a row must have eight signs; expected {form}")
    player = player_from_text(player_text, 2)
    sides = [squares(*(name for name, sign in zip(SQUARES, signs, strict=True) if sign == mark)) for mark in "12"]
    if CENTRE & ~(sides[0] | sides[1]):
        raise ImpossiblePosition("the four squares in the centre are never empty")
    return State(sides[player], sides[1 - player], player)


# ---------------------------------------------------------------------------------------------------------- the board


def cells(options: Options) -> list[Cell]:
    return [Cell(name, code % SIZE, code // SIZE, shape="square") for code, name in enumerate(SQUARES)]


def pieces(state: State) -> list[Piece]:
    sides = ((state.player, state.own), (1 - state.player, state.other))
    places = list(enumerate(SQUARES))
    return [Piece(name, "disc", player) for player, discs in sides for square, name in places if discs >> square & 1]


def clicks(state: State, move: int) -> list[Clicks]:
    return [(move_to_text(state, move),)]
