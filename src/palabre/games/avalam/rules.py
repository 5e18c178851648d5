"""Avalam: 48 counters in two colours, piled into towers of at most five; the colour on top owns the tower.

There are two rule sets. In `course`, that of the Avalam course project, players move a tower of their own onto one of
the opponent's. Each move takes exactly one tower from the opponent. If one player can join two towers, so can the
other, so either both have a move or neither has. The final difference is therefore 0 or +1 for player 1, who can never
lose: the game is a parity fight for the last move. In `official`, the published rules, either player moves any tower
onto any other, and towers of height 5 break a tie. In both, a cell that was left is a hole for ever.

A set of cells is a word with one bit for each cell. A step to the right adds 4 to a cell's number, a step down takes 7
from it. This numbers the 48 cells and the hole in the middle, 24, from 0 to 48 without a gap, and every neighbour is
one shift away:

       a  b  c  d  e  f  g  h  i
    1       44 48
    2    33 37 41 45                           the neighbours of a cell:
    3    26 30 34 38 42 46
    4    19 23 27 31 35 39 43 47                    +3  +7 +11
    5  8 12 16 20    28 32 36 40                    -4      +4
    6  1  5  9 13 17 21 25 29                      -11  -7  -3
    7        2  6 10 14 18 22
    8              3  7 11 15
    9                 0  4

A shift may also lead off one edge and onto another (i5 + 4 is c1), so each direction has a mask of the cells that have
a neighbour there. Turning the board by 180° makes cell n cell 48 - n, and leaves the start as it is, colours included.
"""

from typing import NamedTuple

from palabre.author import Moves, Options, Table, kernel, lowest, nth, popcount, roll, rule

START = "..Aa...../.AaAa..../.aAaAaA../.AaAaAaAa/AaAa.aAaA/aAaAaAaA./..AaAaAa./....aAaA./.....aA.."
COUNTERS = 48
HIGHEST = 5
SPAN = COUNTERS + 1  # bits of a set of cells: the hole in the middle has one too
PLAYER = SPAN  # the bit of `State.tops` that tells who is to move
OFFICIAL = SPAN + 1  # the bit above, the last one, which tells the rule set


class State(NamedTuple):
    """A position of Avalam: four sets of cells, numbered as drawn above."""

    ones: int  # towers whose height has a 1 in binary: 1, 3, 5
    twos: int  # a 2: heights 2, 3
    fours: int  # a 4: heights 4, 5
    tops: int  # towers of player 2; bit PLAYER: player 2 is to move; bit OFFICIAL: these are the official rules


# Where each cell lies, column and row from 0, by its number; in reading order.
PLACES = {
    36 + 4 * column - 7 * row: (column, row)
    for row, letters in enumerate(START.split("/"))
    for column, letter in enumerate(letters)
    if letter != "."
}

# Four of the eight directions meet every pair of neighbours once, from its cell with the lower number: (column, row)
# steps to the east, north-west, north and north-east.
_COMPASS = ((1, 0), (-1, -1), (0, -1), (1, -1))
DIRECTIONS = len(_COMPASS)
STEPS = Table([4 * columns - 7 * rows for columns, rows in _COMPASS])


def _lower_cells(direction: int) -> list[int]:
    """The cells that have a neighbour in a direction."""
    columns, rows = _COMPASS[direction]
    return [
        cell
        for cell, (column, row) in sorted(PLACES.items())
        if PLACES.get(cell + STEPS[direction]) == (column + columns, row + rows)
    ]


_LOWER = [_lower_cells(direction) for direction in range(DIRECTIONS)]
LOWER = Table([sum(1 << cell for cell in cells) for cells in _LOWER])

# A pair of neighbours is two moves: an even one from the lower number to the higher, and the odd one after it, back.
# So no position has more moves than these 292, and `official` starts with all of them.
_PAIRS = [(cell, cell + STEPS[direction]) for direction in range(DIRECTIONS) for cell in _LOWER[direction]]
ORIGIN = Table([cell for pair in _PAIRS for cell in pair])
TARGET = Table([cell for pair in _PAIRS for cell in reversed(pair)])
MOST_MOVES = MOVE_CODES = 2 * len(_PAIRS)

# The even move of a pair, by direction and lower cell; 0 where there is no neighbour.
_EVEN_MOVES = {pair: 2 * index for index, pair in enumerate(_PAIRS)}
EVEN_MOVE = Table([[_EVEN_MOVES.get((cell, cell + step), 0) for cell in range(SPAN)] for step in STEPS])


@kernel
def towers(state: State) -> int:
    return state.ones | state.twos | state.fours


@kernel
def towers_of(state: State, player: int) -> int:
    return towers(state) & (state.tops if player else ~state.tops)


@kernel
def height(state: State, cell: int) -> int:
    return (state.ones >> cell & 1) + 2 * (state.twos >> cell & 1) + 4 * (state.fours >> cell & 1)


@kernel
def owner(state: State, cell: int) -> int:
    return state.tops >> cell & 1


@kernel
def official(state: State) -> int:
    """1 or 0; no bit of `tops` is above this one."""
    return state.tops >> OFFICIAL


@kernel
def pairs(state: State, direction: int) -> int:
    """The lower cells of the pairs in a direction that may be joined, by either player."""
    step: int = STEPS[direction]
    at_most_3 = (state.ones | state.twos) & ~state.fours
    at_most_2 = (state.ones ^ state.twos) & ~state.fours
    at_most_1 = at_most_2 & state.ones
    at_most_4 = at_most_3 | state.fours & ~state.ones
    low_enough = (
        at_most_1 & at_most_4 >> step
        | at_most_2 & at_most_3 >> step
        | at_most_3 & at_most_2 >> step
        | at_most_4 & at_most_1 >> step
    )
    # `course` joins only towers of different colours; in `official`, minus one is the set of all cells.
    allowed = state.tops ^ state.tops >> step | -official(state)
    lower: int = LOWER[direction]
    return low_enough & allowed & lower


@kernel
def course_move(state: State, even_move: int, cell: int) -> int:
    """The move of a pair that the player to move may make in `course`: away from the cell that is theirs."""
    return even_move + (owner(state, cell) ^ to_move(state))


@rule
def is_over(state: State) -> bool:
    for direction in range(DIRECTIONS):
        if pairs(state, direction):
            return False
    return True


@rule
def to_move(state: State) -> int:
    return state.tops >> PLAYER & 1


@rule
def score(state: State, player: int) -> int:
    return popcount(towers_of(state, player))


@rule
def final_score(state: State, player: int) -> int:
    """The towers; in `official`, the towers of height 5 break a tie."""
    own = towers_of(state, player)
    return SPAN * popcount(own) + official(state) * popcount(own & state.ones & state.fours)


@rule
def ply(state: State) -> int:
    """Every move makes one tower of two."""
    return COUNTERS - popcount(towers(state))


@rule
def legal_moves(state: State, moves: Moves) -> int:
    count = 0
    for direction in range(DIRECTIONS):
        lower = pairs(state, direction)
        while lower:
            cell = lowest(lower)
            lower &= lower - 1
            move = EVEN_MOVE[direction][cell]
            if official(state):
                moves[count] = move
                moves[count + 1] = move + 1
                count += 2
            else:
                moves[count] = course_move(state, move, cell)
                count += 1
    return count


@rule
def count_moves(state: State) -> int:
    """One move a pair in `course`, two in `official`."""
    count = 0
    for direction in range(DIRECTIONS):
        count += popcount(pairs(state, direction))
    return count << official(state)


@rule
def random_move(state: State, seed: int) -> int:
    number = roll(seed, count_moves(state))
    index = number >> official(state)  # of the pair, over all directions
    direction = lower = before = passed = 0
    for candidate in range(DIRECTIONS):  # to the end: a branch that the processor cannot predict costs more
        if index >= passed:
            direction = candidate
            lower = pairs(state, candidate)
            before = passed
        passed += popcount(pairs(state, candidate))
    cell = nth(lower, index - before)
    move = EVEN_MOVE[direction][cell]
    return move + (number & 1) if official(state) else course_move(state, move, cell)


@rule
def play(state: State, move: int) -> State:
    origin = ORIGIN[move]
    target = TARGET[move]
    one = carried(state.ones, origin, target)
    two = carried(state.twos, origin, target)
    four = carried(state.fours, origin, target)
    # The two heights are added in binary, digit by digit, as logic gates would do it.
    carry = state.ones & one
    sum_of_twos = state.twos ^ two
    new_four = four | state.twos & two | sum_of_twos & carry
    others = ~(1 << origin)
    return State(
        (state.ones ^ one) & others,
        (sum_of_twos ^ carry) & others,
        (state.fours | new_four) & others,
        (state.tops & ~(1 << target) | carried(state.tops, origin, target)) & others ^ 1 << PLAYER,
    )


@kernel
def carried(cells: int, origin: int, target: int) -> int:
    """The target cell if the origin is in the set, else nothing."""
    return (cells >> origin & 1) << target


def start(options: Options, seed: int) -> State:
    """One counter on every cell; nothing is left to chance."""
    rows = START.split("/")
    second = sum(1 << cell for cell, (column, row) in PLACES.items() if rows[row][column] == "a")
    return State(sum(1 << cell for cell in PLACES), 0, 0, second | rules_bit(options))


def rules_bit(options: Options) -> int:
    """The rule set as it stands in `State.tops`."""
    return 1 << OFFICIAL if options.preset == "official" else 0
