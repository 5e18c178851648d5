"""Games by the path of their file or folder: what is a game, and what is told of a file that is none."""

import re
from pathlib import Path

import pytest

import palabre
from palabre.core.errors import BadSpec
from palabre.core.words import say
from palabre.draw import svg
from tests import take_away
from tests.command import palabre as command
from tests.messages import refuses
from tests.sentences import tells

BOARD = "\nfrom palabre.core.board import Board\n\nBOARD = Board({})\n"


def write(folder: Path, name: str, text: str) -> str:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return str(file)


def write_folder_game(folder: Path, **parts: str) -> str:
    """Take-Away as a folder with the four files that every game of ours has; `parts` replaces some of them."""
    names = {
        "notation": ["move_to_text", "state_to_text", "text_to_state"],
        "view": ["cells", "pieces", "clicks"],
    }
    texts = {
        "__init__": "from .rules import GAME as GAME\n",
        "rules": take_away.source(),
        **{part: "".join(f"from .rules import {name} as {name}\n" for name in names[part]) for part in names},
        **parts,
    }
    for part, text in texts.items():
        write(folder, f"{part}.py", text)
    return str(folder)


def test_a_game_file_is_a_game_with_variants(tmp_path: Path) -> None:
    path = write(tmp_path, "mine.py", take_away.source())
    game = palabre.game(f"{path}:heap=5")
    assert (game.spec, game.title, game.players) == (f"{path}:heap=5", "Take-Away", 2)
    last = game.start().play("3").play("2")
    assert (last.is_over, last.result, last.scores) == (True, (0.0, 1.0), (0, 1))
    assert palabre.game(f"{path}:standard,heap=12").spec == path
    with refuses(
        "spec.bad_value", owner="take-away", name="heap", value="41", valid=say("spec.range", least=1, most=40)
    ):
        palabre.game(f"{path}:heap=41")


def test_a_file_may_mean_something_else_by_the_name_board(tmp_path: Path) -> None:
    game = palabre.game(write(tmp_path, "mine.py", take_away.source() + "\nBOARD = (1 << 49) - 1\n"))
    assert "seed-brown" in svg.draw(game.start())


def test_a_folder_is_a_game_too(tmp_path: Path) -> None:
    game = palabre.game(write_folder_game(tmp_path / "mine"))
    assert game.start().play("2").text == "10 2"
    assert {file.name for file in game.sources()} == {"__init__.py", "rules.py", "notation.py", "view.py"}


def test_files_of_one_name_in_two_folders_are_two_games(tmp_path: Path) -> None:
    paths = [write(tmp_path / most, "mine.py", take_away.source(MOST=most)) for most in ("2", "3")]
    assert [len(palabre.game(path).start().moves()) for path in paths] == [2, 3]
    folders = [
        write_folder_game(tmp_path / f"folder{most}" / "mine", rules=take_away.source(MOST=most)) for most in "23"
    ]
    assert [len(palabre.game(path).start().moves()) for path in folders] == [2, 3]


def test_helpers_of_one_name_in_two_folders_are_two_helpers(tmp_path: Path) -> None:
    for most in "23":
        write(tmp_path / most, "limits.py", f"HOW_MANY = {most}\n")
        write(tmp_path / most, "mine.py", "import limits\n" + take_away.source(MOST="limits.HOW_MANY"))
    assert [len(palabre.game(str(tmp_path / most / "mine.py")).start().moves()) for most in "23"] == [2, 3]


@pytest.mark.parametrize(
    ("text", "id", "params", "says"),
    [
        ("def broken(:\n", "spec.unloadable", {}, r"SyntaxError: .*line 1"),
        ("\n\nraise RuntimeError('first\\nsecond')\n", "spec.unloadable", {}, r"first second.*line 3"),
        ("import no_such_module\n", "spec.unloadable", {}, r"ModuleNotFoundError: .*no_such_module"),
        ("import sys\nsys.exit('bye')\n", "spec.unloadable", {}, r"SystemExit: bye"),
        ("\0", "spec.null_byte", {"line": 1}, ""),
        ("", "spec.no_game_in_file", {}, ""),
        ("GAME = 'take-away'\n", "spec.no_game_in_file", {}, ""),
        (take_away.source(MOST="nonsense"), "spec.unloadable", {}, r"NameError: .*nonsense"),
        (take_away.source().replace("def cells", "def no_cells"), "contract.lacks", {"missing": "cells"}, ""),
        (
            take_away.source().replace("def start", "def begin").replace("MOST_MOVES =", "M ="),
            "contract.lacks",
            {"missing": "MOST_MOVES, start"},
            "",
        ),
        (take_away.source().replace("@rule\ndef play", "def play"), "contract.lacks", {"missing": "@rule play"}, ""),
        (take_away.source().replace("@rule\ndef play", "@rule\ndef plays"), "spec.unloadable", {}, "@rule plays: "),
        (take_away.source() + BOARD.format('"gold"'), "contract.material", {"material": "gold"}, "wood, slate, ice"),
        (take_away.source() + BOARD.format('direction="up"'), "contract.direction", {"direction": "up"}, "clockwise,"),
        (
            take_away.source() + BOARD.format('players=("black", "mauve")'),
            "contract.colour",
            {"colour": "mauve"},
            "blue,",
        ),
        (take_away.source() + BOARD.format('players=("black",)'), "contract.colours", {"count": 1, "players": 2}, ""),
        (take_away.source().replace("class State(NamedTuple)", "class State"), "contract.no_tuple", {}, ""),
    ],
)
def test_a_file_that_is_no_game_is_named_with_the_reason(
    text: str, id: str, params: dict[str, object], says: str, tmp_path: Path
) -> None:
    path = write(tmp_path, "mine.py", text)
    for _ in range(2):  # a failed import must not be taken for a loaded one
        with refuses(id, **params) as error:
            palabre.game(path)
        assert re.search(says, str(error.value))
        assert path in str(error.value)
        assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("part", "text", "id", "params"),
    [
        ("rules", "def broken(:\n", "spec.unloadable", {}),
        ("notation", "import no_such_module\n", "spec.unloadable", {}),
        ("view", "", "contract.lacks", {"missing": "cells, pieces, clicks"}),
        ("__init__", "", "spec.no_game_in_file", {}),
    ],
)
def test_a_folder_that_is_no_game_is_named_with_the_reason(
    part: str, text: str, id: str, params: dict[str, object], tmp_path: Path
) -> None:
    good = write_folder_game(
        tmp_path / "mine", __init__="from palabre.core.spec import GameFacts\n" + "GAME = GameFacts('a', 'A', 'b')\n"
    )
    Path(good, f"{part}.py").write_text(text, encoding="utf-8")
    with refuses(id, **params) as error:
        palabre.game(good)
    assert str(tmp_path) in str(error.value)


def test_a_missing_part_of_a_folder_is_named(tmp_path: Path) -> None:
    folder = write_folder_game(tmp_path / "mine")
    Path(folder, "view.py").unlink()
    with pytest.raises(BadSpec, match=re.escape(folder) + ".*view"):
        palabre.game(folder)


@pytest.mark.parametrize("name", ["missing.py", "missing", "", "folder.py"])
def test_a_path_without_a_game_is_named(name: str, tmp_path: Path) -> None:
    (tmp_path / "folder.py").mkdir()
    with refuses("spec.no_game_file", path=tmp_path / name):
        palabre.game(f"{tmp_path}/{name}")


@pytest.mark.parametrize(
    "words", [["play", "--terminal", "--players", "idiot,idiot"], ["match", "idiot", "idiot", "--game"]]
)
def test_a_rule_that_raises_is_told_in_one_line_with_its_place(words: list[str], tmp_path: Path) -> None:
    text = take_away.source().replace("return min(MOST, state.heap)", "return moves[state.heap // 0]")
    path = write(tmp_path, "mine.py", text)
    line = next(number for number, told in enumerate(text.splitlines(), start=1) if "// 0" in told)
    done = command(*words, path)
    assert done.returncode == 2
    (*_, told) = done.stderr.splitlines()
    assert tells(told, "first_use.broken")
    assert tells(told, "asked.raises", asked="legal_moves")
    assert re.search(rf"ZeroDivisionError: .* \({re.escape(path)}, line {line}\)", told)
