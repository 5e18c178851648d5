"""Othello for Palabre, in one file: outflank the other's discs and turn them over; whoever has more discs wins.

The rules are those of the World Othello Federation. A player who cannot outflank anything passes; if neither can, the
game is over. The board has 64 squares, one bit each, so a set of squares fills a signed word up to its sign:

        a  b  c  d  e  f  g  h
    1   0  1  2  3  4  5  6  7
    …
    8  56 57 58 59 60 61 62 63
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
    Saying,
    Table,
    UnreadableText,
    fields,
    kernel,
    lowest,
    player_from_text,
    popcount,
    rule,
    shift_right,
    signed,
)

GAME = GameFacts("othello", "Othello", "outflank discs to turn them over; most discs win", unit="discs")

SIZE = 8
SQUARES = [f"{letter}{number}" for number in range(1, SIZE + 1) for letter in "abcdefgh"]
PASS = len(SQUARES)  # the code of the move that is none
MOVE_CODES = len(SQUARES) + 1
MOST_MOVES = 60  # the squares that are empty at the start; no position comes near it


def squares(*names: str) -> int:
    """A set of squares as one signed word."""
    return signed(sum(1 << SQUARES.index(name) for name in names))


CENTRE = squares("d4", "e4", "d5", "e5")
CORNERS = squares("a1", "h1", "a8", "h8")
LEFT, RIGHT, TOP, BOTTOM = (squares(*(name for name in SQUARES if sign in name)) for sign in "ah18")
EDGES = LEFT | RIGHT | TOP | BOTTOM
MUCH = 200  # more points than one position is usually worth
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
    return list_squares(places, moves)


@kernel
def list_squares(places: int, moves: Moves) -> int:
    """Write the squares of a set to a list, and return how many there are."""
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
    """Weights at the beginning of the game and, called late, at its end; in between they change evenly."""

    ends: float = 1.0  # for each point that the tables below give for the ends of the edges
    late_ends: float = 1.0
    mobility: float = 0.7  # for each move more than the opponent has
    late_mobility: float = 1.3
    threat: float = -0.5  # for each of these moves that takes a corner
    late_threat: float = 11.6
    frontier: float = 0.2  # for each own disc beside an empty square: it gives the opponent moves
    late_frontier: float = -3.2
    anchored: float = 2.6  # for each own disc that a row of own discs joins to a corner along the edge
    late_anchored: float = 1.4
    discs: float = -1.0  # for each own disc
    late_discs: float = 0.9
    tempo: float = -1.9  # for being to move
    late_tempo: float = -0.7
    parity: float = 1.6  # for being to move with an odd number of squares empty; minus that with an even one
    late_parity: float = 2.4
    win: float = 1000.0  # for the game
    odds: float = 0.1  # log-odds of winning for each point, to tell a value as a chance


# The end of an edge is a pattern of four squares: the corner, the one diagonally beside it ("X"), and the next two of
# the edge ("C" and "A"). Each is empty (0), own (1) or the other's (2). A row of a table has one corner and X, a column
# one C and A: 00 01 02 10 11 12 20 21 22. The numbers were fitted to games of the engine against itself.
PATTERN = 4
ENDS = Table(
    [SQUARES.index(name) for name in end.split()]
    for end in (
        *("a1 b2 b1 c1", "h1 g2 g1 f1", "a8 b7 b8 c8", "h8 g7 g8 f8"),
        *("a1 b2 a2 a3", "h1 g2 h2 h3", "a8 b7 a7 a6", "h8 g7 h7 h6"),
    )
)
# fmt: off
EARLY_ENDS = Table([
      0,   2,  -2, -11,  -2, -18,  11,  18,   2,
    -11, -18,  -8, -24, -22, -21, -11,   3, -22,
     11,   8,  18,  11,  22,  -3,  24,  21,  22,
     12,   3,  36,  20,  15,  -1,  22, -42,  36,
      5,   4,  15,   5,  13,  16,  13,  11,  21,
      6,  19,  12,   9,  21,   9,  25,  11,  23,
    -12, -36,  -3, -22, -36,  42, -20,   1, -15,
     -6, -12, -19, -25, -23, -11,  -9,  -9, -21,
     -5, -15,  -4, -13, -21, -11,  -5, -16, -13,
])
LATE_ENDS = Table([
      0,   0,   0,  -1,   3,  -1,   1,   1,  -3,
      2,   6,   5,   4,   2,   2,  -2,  -4,  -2,
     -2,  -5,  -6,   2,   2,   4,  -4,  -2,  -2,
      6,   3,   1,  10,   5,   8,   6,  17,   0,
      8,  -4,   2,   4,   3,   2,   3,  -2,   1,
      8,  12,  13,  11,  -2,   0,   3,  -6,  -4,
     -6,  -1,  -3,  -6,   0, -17, -10,  -8,  -5,
     -8, -13, -12,  -3,   4,   6, -11,   0,   2,
     -8,  -2,   4,  -3,  -1,   2,  -4,  -2,  -3,
])
# fmt: on


@kernel
def between(early: float, late: float, time: float) -> float:
    """A weight when this part of the game has passed, from 0 to 1."""
    return early + (late - early) * time


@kernel
def ends_of_edges(weights: Standard, state: State, time: float) -> float:
    """What the tables say of the eight ends."""
    early = late = 0
    for end in range(len(ENDS)):
        pattern = 0
        for place in range(PATTERN):
            square = ENDS[end][place]
            pattern = 3 * pattern + (state.own >> square & 1) + 2 * (state.other >> square & 1)
        early += EARLY_ENDS[pattern]
        late += LATE_ENDS[pattern]
    return between(weights.ends * early, weights.late_ends * late, time)


@kernel
def beside(discs: int, directions: int) -> int:
    """The neighbours of discs in the first directions: four, or all eight."""
    found = 0
    for direction in range(directions):
        found |= step_all(discs, direction)
    return found


@kernel
def one_side(weights: Standard, own: int, other: int, moves: int, time: float) -> float:
    """What one side has that counts."""
    anchored = own & CORNERS
    for _ in range(SIZE - 2):
        anchored |= beside(anchored, 4) & own & EDGES
    frontier = own & beside(~(own | other), 8)
    return (
        between(weights.mobility, weights.late_mobility, time) * popcount(moves)
        + between(weights.threat, weights.late_threat, time) * popcount(moves & CORNERS)
        + between(weights.frontier, weights.late_frontier, time) * popcount(frontier)
        + between(weights.anchored, weights.late_anchored, time) * popcount(anchored & ~CORNERS)
        + between(weights.discs, weights.late_discs, time) * popcount(own)
    )


@rule
def evaluate(weights: Standard, state: State, player: int) -> float:
    moves, replies = outflanking(state.own, state.other), outflanking(state.other, state.own)
    if moves | replies == 0:
        ahead = popcount(state.own) - popcount(state.other)
        value = float(ahead) + (weights.win if ahead > 0 else -weights.win if ahead < 0 else 0.0)
    else:
        empty = plies_left(state)
        time = 1 - empty / MOST_MOVES
        parity = between(weights.parity, weights.late_parity, time)
        value = between(weights.tempo, weights.late_tempo, time) + (parity if empty & 1 else -parity)
        value += ends_of_edges(weights, state, time)
        value += one_side(weights, state.own, state.other, moves, time)
        value -= one_side(weights, state.other, state.own, replies, time)
    return value if player == state.player else -value


STANDARD = Standard()
EVALUATIONS = {"standard": STANDARD}

# With `gain` below, late moves are rarely the best: the engine may reduce them sooner and by more than its default.
SEARCH_PARAMETERS = {"palabre": {"reduction_base": 1.2, "reduction_divisor": 1.0, "reduction_first_move": 1}}


@rule
def gain(state: State, move: int) -> int:
    """A hint: search first what the evaluation likes best. No move gains anything at once, so none is above 0."""
    return min(0, int(evaluate(STANDARD, play(state, move), state.player)) - MUCH)


@rule
def tactical_moves(state: State, moves: Moves) -> int:
    """A hint: a position can be evaluated when no corner is to be taken."""
    return list_squares(outflanking(state.own, state.other) & CORNERS, moves)


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


BOARD = Board("felt", players=("black", "white"))


def cells(options: Options) -> list[Cell]:
    return [Cell(name, code % SIZE, code // SIZE, shape="square") for code, name in enumerate(SQUARES)]


def pieces(state: State) -> list[Piece]:
    sides = ((state.player, state.own), (1 - state.player, state.other))
    places = list(enumerate(SQUARES))
    return [Piece(name, "disc", player) for player, discs in sides for square, name in places if discs >> square & 1]


def clicks(state: State, move: int) -> list[Clicks]:
    return [(move_to_text(state, move),)]


def tell(state: State, move: int) -> list[Saying]:
    if move == PASS:
        return [Saying("passes", {"player": state.player})]
    return [Saying("places", {"player": state.player, "cell": SQUARES[move]})]
