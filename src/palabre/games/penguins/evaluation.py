"""Penguins' evaluations, `weights` and `standard`, and the hints that its rules can give a search.

`weights` is the authors': a weighted sum H1 W1 + … + H6 W6 of six features of each penguin.

    H1  fish on the six tiles around            H5  own penguins on them
    H2, H3, H4  tiles with one, two, three      H6  other penguins on them
                fish reachable in one move

The authors made it to place penguins. They start from weights in [0, 5] set by hand and train them; their easy level
also plays by it. They print no weights and speak of one penguin at a time. Where they leave something open, these are
our choices:

- A position is worth the sum over a player's penguins on the board minus the mean of the other players' sums. With two
  players that is own minus other; with any number, the values of all players add up to 0.
- Fish under a penguin have been eaten, and so do not count in H1.
- A tile that two penguins can reach counts for each.
- By default a reachable tile counts its fish, and a fish beside a penguin counts once more. Standing together "could be
  to the opponent's advantage" and counts 0, the least in their range. Standing beside another penguin can block it and
  counts 1; with two players, however, H6 is the same number for both and cancels out.
- Fish already eaten are no feature. An ended game, however, is worth its result, whatever the tiles.

`standard` is ours and counts fish: those eaten, and those on tiles that a player's penguins reach in fewer moves than
any other's.
"""

from typing import NamedTuple

from palabre.author import (
    FAR,
    answer,
    evaluate,
    is_over,
    kernel,
    margin_bounds,
    players,
    plies_left,
    popcount,
    score,
    win_draw_loss,
)
from palabre.games.penguins.endgame import margins, one_move
from palabre.games.penguins.rules import (
    DIRECTIONS,
    State,
    beside,
    free_tiles,
    is_placing,
    penguins_of,
    slides,
)

ISLAND_NODES = 1000  # of the search of one player's islands at one position; all but a few islands need fewer


class Weights(NamedTuple):
    """The weights of the six features, in [0, 5]; the defaults are ours, set by hand."""

    fish_beside: float = 1.0  # H1, for each fish
    ones: float = 1.0  # H2, for each tile of one fish that can be reached
    twos: float = 2.0  # H3
    threes: float = 3.0  # H4
    own_beside: float = 0.0  # H5, for each penguin
    others_beside: float = 1.0  # H6
    win: float = 1000.0  # ours; with the default weights no player's penguins are worth 400


class Standard(NamedTuple):
    """The weights of `standard`, in fish. They are set by hand and checked by match (docs/reports/engine.md)."""

    fish: float = 1.0  # material: for each fish eaten
    sooner: float = 0.5  # for each fish that own penguins reach in fewer moves than all others
    stuck: float = -2.0  # for each penguin that cannot move any more
    win: float = 1000.0
    odds: float = 0.3  # log-odds of winning for each point; not part of the value


@kernel
def worth(weights: Weights, state: State, player: int) -> float:
    """The weighted features, summed over the penguins of a player."""
    free = free_tiles(state)
    flock = penguins_of(state, player)
    others = (state.own | state.second | state.third | state.fourth) & ~flock
    fish_beside = own_beside = others_beside = 0
    left = flock
    while left:
        around = beside(left & -left)
        fish_beside += popcount(around & free & state.odd) + 2 * popcount(around & free & state.many)
        own_beside += popcount(around & flock)
        others_beside += popcount(around & others)
        left &= left - 1
    ones = twos = threes = 0
    for direction in range(DIRECTIONS):
        reached = slides(flock, free, direction)  # two penguins never reach one tile in the same direction
        ones += popcount(reached & ~state.many)
        twos += popcount(reached & ~state.odd)
        threes += popcount(reached & state.odd & state.many)
    return (
        weights.fish_beside * fish_beside
        + weights.ones * ones
        + weights.twos * twos
        + weights.threes * threes
        + weights.own_beside * own_beside
        + weights.others_beside * others_beside
    )


@answer(evaluate)
def lead(weights: Weights, state: State, player: int) -> float:
    if is_over(state):
        return weights.win * win_draw_loss(state, player)
    others = 0.0
    for other in range(players(state)):
        if other != player:
            others += worth(weights, state, other)
    return worth(weights, state, player) - others / (players(state) - 1)


@kernel
def fish_in(state: State, tiles: int) -> int:
    return popcount(tiles & state.odd) + 2 * popcount(tiles & state.many)


@kernel
def standard_lead(weights: Standard, state: State, own: int, others: int, rivals: int) -> float:
    """What the board is worth to the owner of some penguins, without the fish eaten; the rivals' worth is averaged.

    All penguins move out together, a move at a time; a tile belongs to whoever reaches it first.
    """
    free = left = free_tiles(state)
    movable = beside(free)
    value = weights.stuck * (popcount(own & ~movable) - popcount(others & ~movable) / rivals)
    mine, theirs = own, others
    while (mine | theirs) and left:
        mine = one_move(mine, free) & left
        theirs = one_move(theirs, free) & left
        left &= ~(mine | theirs)
        value += weights.sooner * (fish_in(state, mine & ~theirs) - fish_in(state, theirs & ~mine) / rivals)
    return value


@answer(evaluate)
def standard(weights: Standard, state: State, player: int) -> float:
    rivals = players(state) - 1
    eaten = 0
    for other in range(players(state)):
        eaten += score(state, other)
    lead = weights.fish * (score(state, player) - (eaten - score(state, player)) / rivals)
    if is_over(state):
        return lead + weights.win * win_draw_loss(state, player)
    own = penguins_of(state, player)
    others = (state.own | state.second | state.third | state.fourth) & ~own
    return lead + standard_lead(weights, state, own, others, rivals)


@answer(margin_bounds)
def bounds_by_islands(state: State) -> tuple[int, int]:
    """What both players' islands yield, give or take the tiles that both can reach; for games of two only."""
    if state.players > 2 or is_placing(state):
        return -FAR, FAR
    return margins(state, ISLAND_NODES)


@answer(plies_left)
def plies_by_free_tiles(state: State) -> int:
    """Every move takes a tile; about nine are never reached."""
    free = popcount(free_tiles(state))
    return max(1, free // 2, free - 9)


EVALUATIONS = {"weights": Weights(), "standard": Standard()}
TEXTBOOK = "weights"  # the default evaluation of the textbook searches
