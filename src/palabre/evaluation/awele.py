"""Awélé's evaluation by us: `keen`, three cheap features, in seeds.

Seeds taken come first. Seeds kept at home are moves to come, and the opponent has to do without them; the more pits
they lie in, the more choice there is. Two features did not help in matches and are gone: pits of one or two seeds,
which can be captured, and hoards of twelve or more. The search sees captures itself.
"""

from typing import NamedTuple

from palabre.core.bits import popcount
from palabre.core.kernels import answer, kernel
from palabre.core.verbs import is_over, play, score
from palabre.evaluation.evaluate import evaluate, verdict
from palabre.evaluation.hints import gain
from palabre.games.awele.rules import BOARD, ONES, TOP_BITS, State, taken, total


class Keen(NamedTuple):
    """The weights of `keen`, in seeds; by hand, checked by match (docs/strength.md)."""

    lead: float = 1.0  # for each seed taken
    kept: float = 0.1  # for each seed on the own side
    choice: float = 0.5  # for each own pit that is not empty
    win: float = 1000.0


@kernel
def worth(weights: Keen, side: int) -> float:
    """What a side of the board is worth to its owner."""
    filled = popcount((side & BOARD) + 0x7F * ONES & TOP_BITS)  # adding 127 brings a pit with seeds to its top bit
    return weights.lead * taken(side) + weights.kept * total(side) + weights.choice * filled


@answer(evaluate)
def keen(weights: Keen, state: State, player: int) -> float:
    if is_over(state):
        return weights.lead * (score(state, player) - score(state, 1 - player)) + weights.win * verdict(state, player)
    value = worth(weights, state.own) - worth(weights, state.other)
    return value if player == state.player else -value


@answer(gain)
def captured_by(state: State, move: int) -> int:
    """The seeds that a move takes."""
    return taken(play(state, move).other) - taken(state.own)


EVALUATIONS = {"keen": Keen()}
