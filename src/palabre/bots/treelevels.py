"""Levels 1 to 9 of tree search, on the scale of the engine's: for any game and any number of players.

A level simulates a number of games, the same on any machine, compares the best moves that it finds, and picks one of
them as the engine's levels do: a move that loses little nearly as often as the best, one that loses much hardly ever,
and one that loses too much never. A move that was simulated more often is also picked more often, since more is known
of it. Losses are in log-odds of a share. They are smaller numbers than the engine's for the same mistake, because
simulations end in random moves.

How strong a number of simulations plays depends on the game. The table was placed beside the engine's levels by the
matches in docs/reports/levels.md.
"""

import math
from typing import NamedTuple

from palabre.bots.levels import SEES_LOSSES, STRONGEST, drawn
from palabre.core.position import Move, Position
from palabre.search.mcts import Choice, Mcts
from palabre.search.thought import SMALLEST_SHARE, Thought


class TreeLevel(NamedTuple):
    """How a player of one level thinks."""

    simulations: int  # for a move
    each: int  # further simulations for every legal move, so that a wide game is not played at random
    moves: int  # moves they consider, the best ones
    carelessness: float  # log-odds: a move that loses this much more than another is picked e times less often
    worst: float  # the most log-odds that they lose by one move


TREE_LEVELS = {
    1: TreeLevel(0, 1, 16, 2.6, 10.0),
    2: TreeLevel(0, 1, 12, 0.8, 3.2),
    3: TreeLevel(0, 2, 10, 0.36, 1.8),
    4: TreeLevel(0, 3, 10, 0.32, 1.4),
    5: TreeLevel(20, 4, 8, 0.26, 1.0),
    6: TreeLevel(100, 7, 6, 0.18, 0.7),
    7: TreeLevel(400, 14, 5, 0.11, 0.45),
    8: TreeLevel(1_000, 40, 3, 0.04, 0.2),
    9: TreeLevel(8_000, 150, 2, 0.01, 0.05),
}
MEGABYTES = 32  # for the trees of a level, which are not kept from move to move
FEW = 1 / 8  # of the most visits of a move: one with fewer is not considered, since its share is hardly known


def simulations(position: Position, number: int) -> int | None:
    """How many games a level simulates for its move in a position; None if it has no limit of its own."""
    if number == STRONGEST:
        return None
    level = TREE_LEVELS[number]
    return level.simulations + level.each * len(position.moves())


def pick(search: Mcts, favourite: Thought, number: int, luck: float) -> Move:
    """The move of a level in the position that was searched last; `luck`, from 0 to 1, decides among several.

    Where the search has proven the result, it plays the favourite: no level lets go of a win that it sees.
    """
    if favourite.is_proven:
        return favourite.move
    level = TREE_LEVELS[number]
    choices = search.choices()
    most = max(choice.visits for choice in choices)
    known = [choice for choice in choices if choice.visits + 1 >= FEW * most]
    if number >= SEES_LOSSES:
        known = [choice for choice in known if choice.upper >= 0] or known
    known.sort(key=lambda choice: (-choice.visits, -worth(search, choice)))
    considered = known[: level.moves]
    best = worth(search, considered[0])
    chances = []
    for choice in considered:
        loss = max(0.0, best - worth(search, choice))
        is_tolerable = loss <= level.worst
        chances.append((choice.visits + 1) * math.exp(-loss / level.carelessness) if is_tolerable else 0.0)
    picked = considered[drawn(chances, luck)]
    return next(move for move in favourite.position.moves() if move.code == picked.code)


def worth(search: Mcts, choice: Choice) -> float:
    """Log-odds of the share that a move is worth, as the search itself mixes simulations and evaluation.

    A fair share is counted as one more simulation: a single game, won or lost, proves nothing.
    """
    share = (choice.share * choice.visits + 1 / search.game.players) / (choice.visits + 1)
    share += search.parameters.heuristic_weight * (choice.heuristic_share - share)
    share = min(max(share, SMALLEST_SHARE), 1 - SMALLEST_SHARE)
    return math.log(share / (1 - share))
