"""The commands from outside: what they print, one JSON document, one line and exit code 2 for every mistake."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import palabre as library
from palabre.cli.paths import write_file
from palabre.core import registry
from palabre.core.words import say
from tests import take_away
from tests.command import COMMAND, PLAIN, end, environment, palabre, running, wait_until
from tests.messages import refuses
from tests.sentences import tells

pytestmark = pytest.mark.processes

START = "4,4,4,4,4,4/4,4,4,4,4,4 0,0 1 0"
OVER = "1,1,1,1,1,1/0,0,0,0,0,0 36,6 1 0"
SVG = "{http://www.w3.org/2000/svg}"


def output(*arguments: str, **options: Any) -> str:
    """What a command prints that must not fail."""
    done = palabre(*arguments, **options)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


def document(*arguments: str, **options: Any) -> Any:
    """The one JSON document that a command prints."""
    return json.loads(output(*arguments, "--json", **options))


def test_games_lists_every_game_with_its_presets_and_parameters() -> None:
    listing = output("games")
    assert "awele:course *" in listing, "what awele alone means"
    found = document("games")
    assert [game["name"] for game in found] == list(registry.names())
    for game in found:
        for preset in game["presets"]:
            assert preset["spec"] in listing
            assert library.game(preset["spec"]).options.preset == preset["name"]
            for parameter in preset["parameters"]:
                assert f"{parameter['name']}={parameter['default']}" in listing


def test_show_prints_the_board_and_its_text() -> None:
    position = library.game("awele").start().play("F")
    lines = output("show", "awele", "--position", position.text).splitlines()
    assert [line.rstrip() for line in lines[:-2]] == str(position).splitlines()
    assert lines[-1] == position.text


def test_show_tells_all_about_a_position_in_json() -> None:
    assert document("show", "awele:course,stop=7") == {
        "game": "awele:stop=7",
        "position": START,
        "to_move": 1,
        "ply": 0,
        "is_over": False,
        "scores": [0, 0],
        "result": None,
        "moves": list("ABCDEF"),
    }
    ended = document("show", "awele", "--position", OVER)
    assert (ended["moves"], ended["is_over"], ended["result"], ended["scores"]) == ([], True, [1.0, 0.0], [36, 6])


def test_show_draws_a_picture(tmp_path: Path) -> None:
    picture = tmp_path / "board.svg"
    document("show", "awele", "--svg", str(picture))
    root = ElementTree.parse(picture).getroot()
    assert root.tag == f"{SVG}svg"
    light = picture.read_text(encoding="utf-8")
    document("show", "awele", "--svg", str(picture), "--theme", "dark")
    assert picture.read_text(encoding="utf-8") != light
    labels = [text.text for text in root.iter(f"{SVG}text")]
    assert set("ABCDEFabcdef") | {"player 1: 0", "player 2: 0", "player 1 to move"} <= set(labels)
    assert START in (root.findtext(f"{SVG}desc") or "")


def test_perft_counts() -> None:
    rows = output("perft", "awele", "2", "--divide").splitlines()
    assert [row.split() for row in rows[1:]] == [*([move, "6"] for move in "ABCDEF"), ["36"]]
    found = document("perft", "awele:abapa", "3", "--divide", "--position", START)
    assert (found["game"], found["position"], found["depth"], found["nodes"]) == ("awele:abapa", START, 3, 190)
    assert list(found["divide"]) == list("ABCDEF")
    assert sum(found["divide"].values()) == 190


def test_perft_of_no_plies_is_one_and_of_an_ended_game_nothing() -> None:
    assert document("perft", "awele", "0", settings=PLAIN)["nodes"] == 1
    assert document("perft", "awele", "3", "--position", OVER, settings=PLAIN)["nodes"] == 0


def test_playouts_depend_on_the_seed_and_not_on_the_threads() -> None:
    def games(seed: str, threads: str) -> dict[str, Any]:
        found = document("playouts", "awele", "--games", "3000", "--seed", seed, "--threads", threads)
        return {name: value for name, value in found.items() if "second" not in name}

    one = games("5", "1")
    assert one["games"] == 3000 == sum(one["wins"]) + one["shared"][0]
    assert one["shared"][0] == one["shared"][1]
    assert one == games("5", "2")
    assert one != games("6", "2")


def test_playouts_stop_after_a_time_and_print_a_table() -> None:
    printed = output("playouts", "awele", "--seconds", "0.05", settings=PLAIN)
    assert "games in 0." in printed
    assert "mean score" in printed


def test_bench_takes_games_of_ours_and_files(tmp_path: Path) -> None:
    game = tmp_path / "[" / "mine].py"  # "[/mine]" is markup to whoever prints without care
    game.parent.mkdir()
    game.write_text(take_away.source(), encoding="utf-8")
    [row] = document("bench", "awele", "--seconds", "0.05")
    assert row["game"] == "awele"
    assert row["perft_depth"] > 5  # the faster the machine, the deeper
    assert row["bulk_counted_leaves_per_second"] > 0 < row["games_per_second"] < row["moves_per_second"]
    table = output("bench", str(game), "--seconds", "0.05", settings={"COLUMNS": "300", **PLAIN})
    assert str(game) in table
    assert "bulk-counted" in table  # The moves of the last ply are counted and not played.


def test_doctor_tells_about_the_installation(tmp_path: Path) -> None:
    found = document("doctor", cache=tmp_path / "new" / "cache")
    assert found["palabre"] == library.__version__
    assert Path(found["executable"]).samefile(sys.executable)
    assert (found["cache"], found["cache_bytes"], found["cache_writable"]) == (str(tmp_path / "new/cache"), 0, True)
    assert found["games"] == list(registry.names())
    assert "missing" not in found, "what only developers of Palabre need is shown to them"
    (tmp_path / "file").touch()
    assert document("doctor", cache=tmp_path / "file" / "cache")["cache_writable"] is False
    assert str(tmp_path / "[/cache]") in output("doctor", cache=tmp_path / "[/cache]", settings={"COLUMNS": "300"})


def test_the_module_is_the_command() -> None:
    done = subprocess.run([sys.executable, "-m", "palabre", "--version"], capture_output=True, check=True)
    assert done.stdout.decode() == output("--version") == f"palabre {library.__version__}\n"


def test_without_a_command_there_is_help() -> None:
    done = palabre()
    assert "Usage: palabre" in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("command", "default"),
    [
        ("analyse", "(default: until Ctrl-C; 1 if the output is not a terminal)"),
        ("championship", "(default: FOLDER.event in the current folder)"),
        ("report", "(default: EVENT-report next to EVENT)"),
    ],
)
def test_help_tells_defaults_in_words(command: str, default: str) -> None:
    """Not in square brackets: the library that prints the help would take them for a style, and print nothing."""
    assert default in output(command, "--help", settings={"COLUMNS": "200"})


@pytest.mark.parametrize(
    ("arguments", "id", "params"),
    [
        (["show", "awelle"], "spec.no_game", {"name": "awelle", "hint": say("did_you_mean", choice="awele")}),
        (["show", "awele:abappa"], "spec.unknown_preset", {"hint": say("did_you_mean", choice="abapa")}),
        (["perft", "awele:stops=3", "2"], "spec.unknown_parameter", {"hint": say("did_you_mean", choice="stop")}),
        (["show", "awele", "--position", "4,4"], "text.parts", {"text": "4,4", "found": 1, "wanted": 4}),
        (["playouts", "awele", "--position", OVER], "analysis.is_over", {"position": OVER}),
        (["show", "awele", "--svg", "/no/such/folder/board.svg"], "path.no_folder", {"folder": "/no/such/folder"}),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(arguments: list[str], id: str, params: dict[str, object]) -> None:
    done = palabre(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert done.stderr.startswith("palabre: ")
    assert tells(done.stderr, id, **params)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["perft", "awele", "-1"], "-1"),
        (["perft", "awele", "61"], "60"),
        (["perft", "awele", "1.5"], "'1.5'"),
        (["frobnicate"], "'frobnicate'"),
        (["show"], "SPEC"),
        (["show", "awele", "--nonsense"], "--nonsense"),
        (["playouts", "awele", "--seconds", "nan"], "seconds"),
        (["bench", "awele", "--seconds", "0"], "seconds"),
        (["playouts", "awele", "--seed", str(2**63)], "seed"),
    ],
)
def test_a_wrong_word_is_named_in_one_line(arguments: list[str], named: str) -> None:
    done = palabre(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert done.stderr.startswith("palabre: ")
    assert named in done.stderr


def test_a_broken_game_file_is_one_line_whatever_it_says(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("raise ValueError('first\\nsecond [/dim] \\x1b[2J')\n")
    done = palabre("show", str(tmp_path / "mine.py"))
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "first second [/dim]" in done.stderr


@pytest.mark.parametrize("arguments", [["perft", "awele", "40"], ["playouts", "SMALL", "--games", "2000000000"]])
def test_ctrl_c_stops_long_work_at_once(arguments: list[str], small_game: Path, tmp_path: Path) -> None:
    arguments = [str(small_game) if word == "SMALL" else word for word in arguments]
    with running(*arguments, cache=tmp_path) as process:
        # Compiled code runs as soon as it is in the cache, which was empty.
        wait_until(lambda: list(tmp_path.rglob("*.nbc")))
        time.sleep(0.3)
        _, errors = end(process)
    assert process.returncode == 130
    assert "Traceback" not in errors


@pytest.mark.parametrize(
    "arguments", [["games"], ["games", "--json"], ["play", "--terminal", "awele", "--players", "random,random"]]
)
def test_a_reader_who_leaves_early_is_no_mistake(arguments: list[str]) -> None:
    with running(*arguments) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("arguments", [["games"], ["games", "--json"], ["show", "awele"]])
def test_output_that_cannot_be_written_is_told_in_one_line(arguments: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [COMMAND, *arguments], env=environment(), stdout=full, stderr=subprocess.PIPE, encoding="utf-8", check=False
        )
    assert done.returncode == 2
    [errors] = done.stderr.splitlines()
    assert tells(errors, "output.unwritable", error="No space left on device")


@pytest.mark.parametrize("arguments", [["games"], ["games", "--json"], ["show", "awele"], ["--version"]])
def test_a_closed_output_is_told_in_one_line(arguments: list[str]) -> None:
    done = subprocess.run(
        ["sh", "-c", '"$0" "$@" >&-', COMMAND, *arguments], env=environment(), capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"palabre: cannot write the output: Bad file descriptor\n"


@pytest.mark.parametrize(
    ("closed", "arguments", "status"),
    [
        ("2>&-", ["games"], 0),
        ("2>&-", ["show", "awelle"], 2),
        (">&- 2>&-", ["games"], 2),
        ("<&-", ["show", "awele"], 0),
        ("<&- >&- 2>&-", ["show", "awele"], 2),
    ],
)
def test_closed_streams_change_no_exit_status(closed: str, arguments: list[str], status: int) -> None:
    done = subprocess.run(
        ["sh", "-c", f'"$0" "$@" {closed}', COMMAND, *arguments], env=environment(), capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (status, b"")


INTERRUPTED_IMPORT = """
import builtins, os, signal, sys
sys.argv = ["palabre", "games"]
real = builtins.__import__
def interrupted(name, *arguments, **options):
    if name.startswith(sys.orig_argv[-1]):
        os.kill(os.getpid(), signal.SIGINT)
    return real(name, *arguments, **options)
builtins.__import__ = interrupted
from palabre.cli.start import run
run()
"""


@pytest.mark.parametrize(
    "module", ["typer", "rich", "palabre.core", "palabre.draw", "palabre.laws", "palabre.cli.output"]
)
def test_ctrl_c_during_imports_ends_in_silence(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_IMPORT, module], env=environment(), capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_the_way_into_the_command_imports_nothing_that_takes_time() -> None:
    """Else Ctrl-C could come before anybody is ready for it."""
    code = "import sys; import palabre.cli.start; print(*(name for name in sys.modules if name.startswith('palabre')))"
    loaded = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, check=True)
    assert loaded.stdout.decode().split() == ["palabre", "palabre.cli", "palabre.cli.start"]


def test_a_file_that_cannot_be_written_whole_stays_as_it_was(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    file = tmp_path / "kept.json"
    write_file(file, "old")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, limits[1]))  # as if the disk were full from there on
    try:
        with refuses("path.lost", path=file, error="File too large"):
            write_file(file, "new" * (1 << 16))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert file.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_device_is_written_to_and_a_link_is_followed(tmp_path: Path) -> None:
    write_file(Path("/dev/null"), "gone")
    assert not Path("/dev/null").is_file()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "file")
    write_file(link, "text")
    assert link.is_symlink()
    assert (tmp_path / "file").read_text(encoding="utf-8") == "text"


def test_an_old_terminal_gets_signs_it_has() -> None:
    done = palabre("show", "awele", settings={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0, done.stderr
    assert "player 1: 0" in done.stdout
