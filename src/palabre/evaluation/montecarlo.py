"""`montecarlo`: what came of random games from a position, for any game and any number of players.

Of n players each can expect 1/n of a game. The value is the share of the playouts that a player has won, a shared win
counted in parts, minus this fair share, scaled so that winning all of them is worth 1:

    (n * share - 1) / (n - 1)

Of two players 1 is all won, -1 all lost; of three or four, all lost is -1/2 or -1/3. The values of all players add up
to 0. A game that is over is worth its result, on the same scale. The dice follow from the position: it is worth the
same whenever it is asked for.
"""

from typing import Any, NamedTuple

from palabre.core.bits import mix
from palabre.core.dice import shake
from palabre.core.kernels import answer
from palabre.core.verbs import evaluate, is_over, key, players, share
from palabre.evaluation.playout import random_game


class MonteCarlo(NamedTuple):
    """How the games are sampled."""

    playouts: int = 25  # random games for each position


@answer(evaluate)
def sampled(weights: MonteCarlo, state: Any, player: int) -> float:
    count = 1 if is_over(state) else weights.playouts
    dice = key(state)
    won = 0.0
    for _ in range(count):
        dice = shake(dice)
        won += share(random_game(state, mix(dice))[0], player)
    seats = players(state)
    return (seats * won - count) / (count * (seats - 1))  # rounded once: minus the value to the other of two


EVALUATIONS = {"montecarlo": MonteCarlo()}
