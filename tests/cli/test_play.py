"""`palabre play` with scripted people: moves, taking back, pictures, records, stopping and going on."""

import shlex
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

import palabre as library
from palabre.core import registry
from palabre.core.record import load
from tests import take_away
from tests.command import COMMAND, PLAIN, end, environment, palabre, running

PERSONS = ("--players", "person,person")


def play(*lines: str, options: tuple[str, ...] = PERSONS, spec: str = "awele") -> "subprocess.CompletedProcess[str]":
    """A game in which these lines are typed, then the input ends; it must end well."""
    typed = "".join(f"{line}\n" for line in lines)
    done = palabre("play", "--terminal", spec, *options, stdin=typed, settings=PLAIN)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done


def reached(done: "subprocess.CompletedProcess[str]") -> str:
    """The position in which a person stopped, from the command that is printed for going on."""
    command = command_to_go_on(done)
    return command[command.index("--position") + 1]


def command_to_go_on(done: "subprocess.CompletedProcess[str]") -> list[str]:
    [line] = [line for line in done.stdout.splitlines() if line.startswith("  palabre play --terminal ")]
    return shlex.split(line)


def after(*moves: str) -> str:
    position = library.game("awele").start()
    for move in moves:
        position = position.play(move)
    return position.text


def test_two_persons_play_in_turn() -> None:
    done = play("C", "d", " F ", "quit")
    assert reached(done) == after("C", "d", "F")
    assert "player 2 (person) played d" in done.stdout
    assert done.stderr == ""


def test_the_end_of_the_input_is_the_wish_to_stop() -> None:
    assert reached(play("C", "d")) == after("C", "d")
    assert reached(play()) == after()


def test_an_illegal_move_is_explained_and_nothing_is_played() -> None:
    done = play("Z", "C", "c", "C", "", "   ")
    told = done.stderr.splitlines()
    assert len(told) == 2
    assert "'Z' is not a legal move" in told[0]
    assert "that pit is empty" in told[1]
    assert reached(done) == after("C", "c")


def test_undo_takes_back_and_at_the_start_there_is_nothing_to_take_back() -> None:
    done = play("undo", "C", "d", "undo", "UNDO", "undo", "A")
    assert done.stderr.splitlines() == ["there is nothing to take back"] * 2
    assert reached(done) == after("A")


def test_undo_against_a_random_player_gives_the_person_the_move_again() -> None:
    done = play("A", "undo", options=("--players", "person,random"))
    assert reached(done) == after()
    done = play("a", "undo", options=("--players", "random,person"))
    assert reached(done).split()[-2:] == ["2", "1"]
    done = play("undo", options=("--players", "random,person"))
    assert "nothing to take back" in done.stderr


def test_words_that_ask_are_answered() -> None:
    printed = play("help", "moves", "text", "HELP").stdout
    assert printed.count("take back to your last turn") == 2
    assert "A, B, C, D, E, F\n" in printed
    assert f"{after()}\n" in printed


def test_pictures_and_records_are_written(tmp_path: Path) -> None:
    board, games = tmp_path / "my board.svg", tmp_path / "games.txt"
    done = play("C", f"svg {board}", f"save {games}", "d", options=(*PERSONS, "--record", str(games)))
    assert ElementTree.parse(board).getroot().tag.endswith("svg")
    assert [record.moves for record in load(games)] == [("C",), ("C", "d")]
    assert load(games)[1].tags["Player2"] == "person"
    assert reached(done) == after("C", "d")


def test_a_file_that_cannot_be_written_does_not_end_the_game(tmp_path: Path) -> None:
    missing = tmp_path / "missing" / "file"
    done = play(
        "svg", "save", f"svg {missing}", "C", f"save {missing}", "d", options=(*PERSONS, "--record", str(missing))
    )
    assert done.stderr.count(f"cannot write {missing}") == 3
    assert "1. C d *" in done.stdout
    assert reached(done) == after("C", "d")


def test_random_players_play_to_the_end_the_same_for_a_seed(tmp_path: Path) -> None:
    def game(name: str, seed: int) -> tuple[str, ...]:
        options = ("--players", "random,random", "--seed", str(seed), "--record", str(tmp_path / name))
        done = play(options=options)
        assert "The game is over: player" in done.stdout
        [record] = load(tmp_path / name)
        assert record.positions()[-1].is_over
        return record.moves

    assert game("one", 3) == game("two", 3) != game("three", 4)


def test_the_printed_command_goes_on_from_there(tmp_path: Path) -> None:
    spec = tmp_path / "it's mine.py"
    spec.write_text(take_away.source(), encoding="utf-8")
    stopped = play("3", "2", options=PERSONS, spec=str(spec))
    on = palabre(*command_to_go_on(stopped)[1:], stdin="1\n")
    assert on.returncode == 0, on.stderr
    assert reached(on) == "6 2"


def test_a_game_is_chosen_by_number_or_name() -> None:
    number = list(registry.names()).index("awele") + 1
    for answer in (str(number), "awele"):
        done = palabre("play", stdin=f"\n{answer}\nC\n", settings=PLAIN)
        assert done.returncode == 0, done.stderr
        assert "played C" in done.stdout


def test_who_is_asked_for_a_game_may_leave_or_err() -> None:
    left = palabre("play")
    assert (left.returncode, left.stderr) == (0, "")
    wrong = palabre("play", stdin="99\n")
    assert wrong.returncode == 2
    assert len(wrong.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("players", "told"),
    [
        ("person", "names 1 player(s), this game has 2"),
        ("person,random,random", "names 3 player(s)"),
        ("person,randon", "there is no bot 'randon' (did you mean random?); the bots are idiot,"),
        ("persom,random", "there is no player 'persom' (did you mean person?)"),
        ("divine,person", "divine plays avalam, not awele; the bots for it are idiot,"),
        ("alphabeta:depth=2,eval=luck,person", "alphabeta: eval='luck' is not valid; eval is standard, score"),
        ("", "there is no bot ''"),
    ],
)
def test_bad_players_are_named(players: str, told: str) -> None:
    done = palabre("play", "awele", "--players", players)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_bytes_that_are_no_text_are_an_illegal_move() -> None:
    done = subprocess.run(
        [COMMAND, "play", "awele"],
        input=b"\xff\xfe\0\nC\n",
        env=environment(None, PYTHONIOENCODING="utf-8:strict", **PLAIN),
        capture_output=True,
        check=True,
    )
    assert b"is not a legal move" in done.stderr
    assert b"played C" in done.stdout


def test_clocks_are_part_of_the_command_to_go_on() -> None:
    done = play("C", options=("--players", "person,idiot", "--clock", "0:30+1", "--time", "5"))
    command = command_to_go_on(done)
    assert command[command.index("--clock") + 1] == "0:30+1"
    assert command[command.index("--time") + 1] == "5.0"


def test_ctrl_c_keeps_the_record_and_tells_how_to_go_on(tmp_path: Path) -> None:
    arguments = ("play", "awele", *PERSONS, "--record", str(tmp_path / "games.txt"))
    settings = {"PYTHONUNBUFFERED": "1"}
    with running(*arguments, settings=settings, stdin=subprocess.PIPE, bufsize=0) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"C\n")
        printed = b""
        while "player 2 > " not in printed.decode(errors="ignore"):
            printed += process.stdout.read(1)
        rest, told = end(process)
    assert f"--position '{after('C')}'" in rest
    assert "Traceback" not in told
    assert [record.moves for record in load(tmp_path / "games.txt")] == [("C",)]


def test_a_game_that_is_over_is_not_played_on(tmp_path: Path) -> None:
    over = "1,1,1,1,1,1/0,0,0,0,0,0 36,6 1 0"
    done = play("A", options=("--position", over, "--record", str(tmp_path / "none")))
    assert "The game is over: player 1 wins." in done.stdout
    assert not (tmp_path / "none").exists()
