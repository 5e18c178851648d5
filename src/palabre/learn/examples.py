"""From labelled positions to what a net is trained on: features counted by a compiled kernel, and chances to learn."""

from collections.abc import MutableSequence
from typing import Any

import numpy as np

from palabre.compile.compiler import compiled
from palabre.core.game import Game
from palabre.core.kernels import kernel
from palabre.core.packing import read_state
from palabre.core.verbs import evaluate, feature_limits, features, phase, row_buffer, to_move, weight_classes
from palabre.learn.fit import HELD, newton
from palabre.learn.net_training import Examples, targets
from palabre.learn.positions import Positions

SMALLEST_ODDS = 0.01  # for a point; results that no value predicts would leave nothing to learn


@kernel
def observe(
    example: Any,
    weights: Any,
    words: MutableSequence[int],
    size: int,
    counts: MutableSequence[int],
    phases: MutableSequence[int],
    base: MutableSequence[float],
) -> None:
    """Count the features of states, given as their words, and note their phases and what the base says of them.

    There are `size` features; `example` is any state of the game.
    """
    rows = row_buffer(example)
    for number in range(len(phases)):
        state = read_state(example, words, number * len(example))
        for place in range(features(state, rows)):
            counts[number * size + rows[place]] += 1
        phases[number] = phase(state)
        base[number] = evaluate(weights, state, to_move(state))


def examples_of(game: Game, weights: Any, positions: Positions, odds: float) -> Examples:
    """Labelled positions as examples for a net beside the evaluation with these weights."""
    size = feature_limits(game.state_class).features
    counts = np.zeros(len(positions) * size, dtype=np.uint8)
    phases = np.zeros(len(positions), dtype=np.int64)
    base = np.zeros(len(positions), dtype=np.float64)
    words = np.ascontiguousarray(positions.states).reshape(-1)
    run = compiled(observe, game, *weight_classes(weights))
    run(game.start().state, weights, words, size, counts, phases, base)
    return Examples(
        counts.reshape(len(positions), size),
        phases,
        base.astype(np.float32),
        targets(positions.values, positions.proofs, positions.results, odds),
        positions.games.astype(np.int64),
    )


def fitted_odds(positions: Positions, usual: float) -> float:
    """The log-odds of winning for a point of the labels, by the results of the games: their calibration.

    They are held near the usual ones, which stay if the labels say nothing, as those of a base that is always 0.
    """
    is_open = np.isfinite(positions.results) & (positions.proofs > 1)
    values, results = positions.values[is_open].astype(np.float64), positions.results[is_open].astype(np.float64)
    odds = newton(values[:, None], results, np.array([usual]), np.array([HELD]))
    return max(SMALLEST_ODDS, float(odds[0]))
