"""Training of nets: slopes are right, planted values are found, and integers say what the float net says."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from palabre.core import registry
from palabre.core.verbs import feature_limits, features, phase, row_buffer, value_for
from palabre.evaluation.names import evaluation, net_for
from palabre.evaluation.net import features_fingerprint
from palabre.evaluation.net_file import NetHeader
from palabre.learn.examples import examples_of, fitted_odds
from palabre.learn.labelling import NO_PROOF
from palabre.learn.net_training import (
    Examples,
    FloatNet,
    Floats,
    _slopes,
    base_loss,
    chances,
    new_net,
    split,
    surplus,
    targets,
    train_net,
    values_of,
)
from palabre.learn.positions import Positions
from palabre.learn.quantising import (
    LARGEST_HALF,
    in_integers,
    integer_values,
    largest_row,
    quantised,
    rounding_error,
    sum_bounds,
)
from tests.evaluation import random_games
from tests.messages import refuses

FEATURES, MOST, PHASES, LANES = 40, 12, 3, 32


def planted(count: int = 4000, seed: int = 0) -> Examples:
    """Positions whose value is the base's and what two features mean together, which no sum of rows can say."""
    random = np.random.default_rng(seed)
    counts = (random.random((count, FEATURES)) < 0.2).astype(np.uint8)
    base = random.normal(0, 1, count).astype(np.float32)
    pairs = 2.0 * (counts[:, 0] & counts[:, 1]) - 2.0 * (counts[:, 2] & counts[:, 3]) + counts[:, 4]
    wanted = chances((base + pairs).astype(np.float32))
    return Examples(counts, random.integers(0, PHASES, count), base, wanted, np.arange(count) // 20)


def labelled(states: list[Any], values: Floats, results: Floats) -> Positions:
    """Positions with these columns; nothing is proven, and the others do not matter."""
    count = len(values)
    return Positions(
        np.array(states, dtype=np.int64),
        values,
        np.full(count, NO_PROOF, dtype=np.int8),
        results,
        np.zeros(count, dtype=np.int16),
        np.zeros(count, dtype=np.int32),
        np.zeros(count, dtype=np.int8),
        np.arange(count),
    )


def trained(examples: Examples, seed: int = 1) -> FloatNet:
    net, _ = train_net(examples, odds=1.0, phases=PHASES, lanes=LANES, largest_row=largest_row(FEATURES), seed=seed)
    return net


def test_slopes_are_those_of_the_loss() -> None:
    random = np.random.default_rng(3)
    examples = planted(60)
    net = new_net(examples, PHASES, 4, random)
    net = FloatNet(*(part + random.normal(0, 0.05, part.shape).astype(np.float32) for part in net))
    slopes, _ = _slopes(net, examples, 0.8)
    exact: Any = net._replace(**{name: part.astype(np.float64) for name, part in net._asdict().items()})
    for name, slope in zip(net._fields, slopes, strict=True):
        place = np.unravel_index(int(np.abs(slope).argmax()), slope.shape)
        losses = []
        for step in (1e-3, -1e-3):
            moved = getattr(exact, name).copy()
            moved[place] += step
            predicted = chances(0.8 * values_of(exact._replace(**{name: moved}), examples))
            losses.append(surplus(predicted, examples.targets))
        assert (losses[0] - losses[1]) / 2e-3 == pytest.approx(float(slope[place]), rel=0.05), name


def test_a_net_learns_what_no_weight_of_the_base_can_say() -> None:
    examples = planted()
    _, checking = split(examples)
    net = trained(examples)
    loss = surplus(chances(values_of(net, checking)), checking.targets)
    assert loss < base_loss(checking, 1.0) / 4
    assert float(net.skip[0]) == pytest.approx(1.0, abs=0.15)


def test_the_same_seed_trains_the_same_net() -> None:
    examples = planted(800)
    one, same, other = (trained(examples, seed) for seed in (1, 1, 2))
    assert all(np.array_equal(left, right) for left, right in zip(one, same, strict=True))
    assert not np.array_equal(one.rows, other.rows)


def test_no_game_is_both_trained_on_and_checked_with() -> None:
    training, checking = split(planted())
    assert not set(training.games.tolist()) & set(checking.games.tolist())
    assert 0.05 < len(checking) / (len(training) + len(checking)) < 0.2


def test_targets_mix_values_and_results_and_believe_proofs() -> None:
    values = np.array([0.0, 0.0, 5.0, 5.0, 2.0], dtype=np.float32)
    proofs = np.array([2, 2, -1, 0, 2], dtype=np.int8)
    results = np.array([1.0, np.nan, 0.0, 0.5, np.nan], dtype=np.float32)
    found = targets(values, proofs, results, 0.5)
    assert found.tolist() == pytest.approx([0.625, 0.5, 0.0, 0.5, 1 / (1 + np.exp(-1))], abs=1e-6)


def test_rounding_changes_little_and_no_sum_overflows() -> None:
    examples = planted()
    net = trained(examples)
    rounded = in_integers(net, MOST)
    least, most = sum_bounds(rounded, MOST)
    assert -LARGEST_HALF <= least <= most <= LARGEST_HALF
    assert np.abs(rounded.out).max() == LARGEST_HALF
    error = rounding_error(net, rounded, examples)
    spread = float(values_of(net, examples).std())
    assert error.mean < 0.01 * spread
    assert error.most < 0.05 * spread


def test_a_net_whose_sums_might_overflow_is_refused() -> None:
    net = new_net(planted(100), PHASES, LANES, np.random.default_rng(0))
    wide = net._replace(rows=np.full_like(net.rows, largest_row(MOST)), bias=np.full_like(net.bias, largest_row(MOST)))
    least, most = sum_bounds(in_integers(wide, MOST), MOST)
    assert least >= 0
    assert LARGEST_HALF - 2 * 255 * 2 < most <= LARGEST_HALF
    with refuses("learn.overflow"):
        in_integers(wide._replace(rows=wide.rows * 1.1), MOST)


@pytest.mark.usefixtures("plain_python")
@pytest.mark.parametrize("spec", ["awele", "examples/connect_four.py"])
def test_the_file_s_net_says_what_the_twin_in_numpy_says(spec: str) -> None:
    game = registry.game(spec)
    limits, name = feature_limits(game.state_class), "standard" if spec == "awele" else "score"
    base = evaluation(game, name)
    states = [position.state for position in random_games(spec, 2) if not position.is_over][::3]
    unknown = np.zeros(len(states), dtype=np.float32)
    examples = examples_of(game, base, labelled(states, unknown, unknown), 1.0)
    for state, counts, bucket in zip(states, examples.counts, examples.phases, strict=True):
        rows = row_buffer(state)
        on = rows[: features(state, rows)]
        assert np.bincount(on, minlength=limits.features).tolist() == counts.tolist()
        assert phase(state) == bucket
    net = new_net(examples, limits.phases, LANES, np.random.default_rng(5))
    random = np.random.default_rng(6)
    out, out_bias = (random.normal(0, 1, part.shape).astype(np.float32) for part in (net.out, net.out_bias))
    net = net._replace(out=out, out_bias=out_bias)
    rounded = in_integers(net, limits.most_features)
    header = NetHeader(
        game=game.spec,
        fingerprint=features_fingerprint(game),
        lanes=LANES,
        features=limits.features,
        phases=limits.phases,
        base=name,
        base_weights={},
        skip=rounded.skip,
        out_scale=rounded.out_scale,
        odds=1.0,
    )
    weights = net_for(game, quantised(rounded, header))
    expected = integer_values(rounded, examples)
    for state, value in zip(states, expected.tolist(), strict=True):
        mover = int(game.position(game.notation.state_to_text(state)).to_move)
        assert value_for(state, weights, mover) == pytest.approx(value, rel=1e-5, abs=1e-5)


def test_odds_are_fitted_to_the_results_of_open_positions() -> None:
    random = np.random.default_rng(2)
    values = random.normal(0, 3, 20_000).astype(np.float32)
    results = (random.random(len(values)) < chances(0.4 * values)).astype(np.float32)
    positions = labelled([(0,)] * len(values), values, results)
    assert fitted_odds(positions, 1.0) == pytest.approx(0.4, rel=0.1)
    beside = replace(positions, results=np.where(values > 0, np.float32(np.nan), results))
    assert fitted_odds(beside, 1.0) == pytest.approx(0.4, rel=0.15)
    silent = replace(positions, values=np.zeros_like(values))
    assert fitted_odds(silent, 0.7) == pytest.approx(0.7)
