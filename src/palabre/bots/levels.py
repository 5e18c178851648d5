"""Levels 1 to 9 of the engine: a weaker player sees less and makes mistakes, but never plays at random.

A level searches a few plies deep, compares the best moves it finds, and picks one of them. It picks a move that loses
little nearly as often as the best, one that loses much hardly ever, and one that loses too much never. Losses are
measured in log-odds of winning, so that a seed, a marble and a tower count for what they are worth in their game.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from palabre.core.position import Move, Position
from palabre.core.spec import Parameter
from palabre.search.clock import Clock
from palabre.search.engine import Engine
from palabre.search.thought import Thought


class Level(NamedTuple):
    """How a player of one level thinks."""

    depth: int  # plies they search
    nodes: int  # positions they search
    lines: int  # moves they consider, the best ones
    carelessness: float  # log-odds: a move that loses this much more than another is picked e times less often
    worst: float  # the most log-odds that they lose by one move


STRONGEST = 10  # the engine at full strength, which has no entry here
LEVEL = Parameter("level", STRONGEST, range(1, STRONGEST + 1), "playing strength, from beginner to full strength")
LEVELS = {
    1: Level(1, 5_000, 16, 4.0, 25.0),
    2: Level(1, 5_000, 12, 2.0, 8.0),
    3: Level(2, 5_000, 10, 1.9, 6.0),
    4: Level(2, 5_000, 10, 0.9, 3.5),
    5: Level(3, 10_000, 8, 0.8, 3.0),
    6: Level(4, 15_000, 6, 0.6, 2.0),
    7: Level(5, 25_000, 5, 0.42, 1.5),
    8: Level(6, 40_000, 4, 0.28, 1.0),
    9: Level(9, 100_000, 3, 0.12, 0.5),
}
DICE_SIDES = 1 << 30  # of the dice that decide a level's move
TAKES_WINS = 3  # from this level on, they take a win at hand
SEES_LOSSES = 4  # from this level on, they do not let the opponent win at once if another move prevents it

MEGABYTES = 4  # of the transposition table of a level: room for all that it searches, and soon emptied

DEFAULT_ODDS = 0.3  # log-odds of winning for a point, if the evaluation does not say
MAX_UNPROVEN = 15.0  # log-odds that no evaluation exceeds
PROVEN = 20.0  # log-odds of a proven win


def choose(engine: Engine, position: Position, clock: Clock, number: int, luck: float) -> tuple[Move, Thought]:
    """The move of a player of level 1 to 9, and what they think of the best move, which may be another.

    `luck`, from 0 to 1, decides among the moves that they may pick.
    """
    level = LEVELS[number]
    thoughts = weigh(engine, position, clock, level.lines)
    odds = getattr(engine.weights, "odds", DEFAULT_ODDS)
    best = max(thoughts, key=lambda thought: worth(thought, odds))
    if number >= TAKES_WINS and best.plies_to_win == 1:
        return best.move, best
    if number >= SEES_LOSSES:
        thoughts = [thought for thought in thoughts if not loses_at_once(thought)] or [best]
    losses = [worth(best, odds) - worth(thought, odds) for thought in thoughts]
    chances = [math.exp(-loss / level.carelessness) if loss <= level.worst else 0.0 for loss in losses]
    return thoughts[drawn(chances, luck)].move, best


def weigh(engine: Engine, position: Position, clock: Clock, lines: int) -> list[Thought]:
    """What the engine thinks of its best moves, at the last depth at which it searched them all."""
    by_depth: defaultdict[int, list[Thought]] = defaultdict(list)
    last = engine.think(position, clock, lambda thought: by_depth[thought.depth].append(thought), lines)
    complete = [depth for depth, thoughts in by_depth.items() if len(thoughts) == min(lines, len(position.moves()))]
    return by_depth[max(complete)] if complete else [last]


def worth(thought: Thought, odds: float) -> float:
    """Log-odds of winning, `odds` for each point; a near win is worth more than a distant one, a near loss less."""
    distance = thought.plies_to_win
    if distance is not None:
        return math.copysign(PROVEN - 0.01 * min(abs(distance), 100), distance)
    if thought.is_proven:
        return 0.0 if thought.value == 0 else math.copysign(PROVEN - 1, thought.value)
    return max(-MAX_UNPROVEN, min(MAX_UNPROVEN, odds * thought.points))


def loses_at_once(thought: Thought) -> bool:
    """Whether the game is lost by this move or by the answer to it."""
    return thought.plies_to_win is not None and -2 <= thought.plies_to_win < 0


def drawn(chances: Sequence[float], luck: float) -> int:
    """The index that `luck`, from 0 to 1, selects if each index gets a share by its chance; not all chances are 0."""
    left = luck * sum(chances)
    for index, chance in enumerate(chances):
        left -= chance
        if left < 0:
            return index
    return max(index for index, chance in enumerate(chances) if chance > 0)
