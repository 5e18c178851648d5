"""`palabre learn` from outside: it learns, resumes after being killed in any phase, and refuses what cannot be."""

import json
import signal
from pathlib import Path

import pytest

from tests.command import PLAIN, end, palabre, running, wait_until
from tests.sentences import tells

pytestmark = pytest.mark.processes

CONNECT_FOUR = "examples/connect_four.py"
TINY = (
    "--positions",
    "200",
    "--nodes",
    "20",
    "--lanes",
    "32",
    "--gate-nodes",
    "10",
    "--gate-games",
    "4",
    "--seed",
    "3",
)


def arguments(folder: Path, generations: int = 1) -> list[str]:
    return ["learn", CONNECT_FOUR, "--out", str(folder), "--generations", str(generations), *TINY, "--processes", "1"]


def test_a_learning_that_is_killed_in_any_phase_goes_on(tmp_path: Path) -> None:
    folder, whole = tmp_path / "killed", tmp_path / "whole"
    first = folder / "generation-1"
    positions, parts = first / "positions.npz", first / "parts"
    # What shows that a phase has begun: the command is killed in it, or a moment later.
    for has_begun in (
        lambda: positions.exists() or any(parts.glob("*.npz")),
        positions.exists,
        (first / "training.json").exists,
    ):
        with running(*arguments(folder), settings=PLAIN) as process:
            wait_until(has_begun)
            end(process, signal.SIGKILL)
    done = palabre(*arguments(folder), "--json", settings=PLAIN)
    assert done.returncode == 0, done.stderr
    resumed = json.loads(done.stdout)
    done = palabre(*arguments(whole), "--json", settings=PLAIN)
    assert done.returncode == 0, done.stderr
    at_once = json.loads(done.stdout)
    for name in ("positions.npz", "candidate.net"):
        assert (first / name).read_bytes() == (whole / "generation-1" / name).read_bytes()
    for found in (resumed, at_once):
        [generation] = found["generations"]
        generation["training"].pop("seconds")
        for name in ("seconds", "rival"):
            generation["gate"].pop(name)
    assert resumed["generations"] == at_once["generations"]


def test_it_shows_each_generation_and_goes_on_with_more(tmp_path: Path) -> None:
    folder = tmp_path / "learned"
    for generations in (1, 2):
        done = palabre(*arguments(folder, generations), settings=PLAIN)
        assert done.returncode == 0, done.stderr
        rows = [line.split() for line in done.stdout.splitlines() if line.split()[:1] in (["1"], ["2"])]
        assert [row[0] for row in rows] == ["1", "2"][:generations]
        assert tells(done.stderr, "learn.resumed" if generations == 2 else "learn.estimate")
        assert tells(done.stderr, "learn.positions", generation=generations)
        assert tells(done.stderr, "learn.training", generation=generations)
        assert tells(done.stderr, "learn.gate", generation=generations)
        assert tells(done.stdout, "learn.page", file=folder / "report.md")
    assert (folder / "report.md").read_text(encoding="utf-8").count("\n| ") == 4
    done = palabre(*arguments(folder, 1), "--lanes", "64", settings=PLAIN)
    assert done.returncode == 2
    assert tells(done.stderr, "learn.other_settings", folder=folder)


@pytest.mark.parametrize(
    ("given", "id"),
    [
        (["examples/othello.py"], "learn.no_features"),
        (["penguins:players=3"], "fit.two_players"),
        (["awele", "--lanes", "48"], "learn.lanes"),
        (["awele", "--gate-games", "3"], "learn.odd_games"),
    ],
)
def test_what_cannot_be_learned_is_refused_before_anything_is_written(
    tmp_path: Path, given: list[str], id: str
) -> None:
    done = palabre("learn", *given, "--out", str(tmp_path / "new"), settings=PLAIN)
    assert done.returncode == 2
    assert tells(done.stderr, id)
    assert not (tmp_path / "new").exists()
