"""`palabre replay`, `stats` and `analyse FILE`, and games on record as the place to begin from."""

import json
import os
import pty
import subprocess
from pathlib import Path

import pytest

from palabre.core.record import is_reference, load
from tests.command import COMMAND, PATIENCE, environment, palabre
from tests.sentences import tells

pytestmark = pytest.mark.processes

GAMES = """\
[Game "awele"]
[Player1 "Awa"]
[Player2 "Binta"]
[Result "1-0"]
[Termination "player 2 resigns"]

1. C d 2. E a 1-0

[Game "awele"]
[Player1 "Binta"]
[Player2 "Awa"]
[Result "*"]

1. C d *
"""
# The one move takes the seeds that decide the game.
WON = """\
[Game "awele"]
[Start "0,5,0,0,4,0/1,1,2,3,3,3 19,7 1 0"]
[Result "*"]

1. B *
"""


@pytest.fixture
def games(tmp_path: Path) -> Path:
    file = tmp_path / "games.txt"
    file.write_text(GAMES, encoding="utf-8")
    return file


def output(*arguments: str) -> str:
    done = palabre(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refusal(*arguments: str) -> str:
    done = palabre(*arguments)
    assert done.returncode == 2
    return done.stderr


def test_positions_on_record_are_shown_and_counted(games: Path) -> None:
    position = load(games)[0].positions()[2]
    assert f"\n{position.text}\n" in output("show", f"{games}#1@2")
    assert output("perft", f"{games}#1@2", "1") == f"{len(position.moves())}\n"


def test_replay_prints_every_position_where_nobody_watches(games: Path) -> None:
    shown = output("replay", str(games))
    assert shown.startswith("awele: Awa – Binta, 1-0\n")
    assert tells(shown, "step.played", ply=2, player="player 2 (Binta)", move="d")
    assert shown.count("player 1: 0") == 5
    assert "1-0: player 2 resigns" in shown


def test_replay_prints_the_ply_that_is_named(games: Path) -> None:
    shown = output("replay", f"{games}#1@3")
    assert tells(shown.splitlines()[0], "step.played", ply=3, player="player 1 (Awa)", move="E")
    assert "resigns" not in shown


def test_replay_steps_through_a_game_in_a_terminal(games: Path) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [COMMAND, "replay", f"{games}#1"], env=environment(TERM="xterm"), stdin=theirs, stdout=theirs, stderr=theirs
    ) as process:
        os.close(theirs)
        os.write(ours, b"\nb\nlast\n99\nbanana\nquit\n")
        process.wait(PATIENCE)
        shown = b""
        while True:
            try:
                chunk = os.read(ours, 1 << 16)
            except OSError:
                break
            if not chunk:
                break
            shown += chunk
    os.close(ours)
    errors = shown.decode()
    assert process.returncode == 0
    assert tells(errors, "step.played", player="player 1 (Awa)", move="C")
    assert "player 2 resigns" in errors
    assert tells(errors, "step.no_ply", ply=99, last=4)
    assert tells(errors, "step.no_command", word="banana")


def test_stats_tell_players_seats_openings_and_lengths(games: Path) -> None:
    [found] = json.loads(output("stats", str(games), "--opening-plies", "2", "--json"))
    assert (found["game"], found["finished"], found["unfinished"]) == ("awele", 1, 1)
    assert found["players"]["Awa"]["wins"] == 1
    assert found["players"]["Binta"]["forfeits"] == 1
    assert found["seats"]["1"]["points"] == 1.0
    assert list(found["openings"]) == ["C d"]
    assert found["length_quartiles"] == [4, 4, 4, 4, 4]
    shown = output("stats", str(games), "--opening-plies", "2")
    assert "awele: 1 games, 1 unfinished" in shown
    assert "Binta" in shown


def test_stats_of_no_records_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").touch()
    assert tells(refusal("stats", str(tmp_path / "empty.txt")), "observe.no_records", files=tmp_path / "empty.txt")


def test_analyse_reviews_a_recorded_game(games: Path) -> None:
    found = json.loads(output("analyse", str(games), "--nodes", "300", "--json"))
    assert [one["move"] for one in found["moves"]] == ["C", "d", "E", "a"]
    assert [one["player"] for one in found["moves"]] == [1, 2, 1, 2]
    assert "chance lost a move" in output("analyse", f"{games}#1", "--nodes", "300")


def test_a_missed_win_is_marked(tmp_path: Path) -> None:
    file = tmp_path / "won.txt"
    file.write_text(WON, encoding="utf-8")
    [missed] = json.loads(output("analyse", str(file), "--depth", "2", "--json"))["moves"]
    assert missed["best"][0] == "E"
    assert missed["chance_before"] == 1.0


def test_analyse_and_play_begin_from_a_position_on_record(games: Path) -> None:
    found = json.loads(output("analyse", f"{games}#1@2", "--depth", "1", "--json"))
    position = found["position"]
    assert found["to_move"] == 1
    assert "result" in found
    done = palabre("play", "--terminal", f"{games}#1@2", "--players", "person,person", stdin="text\n")
    assert position in done.stdout


def test_what_a_reference_lacks_is_named(games: Path) -> None:
    assert tells(refusal("replay", f"{games}#3"), "record.no_game", number=3, games=2)
    assert tells(refusal("replay", f"{games}#1@9"), "record.no_ply", number=1, ply=9, plies=4)
    assert tells(refusal("replay", "nowhere.txt"), "record.unreadable", file="nowhere.txt")
    errors = refusal("play", "--terminal", f"{games}#1", "--position", "x")
    assert tells(errors, "option.two_starts", first="--position", second=f"{games}#1")
    assert tells(refusal("analyse", str(games), "--moves", "C"), "analysis.whole_game", spec=games)


def test_records_of_somebodys_game_run_only_if_trusted(small_game: Path, tmp_path: Path) -> None:
    file = tmp_path / "own.txt"
    file.write_text(f'[Game "{small_game}"]\n\n*\n', encoding="utf-8")
    assert tells(refusal("replay", str(file)), "record.not_trusted", game=small_game)
    assert "unfinished" in output("replay", str(file), "--trust")


def test_the_games_of_an_event_are_records_too(tmp_path: Path) -> None:
    event = tmp_path / "friends.event"
    output("match", "random", "greedy", "--game", "awele", "--games", "4", "--event", str(event))
    [found] = json.loads(output("stats", str(event), "--json"))
    assert found["finished"] == 4
    assert output("replay", f"{event}#2").startswith("awele: greedy – random")
    assert tells(refusal("replay", f"{event}#5"), "record.no_game", number=5, games=4)


def test_the_source_of_a_game_is_no_file_of_records(small_game: Path, games: Path) -> None:
    assert not is_reference(str(small_game))
    assert not is_reference("awele")
    assert is_reference(str(games))
    assert is_reference(f"{games}#2@7")
