"""Penguins: sixty ice tiles with one, two or three fish; slide, eat, and the tile you leave vanishes.

These are the rules of the Penguins course project, for two, three or four players with four, three or two penguins
each. First the penguins are placed in turn on one-fish tiles; until all are placed nobody is skipped, even if their
penguins are shut in. Then a player slides one penguin in a straight line over free tiles. A player who cannot move is
skipped for the rest of the game: no tile becomes free again, because a tile vanishes when the penguin on it leaves. For
the same reason a penguin with no free tile beside it is dead: it stays where it is, with its tile, in everybody's way.
The game ends when nobody can move.

A set of tiles is one word with one bit for each tile in reading order. Rows of seven and eight tiles alternate:

    a      0  1  2  3  4  5  6
    b    7  8  9 10 11 12 13 14        The six neighbours of a tile are everywhere the same steps away:
    c     15 16 17 18 19 20 21
    d   22 23 24 25 26 27 28 29                         -8  -7
    e     30 31 32 33 34 35 36                        -1  tile  +1
    f   37 38 39 40 41 42 43 44                         +7  +8
    g     45 46 47 48 49 50 51
    h   52 53 54 55 56 57 58 59        A step over the edge leaves the sixty bits, or comes back in a column
                                       of the other edge that no true step of its direction lands in.
"""

from typing import NamedTuple

from palabre.author import Moves, Options, Table, combine, kernel, lowest, move_buffer, nth, popcount, roll, rule, shake

ROW_LENGTHS = (7, 8, 7, 8, 7, 8, 7, 8)
TILES = sum(ROW_LENGTHS)
TILES_WITH = {1: 30, 2: 20, 3: 10}  # how many tiles have one, two, three fish
FISH = sum(fish * tiles for fish, tiles in TILES_WITH.items())
MOST_PENGUINS = 4  # that one player has
PLAYER_BITS = 16  # of `State.taken`
FISH_VALUE = 64  # place value of the fish in them; a player's tiles are below it


class State(NamedTuple):
    """A position of Penguins from the point of view of the player to move; sets of tiles are as drawn above."""

    odd: int  # tiles of one or three fish, also those under penguins
    many: int  # tiles of two or three fish, also those under penguins
    own: int  # the penguins of the player to move
    second: int  # those of the next player in turn
    third: int  # of the one after, none if two play
    fourth: int  # of the one after, none if two or three play
    taken: int  # 16 bits a player, player 0 lowest: 64 * fish + tiles
    player: int  # who is to move, 0 to 3
    players: int  # how many play, 2 to 4


def _edge(column: int, *lengths: int) -> int:
    """The tiles at one end (column 0 or -1) of the rows of these lengths."""
    starts = [sum(ROW_LENGTHS[:row]) for row in range(len(ROW_LENGTHS))]
    rows = zip(starts, ROW_LENGTHS, strict=True)
    return sum(1 << start + column % length for start, length in rows if length in lengths)


# Where steps land: those to the north-east and south-east never in the first column of a row of eight, and so on.
BOARD = (1 << TILES) - 1
EAST_LANDINGS = BOARD ^ _edge(0, 7, 8)
WEST_LANDINGS = BOARD ^ _edge(-1, 7, 8)
RIGHT_LANDINGS = BOARD ^ _edge(0, 8)
LEFT_LANDINGS = BOARD ^ _edge(-1, 8)

DIRECTIONS = 6
EAST, SOUTH_WEST, SOUTH_EAST, WEST, NORTH_EAST, NORTH_WEST = range(DIRECTIONS)  # three onwards, three back


@kernel
def slides(penguins: int, free: int, direction: int) -> int:
    """The tiles that penguins can slide to in a direction; no tile is reached by two, for none passes another."""
    if direction == EAST:
        return onwards(penguins, free & EAST_LANDINGS, 1)
    if direction == SOUTH_WEST:
        return onwards(penguins, free & LEFT_LANDINGS, 7)
    if direction == SOUTH_EAST:
        return onwards(penguins, free & RIGHT_LANDINGS, 8)
    if direction == WEST:
        return back(penguins, free & WEST_LANDINGS, 1)
    if direction == NORTH_EAST:
        return back(penguins, free & RIGHT_LANDINGS, 7)
    return back(penguins, free & LEFT_LANDINGS, 8)


@kernel
def onwards(penguins: int, free: int, step: int) -> int:
    """Slides to higher tiles: one step, then two more where two are free, then four; seven is the longest slide."""
    reached = penguins | penguins << step & free
    free &= free << step
    reached |= reached << 2 * step & free
    free &= free << 2 * step
    reached |= reached << 4 * step & free
    return reached ^ penguins


@kernel
def back(penguins: int, free: int, step: int) -> int:
    """Slides to lower tiles, in the same way."""
    reached = penguins | penguins >> step & free
    free &= free >> step
    reached |= reached >> 2 * step & free
    free &= free >> 2 * step
    reached |= reached >> 4 * step & free
    return reached ^ penguins


@kernel
def beside(tiles: int) -> int:
    """The neighbours of tiles."""
    return (
        tiles << 1 & EAST_LANDINGS
        | tiles >> 1 & WEST_LANDINGS
        | (tiles << 8 | tiles >> 7) & RIGHT_LANDINGS
        | (tiles << 7 | tiles >> 8) & LEFT_LANDINGS
    )


# The code of a move: the tile of a placement, or CODES * (1 + direction) + the tile where a slide ends. So the moves in
# a direction are one set of tiles, listed in order; which penguin slid is clear from the position.
CODES = 64
MOVE_CODES = CODES * (1 + DIRECTIONS)
FIRST_BACK = CODES * (1 + WEST)  # from here on slides go to lower tiles


def _behind(move: int) -> int:
    """The tiles that a slide can come from; none for a placement."""
    direction, target = move // CODES - 1, move % CODES
    return slides(1 << target, BOARD, (direction + 3) % DIRECTIONS) if direction >= 0 and target < TILES else 0


BEHIND = Table([_behind(move) for move in range(MOVE_CODES)])
# Every penguin on the best tile of an empty board, and none in another's way: 84, more than the 30 placements.
MOST_MOVES = MOST_PENGUINS * max(sum(popcount(way) for way in BEHIND[tile::CODES]) for tile in range(TILES))


@kernel
def free_tiles(state: State) -> int:
    return (state.odd | state.many) & ~(state.own | state.second | state.third | state.fourth)


@kernel
def fish_on(state: State, tile: int) -> int:
    return (state.odd >> tile & 1) + 2 * (state.many >> tile & 1)


@kernel
def penguins_of(state: State, player: int) -> int:
    return state[FIRST_FLOCK + (player - state.player) % state.players]


FIRST_FLOCK = State._fields.index("own")


@kernel
def penguins_each(players: int) -> int:
    return 6 - players


@kernel
def is_placing(state: State) -> bool:
    """Whether penguins are still to be placed; they are placed in turn, so the player to move then has one in hand."""
    return popcount(state.own) < penguins_each(state.players)


@kernel
def places(state: State) -> int:
    """Where a penguin may be placed: free tiles of one fish."""
    return free_tiles(state) & ~state.many


@rule
def is_over(state: State) -> bool:
    """`pass_on` has made sure that the player to move can move, unless nobody can."""
    return state.own & beside(free_tiles(state)) == 0 and not is_placing(state)


@rule
def to_move(state: State) -> int:
    return state.player


@rule
def players(state: State) -> int:
    return state.players


@rule
def ply(state: State) -> int:
    """The tiles taken in all, which are gone or under a penguin."""
    return TILES - popcount(free_tiles(state))


@rule
def score(state: State, player: int) -> int:
    return final_score(state, player) // FISH_VALUE


@rule
def final_score(state: State, player: int) -> int:
    """Fish, then tiles."""
    return state.taken >> PLAYER_BITS * player & (1 << PLAYER_BITS) - 1


@rule
def legal_moves(state: State, moves: Moves) -> int:
    if is_placing(state):
        return list_tiles(places(state), 0, moves, 0)
    free = free_tiles(state)
    count = 0
    for direction in range(DIRECTIONS):
        count = list_tiles(slides(state.own, free, direction), CODES * (1 + direction), moves, count)
    return count


@kernel
def list_tiles(tiles: int, code: int, moves: Moves, count: int) -> int:
    """Add `code` + tile for each tile of a set to a list of `count` moves, and return how many there are then."""
    while tiles:
        moves[count] = code + lowest(tiles)
        tiles &= tiles - 1
        count += 1
    return count


@rule
def count_moves(state: State) -> int:
    if is_placing(state):
        return popcount(places(state))
    free = free_tiles(state)
    count = 0
    for direction in range(DIRECTIONS):
        count += popcount(slides(state.own, free, direction))
    return count


@rule
def random_move(state: State, seed: int) -> int:
    if is_placing(state):
        tiles = places(state)
        return nth(tiles, roll(seed, popcount(tiles)))
    free = free_tiles(state)
    reached = move_buffer(state)
    before = 0  # a byte for each direction: the moves in the directions before it
    count = 0
    for direction in range(DIRECTIONS):
        reached[direction] = slides(state.own, free, direction)
        before |= count << 8 * direction
        count += popcount(reached[direction])
    index = roll(seed, count)
    # Find the last direction with no more than `index` moves before it, in all bytes at once: a random branch is slow.
    direction = popcount((0x80 + index) * ONES - before & TOP_BITS) - 1
    return CODES * (1 + direction) + nth(reached[direction], index - (before >> 8 * direction & 0xFF))


ONES = 0x010101010101
TOP_BITS = 0x80 * ONES


@rule
def play(state: State, move: int) -> State:
    target = move % CODES
    left = origin(state.own, move)
    after = next_player(
        State(
            state.odd & ~left,
            state.many & ~left,
            state.own ^ left | 1 << target,
            state.second,
            state.third,
            state.fourth,
            state.taken + (FISH_VALUE * fish_on(state, target) + 1 << PLAYER_BITS * state.player),
            state.player,
            state.players,
        )
    )
    return pass_on(after) if is_over(after) else after


@kernel
def origin(own: int, move: int) -> int:
    """The tile that a move leaves, as a set: that of the nearest penguin behind the target; none for a placement."""
    penguin: int = own & BEHIND[move]
    while penguin & penguin - 1:
        penguin &= -penguin if move >= FIRST_BACK else penguin - 1
    return penguin


@kernel
def next_player(state: State) -> State:
    """The same position with the next player to move."""
    second, third, fourth = state.own, 0, 0
    if state.players == 3:
        second, third = state.third, state.own
    elif state.players == 4:
        second, third, fourth = state.third, state.fourth, state.own
    player = state.player + 1 if state.player + 1 < state.players else 0
    return State(state.odd, state.many, state.second, second, third, fourth, state.taken, player, state.players)


@kernel
def pass_on(state: State) -> State:
    """Skip the players who cannot move; if nobody can, the turn comes round and stays."""
    movable = beside(free_tiles(state))
    for _ in range(state.players):
        if state.own & movable:
            return state
        state = next_player(state)
    return state


@rule
def key(state: State) -> int:
    """Dead penguins and fish under penguins are left out: nothing that follows depends on them."""
    free = free_tiles(state)
    movable = beside(free)
    fingerprint = combine(combine(1 + 2 * state.player, state.odd & free), state.many & free)
    fingerprint = combine(combine(fingerprint, state.own & movable), state.second & movable)
    if state.players > 2:
        fingerprint = combine(combine(fingerprint, state.third & movable), state.fourth & movable)
    return combine(fingerprint, state.taken)


def start(options: Options, seed: int) -> State:
    """The tiles shuffled by the seed, the same for any number of players; no penguin is on the board."""
    fish = [fish for fish, tiles in TILES_WITH.items() for _ in range(tiles)]
    for last in range(TILES - 1, 0, -1):
        seed = shake(seed)
        other = roll(seed, last + 1)
        fish[last], fish[other] = fish[other], fish[last]
    return State(*planes(fish), 0, 0, 0, 0, 0, 0, options.number("players"))


def planes(fish: list[int]) -> tuple[int, int]:
    """The first two words of a state, from the fish on each tile."""
    odd = sum((count & 1) << tile for tile, count in enumerate(fish))
    many = sum((count >> 1) << tile for tile, count in enumerate(fish))
    return odd, many
