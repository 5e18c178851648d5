"""Avalam's evaluations, `towers`, `divine` and `standard`, and the hints that its rules can give a search.

`towers` and `divine` are the authors', from their AlphaBetaBot and their DivineBot. `towers` is own towers minus enemy
towers. `divine` gives every tower a value, and subtracts the sum of the enemy's towers from that of the own:

    1000   of height 5, or isolated: no tower on the eight cells around
    -200   vulnerable: can be captured next move
     400, 150, 60, 10   of height 4, 3, 2, 1

An ended game is worth ±10000, or 0 if drawn, whatever the towers are. The authors leave three things open:

- A tower is vulnerable here if an enemy tower stands beside it and the two together are at most 5 high, whoever is to
  move. In `official`, where anybody may move anything, this is still all that can change the owner of the cell:
  another tower of the same colour on top of it leaves the owner as it is.
- `towers` values the end of the game as `divine` does: the authors call their searches the same.
- A lead of more than ten safe towers outweighs a win. The authors hardly meant that, but we keep their numbers.

`standard` is ours, for a deep search, and counts in towers. In `official` a tower that no legal move can touch is
settled: it stays to the end, because the heights around it only grow. Any other tower may be captured, be buried by
its owner, or leave.
"""

from typing import NamedTuple

from palabre.author import (
    answer,
    evaluate,
    is_over,
    kernel,
    margin_bounds,
    plies_left,
    popcount,
    score,
    to_move,
    win_draw_loss,
)
from palabre.games.avalam.rules import DIRECTIONS, LOWER, SPAN, STEPS, State, official, pairs, towers, towers_of

# In a fight for the last move, a move that comes late in the order is as likely as others to turn the game.
SEARCH_PARAMETERS = {"palabre": {"late_move_reductions": 0}}


class Towers(NamedTuple):
    """The weights of `towers`."""

    tower: float = 1.0  # for each tower more than the enemy's
    win: float = 10000.0


class Divine(NamedTuple):
    """The weights of `divine`, section 5 of the report, for an own tower; an enemy tower counts the opposite."""

    safe: float = 1000.0  # of height 5, or isolated
    vulnerable: float = -200.0
    height_4: float = 400.0  # neither safe nor vulnerable, by height
    height_3: float = 150.0
    height_2: float = 60.0
    height_1: float = 10.0
    win: float = 10000.0


class Standard(NamedTuple):
    """The weights of `standard`, in towers, from `palabre fit avalam:official --eval standard` and checked by match."""

    settled: float = 1.0  # for each own tower that no move can touch
    calm: float = 0.56  # for each one that can be joined with own towers only
    exposed: float = 0.7  # for each one that an enemy tower can be put on
    win: float = 1000.0
    odds: float = 1.7  # log-odds of winning for each point; not part of the value


@kernel
def isolated(state: State) -> int:
    """The towers without a tower on any of the eight cells around."""
    standing = towers(state)
    beside = 0
    for direction in range(DIRECTIONS):
        step: int = STEPS[direction]
        lower = standing & standing >> step & LOWER[direction]
        beside |= lower | lower << step
    return standing & ~beside


@kernel
def vulnerable(state: State) -> int:
    """The towers onto which an enemy tower beside them may be put; this always holds for both towers of a pair."""
    towers = 0
    for direction in range(DIRECTIONS):
        step: int = STEPS[direction]
        lower = pairs(state, direction) & (state.tops ^ state.tops >> step)
        towers |= lower | lower << step
    return towers


@kernel
def worth(weights: Divine, state: State, cells: int) -> float:
    """What the towers on these cells are worth to their owner by `divine`."""
    safe = isolated(state) | state.fours & state.ones
    at_risk = vulnerable(state)  # never safe, for they have a neighbour and are not 5 high
    calm = cells & ~safe & ~at_risk
    return (
        weights.safe * popcount(cells & safe)
        + weights.vulnerable * popcount(cells & at_risk)
        + weights.height_4 * popcount(calm & state.fours)
        + weights.height_3 * popcount(calm & state.ones & state.twos)
        + weights.height_2 * popcount(calm & state.twos & ~state.ones)
        + weights.height_1 * popcount(calm & state.ones & ~state.twos)
    )


@answer(evaluate)
def lead(weights: Towers, state: State, player: int) -> float:
    if is_over(state):
        return weights.win * win_draw_loss(state, player)
    return weights.tower * (popcount(towers_of(state, player)) - popcount(towers_of(state, 1 - player)))


@answer(evaluate)
def divine(weights: Divine, state: State, player: int) -> float:
    if is_over(state):
        return weights.win * win_draw_loss(state, player)
    return worth(weights, state, towers_of(state, player)) - worth(weights, state, towers_of(state, 1 - player))


@kernel
def touchable(state: State) -> int:
    """The towers that some move can lift or build on."""
    towers = 0
    for direction in range(DIRECTIONS):
        lower = pairs(state, direction)
        towers |= lower | lower << STEPS[direction]
    return towers


@answer(evaluate)
def standard(weights: Standard, state: State, player: int) -> float:
    if is_over(state):
        return score(state, player) - score(state, 1 - player) + weights.win * win_draw_loss(state, player)
    own, other = towers_of(state, player), towers_of(state, 1 - player)
    exposed = vulnerable(state)
    calm = touchable(state) & ~exposed
    settled = ~(exposed | calm)
    return (
        weights.settled * (popcount(own & settled) - popcount(other & settled))
        + weights.calm * (popcount(own & calm) - popcount(other & calm))
        + weights.exposed * (popcount(own & exposed) - popcount(other & exposed))
    )


@answer(margin_bounds)
def bounds_by_settled_towers(state: State) -> tuple[int, int]:
    """The lead in settled towers, and by how much the other towers can still change it.

    In `course` every move wins a tower and the reply loses it again. In `official` no move gives anybody a tower more,
    and settled towers stay, so a player loses at worst all their other ones.
    """
    own, other = towers_of(state, to_move(state)), towers_of(state, 1 - to_move(state))
    if not official(state):
        lead = popcount(own) - popcount(other)
        return SPAN * lead, SPAN * (lead + 1)
    open_ones = touchable(state)
    fives = state.ones & state.fours
    lead = SPAN * (popcount(own & ~open_ones) - popcount(other & ~open_ones))
    lead += popcount(own & fives) - popcount(other & fives)
    worth_of_tower = SPAN + 1  # a tower may also become a five
    return lead - worth_of_tower * popcount(other & open_ones), lead + worth_of_tower * popcount(own & open_ones)


@answer(plies_left)
def plies_by_touchable_towers(state: State) -> int:
    """Every move removes a tower that can be touched; about three of eight such towers still stand at the end."""
    return max(1, 5 * popcount(touchable(state)) // 8)


EVALUATIONS = {"towers": Towers(), "divine": Divine(), "standard": Standard()}
TEXTBOOK = "towers"  # the default evaluation of the textbook searches
