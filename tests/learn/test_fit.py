"""Fitting: planted weights are found again, games repeat by their seed, and what cannot be fitted is refused."""

import json
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import palabre
from palabre.core.record import load, read_records
from palabre.core.verbs import value_for
from palabre.evaluation.names import evaluation
from palabre.learn.fit import Numbers, features, fit, fitted_names
from palabre.learn.selfplay import SelfPlay, game_of_two, play_games, quiet_positions
from tests.command import end, running, wait_until
from tests.command import palabre as command
from tests.evaluation import random_games
from tests.messages import refuses
from tests.sentences import tells

pytestmark = pytest.mark.processes

QUICK = SelfPlay("awele", "standard", nodes=200, seed=1)


def some_features(spec: str = "awele", name: str = "standard", games: int = 30) -> tuple[Any, Numbers]:
    """An evaluation and the features of positions from random games."""
    running = [position.state for position in random_games(spec, games) if not position.is_over]
    weights = evaluation(palabre.game(spec), name)
    return weights, features(palabre.game(spec), weights, running)


def drawn(rows: Numbers, planted: list[float], odds: float, copies: int) -> tuple[Numbers, Numbers]:
    """Every row several times, with results drawn by lot by the chances that planted weights give them."""
    rows = np.repeat(rows, copies, axis=0)
    dice = random.Random(5)
    chances = 1 / (1 + np.exp(-odds * rows @ np.array(planted)))
    return rows, np.array([float(dice.random() < chance) for chance in chances])


def test_planted_weights_are_found_again() -> None:
    weights, rows = some_features()
    planted = [1.0, 0.3, -0.4]
    rows, results = drawn(rows, planted, odds=0.25, copies=20)
    found = fit(weights, rows, results, np.arange(len(rows)))
    assert found.names == ("lead", "kept", "choice")
    assert found.weights[0] == 1.0  # the unit
    for known, weight, error in zip(planted, found.weights, found.errors, strict=True):
        assert weight == pytest.approx(known, abs=4 * error)
        assert error < 0.1
    assert found.odds == pytest.approx(0.25, rel=0.1)
    assert found.loss < found.loss_before


def test_the_odds_of_the_old_weights_are_told_too() -> None:
    weights, rows = some_features()
    old = [weights.lead, weights.kept, weights.choice]
    rows, results = drawn(rows, old, odds=0.25, copies=20)
    found = fit(weights, rows, results, np.arange(len(rows)))
    assert found.odds_before == pytest.approx(0.25, rel=0.1)


def test_few_positions_do_not_move_the_weights_far() -> None:
    weights, rows = some_features(games=1)
    rows, results = drawn(rows[:20], [1.0, 5.0, -5.0], odds=0.25, copies=1)
    found = fit(weights, rows, results, np.arange(len(rows)), held=1e6)
    assert found.weights == pytest.approx([weights.lead, weights.kept, weights.choice], abs=0.01)


def test_positions_of_one_game_count_as_one() -> None:
    """The same results, said to be of ten times fewer games, prove less."""
    weights, rows = some_features()
    rows, results = drawn(np.repeat(rows[::10], 10, axis=0), [1.0, 0.3, -0.4], odds=0.25, copies=1)
    results = np.repeat(results[::10], 10)[: len(rows)]
    alone = fit(weights, rows, results, np.arange(len(rows)))
    together = fit(weights, rows, results, np.arange(len(rows)) // 10)
    assert together.weights == alone.weights
    assert min(np.array(together.errors) / np.array(alone.errors)) > 2


@pytest.mark.parametrize("spec", ["awele", "awale", "abalone", "avalam:official", "penguins"])
def test_features_times_weights_are_the_value(spec: str) -> None:
    weights, rows = some_features(spec, games=1)
    values = [value_for(position.state, weights, 0) for position in random_games(spec, games=1) if not position.is_over]
    assert rows @ [getattr(weights, name) for name in fitted_names(weights)] == pytest.approx(values)


def test_evaluations_that_are_not_linear_are_refused() -> None:
    with refuses("fit.not_linear", evaluation="Frabalon"):
        some_features("abalone", "frabalon", games=1)


def test_games_without_news_are_refused() -> None:
    weights, rows = some_features(games=1)
    with refuses("fit.all_alike"):
        fit(weights, rows, np.ones(len(rows)), np.arange(len(rows)))
    with refuses("fit.no_help", weight="lead"):
        fit(weights, *drawn(rows, [-1.0, 0.0, 0.0], odds=1.0, copies=5), np.arange(5 * len(rows)))
    with refuses("fit.unit", weight="lead"):
        fit(weights._replace(lead=0.0), *drawn(rows, [1.0, 0.0, 0.0], 1.0, 1), np.arange(len(rows)))
    with refuses("fit.two_players", game="penguins:players=3", players=3):
        game_of_two("penguins:players=3")


def test_the_same_seed_plays_the_same_games_on_one_process_or_two() -> None:
    alone = list(play_games(QUICK, range(4), processes=1))
    assert list(play_games(QUICK, range(4), processes=2)) == alone
    assert len(set(alone)) == 4
    assert list(play_games(QUICK, [2], processes=1)) == alone[2:3]
    assert SelfPlay("awele", "standard", nodes=200, seed=2).record(0) != alone[0]


def test_quiet_positions_win_nothing_at_once() -> None:
    record = read_records(QUICK.record(0))[0]
    opening = int(record.tags["Opening"].split()[0])
    quiet = quiet_positions(record)
    assert 0 < len(quiet) < len(record.moves) - opening
    for here, after in zip(record.positions()[opening:], record.positions()[opening + 1 :], strict=False):
        if here.state in quiet and not after.is_over:
            assert after.scores == here.scores


def test_the_command_goes_on_where_it_stopped(tmp_path: Path) -> None:
    kept, out = tmp_path / "games.pgn", tmp_path / "weights.json"
    arguments = ["fit", "awele", "--eval", "standard", "--nodes", "200", "--record", str(kept), "--processes", "1"]
    done = command(*arguments, "--games", "6")
    assert done.returncode == 0, done.stderr
    assert tells(done.stdout, "fit.found", games=6)
    before = kept.read_text(encoding="utf-8")
    done = command(*arguments, "--games", "10", "--out", str(out))
    assert done.returncode == 0, done.stderr
    assert kept.read_text(encoding="utf-8").startswith(before)
    assert [record.tags["Round"] for record in load(kept)] == [str(number) for number in range(1, 11)]
    written = json.loads(out.read_text(encoding="utf-8"))
    assert (written["games"], list(written["weights"])) == (10, ["lead", "kept", "choice", "win", "odds"])
    done = command("fit", "avalam", "--eval", "standard", "--record", str(kept))
    assert done.returncode == 2
    assert tells(done.stderr, "fit.other_game", file=kept, found="awele", game="avalam")


def test_the_command_goes_on_with_games_of_a_users_own_file(tmp_path: Path) -> None:
    kept = tmp_path / "games.pgn"
    arguments = ["fit", "examples/othello.py", "--eval", "standard", "--nodes", "100", "--record", str(kept)]
    for games in ("40", "42"):
        done = command(*arguments, "--processes", "1", "--games", games)
        assert done.returncode == 0, done.stderr
        assert f"quiet positions from {games} games" in done.stdout


def test_an_interrupted_run_fits_what_it_has(tmp_path: Path) -> None:
    kept = tmp_path / "games.pgn"
    arguments = ["fit", "awele", "--eval", "standard", "--nodes", "200", "--games", "100000", "--record", str(kept)]
    arguments += ["--processes", "1"]
    with running(*arguments) as process:
        wait_until(lambda: kept.exists() and kept.read_text(encoding="utf-8").count("[Game") >= 8)
        out, told = end(process)
    assert "of 100000 games" in told
    fitted = re.search(r"quiet positions from (\d+) games", out)
    assert fitted is not None
    assert len(load(kept)) - 1 <= int(fitted[1]) <= len(load(kept))  # a game may be kept just then, and not be counted
