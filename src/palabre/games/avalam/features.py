"""What a net sees of a position of Avalam, from the side of the player to move.

    512   for each tower that can be joined with another, its class, wherever it stands; in bits:
              0-1  its height, less 1
              2-3  how many towers of the same colour it can be joined with, 3 or more as one
              4-5  how many of the other colour
              6    whether one of the same colour would make a five of it, the highest tower there is
              7    whether one of the other colour would
              8    whether it is the opponent's
    25    the lead in settled towers, those that no move can touch
    7     the lead in fives

The classes of all cells are made at once: each bit above is a set of cells, which `spread` turns into numbers.
"""

from typing import NamedTuple

from palabre.author import (
    Lanes,
    Rows,
    add_lanes,
    answer,
    features,
    kernel,
    lowest,
    phase,
    ply,
    popcount,
    spread,
    store_lanes,
    to_move,
)
from palabre.games.avalam.rules import DIRECTIONS, LOWER, STEPS, State, pairs, towers, towers_of

CLASSES = 512
MOST_LEAD = 12  # in settled towers, as far as a net can tell
MOST_FIVES = 3  # as a lead
SETTLED = CLASSES + MOST_LEAD  # the feature of no lead in settled towers
FIVES = SETTLED + MOST_LEAD + 1 + MOST_FIVES  # of no lead in fives
FEATURES = FIVES + MOST_FIVES + 1
MOST_FEATURES = 64  # room for the numbers of all bits of a word; a position has 50 features at most
HALF = 32  # the bits of a word whose numbers are made at once
PHASES = 6
PHASE_PLIES = 6  # the last phase is longer


class Neighbours(NamedTuple):
    """For the towers of all cells: what they can be joined with, as sets of cells."""

    friends_1: int  # the bits of how many friends
    friends_2: int
    enemies_1: int
    enemies_2: int
    friend_makes_five: int
    enemy_makes_five: int


@answer(features)
def features_of_towers(state: State, rows: Rows) -> int:
    own = towers_of(state, to_move(state))
    enemies = towers(state) & ~own
    around = neighbours(state)
    store_lanes(classes(state, enemies, around, 0), rows, 0)
    store_lanes(classes(state, enemies, around, HALF), rows, HALF)
    open_ones = around.friends_1 | around.friends_2 | around.enemies_1 | around.enemies_2
    count = 0
    left = open_ones
    while left:
        rows[count] = rows[lowest(left)]  # of a cell whose number is at least the count
        left &= left - 1
        count += 1
    settled_lead = popcount(own & ~open_ones) - popcount(enemies & ~open_ones)
    fives = state.ones & state.fours
    rows[count] = SETTLED + max(-MOST_LEAD, min(MOST_LEAD, settled_lead))
    rows[count + 1] = FIVES + max(-MOST_FIVES, min(MOST_FIVES, popcount(own & fives) - popcount(enemies & fives)))
    return count + 2


@kernel
def classes(state: State, enemies: int, around: Neighbours, first: int) -> Lanes:
    """The classes of the towers on 32 cells, from the first on."""
    # Heights 1 to 4, less 1, are 0 to 3: the lower bit is that of an even height, the upper that of 3 and 4.
    numbers = spread(~state.ones >> first, 1)
    numbers = add_lanes(numbers, spread((state.ones & state.twos | state.fours) >> first, 1 << 1))
    numbers = add_lanes(numbers, spread(around.friends_1 >> first, 1 << 2))
    numbers = add_lanes(numbers, spread(around.friends_2 >> first, 1 << 3))
    numbers = add_lanes(numbers, spread(around.enemies_1 >> first, 1 << 4))
    numbers = add_lanes(numbers, spread(around.enemies_2 >> first, 1 << 5))
    numbers = add_lanes(numbers, spread(around.friend_makes_five >> first, 1 << 6))
    numbers = add_lanes(numbers, spread(around.enemy_makes_five >> first, 1 << 7))
    return add_lanes(numbers, spread(enemies >> first, 1 << 8))


@kernel
def neighbours(state: State) -> Neighbours:
    """What each tower can be joined with, counted in binary, by logic on the sets of all cells at once."""
    friends_1 = friends_2 = enemies_1 = enemies_2 = friend_makes_five = enemy_makes_five = 0
    for direction in range(DIRECTIONS):
        step: int = STEPS[direction]
        joinable = pairs(state, direction)
        fives = joinable & makes_five(state, direction)
        differ = state.tops ^ state.tops >> step
        for shift in (0, step):  # the lower tower of each pair, and the higher one
            friend = (joinable & ~differ) << shift
            friends_1, friends_2 = friends_1 ^ friend | friends_1 & friends_2, friends_2 | friends_1 & friend
            enemy = (joinable & differ) << shift
            enemies_1, enemies_2 = enemies_1 ^ enemy | enemies_1 & enemies_2, enemies_2 | enemies_1 & enemy
            friend_makes_five |= (fives & ~differ) << shift
            enemy_makes_five |= (fives & differ) << shift
    return Neighbours(friends_1, friends_2, enemies_1, enemies_2, friend_makes_five, enemy_makes_five)


@kernel
def makes_five(state: State, direction: int) -> int:
    """The lower cells of the pairs in a direction whose heights add up to five: one is even, one is odd."""
    step: int = STEPS[direction]
    ones = state.ones & ~state.twos & ~state.fours
    twos = state.twos & ~state.ones
    threes = state.twos & state.ones
    fours = state.fours & ~state.ones
    lower: int = LOWER[direction]
    return (ones & fours >> step | fours & ones >> step | twos & threes >> step | threes & twos >> step) & lower


@answer(phase)
def phase_by_plies(state: State) -> int:
    return min(ply(state) // PHASE_PLIES, PHASES - 1)
