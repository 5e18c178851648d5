"""Paths that commands are given: what cannot be written or read is refused before anything begins, by every command.

The commands are read from the program itself, so that a new option cannot be forgotten.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from palabre.cli import main, paths
from palabre.cli.paths import CALLBACKS, write_file
from palabre.core.errors import PalabreError
from palabre.core.words import LANGUAGES
from palabre.evaluation.chances import calibration_file
from tests.command import PLAIN, palabre
from tests.sentences import tells

OUTPUTS = (paths.output_file, paths.appended_file, paths.new_file, paths.made_file)


def commands() -> Iterator[tuple[str, Any]]:
    """Every command and its parameters, as the program knows them."""
    main._add_commands(None)
    waiting = [("", typer.main.get_command(main.app))]
    while waiting:
        name, command = waiting.pop()
        inner = getattr(command, "commands", None)
        if inner is None:
            yield from ((name.strip(), parameter) for parameter in command.params)
        else:
            waiting += [(f"{name} {each}", inner[each]) for each in inner]


def callback_of(parameter: Any) -> Any:
    """The function that a parameter is checked by, as it is in the source."""
    return getattr(parameter.callback, "__wrapped__", parameter.callback)


def is_path(parameter: Any) -> bool:
    kind = parameter.type
    return any("Path" in type(each).__name__ for each in (kind, *getattr(kind, "types", ())))


PATHS = [(name, parameter) for name, parameter in commands() if is_path(parameter)]
WRITTEN = [(name, parameter) for name, parameter in PATHS if callback_of(parameter) in OUTPUTS]

# What else each command needs, to get as far as its own work.
NEEDED = {
    "show": ["awele"],
    "play": ["awele", "--no-browser"],
    "match": ["random", "idiot", "--game", "awele", "--games", "2"],
    "sprt": ["random", "idiot", "--game", "awele"],
    "championship": ["random", "idiot", "--game", "awele"],
    "report": ["GAMES"],
    "observe": ["GAMES"],
    "fit": ["awele", "--eval", "standard"],
    "train": ["penguins"],
    "calibrate": ["awele"],
    "debug": ["random", "--event", "GAMES", "--game", "1", "--ply", "0"],
    "stats": [],
    "new bot": [],
    "new game": [],
}


def test_every_path_says_what_is_done_with_it() -> None:
    assert len(PATHS) > 25
    assert [f"{name} {parameter.name}" for name, parameter in PATHS if callback_of(parameter) not in CALLBACKS] == []
    assert len(WRITTEN) > 10


def words_for(name: str, parameter: Any, path: Path, folder: Path) -> list[str]:
    """A command line in which a parameter is this path."""
    games = folder / "games.txt"
    games.write_text('[Game "awele"]\n\n1. C *\n', encoding="utf-8")
    given = [str(path)] if type(parameter).__name__ == "TyperArgument" else [parameter.opts[0], str(path)]
    needed = [str(games) if word == "GAMES" else word for word in NEEDED[name]]
    if name == "observe" and parameter.name != "out":
        needed, given = ["--out", str(folder / "out.csv")], [str(path)]
    return [*name.split(), *needed, *given]


@pytest.mark.parametrize(("name", "parameter"), WRITTEN, ids=[f"{name} {each.name}" for name, each in WRITTEN])
def test_what_cannot_be_written_is_refused_before_anything_begins(name: str, parameter: Any, tmp_path: Path) -> None:
    folder = tmp_path / "folder.py"
    folder.mkdir()
    (tmp_path / "file").touch()
    nowhere = tmp_path / "no" / "such" / "out.py"
    beneath = tmp_path / "file" / "out.py"
    is_made = callback_of(parameter) is paths.made_file
    for path in [folder, beneath] if is_made else [folder, beneath, nowhere]:
        done = palabre(*words_for(name, parameter, path, tmp_path), settings=PLAIN)
        assert (done.returncode, done.stdout) == (2, ""), done.stderr
        assert str(path) in done.stderr
        assert len(done.stderr.splitlines()) == 1, "it has done something before"
    assert not nowhere.parent.exists()


def test_each_kind_of_path(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("kept", encoding="utf-8")
    nowhere = tmp_path / "no" / "file"

    def refused(check: Any, path: Path) -> str:
        with pytest.raises(PalabreError) as error:
            check(path)
        message = error.value.message
        assert not isinstance(message, str)
        assert message.params["path"] == path
        assert len({message.text(language) for language in LANGUAGES}) == len(LANGUAGES)
        return message.id

    for check in OUTPUTS:
        assert refused(check, tmp_path) == ("path.exists" if check is paths.new_file else "path.is_folder")
        assert check(None) is None
        assert check(tmp_path / "new") == tmp_path / "new"
    for check in (paths.output_file, paths.appended_file, paths.new_file):
        assert refused(check, nowhere) == "path.no_folder"
    assert refused(paths.new_file, file) == "path.exists"
    assert paths.made_file(nowhere) == nowhere
    assert refused(paths.made_file, file / "below" / "x") == "path.is_file"
    assert paths.output_folder(nowhere) == nowhere
    assert refused(paths.output_folder, file) == "path.is_file"
    assert refused(paths.input_file, nowhere) == "path.unreadable"
    assert refused(paths.input_file, tmp_path) == "path.unreadable"
    assert refused(paths.input_folder, file) == "path.unreadable"
    assert paths.output_file(Path(os.devnull)) == Path(os.devnull)
    assert paths.input_file([file, file]) == [file, file]
    assert [each.name for each in tmp_path.iterdir()] == ["file"], "checking leaves nothing behind"
    assert file.read_text(encoding="utf-8") == "kept"


def test_a_curve_that_cannot_be_kept_is_known_before_the_games(tmp_path: Path) -> None:
    """`--keep` writes beside the game, which is no option."""
    game = tmp_path / "mine.py"
    game.write_text(Path("examples/othello.py").read_text(encoding="utf-8"), encoding="utf-8")
    import palabre as library

    calibration_file(library.game(game)).mkdir()
    done = palabre("calibrate", str(game), "--keep", settings=PLAIN)
    assert done.returncode == 2
    assert tells(done.stderr, "path.is_folder", path=calibration_file(library.game(game)))


def test_a_result_for_which_there_is_no_room_in_the_end_is_kept_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    file = tmp_path / "gone" / "weights.json"
    with pytest.raises(PalabreError) as error:
        write_file(file, "{}")
    message = error.value.message
    assert not isinstance(message, str)
    assert message.id == "path.kept"
    kept = Path(str(message.params["kept"]))
    assert json.loads(kept.read_text(encoding="utf-8")) == {}
    assert kept.name == file.name
