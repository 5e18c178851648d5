"""`palabre new game`: what it writes is a game in order, which bots play and people can make another one of."""

import json
import re
from pathlib import Path

import pytest

from tests.command import PLAIN, palabre
from tests.sentences import tells

pytestmark = pytest.mark.processes


@pytest.fixture
def new(tmp_path: Path) -> Path:
    done = palabre("new", "game", "three in_line.py", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "palabre check 'three in_line.py'" in done.stdout
    return tmp_path / "three in_line.py"


def test_a_new_game_obeys_the_laws(new: Path) -> None:
    done = palabre("check", new.name, "--games", "30", cwd=new.parent)
    assert done.returncode == 0, done.stdout + done.stderr
    assert tells(done.stdout, "check.holds", games=30)
    assert tells(done.stdout, "check.agree")


def test_its_moves_are_counted_right(new: Path) -> None:
    """The numbers of games of three in a row are known: 255,168 in all, of which the shortest have five plies."""
    counted = [palabre("perft", new.name, str(plies), cwd=new.parent).stdout for plies in (3, 5, 9)]
    assert [int(count) for count in counted] == [9 * 8 * 7, 9 * 8 * 7 * 6 * 5, 127_872]


def test_bots_and_people_play_it(new: Path) -> None:
    words = ["match", "palabre:nodes=300", "idiot", "--game", new.name, "--games", "10", "--json"]
    done = palabre(*words, cwd=new.parent)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["score"] > 0.7
    played = palabre("play", new.name, "--terminal", cwd=new.parent, stdin="b2\ntext\n", settings=PLAIN)
    assert played.returncode == 0, played.stderr
    assert re.search(r" > [.12]{3}/[.12]1[.12]/", played.stdout), played.stdout


def test_its_evaluation_works_as_it_stands_in_the_comments(new: Path) -> None:
    text = new.read_text(encoding="utf-8")
    before, mark, comments = text.partition("# class Weights")
    new.write_text(before + re.sub(r"^# ?", "", mark + comments, flags=re.MULTILINE), encoding="utf-8")
    done = palabre("check", new.name, "--games", "10", cwd=new.parent)
    assert done.returncode == 0, done.stdout + done.stderr
    words = ["match", "palabre:nodes=50", "palabre:nodes=50,eval=score", "--game", new.name, "--games", "2", "--json"]
    found = json.loads(palabre(*words, cwd=new.parent).stdout)
    assert found["first"]["forfeits"] == 0


@pytest.mark.parametrize(("file", "id"), [("mine", "path.no_python"), ("taken.py", "path.exists")])
def test_nothing_is_overwritten(file: str, id: str, tmp_path: Path) -> None:
    (tmp_path / "taken.py").write_text("mine", encoding="utf-8")
    done = palabre("new", "game", file, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert tells(done.stderr, id, path=file)
    assert [(found.name, found.read_text("utf-8")) for found in tmp_path.iterdir()] == [("taken.py", "mine")]
