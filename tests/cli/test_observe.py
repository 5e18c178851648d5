"""`palabre observe`, and `--data` in the commands in which bots learn."""

from pathlib import Path

import pytest

from palabre.arena.store import read_store
from tests.command import PLAIN, palabre
from tests.sentences import tells

pytestmark = pytest.mark.processes

FAST = ("--unbalanced", "--workers", "0")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of observations."""
    folder = tmp_path_factory.mktemp("data")
    records = str(folder / "games.txt")
    arguments = ("match", "greedy", "idiot", "--game", "awele", "--games", "8", "--record", records)
    assert palabre(*arguments, *FAST, settings=PLAIN).returncode == 0
    done = palabre("observe", records, "--out", str(folder / "some.data"))
    assert done.returncode == 0, done.stderr
    assert "observations of" in done.stdout
    return folder / "some.data"


def test_records_become_observations(data: Path) -> None:
    lines = data.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "J1,J2,J3,J4,J5,J6,A1,A2,A3,A4,A5,A6,C,R"
    assert len(lines) > 100
    assert {line[-1] for line in lines[1:]} == {"G", "P"}


def test_an_event_becomes_observations_and_learners_play_by_them(data: Path, tmp_path: Path) -> None:
    arguments = ("match", "learner:model=bayes", "idiot", "--game", "awele", "--games", "4", "--event", "some.event")
    done = palabre(*arguments, "--data", str(data), *FAST, cwd=tmp_path, settings=PLAIN)
    assert done.returncode == 0, done.stderr
    with read_store(tmp_path / "some.event") as store:
        assert store.settings.data.endswith(store.settings.data.split()[-1])
        assert store.settings.data.split()[0] == str(len(data.read_text().splitlines()) - 1)
    other = palabre(*arguments, *FAST, cwd=tmp_path, settings=PLAIN)
    assert other.returncode == 2
    assert tells(other.stderr, "event.other_setting", name="--data")
    done = palabre("observe", "some.event", "--out", "more.data", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "more.data").exists()


def test_every_command_in_which_bots_learn_takes_data(data: Path, tmp_path: Path) -> None:
    given = ("--game", "awele", "--data", str(data), *FAST)
    sprt = ("sprt", "learner:model=bayes", "idiot", "--max-games", "4", *given)
    course = ("championship", "learner:model=bayes", "idiot", "--format", "course:repeats=1", "--marks", "rank", *given)
    for arguments in (sprt, course):
        done = palabre(*arguments, cwd=tmp_path, settings=PLAIN)
        assert done.returncode == 0, done.stderr
    wrong = data.read_text(encoding="utf-8").replace(",G\n", ",X\n", 1)
    (tmp_path / "wrong.data").write_text(wrong, encoding="utf-8")
    done = palabre("match", "greedy", "idiot", "--game", "awele", "--data", "wrong.data", cwd=tmp_path)
    assert done.returncode == 2
    assert tells(done.stderr, "observations.place", file="wrong.data", line=2)
    assert tells(done.stderr, "observations.cell", column="R", value="X")
    assert tells(done.stderr, "observations.result", won="G", lost="P")


def test_what_cannot_be_observed_is_told(tmp_path: Path) -> None:
    (tmp_path / "none.txt").write_text("", encoding="utf-8")
    done = palabre("observe", "none.txt", "--out", "x.data", cwd=tmp_path)
    assert done.returncode == 2
    assert tells(done.stderr, "observe.no_games", files="none.txt")
    (tmp_path / "one.txt").write_text('[Game "awele"]\n[Result "*"]\n\n1. A a *\n', encoding="utf-8")
    done = palabre("observe", "one.txt", "--out", "x.data", cwd=tmp_path)
    assert tells(done.stderr, "observations.nobody_won", games=1)
    (tmp_path / "two.txt").write_text('[Game "avalam"]\n[Result "*"]\n\n*\n', encoding="utf-8")
    done = palabre("observe", "one.txt", "two.txt", "--out", "x.data", cwd=tmp_path)
    assert tells(done.stderr, "observations.mixed", game="awele", other="avalam")
    assert not (tmp_path / "x.data").exists()
