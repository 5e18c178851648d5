"""The first use of somebody's game: a quick check apart, remembered; a broken one stops a command with its sentence."""

from pathlib import Path

import pytest

import palabre
from palabre.laws.first_use import check_first_use
from tests import take_away
from tests.command import PLAIN
from tests.command import palabre as command
from tests.laws.zoo import BESIDE, BROKEN, DEADLY, edited, write, write_beside
from tests.messages import refuses
from tests.sentences import tells

pytestmark = pytest.mark.processes

NOTE = "checking the rules of"


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ("too few codes", ["playouts", "GAME", "--seconds", "1"]),
        ("too small a buffer", ["perft", "GAME", "3"]),
        ("a word beyond 64 bits", ["match", "random", "idiot", "--game", "GAME", "--games", "2"]),
        ("no end", ["playouts", "GAME", "--seconds", "1"]),
        ("a forgotten @kernel", ["play", "GAME", "--terminal"]),
        ("a score that is no int", ["play", "GAME", "--no-browser", "--port", "0"]),
        ("moves descend", ["analyse", "GAME"]),
    ],
)
def test_a_command_stops_with_the_sentence(case: str, words: list[str], tmp_path: Path) -> None:
    before, after, told = BROKEN[case]
    game = write(tmp_path, edited(before, after))
    done = command(*(game if word == "GAME" else word for word in words), cache=tmp_path / "cache")
    assert done.returncode == 2, done.stdout
    assert done.stdout == ""
    assert tells(done.stderr, "first_use.broken", game=game)
    assert told.is_in(done.stderr), done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("case", ["a crash", "a rule that exits"])
def test_a_game_that_would_kill_the_command_does_not(case: str, tmp_path: Path) -> None:
    before, after, told = DEADLY[case]
    game = write(tmp_path, edited(before, after))
    done = command("show", game, cache=tmp_path / "cache")
    assert done.returncode == 2, done.stdout
    assert told.is_in(done.stderr), done.stderr


def test_python_is_told_the_sentence(tmp_path: Path) -> None:
    before, after, told = BROKEN["moves descend"]
    game = write(tmp_path, edited(before, after))
    with refuses("first_use.broken", game=game) as refused:
        palabre.game(game)
    assert told.is_in(str(refused.value)), refused.value


def test_a_game_in_order_is_checked_once_and_again_after_an_edit(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    game = write(tmp_path, take_away.source())
    shown = [command("show", game, cache=cache, settings=PLAIN) for _ in range(2)]
    write(tmp_path, take_away.source(MOST="2"))
    shown.append(command("show", game, cache=cache, settings=PLAIN))
    write_beside(tmp_path, *BESIDE["words that are no TOML"][:2])
    shown.append(command("show", game, cache=cache, settings=PLAIN))
    assert [done.returncode for done in shown] == [0, 0, 0, 2]
    assert [NOTE in done.stderr for done in shown] == [
        True,
        False,
        True,
        False,
    ]  # of the last, not even the words can be read


def test_another_variant_is_another_first_use(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    game = write(tmp_path, take_away.source())
    shown = [command("show", f"{game}{items}", cache=cache, settings=PLAIN) for items in ("", ":heap=5", ":heap=5")]
    assert [NOTE in done.stderr for done in shown] == [True, True, False]


def test_our_own_games_are_not_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALABRE_CACHE", str(tmp_path))
    check_first_use("awele:abapa")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["x" * 300 + ".py", "no/such.py", "no\\such"])
def test_what_is_no_file_is_left_to_whoever_loads_it(name: str) -> None:
    check_first_use(name)


def test_what_cannot_be_loaded_is_told_as_elsewhere(tmp_path: Path) -> None:
    game = write(tmp_path, take_away.source().replace("def cells", "def no_cells"))
    done = command("show", game, cache=tmp_path / "cache", settings=PLAIN)
    assert (done.returncode, done.stdout) == (2, "")
    assert tells(done.stderr, "contract.lacks", missing="cells")
    assert "law" not in done.stderr
