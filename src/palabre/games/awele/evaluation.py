"""Awélé's evaluation, `standard`, and the hints that its rules can give a search.

`standard` counts in seeds and has three cheap terms. Material is the seeds taken. Seeds on a player's own side are
moves to come, and the opponent lacks them. Mobility is the number of own pits with seeds in them. Two more terms did
not help in matches and are gone: pits of one or two seeds, which can be captured, and hoards of twelve or more. The
search sees captures itself.
"""

from typing import NamedTuple

from palabre.author import (
    Moves,
    answer,
    evaluate,
    gain,
    is_over,
    kernel,
    lowest,
    margin_bounds,
    play,
    plies_left,
    popcount,
    score,
    tactical_moves,
    win_draw_loss,
)
from palabre.games.awele.rules import (
    BOARD,
    LAST,
    ONES,
    PITS,
    SEEDS,
    SOWN_OTHER,
    TOP_BITS,
    State,
    seeds_in,
    taken,
    total,
)

# With so few moves, searching two plies again is faster than a probe of the table.
SEARCH_PARAMETERS = {"palabre": {"table_min_depth": 3}}


class Standard(NamedTuple):
    """The weights of `standard`, in seeds. They are set by hand and checked by match (docs/reports/engine.md)."""

    lead: float = 1.0  # material: for each seed taken
    kept: float = 0.1  # for each seed on the own side
    choice: float = 0.5  # mobility: for each own pit that is not empty
    win: float = 1000.0
    odds: float = 0.49  # log-odds of winning for each point; not part of the value


@kernel
def worth(weights: Standard, side: int) -> float:
    """What a player's half of the state, their pits and the seeds taken, is worth to them."""
    filled = popcount((side & BOARD) + 0x7F * ONES & TOP_BITS)  # adding 127 carries a pit with seeds into its top bit
    return weights.lead * taken(side) + weights.kept * total(side) + weights.choice * filled


@answer(evaluate)
def standard(weights: Standard, state: State, player: int) -> float:
    if is_over(state):
        return weights.lead * (score(state, player) - score(state, 1 - player)) + weights.win * win_draw_loss(
            state, player
        )
    value = worth(weights, state.own) - worth(weights, state.other)
    return value if player == state.player else -value


@answer(gain)
def seeds_captured(state: State, move: int) -> int:
    """How many seeds a move takes."""
    seeds = seeds_in(state.own, move)
    last = LAST[move][seeds]
    if last < 0 or state.other + SOWN_OTHER[move][seeds] >> last & 0xFE != 2:
        return 0
    return taken(play(state, move).other) - taken(state.own)


@answer(tactical_moves)
def captures(state: State, moves: Moves) -> int:
    """The moves that capture: the last seed makes two or three in a pit of the opponent.

    A grand slam is left out, because it takes nothing. All these moves are legal: a move that makes two or three on
    the opponent's side feeds the opponent.
    """
    hits = 0
    for pit in range(PITS):  # without a branch to mispredict, as most moves capture nothing
        seeds = seeds_in(state.own, pit)
        last = LAST[pit][seeds]
        here = state.other + SOWN_OTHER[pit][seeds] >> (last & 63) & 0xFE
        hits |= (1 if (seeds > 0) & (last >= 0) & (here == 2) else 0) << pit
    count = 0
    while hits:
        pit = lowest(hits)
        hits &= hits - 1
        moves[count] = pit
        count += 1 if seeds_captured(state, pit) else 0
    return count


@answer(margin_bounds)
def bounds_by_seeds_left(state: State) -> tuple[int, int]:
    """Either player may take all seeds left. A player with 24 seeds cannot lose; with 25 the game is over."""
    lead = taken(state.own) - taken(state.other)
    left = SEEDS - taken(state.own) - taken(state.other)
    return lead - left, lead + left


@answer(plies_left)
def plies_by_seeds_left(state: State) -> int:
    """The median number of plies left in games of the engine against itself, as a line through the seeds on board."""
    return 3 * (total(state.own) + total(state.other)) // 2 + 10


EVALUATIONS = {"standard": Standard()}
