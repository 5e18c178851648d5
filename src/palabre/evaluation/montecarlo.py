"""`montecarlo`: the results of random games from a position, for any game and any number of players.

A fair share of a game among n players is 1/n. The value compares a player's mean share of the playouts with it, scaled
so that a player who wins all of them has 1:

    (n * share - 1) / (n - 1)

With two players, -1 means that all games are lost; with three or four, that is -1/2 or -1/3. The values of all players
add up to 0. An ended game has the value of its result on the same scale. The dice follow from the position, so the same
position always has the same value.
"""

from typing import NamedTuple

from palabre.core.bits import mix
from palabre.core.dice import shake
from palabre.core.kernels import answer
from palabre.core.verbs import State, evaluate, is_over, key, players, share
from palabre.evaluation.playout import TO_THE_END, random_game


class MonteCarlo(NamedTuple):
    """How many games are sampled."""

    playouts: int = 25  # random games for each position


@answer(evaluate)
def sampled(weights: MonteCarlo, state: State, player: int) -> float:
    count = 1 if is_over(state) else weights.playouts
    dice = key(state)
    won = 0.0
    for _ in range(count):
        dice = shake(dice)
        won += share(random_game(state, mix(dice), TO_THE_END)[0], player)
    seats = players(state)
    return (seats * won - count) / (count * (seats - 1))  # rounded once: two players have exactly opposite values


EVALUATIONS = {"montecarlo": MonteCarlo()}
