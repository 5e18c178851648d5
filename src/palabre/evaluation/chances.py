"""Calibrated chances: how often a value of a search has won games of the engine against itself.

What a value is worth depends on the phase of the game and on how long the search took for it: a marble ahead means
more near the end, and more if a long search still sees it. The log-odds of the player to move are

    (slope + slope_by_phase * phase + slope_by_effort * effort) * points + tempo + tempo_by_phase * phase

where `phase` is the part of the game that is over, 0 to 1, and `effort` counts tenfold steps of nodes above 1,000.

`palabre calibrate` fits such a curve for each preset of a game and keeps it beside the game's source, in
`calibration.json`, or in `NAME.calibration.json` for a game that is the one file `NAME.py`. A curve belongs to one
evaluation: its fingerprint is kept with it, and a test compares them.
"""

import hashlib
import json
import math
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from palabre.core import verbs
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.core.words import say
from palabre.evaluation.names import default_evaluation, evaluation
from palabre.evaluation.positions import fixed_positions

LEAST_NODES, MOST_NODES = 1_000, 10_000_000  # beyond these, effort does not change the curve
SMALLEST_CHANCE = 0.001  # what is not proven is never certain


class ChanceCurve(NamedTuple):
    """The winning chance of the player to move as a function of points, phase and effort."""

    slope: float  # log-odds for one point, at the start of a game, from 1,000 nodes
    slope_by_phase: float  # what is added to the slope towards the end of the game
    slope_by_effort: float  # what is added to the slope for every tenfold of nodes
    tempo: float  # log-odds of having the move, at the start of a game
    tempo_by_phase: float  # what is added to that towards the end

    def chance(self, points: float, phase: float, nodes: int) -> float:
        """The expected share of the player to move."""
        slope = max(0.0, self.slope + self.slope_by_phase * phase + self.slope_by_effort * effort(nodes))
        odds = slope * points + self.tempo + self.tempo_by_phase * phase
        return min(max(1 / (1 + math.exp(-max(-30.0, min(30.0, odds)))), SMALLEST_CHANCE), 1 - SMALLEST_CHANCE)


def effort(nodes: int) -> float:
    """How many tenfold steps above LEAST_NODES a search took."""
    return math.log10(min(max(nodes, LEAST_NODES), MOST_NODES) / LEAST_NODES)


def phase(position: Position) -> float:
    """The part of the game that is over, 0 to 1, as far as the position alone shows: its past does not count.

    A state that counts plies has how many were played. Of any other, `plies_left` is compared with what it was at the
    start of the game.
    """
    played, left = int(verbs.ply(position.state)), int(verbs.plies_left(position.state))
    if played > 0:
        return played / (played + left)
    whole = _plies_at_start(position.game)
    return min(max(1 - left / whole, 0.0), 1.0) if whole > 0 else 0.0


@cache
def _plies_at_start(game: Game) -> int:
    return int(verbs.plies_left(game.start().state))


@cache
def chance_curve(game: Game, weights: Any) -> ChanceCurve | None:
    """The curve for an evaluation with these weights in this game, or None if it was not calibrated."""
    if weights != evaluation(game, default_evaluation(game)):
        return None
    kept = read_calibration(game).get(game.options.preset)
    return None if kept is None else ChanceCurve(**kept["curve"])


def calibration_file(game: Game) -> Path:
    """Where the curves of a game are kept."""
    source = Path(str(game.module.__file__))
    return source.with_name("calibration.json" if source.name == "__init__.py" else f"{source.stem}.calibration.json")


def read_calibration(game: Game) -> dict[str, Any]:
    """What is kept of each preset of a game: curve, fingerprint, and how it was measured; empty if there is nothing."""
    file = calibration_file(game)
    if not file.is_file():
        return {}
    try:
        curves: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        for kept in curves.values():
            ChanceCurve(**{name: float(value) for name, value in kept["curve"].items()})
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise PalabreError(say("calibration.damaged", file=file, error=error)) from error
    return curves


def fingerprint(game: Game, weights: Any) -> str:
    """A digest of the values of an evaluation in fixed random positions."""
    digest = hashlib.sha256()
    for state in fixed_positions(game):
        digest.update(f"{float(verbs.evaluate(weights, state, 0)):.6g}\n".encode())
    return digest.hexdigest()[:16]
