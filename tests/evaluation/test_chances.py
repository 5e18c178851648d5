"""Calibrated chances: the curve, where it is kept, and that a kept one belongs to the evaluation of today."""

import json
import shutil
from pathlib import Path

import pytest

import palabre
from palabre.bots.analysis import analyse
from palabre.core import registry
from palabre.evaluation.chances import (
    LEAST_NODES,
    SMALLEST_CHANCE,
    ChanceCurve,
    chance_curve,
    effort,
    fingerprint,
    phase,
    read_calibration,
)
from palabre.evaluation.names import default_evaluation, evaluation, with_values
from tests.messages import refuses

PRESETS = [f"{name}:{preset}" for name in registry.names() for preset in registry.facts(name).presets]
CURVE = ChanceCurve(slope=0.5, slope_by_phase=0.5, slope_by_effort=0.1, tempo=0.2, tempo_by_phase=-0.2)


@pytest.mark.parametrize("spec", PRESETS)
def test_the_curve_belongs_to_the_evaluation(spec: str) -> None:
    """If this fails, the evaluation has changed: run `palabre calibrate SPEC --games 400 --keep`."""
    game = palabre.game(spec)
    kept = read_calibration(game)[game.options.preset]
    assert kept["fingerprint"] == fingerprint(game, evaluation(game, default_evaluation(game)))


def test_a_changed_weight_changes_the_fingerprint() -> None:
    game = palabre.game("awele")
    weights = evaluation(game, "standard")
    first = next(iter(weights._fields))
    other = with_values(weights, {first: 1.01 * getattr(weights, first)})
    assert fingerprint(game, other) != fingerprint(game, weights)
    assert chance_curve(game, weights) is not None
    assert chance_curve(game, other) is None


def test_points_phase_and_effort_move_the_chance() -> None:
    assert CURVE.chance(0, 1.0, 1) == 0.5
    assert CURVE.chance(2, 0, 1000) < CURVE.chance(2, 1, 1000)
    assert CURVE.chance(2, 0, 1000) < CURVE.chance(2, 0, 100_000)
    assert CURVE.chance(2, 1, 1000) == pytest.approx(1 - CURVE.chance(-2, 1, 1000))
    assert CURVE.chance(1e9, 0, 1000) == 1 - SMALLEST_CHANCE


def test_effort_is_bounded() -> None:
    assert effort(1) == effort(LEAST_NODES) == 0.0
    assert effort(10 * LEAST_NODES) == 1.0
    assert effort(10**15) == effort(10**12)


@pytest.mark.parametrize("spec", PRESETS)
def test_a_game_goes_from_phase_0_towards_1(spec: str) -> None:
    game = palabre.game(spec)
    position = game.start()
    phases = [phase(position)]
    while not position.is_over and len(phases) < 500:
        position = position.play(position.moves()[-1])
        phases.append(phase(position))
        assert phases[-1] == phase(game.position(position.text)), "the past does not count"
    assert phases[0] == 0.0
    assert all(0 <= one <= 1 for one in phases)
    assert max(phases) > 0.25


def test_an_analysis_tells_the_calibrated_chance() -> None:
    position = palabre.game("awele").start()
    [thought] = analyse(position, nodes=2000)
    curve = chance_curve(position.game, evaluation(position.game, "standard"))
    assert curve is not None
    assert thought.chance == curve.chance(thought.points, phase(position), thought.nodes)


def test_a_game_in_one_file_keeps_its_curve_beside_it(small_game: Path, tmp_path: Path) -> None:
    file = Path(shutil.copy(small_game, tmp_path / "own.py"))
    kept = file.with_name("own.calibration.json")
    assert read_calibration(registry.game(str(file))) == {}
    kept.write_text(json.dumps({"standard": {"curve": CURVE._asdict()}}), encoding="utf-8")
    assert read_calibration(registry.game(str(file)))["standard"]["curve"]["slope"] == 0.5


@pytest.mark.parametrize(
    "content", ["{", '{"standard": {}}', '{"standard": {"curve": {"slope": "x"}}}', "[]", '{"standard": {"curve": 3}}']
)
def test_a_damaged_file_is_named(content: str, small_game: Path, tmp_path: Path) -> None:
    file = Path(shutil.copy(small_game, tmp_path / "own.py"))
    file.with_name("own.calibration.json").write_text(content, encoding="utf-8")
    with refuses("calibration.damaged", file=file.with_name("own.calibration.json")):
        read_calibration(registry.game(str(file)))
