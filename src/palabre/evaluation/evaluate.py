"""The one verb of evaluations, and what most of them need."""

from typing import Any

from palabre.core.kernels import kernel, verb
from palabre.core.verbs import players, standing


@verb
def evaluate(weights: Any, state: Any, player: int) -> float:
    """What a position, also one where the game is over, is worth to a player; higher is better for him."""
    raise NotImplementedError


@kernel
def verdict(state: Any, player: int) -> int:
    """Of an ended game: 1 if a player has won, -1 if another has, 0 if he shares the win."""
    own = standing(state, player)
    best_other = own - 1
    for other in range(players(state)):
        if other != player:
            best_other = max(best_other, standing(state, other))
    return 1 if own > best_other else -1 if own < best_other else 0


@kernel
def value_for(state: Any, weights: Any, player: int) -> float:
    """`evaluate` as a kernel of its own, to be compiled: what a position is worth to a player."""
    return float(evaluate(weights, state, player))
