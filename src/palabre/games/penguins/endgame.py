"""Penguins' islands: how many fish penguins can still eat where no other player comes.

The free tiles that one player's penguins can reach, and nobody else's ever will, are an island of that player. The
others can neither eat there nor stand in the way. A player who can move is never skipped, so the owner of an island has
all the time they need, and what they eat there does not depend on whose turn it is. Every move eats, so being forced to
move never costs anything. If no free tile can be reached by two players, the game is decided: each gets what their
islands yield.

`harvest` finds that yield by depth-first search with bounds (branch and bound). A tile is worth what it adds to the
final score: 64 for each fish, and 1 for the tile, which breaks ties.
"""

from collections.abc import MutableSequence

from palabre import compiled, integers
from palabre.author import Move, Position, kernel, move_buffer, popcount
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

# The words of a solver, by index: how many positions it may still search, and the fish, as in a State.
NODES, ODD, MANY = 0, 1, 2
SOLVER_WORDS = 3

# With more free tiles than this, no game of two is taken to be decided: in thirty games of the engine, none was decided
# with more than 35.
MOST_DECIDED = 40

# For each move of a harvest. An island that needs more has some thirty tiles, and nearly all are eaten in any case.
HARVEST_NODES = 20_000

# The order in which targets are searched, by their free neighbours: tiles with few are hard to come back to, and a
# penguin ends its way on a tile with none.
FEWEST_EXITS_FIRST = (1, 2, 3, 4, 5, 6, 0)


@kernel
def reach(penguins: int, free: int) -> int:
    """The free tiles that penguins can ever reach."""
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
def worth(tiles: int, solver: MutableSequence[int]) -> int:
    """What tiles add to the final score of whoever takes them."""
    return FISH_VALUE * (popcount(tiles & solver[ODD]) + 2 * popcount(tiles & solver[MANY])) + popcount(tiles)


@kernel
def island_yield(free: int, penguins: int, solver: MutableSequence[int]) -> tuple[int, int]:
    """Bounds of the best yield of penguins that have some free tiles to themselves.

    The bounds are equal, unless the solver runs out of nodes.
    """
    # `-free` is a floor below every yield. It is not a constant, because a call with a constant is compiled to a kernel
    # of its own, and two kernels that call each other cannot be kept on disk.
    return harvest(free, penguins, -free, penguins, free, solver)


@kernel
def harvest(
    free: int, penguins: int, floor: int, mover: int, allowed: int, solver: MutableSequence[int]
) -> tuple[int, int]:
    """The same, if a yield matters only above `floor`: below that, any upper bound of at most `floor` will do.

    `mover` is the penguin that has just moved, `allowed` the tiles to which other penguins may move now.
    """
    free = reach(penguins, free)
    bound = worth(free, solver)
    if bound <= floor or free == 0:
        return 0, bound

    # Penguins that can never meet are solved group by group.
    penguins &= beside(free)
    is_alone = penguins & penguins - 1 == 0
    if not is_alone:
        tiles, group = island(penguins & -penguins, penguins, free)
        if group != penguins:
            others = free ^ tiles
            low, high = harvest(tiles, group, floor - worth(others, solver), mover, tiles, solver)
            low_rest, high_rest = harvest(others, penguins ^ group, floor - high, mover, others, solver)
            return low + low_rest, high + high_rest

    bound = most_of(free, penguins, solver)
    if bound <= floor:
        return 0, bound

    solver[NODES] -= 1
    is_tired = solver[NODES] < 0  # from now on, only the first line is followed to its end
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
                value = worth(target, solver)
                # If two consecutive moves can be exchanged, only the order of ascending targets is searched. They
                # cannot be exchanged if the second ends on a tile that the first slid over.
                either = target if is_alone else between(penguin, target, free) | -target
                low_after, high_after = harvest(
                    free ^ target, penguins ^ penguin | target, max(floor, best) - value, target, either, solver
                )
                best = max(best, value + low_after)
                high = max(high, value + high_after)
                if is_tired or best >= bound:
                    return best, bound
    return best, min(high, bound)


@kernel
def most_of(free: int, penguins: int, solver: MutableSequence[int]) -> int:
    """An upper bound of the yield: all free tiles, without the pieces and dead ends that must be given up.

    If several pieces of ice are open to one penguin alone, it enters only one of them: the tile that joins them is gone
    once it has left, so it cannot come back.
    """
    total = 0
    common = free
    left = penguins
    while left:
        penguin = left & -left
        left ^= penguin
        around = beside(penguin) & free
        if around & ~connected(around & -around, around):
            forks, most = own_pieces(penguin, penguins, free, solver)
            total += most
            common &= ~forks
    return total + worth(common, solver) - lost_ends(common, penguins, solver)


@kernel
def own_pieces(penguin: int, penguins: int, free: int, solver: MutableSequence[int]) -> tuple[int, int]:
    """The pieces of ice that only this penguin can enter, and an upper bound of what the best of them yields."""
    forks = most = 0
    around = beside(penguin) & free
    while around:
        piece = connected(around & -around, free)
        around &= ~piece
        if beside(piece) & penguins == penguin:
            forks |= piece
            most = max(most, worth(piece, solver) - lost_ends(piece, penguin, solver))
    return forks, most


@kernel
def connected(tiles: int, free: int) -> int:
    """Tiles, and all free tiles connected with them."""
    return tiles | reach(tiles, free)


@kernel
def lost_ends(free: int, penguins: int, solver: MutableSequence[int]) -> int:
    """The worth of the poorest dead ends, if there are more dead ends than penguins: a penguin can end in only one.

    A dead end is a tile with one free neighbour, on which a penguin must stop before it comes there: no slide leads
    across that neighbour.
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
    # One fish for each; one more for those in excess of the tiles of one fish, and for those in excess of one and two.
    ones = popcount(ends & ~solver[MANY])
    twos = popcount(ends & ~solver[ODD])
    return count * (FISH_VALUE + 1) + FISH_VALUE * (max(0, count - ones) + max(0, count - ones - twos))


@kernel
def island(penguin: int, penguins: int, free: int) -> tuple[int, int]:
    """The tiles and the penguins of a penguin's group: all that it can meet, all that these can meet, and so on."""
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
    """The number of free neighbours of each tile, as three sets: the tiles whose number has a 1, a 2, a 4 in binary."""
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
def prepare(state: State, nodes: int, solver: MutableSequence[int]) -> None:
    """Make the solver ready for a position."""
    solver[NODES], solver[ODD], solver[MANY] = nodes, state.odd, state.many


@kernel
def private_tiles(state: State, player: int) -> tuple[int, int]:
    """The free tiles that only this player can reach, and those that others can reach as well."""
    own = penguins_of(state, player)
    free = free_tiles(state)
    reached = reach(own, free)
    others = reach((state.own | state.second | state.third | state.fourth) & ~own, free)
    return reached & ~others, reached & others


@kernel
def prospect(state: State, player: int, nodes: int, solver: MutableSequence[int]) -> tuple[int, int]:
    """Bounds of a player's best final score if they eat only on their own islands; equal if the nodes suffice."""
    prepare(state, nodes, solver)
    tiles, _ = private_tiles(state, player)
    low, high = island_yield(tiles, penguins_of(state, player), solver)
    return final_score(state, player) + low, final_score(state, player) + high


def harvest_moves(position: Position) -> list[Move]:
    """The moves with which a player gets the most out of their islands; none if others can still reach their tiles.

    There may be any number of players: what the others do elsewhere makes no difference.
    """
    best_after = compiled(prospect, position.game)
    solver = integers([0] * SOLVER_WORDS)
    player = position.to_move
    best_after(position.state, player, 0, solver)  # compiles it in any case, so that a caller can do so in good time
    tiles, shared = private_tiles(position.state, player)
    if shared or not tiles:
        return []
    yields = {
        move: best_after(position.play(move).state, player, HARVEST_NODES, solver)[0] for move in position.moves()
    }
    return [move for move, tiles in yields.items() if tiles == max(yields.values())]


@kernel
def margins(state: State, nodes: int) -> tuple[int, int]:
    """With two players: bounds of how far the player to move ends ahead, in final scores, if both play their best.

    A tile that only one player can reach is theirs at best; a tile that both can reach may be anybody's. If no tiles of
    the second kind are left, or if the yield of the islands may decide the game, the islands are searched, with
    `nodes` for each player.
    """
    solver = move_buffer(state)
    prepare(state, nodes, solver)
    lead = final_score(state, state.player) - final_score(state, 1 - state.player)
    free = free_tiles(state)
    if popcount(free) > MOST_DECIDED:
        return lead - worth(free, solver), lead + worth(free, solver)
    own_tiles, other_tiles = reach(state.own, free), reach(state.second, free)
    shared = worth(own_tiles & other_tiles, solver)
    own_low, own_high = 0, worth(own_tiles & ~other_tiles, solver)
    other_low, other_high = 0, worth(other_tiles & ~own_tiles, solver)
    if shared == 0 or abs(lead + own_high - other_high) > shared:
        own_low, own_high = island_yield(own_tiles & ~other_tiles, state.own, solver)
        solver[NODES] = nodes
        other_low, other_high = island_yield(other_tiles & ~own_tiles, state.second, solver)
    return lead + own_low - other_high - shared, lead + own_high - other_low + shared
