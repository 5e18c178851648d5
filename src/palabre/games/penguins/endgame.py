"""Penguins' islands: how many fish penguins can still eat where no other player comes.

The free tiles that one player's penguins can reach and nobody else's ever will are an island of that player. The
others can neither eat there nor stand in the way, and a player who can move is never skipped, so they have all the time
they need. Their fish there do not depend on whose turn it is. Every move eats, so to be forced to move never costs
anything. Where no free tile can be reached by two players, the game is decided: each gets what their islands yield.

`harvest` finds that yield by depth-first search with bounds. A tile is worth what it adds to the final score: 64 for
each fish, and 1 for the tile, which breaks ties.
"""

from collections.abc import MutableSequence

from palabre.compile.compiler import compiled, words
from palabre.core.bits import popcount
from palabre.core.kernels import kernel
from palabre.core.position import Move, Position
from palabre.core.verbs import move_buffer
from palabre.games.penguins.rules import (
    DIRECTIONS,
    EAST_LANDINGS,
    FISH_VALUE,
    LEFT_LANDINGS,
    RIGHT_LANDINGS,
    WEST,
    WEST_LANDINGS,
    State,
    beside,
    final_score,
    free_tiles,
    penguins_of,
    slides,
)

# The notebook of a solver, by index: how many positions it may still look at, and the fish, as in a State.
NODES, ODD, MANY = 0, 1, 2
NOTES = 3

# With more free tiles than this no game of two is decided: in thirty games of the engine none was with more than 35.
MOST_DECIDED = 40

# For each move of a harvest. An island that needs more has some thirty tiles, and is nearly swept in any case.
HARVEST_NODES = 20_000

# Looked at first: tiles with few free tiles around, which are hard to come back to; those with none are ends.
FEWEST_EXITS_FIRST = (1, 2, 3, 4, 5, 6, 0)


@kernel
def reach(penguins: int, free: int) -> int:
    """The free tiles that penguins can ever come to."""
    reached = 0
    more = beside(penguins) & free
    while more:
        reached |= more
        more = beside(more) & free & ~reached
    return reached


@kernel
def one_move(penguins: int, free: int) -> int:
    """The tiles that penguins reach in one move."""
    reached = 0
    for direction in range(DIRECTIONS):
        reached |= slides(penguins, free, direction)
    return reached


@kernel
def worth(tiles: int, notes: MutableSequence[int]) -> int:
    """What tiles add to the standing of whoever takes them."""
    return FISH_VALUE * (popcount(tiles & notes[ODD]) + 2 * popcount(tiles & notes[MANY])) + popcount(tiles)


@kernel
def island_yield(free: int, penguins: int, notes: MutableSequence[int]) -> tuple[int, int]:
    """The least and the most that some penguins, alone with some free tiles, can make of them at best.

    They are equal, unless the nodes in the notes run out.
    """
    # A floor below all there is. Not a constant: compiled, a call with a constant is a kernel of its own, and a kernel
    # that calls another one which calls it again cannot be kept on disk.
    return harvest(free, penguins, -free, penguins, free, notes)


@kernel
def harvest(
    free: int, penguins: int, floor: int, mover: int, allowed: int, notes: MutableSequence[int]
) -> tuple[int, int]:
    """The same, where a yield of at most `floor` makes no difference: then any bound at most that high will do.

    `mover` is the penguin that has just moved, `allowed` the tiles to which others may move now.
    """
    free = reach(penguins, free)
    bound = worth(free, notes)
    if bound <= floor or free == 0:
        return 0, bound

    # Penguins that never meet: each group for itself.
    penguins &= beside(free)
    is_alone = penguins & penguins - 1 == 0
    if not is_alone:
        tiles, group = island(penguins & -penguins, penguins, free)
        if group != penguins:
            others = free ^ tiles
            low, high = harvest(tiles, group, floor - worth(others, notes), mover, tiles, notes)
            low_rest, high_rest = harvest(others, penguins ^ group, floor - high, mover, others, notes)
            return low + low_rest, high + high_rest

    bound = most_of(free, penguins, notes)
    if bound <= floor:
        return 0, bound

    notes[NODES] -= 1
    is_tired = notes[NODES] < 0  # then only the most promising way is gone to its end
    once, twice, four = exits(free)
    best, high = 0, 0
    left = penguins
    while left:
        penguin = left & -left
        left ^= penguin
        targets = one_move(penguin, free)
        if penguin != mover:
            targets &= allowed
        for count in FEWEST_EXITS_FIRST:
            chosen = targets
            chosen &= once if count & 1 else ~once
            chosen &= twice if count & 2 else ~twice
            chosen &= four if count & 4 else ~four
            while chosen:
                target = chosen & -chosen
                chosen ^= target
                value = worth(target, notes)
                # Two moves in a row that could as well be made the other way round are only looked at in the order of
                # their targets. They could, unless the second ends where the first slid over.
                either = target if is_alone else between(penguin, target, free) | -target
                low_after, high_after = harvest(
                    free ^ target, penguins ^ penguin | target, max(floor, best) - value, target, either, notes
                )
                best = max(best, value + low_after)
                high = max(high, value + high_after)
                if is_tired or best >= bound:
                    return best, bound
    return best, min(high, bound)


@kernel
def most_of(free: int, penguins: int, notes: MutableSequence[int]) -> int:
    """No more than this can be made of free tiles: all of them, but for pieces and dead ends that are too many.

    Of several pieces of ice that only one penguin can enter it enters one: it never comes back to the tile that joins
    them, for that is gone.
    """
    total = 0
    common = free
    left = penguins
    while left:
        penguin = left & -left
        left ^= penguin
        around = beside(penguin) & free
        if around & ~connected(around & -around, around):
            forks, most = own_pieces(penguin, penguins, free, notes)
            total += most
            common &= ~forks
    return total + worth(common, notes) - lost_ends(common, penguins, notes)


@kernel
def own_pieces(penguin: int, penguins: int, free: int, notes: MutableSequence[int]) -> tuple[int, int]:
    """The pieces of ice that only this one of some penguins can enter, and no less than the best is worth."""
    forks = most = 0
    around = beside(penguin) & free
    while around:
        piece = connected(around & -around, free)
        around &= ~piece
        if beside(piece) & penguins == penguin:
            forks |= piece
            most = max(most, worth(piece, notes) - lost_ends(piece, penguin, notes))
    return forks, most


@kernel
def connected(tiles: int, free: int) -> int:
    """Some free tiles and all that hang together with them."""
    return tiles | reach(tiles, free)


@kernel
def lost_ends(free: int, penguins: int, notes: MutableSequence[int]) -> int:
    """What the least of the dead ends are worth, if there are more of them than penguins: each penguin ends once.

    A dead end is a tile with one free neighbour over which no slide leads to it: who comes has stopped there.
    """
    once, twice, four = exits(free)
    lonely = free & once & ~twice & ~four & ~beside(penguins)
    count = popcount(lonely) - popcount(penguins)
    if count <= 0:
        return 0
    ends = 0
    for direction in range(DIRECTIONS):
        back = (direction + DIRECTIONS // 2) % DIRECTIONS
        doors = neighbours(lonely, direction) & free & ~neighbours(free | penguins, back)
        ends |= neighbours(doors, back) & lonely
    count = popcount(ends) - popcount(penguins)
    if count <= 0:
        return 0
    # As if all were of one fish, then a fish more for those beyond the ones, and one for those beyond the twos.
    ones = popcount(ends & ~notes[MANY])
    twos = popcount(ends & ~notes[ODD])
    return count * (FISH_VALUE + 1) + FISH_VALUE * (max(0, count - ones) + max(0, count - ones - twos))


@kernel
def island(penguin: int, penguins: int, free: int) -> tuple[int, int]:
    """The tiles and the penguins that have to do with a penguin: those it can meet, those they can meet, and so on."""
    group = penguin
    tiles = reach(group, free)
    joined = beside(tiles) & penguins
    while joined != group:
        group = joined
        tiles = reach(group, free)
        joined = beside(tiles) & penguins
    return tiles, group


@kernel
def exits(free: int) -> tuple[int, int, int]:
    """The number of free neighbours of each tile, in binary: the tiles whose number has a 1, a 2, a 4 in it."""
    once = twice = four = 0
    for direction in range(DIRECTIONS):
        around = neighbours(free, direction)
        carry = once & around
        once ^= around
        four |= twice & carry
        twice ^= carry
    return once, twice, four


@kernel
def neighbours(tiles: int, direction: int) -> int:
    """The tiles one step away in a direction."""
    if direction == 0:
        return tiles << 1 & EAST_LANDINGS
    if direction == 1:
        return tiles << 7 & LEFT_LANDINGS
    if direction == 2:
        return tiles << 8 & RIGHT_LANDINGS
    if direction == 3:
        return tiles >> 1 & WEST_LANDINGS
    if direction == 4:
        return tiles >> 7 & RIGHT_LANDINGS
    return tiles >> 8 & LEFT_LANDINGS


@kernel
def between(penguin: int, target: int, free: int) -> int:
    """The tiles that a slide passes over."""
    for direction in range(DIRECTIONS):
        line = slides(penguin, free, direction)
        if line & target:
            return line & (target - 1 if direction < WEST else -2 * target)
    return 0


@kernel
def open_notes(state: State, nodes: int, notes: MutableSequence[int]) -> None:
    """Begin a notebook for the fish of a position."""
    notes[NODES], notes[ODD], notes[MANY] = nodes, state.odd, state.many


@kernel
def private_tiles(state: State, player: int) -> tuple[int, int]:
    """The free tiles that only this player can come to, and those that others can come to as well."""
    own = penguins_of(state, player)
    free = free_tiles(state)
    reached = reach(own, free)
    others = reach((state.own | state.second | state.third | state.fourth) & ~own, free)
    return reached & ~others, reached & others


@kernel
def prospect(state: State, player: int, nodes: int, notes: MutableSequence[int]) -> tuple[int, int]:
    """Bounds of a player's best final score if they eat on their own islands only; equal if the nodes suffice."""
    open_notes(state, nodes, notes)
    tiles, _ = private_tiles(state, player)
    low, high = island_yield(tiles, penguins_of(state, player), notes)
    return final_score(state, player) + low, final_score(state, player) + high


def harvest_moves(position: Position) -> list[Move]:
    """The moves with which a player gets the most out of their islands; none if others can come there, too.

    For any number of players: what the others do elsewhere makes no difference.
    """
    best_after = compiled(prospect, position.game)
    notes = words([0] * NOTES)
    player = position.to_move
    best_after(position.state, player, 0, notes)  # compiled in any case, so that it can be asked for in good time
    tiles, shared = private_tiles(position.state, player)
    if shared or not tiles:
        return []
    yields = {move: best_after(position.play(move).state, player, HARVEST_NODES, notes)[0] for move in position.moves()}
    return [move for move, found in yields.items() if found == max(yields.values())]


@kernel
def margins(state: State, nodes: int) -> tuple[int, int]:
    """With two players: bounds of how far the player to move ends ahead, in final scores, if both play their best.

    Tiles that one player can come to are theirs at best; tiles that both can come to may be anybody's. The islands are
    searched, so many nodes for each player, where no other tiles are left or where their yield may decide the game.
    """
    notes = move_buffer(state)
    open_notes(state, nodes, notes)
    lead = final_score(state, state.player) - final_score(state, 1 - state.player)
    free = free_tiles(state)
    if popcount(free) > MOST_DECIDED:
        return lead - worth(free, notes), lead + worth(free, notes)
    own_tiles, other_tiles = reach(state.own, free), reach(state.second, free)
    shared = worth(own_tiles & other_tiles, notes)
    own_low, own_high = 0, worth(own_tiles & ~other_tiles, notes)
    other_low, other_high = 0, worth(other_tiles & ~own_tiles, notes)
    if shared == 0 or abs(lead + own_high - other_high) > shared:
        own_low, own_high = island_yield(own_tiles & ~other_tiles, state.own, notes)
        notes[NODES] = nodes
        other_low, other_high = island_yield(other_tiles & ~own_tiles, state.second, notes)
    return lead + own_low - other_high - shared, lead + own_high - other_low + shared
