"""Calibration: planted curves are found again, and reliability tells a good curve from a bad one."""

import json
import random
from pathlib import Path

import numpy as np
import pytest

from palabre.core.errors import PalabreError
from palabre.evaluation.chances import ChanceCurve
from palabre.learn.calibration import Sample, fit_curve, miscalibration, predicted_chances, reliability, surprise
from tests.command import palabre

PLANTED = ChanceCurve(slope=0.6, slope_by_phase=0.8, slope_by_effort=0.3, tempo=0.3, tempo_by_phase=-0.4)


def drawn(curve: ChanceCurve, games: int, positions: int = 4, seed: int = 3) -> list[Sample]:
    """Positions whose results are drawn by the chances of a curve."""
    dice = random.Random(seed)
    found = []
    for game in range(games):
        for _ in range(positions):
            phase, nodes, points = dice.random(), dice.choice([1_000, 100_000]), dice.gauss(0, 2)
            won = dice.random() < curve.chance(points, phase, nodes)
            found.append(Sample(game, phase, nodes, points, float(won)))
    return found


def test_a_planted_curve_is_found_again() -> None:
    found = fit_curve(drawn(PLANTED, 10_000))
    assert np.allclose(found, PLANTED, atol=0.12)


def test_a_good_curve_is_reliable_and_a_bold_one_is_not() -> None:
    samples = drawn(PLANTED, 5_000, seed=4)
    bold = PLANTED._replace(slope=3.0)
    good, bad = (reliability(predicted_chances(curve, samples), samples) for curve in (PLANTED, bold))
    assert miscalibration(good) < 0.02
    assert miscalibration(bad) > 0.08
    assert surprise(predicted_chances(PLANTED, samples), samples) < surprise(predicted_chances(bold, samples), samples)
    for one in good:
        assert abs(one.predicted - one.won) < 4 * one.error + 0.02


def test_errors_count_games_and_not_positions() -> None:
    """Eight copies of each position of a game tell no more than one."""
    once = drawn(PLANTED, 2_000, positions=1)
    copies = [one for one in once for _ in range(8)]
    for few, many in zip(
        reliability(predicted_chances(PLANTED, once), once),
        reliability(predicted_chances(PLANTED, copies), copies),
        strict=True,
    ):
        assert many.positions == 8 * few.positions
        assert many.error == pytest.approx(few.error)


def test_too_few_games_are_refused() -> None:
    with pytest.raises(PalabreError, match="at least 20 games"):
        fit_curve(drawn(PLANTED, 10))


def test_the_command_checks_a_game(tmp_path: Path) -> None:
    plot = tmp_path / "reliability.svg"
    sizes = ("--games", "40", "--nodes", "50", "--short", "100", "--long", "300", "--processes", "1")
    done = palabre("calibrate", "awele", *sizes, "--plot", str(plot), "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["games"] == 40
    assert set(found["curve"]) == set(ChanceCurve._fields)
    assert {"short searches", "long searches"} <= set(found["reliability"])
    assert found["surprise"]["before"] > 0
    assert plot.read_text(encoding="utf-8").count("<svg") == 1
