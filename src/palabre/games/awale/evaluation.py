"""Awalé's three evaluations by the authors, `raw`, `corrected`, `defence`, weighted sums of five terms; and `standard`.

The authors scale every term to [-1, 1], positive for player 1, and weight them by hand:

    R1  seeds captured, difference              R4  seeds that can be captured from here
    R2  seeds in own holes, difference          R5  holes with one seed or more than three, difference
    R3  transparent seeds in own holes, difference

`raw` came first, with "a bad implementation of the logic of difference": positions good for player 2 could look good
for player 1. `corrected` has the same weights and right differences, `defence` adds R5. What they leave open:

- the scale: here a term is divided by all there is of what it counts, 96 seeds, 32 transparent ones, 8 holes a side.
  So R1, R2 and R4 have one unit, and in `corrected` a seed taken is worth more than one that can be taken;
- R4: a player makes one move, so it is the most that one move takes. Taken is what is captured by sowing, not what an
  ending hands out. The player not to move is asked as if it were his turn;
- where `raw` is wrong: here in R4, the captures open to the side to move, counted for player 1 whoever moves;
- the end: a game won is worth 1, the end of their scale, which no running game reaches; a draw 0.

`standard` is ours, for a search that goes deep: it leaves captures to the search, counts in seeds, and is cheap.
"""

from typing import Any, NamedTuple

from palabre.core.bits import lowest, multiply, popcount
from palabre.core.kernels import answer, kernel
from palabre.core.verbs import evaluate, is_over, margin_bounds, plies_left, ply, score, to_move, win_draw_loss
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

FINE = 1_000_000  # parts of a point that are told apart


class Raw(NamedTuple):
    """The weights of `raw`, formula [1] of the report, set by hand by the authors."""

    captured: float = 0.4  # R1
    owned: float = 0.2  # R2
    transparent: float = 0.1  # R3
    capturable: float = 0.3  # R4, the captures of the side to move, counted for player 1
    win: float = 1.0  # our choice, see above

    @property
    def resolution(self) -> int:
        """Values lie between -1 and 1: a search that counts in whole numbers needs small ones."""
        return FINE


class Corrected(NamedTuple):
    """The weights of `corrected`: those of `raw`."""

    captured: float = 0.4  # R1
    owned: float = 0.2  # R2
    transparent: float = 0.1  # R3
    capturable: float = 0.3  # R4
    win: float = 1.0

    @property
    def resolution(self) -> int:
        """Values lie between -1 and 1: a search that counts in whole numbers needs small ones."""
        return FINE


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
        """Values lie between -1 and 1: a search that counts in whole numbers needs small ones."""
        return FINE


class Standard(NamedTuple):
    """The weights of `standard`, in seeds; by hand, checked by match (docs/strength.md)."""

    lead: float = 1.0  # for each seed taken
    owned: float = 0.2  # for each seed in own holes, of any colour
    clear: float = 0.2  # for each transparent one among them, more: it can be played in two ways
    choice: float = 1.0  # for each move that the own seeds allow
    hard: float = 0.5  # for each own hole that is hard to capture
    win: float = 1000.0
    odds: float = 0.1  # log-odds of winning for one point; not part of the value, tells chances


@kernel
def captured(state: State) -> float:
    """R1: seeds taken, difference."""
    return (taken(state.tally, 0) - taken(state.tally, 1)) / SEEDS


@kernel
def owned(state: State) -> float:
    """R2: seeds in own holes, difference."""
    return (total(seeds_of(state, 0)) - total(seeds_of(state, 1))) / SEEDS


@kernel
def transparent(state: State) -> float:
    """R3: transparent seeds in own holes, difference."""
    lead = total(state.own_clear) - total(state.other_clear)  # of the player to move
    return (lead if to_move(state) == 0 else -lead) / SEEDS_OF_A_COLOUR


@kernel
def capturable(state: State) -> float:
    """R4: the most seeds that one move takes, difference."""
    lead = best_capture(state) - best_capture(passed(state))  # of the player to move
    return (lead if to_move(state) == 0 else -lead) / SEEDS


@kernel
def capturable_mistaken(state: State) -> float:
    """R4 as in `raw`: the most seeds that one move of the side to move takes, for player 1 whoever that is."""
    return best_capture(state) / SEEDS


@kernel
def hard(state: State) -> float:
    """R5: holes that are hard to capture, difference."""
    return (hard_holes(seeds_of(state, 0)) - hard_holes(seeds_of(state, 1))) / HOLES


@kernel
def seeds_of(state: State, player: int) -> int:
    """The side of a player, a byte a hole, all colours together."""
    if player == to_move(state):
        return state.own_red + state.own_blue + state.own_clear
    return state.other_red + state.other_blue + state.other_clear


@kernel
def total(side: int) -> int:
    """The sum of the eight bytes of a side."""
    return multiply(side, ONES) >> 56


@kernel
def hard_holes(side: int) -> int:
    """How many holes hold one seed or more than three: a seed, but not two or three."""
    holes = side + 0x7F * ONES >> 7 & ONES  # with a seed; unlike `filled`, for up to 96 of them
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
    """The seeds that a move takes by sowing."""
    player = to_move(state)
    hole, blue = move >> 2, move & AS_BLUE
    seeds = seeds_in(state.own_blue if blue else state.own_red, hole)
    seeds += seeds_in(state.own_clear, hole) if move & WITH_CLEAR else 0
    # As in `play`, but for the colours: a capture does not ask for them.
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
def first_terms(weights: Any, state: State) -> float:
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
    """What a side of the board is worth to its owner."""
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
def if_one_takes_the_rest(state: State) -> tuple[int, int]:
    """With 48 seeds nobody loses any more; with 49 the game is over."""
    player = to_move(state)
    lead = taken(state.tally, player) - taken(state.tally, 1 - player)
    left = SEEDS - (state.tally >> TAKEN & 0xFF)
    return lead - left, lead + left


@answer(plies_left)
def by_seeds(state: State) -> int:
    """By the seeds on the board: what the median game of the engine against itself had left."""
    seeds = SEEDS - taken(state.tally, 0) - taken(state.tally, 1)
    return min(max(30, 2 * seeds - 50), LAST_PLY - ply(state))


EVALUATIONS = {"raw": Raw(), "corrected": Corrected(), "defence": Defence(), "standard": Standard()}
TEXTBOOK = "corrected"  # what the textbook searches go by unless they are told otherwise
