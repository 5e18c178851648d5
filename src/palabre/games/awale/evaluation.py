"""Awalé's evaluations, `raw`, `corrected`, `defence` and `standard`, and the hints that its rules can give a search.

The first three are the authors', weighted sums of five terms. They scale every term to [-1, 1], positive for player 1,
and weight them by hand:

    R1  seeds captured, difference              R4  seeds that can be captured from here
    R2  seeds in own holes, difference          R5  holes with one seed or more than three, difference
    R3  transparent seeds in own holes, difference

`raw` came first, with "a bad implementation of the logic of difference": positions good for player 2 could look good
for player 1. `corrected` has the same weights and correct differences. `defence` adds R5. Where the authors leave
something open, these are our choices:

- A term is divided by the total of what it counts: 96 seeds, 32 transparent ones, 8 holes a side. So R1, R2 and R4
  have the same unit, and in `corrected` a seed taken is worth more than one that can be taken.
- R4 is the most that one move takes, because a player makes one move. Only seeds captured by sowing count, not those
  that an ending hands out. The player not to move is evaluated as if it were their turn.
- We place the mistake of `raw` in R4: the captures of the side to move count for player 1, whoever moves.
- A won game is worth 1, the end of the authors' scale, which no running game reaches. A draw is worth 0.

`standard` is ours, for a deep search. It counts in seeds, is cheap, and leaves captures to the search.
"""

from typing import NamedTuple

from palabre.author import (
    answer,
    evaluate,
    is_over,
    kernel,
    lowest,
    margin_bounds,
    multiply,
    plies_left,
    ply,
    popcount,
    score,
    to_move,
    win_draw_loss,
)
from palabre.games.awale.rules import (
    AS_BLUE,
    HOLES,
    LAST_PLY,
    ONES,
    PLAYER,
    REACH,
    RING_HOLES,
    SEEDS,
    SEEDS_OF_A_COLOUR,
    SOWN_OTHER,
    SOWN_OWN,
    TAKEN,
    WITH_CLEAR,
    State,
    filled,
    movable,
    ring,
    ripe,
    run_back,
    seeds_in,
    taken,
)

FINE = 1_000_000  # steps to a point of the evaluation


class Raw(NamedTuple):
    """The weights of `raw`, formula [1] of the report, which the authors set by hand."""

    captured: float = 0.4  # R1
    owned: float = 0.2  # R2
    transparent: float = 0.1  # R3
    capturable: float = 0.3  # R4, the captures of the side to move, counted for player 1
    win: float = 1.0  # our choice, see above

    @property
    def resolution(self) -> int:
        """Values lie between -1 and 1, and the engine counts in integers, so a point needs many steps."""
        return FINE


class Corrected(Raw):
    """The weights of `corrected`, which are those of `raw`; `capturable` counts the difference."""


class Defence(NamedTuple):
    """The weights of `defence`, formula [2] of the report; they add up to 0.9."""

    captured: float = 0.25  # R1
    owned: float = 0.06  # R2
    transparent: float = 0.04  # R3
    capturable: float = 0.3  # R4
    hard: float = 0.25  # R5
    win: float = 1.0

    @property
    def resolution(self) -> int:
        """Values lie between -1 and 1, and the engine counts in integers, so a point needs many steps."""
        return FINE


class Standard(NamedTuple):
    """The weights of `standard`, in seeds. They are set by hand and checked by match (docs/reports/engine.md)."""

    lead: float = 1.0  # material: for each seed taken
    owned: float = 0.2  # for each seed in own holes, of any colour
    clear: float = 0.2  # in addition for each transparent seed among them, which can be played in two ways
    choice: float = 1.0  # mobility: for each move that the own seeds allow
    hard: float = 0.5  # for each own hole that is hard to capture
    win: float = 1000.0
    odds: float = 0.1  # log-odds of winning for each point; not part of the value


@kernel
def captured(state: State) -> float:
    """R1: the difference of seeds taken."""
    return (taken(state.tally, 0) - taken(state.tally, 1)) / SEEDS


@kernel
def owned(state: State) -> float:
    """R2: the difference of seeds in own holes."""
    return (total(seeds_of(state, 0)) - total(seeds_of(state, 1))) / SEEDS


@kernel
def transparent(state: State) -> float:
    """R3: the difference of transparent seeds in own holes."""
    lead = total(state.own_clear) - total(state.other_clear)  # of the player to move
    return (lead if to_move(state) == 0 else -lead) / SEEDS_OF_A_COLOUR


@kernel
def capturable(state: State) -> float:
    """R4: the difference of the best captures, the most seeds that one move takes."""
    lead = best_capture(state) - best_capture(passed(state))  # of the player to move
    return (lead if to_move(state) == 0 else -lead) / SEEDS


@kernel
def capturable_mistaken(state: State) -> float:
    """R4 as in `raw`: the best capture of the side to move, counted for player 1 whoever moves."""
    return best_capture(state) / SEEDS


@kernel
def hard(state: State) -> float:
    """R5: the difference of holes that are hard to capture."""
    return (hard_holes(seeds_of(state, 0)) - hard_holes(seeds_of(state, 1))) / HOLES


@kernel
def seeds_of(state: State, player: int) -> int:
    """A player's side of the board, one byte for each hole, all colours added up."""
    if player == to_move(state):
        return state.own_red + state.own_blue + state.own_clear
    return state.other_red + state.other_blue + state.other_clear


@kernel
def total(side: int) -> int:
    """The sum of the eight bytes of a side."""
    return multiply(side, ONES) >> 56


@kernel
def hard_holes(side: int) -> int:
    """How many holes hold seeds, but not two or three of them, which could be captured."""
    holes = side + 0x7F * ONES >> 7 & ONES  # those with seeds; unlike `filled`, this is right for up to 96 seeds
    return popcount(holes & ~ripe(side))


@kernel
def best_capture(state: State) -> int:
    """The most seeds that one move of the player to move takes."""
    most = 0
    left = movable(state)
    while left:
        bit = lowest(left)
        left &= left - 1
        most = max(most, captured_by(state, 4 * (bit >> 3) + (bit & 3)))
    return most


@kernel
def captured_by(state: State, move: int) -> int:
    """How many seeds a move captures by sowing."""
    player = to_move(state)
    hole, blue = move >> 2, move & AS_BLUE
    seeds = seeds_in(state.own_blue if blue else state.own_red, hole)
    seeds += seeds_in(state.own_clear, hole) if move & WITH_CLEAR else 0
    # This is `play` without the colours, which do not matter for a capture.
    own = seeds_of(state, player) + SOWN_OWN[blue][hole][seeds] - (seeds << 8 * hole)
    other = seeds_of(state, 1 - player) + SOWN_OTHER[blue][(hole + player) & 7][seeds]
    last = (2 * hole + player + REACH[blue][seeds]) % RING_HOLES
    holes = run_back(ring(ripe(own), ripe(other), player), last)
    return 2 * popcount(holes) + popcount(holes & ring(own, other, player))


@kernel
def passed(state: State) -> State:
    """The same position with the other player to move."""
    return State(
        state.other_red,
        state.other_blue,
        state.other_clear,
        state.own_red,
        state.own_blue,
        state.own_clear,
        state.tally ^ 1 << PLAYER,
    )


@kernel
def first_terms(weights: Raw | Defence, state: State) -> float:
    """The terms that all three have in common, R1 to R3."""
    value: float = weights.captured * captured(state) + weights.owned * owned(state)
    return value + float(weights.transparent * transparent(state))


@answer(evaluate)
def raw(weights: Raw, state: State, player: int) -> float:
    if is_over(state):
        return weights.win * win_draw_loss(state, player)
    value = first_terms(weights, state) + weights.capturable * capturable_mistaken(state)
    return value if player == 0 else -value


@answer(evaluate)
def corrected(weights: Corrected, state: State, player: int) -> float:
    if is_over(state):
        return weights.win * win_draw_loss(state, player)
    value = first_terms(weights, state) + weights.capturable * capturable(state)
    return value if player == 0 else -value


@answer(evaluate)
def defence(weights: Defence, state: State, player: int) -> float:
    if is_over(state):
        return weights.win * win_draw_loss(state, player)
    value = first_terms(weights, state) + weights.capturable * capturable(state) + weights.hard * hard(state)
    return value if player == 0 else -value


@kernel
def side_worth(weights: Standard, red: int, blue: int, clear: int) -> float:
    """What a side of the board is worth to its owner by `standard`: potential, not material."""
    seeds = red + blue + clear
    moves = popcount(filled(red)) + popcount(filled(blue)) + 2 * popcount(filled(clear))
    return (
        weights.owned * total(seeds)
        + weights.clear * total(clear)
        + weights.choice * moves
        + weights.hard * hard_holes(seeds)
    )


@answer(evaluate)
def standard(weights: Standard, state: State, player: int) -> float:
    lead = weights.lead * (score(state, player) - score(state, 1 - player))
    if is_over(state):
        return lead + weights.win * win_draw_loss(state, player)
    own = side_worth(weights, state.own_red, state.own_blue, state.own_clear)
    other = side_worth(weights, state.other_red, state.other_blue, state.other_clear)
    return lead + (own - other if player == to_move(state) else other - own)


@answer(margin_bounds)
def bounds_by_seeds_left(state: State) -> tuple[int, int]:
    """Either player may take all seeds left. A player with 48 seeds cannot lose; with 49 the game is over."""
    player = to_move(state)
    lead = taken(state.tally, player) - taken(state.tally, 1 - player)
    left = SEEDS - (state.tally >> TAKEN & 0xFF)
    return lead - left, lead + left


@answer(plies_left)
def plies_by_seeds_left(state: State) -> int:
    """The median number of plies left in games of the engine against itself, as a line through the seeds on board."""
    seeds = SEEDS - taken(state.tally, 0) - taken(state.tally, 1)
    return min(max(30, 2 * seeds - 50), LAST_PLY - ply(state))


EVALUATIONS = {"raw": Raw(), "corrected": Corrected(), "defence": Defence(), "standard": Standard()}
TEXTBOOK = "corrected"  # the default evaluation of the textbook searches
