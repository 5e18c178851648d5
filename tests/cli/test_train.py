"""`palabre train` from outside."""

import json
import re
from pathlib import Path

import pytest

from palabre.core.words import say
from palabre.games.penguins.evaluation import Weights
from palabre.games.penguins.training import TRAINED
from tests.command import end, palabre, running, wait_until
from tests.sentences import tells

pytestmark = pytest.mark.processes

MEANT_BOARDS = say("did_you_mean", choice="boards")
QUICK = ("--with", "boards=1,playouts=50,rival_playouts=2", "--check", "3")


def test_it_tells_the_weights_and_checks_them() -> None:
    done = palabre("train", "penguins", "--steps", "4", *QUICK)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert tells(lines[0], "train.steps", steps=4)
    beaten = "train.not_beaten" if tells(lines[0], "train.steps", kept=0) else "train.beaten"
    assert tells(lines[0], beaten, rival="montecarlo")
    assert [line.split()[0] for line in lines[2:8]] == list(TRAINED)
    assert [line.split()[:3] for line in lines[-3:]] == [
        ["trained", "untrained", "3"],
        ["trained", "montecarlo", "3"],
        ["untrained", "montecarlo", "3"],
    ]


def test_json_is_one_document_and_the_same_in_the_file(tmp_path: Path) -> None:
    out = tmp_path / "weights.json"
    done = palabre("train", "penguins", "--steps", "4", "--seed", "6", *QUICK, "--out", str(out), "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found == json.loads(out.read_text(encoding="utf-8"))
    assert (found["game"], found["evaluation"], found["steps"], found["seed"]) == ("penguins", "weights", 4, 6)
    assert (found["boards"], found["playouts"], found["rival_playouts"], found["step_size"]) == (1, 50, 2, 0.5)
    assert found["before"] == {name: getattr(Weights(), name) for name in TRAINED}
    assert list(found["weights"]) == list(TRAINED)
    assert [check["boards"] for check in found["check"]] == [3, 3, 3]
    assert all(0 <= check["share"] <= 1 and check["error"] >= 0 for check in found["check"])


@pytest.mark.parametrize(
    ("arguments", "id", "params"),
    [
        (["awele"], "training.none", {"game": "awele", "games": "penguins"}),
        (["penguins:players=4"], "training.two_players", {"game": "penguins:players=4", "players": 4}),
        (["penguins", "--with", "step_size=nan"], "spec.bad_value", {"name": "step_size", "value": "nan"}),
        (["penguins", "--with", "board=3"], "spec.unknown_parameter", {"name": "board", "hint": MEANT_BOARDS}),
        (
            ["penguins", "--out", "no/such/folder/weights.json"],
            "path.no_folder",
            {"path": "no/such/folder/weights.json"},
        ),
    ],
)
def test_a_mistake_is_told_before_the_work(arguments: list[str], id: str, params: dict[str, object]) -> None:
    done = palabre("train", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("palabre: ")
    assert tells(done.stderr, id, **params)
    assert len(done.stderr.splitlines()) == 1


def test_no_steps_are_refused_by_the_option() -> None:
    done = palabre("train", "penguins", "--steps", "0")
    assert (done.returncode, done.stdout) == (2, "")
    assert "'--steps'" in done.stderr


def test_an_interrupted_training_checks_and_keeps_what_it_has(tmp_path: Path) -> None:
    out = tmp_path / "weights.json"
    with running("train", "penguins", "--steps", "100000", *QUICK, "--out", str(out)) as process:
        wait_until(lambda: out.exists() and re.search('"kept": [1-9]', out.read_text("utf-8")))
        printed, errors = end(process)
    assert process.returncode == 0
    assert "Traceback" not in errors
    stopped = re.search(r"stopped after (\d+) of 100000 steps", errors)
    assert stopped
    assert printed.startswith(f"{stopped[1]} steps, ")
    kept = json.loads(out.read_text(encoding="utf-8"))
    assert str(kept["steps"]) == stopped[1]
    assert [check["boards"] for check in kept["check"]] == [3, 3, 3]
