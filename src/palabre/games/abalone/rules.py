"""Abalone: a hexagon of 61 cells, fourteen marbles a side, push six off.

There are two rule sets. `course` is that of the Abalone course project: marbles only move along their line, and the
game ends at six marbles lost or after `turns` plies. Equal losses are decided by the smaller sum of distances to the
centre. With `suicide` a group may push its own front marble off the board. `official` adds side-steps, and a tie is a
draw. In both, the game ends if the player to move has no move, and is decided as at the limit of plies. (The sources
are silent about that case; it takes marbles walled in along the edge.)

The board is a ring of 61 bits: a step along the row adds 1, a step up a letter adds 13, modulo 61. So one step of any
set of marbles in any direction is one rotation, and a mask tells which cells have a neighbour in that direction:

             i5 47 48 49 50 51 i9
            h4 33 34 35 36 37 38 h9                   nw +13   ne +14
           g3 19 20 21 22 23 24 25 g9                      \\   /
          f2  5  6  7  8  9 10 11 12 f9               w -1 -- o -- e +1
         e1 52 53 54 55 56 57 58 59 60 e9                  /   \\
          d1 39 40 41 42 43 44 45 46 d8               sw -14   se -13
           c1 26 27 28 29 30 31 32 c7
            b1 13 14 15 16 17 18 b6
             a1  0  1  2  3  4 a5

A move is a kind, a direction and a cell: that of the rear marble or, for a side-step, the end that is read first:

    kind  0 1 2     one, two, three marbles step along their line
          3 4 5     two push one, three push one, three push two
          6 7       two, three marbles on the axis next to the direction, counter-clockwise, step aside
          8 9       two, three marbles on the axis after that one step aside
    move  (kind * 6 + direction) * 61 + cell

All moves of one kind in one direction are a set of cells. A move changes the same cells whenever it is legal, so two
tables say what it does.
"""

from typing import NamedTuple

from palabre.author import (
    Moves,
    Options,
    Table,
    combine,
    kernel,
    lowest,
    move_buffer,
    nth,
    popcount,
    roll,
    rule,
    shift_right,
)
from palabre.games.abalone import LAYOUTS

ROWS = "abcdefghi"
CELLS = 61
BOARD = (1 << CELLS) - 1
MARBLES = 14
BEATEN = MARBLES - 6  # a side with so few marbles has lost
DIRECTIONS = ("e", "ne", "nw", "w", "sw", "se")  # counter-clockwise; the first three are the axes, read upwards
AXES = 3
IN_LINE = ((1, 0), (2, 0), (3, 0), (2, 1), (3, 1), (3, 2))  # by kind: marbles that move, enemies they push
SIDE_STEPS = len(IN_LINE)  # the first kind that is a side-step
KINDS = SIDE_STEPS + 4
MOVE_CODES = KINDS * len(DIRECTIONS) * CELLS
# In each direction a marble is the rear of at most one move in line. Fourteen marbles stand on at least two lines of an
# axis, so they make at most 12 twos and 10 threes on each of the two axes that can step that way.
MOST_MOVES = len(DIRECTIONS) * (MARBLES + 2 * (12 + 10))
FORESIGHT = 100  # this many plies before the limit, the key begins to depend on the ply


class State(NamedTuple):
    """A position of Abalone; own and other are sets of cells, numbered as drawn above."""

    own: int  # the marbles of the player to move
    other: int  # those of the opponent
    player: int  # who is to move, 0 or 1
    ply: int  # moves played so far
    rules: int  # the limit of plies in the bits of TURNS, and the bits number OFFICIAL and SUICIDE


TURNS = (1 << 14) - 1
OFFICIAL = 14
SUICIDE = 15


# ------------------------------------------------------------------------------------- the board, laid out in tables

NUMBERS = [range(max(1, row - 3), min(9, row + 5) + 1) for row in range(len(ROWS))]  # row a first
PLACES = {(13 * row + number - 1) % CELLS: (row, number) for row in range(len(ROWS)) for number in NUMBERS[row]}
CELL_AT = {place: cell for cell, place in PLACES.items()}
STEP_TO = ((0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0))  # rows up and numbers up, by direction
OFF = -1  # where a neighbour is beyond the edge


def neighbour(cell: int, direction: int) -> int:
    """The next cell in a direction, or OFF."""
    (row, number), (up, along) = PLACES[cell], STEP_TO[direction]
    return CELL_AT.get((row + up, number + along), OFF)


def line(cell: int, direction: int, length: int) -> list[int]:
    """A cell and those that follow it in a direction, OFF from the edge on."""
    cells = [cell]
    while len(cells) < length:
        cells.append(OFF if cells[-1] == OFF else neighbour(cells[-1], direction))
    return cells


def axis_of(kind: int, direction: int) -> int:
    """The axis of a group that steps aside."""
    return (direction + 1 + (kind - SIDE_STEPS) // 2) % AXES


def _cells(*cells: int) -> int:
    """A set of cells; those beyond the edge are in no set."""
    return sum(1 << cell for cell in cells if cell != OFF)


def _changes(kind: int, direction: int, cell: int) -> tuple[int, int]:
    """The cells of own and of other marbles that a move changes; meaningless where the move cannot be legal."""
    if kind < SIDE_STEPS:
        group, pushed = IN_LINE[kind]
        along = line(cell, direction, group + pushed + 1)
        return _cells(cell, along[group]), _cells(along[group], along[group + pushed]) if pushed else 0
    marbles = [marble for marble in line(cell, axis_of(kind, direction), 2 + kind % 2) if marble != OFF]
    return _cells(*marbles, *(neighbour(marble, direction) for marble in marbles)), 0


_CHANGES = [
    _changes(kind, direction, cell)
    for kind in range(KINDS)
    for direction in range(len(DIRECTIONS))
    for cell in range(CELLS)
]
OWN_CHANGE = Table(own for own, _ in _CHANGES)
OTHER_CHANGE = Table(other for _, other in _CHANGES)

# The six directions are worked on side by side, in eight lanes to fill two vectors; the last two lanes have no cells.
LANES = 8
_NONE = [0, 0]
_INNER = [_cells(*(cell for cell in PLACES if neighbour(cell, d) != OFF)) for d in range(len(DIRECTIONS))]
STEP = Table([(13 * up + along) % CELLS for up, along in STEP_TO] + _NONE)  # what a step adds to a cell
INNER = Table(_INNER + _NONE)  # the cells that have a neighbour in the direction
EDGE = Table([BOARD & ~inner for inner in _INNER] + _NONE)  # those that have none
AXIS_STEP = Table([[STEP[(lane + turn) % AXES] for lane in range(LANES)] for turn in (1, 2)])
AXIS_INNER = Table([[INNER[(lane + turn) % AXES] for lane in range(LANES)] for turn in (1, 2)])


def _distance(cell: int) -> int:
    """Steps from a cell to the centre, e5; a diagonal step changes row and number together."""
    row, number = PLACES[cell][0] - 4, PLACES[cell][1] - 5
    return max(abs(row), abs(number), abs(row - number))


# The cells at least one, two, three, four steps from the centre: a marble is in as many of these sets as it has steps.
BEYOND = Table(_cells(*(cell for cell in PLACES if _distance(cell) > steps)) for steps in range(4))
FARTHEST = 4 * MARBLES  # no sum of distances is larger


# ---------------------------------------------------------------------------------------------------------- the rules


@kernel
def behind(cells: int, step: int) -> int:
    """The cells from which a step leads to these, with stray bits that the caller masks away."""
    return shift_right(cells, step) | cells << CELLS - step


@kernel
def find_moves(state: State, sets: Moves) -> None:
    """Write the moves as sets of cells, kind k in direction d to sets[k * LANES + d], even if the game has ended.

    The loop has no branches, so that the compiler can do four directions at a time.
    """
    empty = BOARD & ~(state.own | state.other)
    suicide = -(state.rules >> SUICIDE & 1)  # all cells or none
    side_steps = -(state.rules >> OFFICIAL & 1)
    for lane in range(LANES):
        step = STEP[lane]
        own = state.own & INNER[lane]
        other = state.other & INNER[lane]
        free = behind(empty, step) & INNER[lane]
        one = state.own & (free | EDGE[lane] & suicide)
        two = own & behind(one, step)
        sets[lane] = one
        sets[LANES + lane] = two
        sets[2 * LANES + lane] = own & behind(two, step)
        facing = behind(state.other & (free | EDGE[lane]), step)  # the cells in front of one enemy who can be pushed
        two = own & behind(own & facing, step)
        sets[3 * LANES + lane] = two
        sets[4 * LANES + lane] = own & behind(two, step)
        facing = behind(other & facing, step)  # in front of two enemies who can be pushed
        two = own & behind(own & facing, step)
        sets[5 * LANES + lane] = own & behind(two, step)
        aside = one & side_steps
        two = aside & behind(aside, AXIS_STEP[0][lane]) & AXIS_INNER[0][lane]
        sets[6 * LANES + lane] = two
        sets[7 * LANES + lane] = two & behind(two, AXIS_STEP[0][lane])
        two = aside & behind(aside, AXIS_STEP[1][lane]) & AXIS_INNER[1][lane]
        sets[8 * LANES + lane] = two
        sets[9 * LANES + lane] = two & behind(two, AXIS_STEP[1][lane])


@kernel
def count_found(state: State) -> int:
    """How many moves `find_moves` finds. This is faster: groups of all sizes are followed together."""
    empty = BOARD & ~(state.own | state.other)
    suicide = -(state.rules >> SUICIDE & 1)
    side_steps = -(state.rules >> OFFICIAL & 1)
    total = 0
    for lane in range(LANES):
        step = STEP[lane]
        own = state.own & INNER[lane]
        other = state.other & INNER[lane]
        free = behind(empty, step) & INNER[lane]
        one = state.own & (free | EDGE[lane] & suicide)
        facing = behind(state.other & (free | EDGE[lane]), step)
        second = one | own & facing  # can go on with one marble behind it
        third = second | own & behind(other & facing, step)  # can go on with two behind it
        total += popcount(one | own & behind(second | own & behind(third, step), step))
        aside = one & side_steps
        left = aside & behind(aside, AXIS_STEP[0][lane]) & AXIS_INNER[0][lane]
        right = aside & behind(aside, AXIS_STEP[1][lane]) & AXIS_INNER[1][lane]
        total += popcount(left) + popcount(left & behind(left, AXIS_STEP[0][lane]))
        total += popcount(right) + popcount(right & behind(right, AXIS_STEP[1][lane]))
    return total


@kernel
def is_decided(state: State) -> bool:
    """Whether the game has ended, other than for want of a legal move."""
    return popcount(state.own) <= BEATEN or popcount(state.other) <= BEATEN or state.ply >= state.rules & TURNS


@kernel
def is_blocked(state: State) -> bool:
    """Whether the player to move has no move. Nearly always, a marble beside an empty cell has one."""
    empty = BOARD & ~(state.own | state.other)
    for direction in range(len(DIRECTIONS)):
        if state.own & INNER[direction] & behind(empty, STEP[direction]):
            return False
    return count_found(state) == 0


@rule
def is_over(state: State) -> bool:
    return is_decided(state) or is_blocked(state)


@rule
def to_move(state: State) -> int:
    return state.player


@rule
def ply(state: State) -> int:
    return state.ply


@rule
def score(state: State, player: int) -> int:
    """Enemy marbles off the board, whoever pushed them."""
    return MARBLES - popcount(state.other if player == state.player else state.own)


@rule
def final_score(state: State, player: int) -> int:
    if state.rules >> OFFICIAL & 1:
        return score(state, player)
    marbles = state.own if player == state.player else state.other
    distance = 0
    for steps in range(len(BEYOND)):
        distance += popcount(marbles & BEYOND[steps])
    return score(state, player) * (FARTHEST + 1) - distance


@rule
def legal_moves(state: State, moves: Moves) -> int:
    if is_decided(state):
        return 0
    sets = move_buffer(state)
    find_moves(state, sets)
    kinds = KINDS if state.rules >> OFFICIAL & 1 else SIDE_STEPS
    count = 0
    code = 0
    for kind in range(kinds):
        for direction in range(len(DIRECTIONS)):
            cells = sets[kind * LANES + direction]
            while cells:
                moves[count] = code + lowest(cells)
                count += 1
                cells &= cells - 1
            code += CELLS
    return count


@rule
def count_moves(state: State) -> int:
    return 0 if is_decided(state) else count_found(state)


@rule
def random_move(state: State, seed: int) -> int:
    sets = move_buffer(state)
    find_moves(state, sets)
    total = 0
    for each in range(KINDS * LANES):
        total += popcount(sets[each])
    index = roll(seed, total)
    place = 0
    while index >= popcount(sets[place]):
        index -= popcount(sets[place])
        place += 1
    kind_and_direction = place // LANES * len(DIRECTIONS) + place % LANES
    return kind_and_direction * CELLS + nth(sets[place], index)


@rule
def play(state: State, move: int) -> State:
    own = state.own ^ OWN_CHANGE[move]
    other = state.other ^ OTHER_CHANGE[move]
    return State(other, own, 1 - state.player, state.ply + 1, state.rules)


@rule
def key(state: State) -> int:
    """The plies count only when the limit is near: before that, no search can reach it."""
    fingerprint = combine(combine(1 + state.player, state.own), state.other)
    return combine(fingerprint, max(0, state.ply + FORESIGHT - (state.rules & TURNS)))


def start(options: Options, seed: int) -> State:
    """The marbles of the layout; nothing is left to chance."""
    rows = LAYOUTS[options.word("layout")].split("/")
    return State(marbles_of("1", rows), marbles_of("2", rows), 0, 0, rules_word(options))


def marbles_of(sign: str, rows: list[str]) -> int:
    """The cells that bear a sign in nine rows of text, row i first."""
    cells = 0
    for row, text in enumerate(reversed(rows)):
        cells |= _cells(*(CELL_AT[row, NUMBERS[row][at]] for at, here in enumerate(text) if here == sign))
    return cells


def rules_word(options: Options) -> int:
    """The parameters of a spec as one word of the state."""
    if options.preset == "official":
        return options.number("turns") + (1 << OFFICIAL)
    return options.number("turns") + ((options.word("suicide") == "yes") << SUICIDE)
