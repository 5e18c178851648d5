"""`palabre match` and `palabre sprt` as events: kept in a file, resumed, played by several processes."""

import json
import os
import shlex
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from palabre.arena.store import read_store
from palabre.core.record import load
from tests import take_away
from tests.command import COMMAND, PATIENCE, end, environment, palabre, running, wait_until, without_checks
from tests.sentences import tells

pytestmark = pytest.mark.processes

TAKE_AWAY = str(take_away.__file__)
BOT = """\
import os, sys, time
from palabre import Bot
class MyBot(Bot):
    def choose(self, position, clock):
        {body}
        return self.pick(position.moves())
"""


def write(folder: Path, body: str = "pass") -> str:
    (folder / "mybot.py").write_text(BOT.format(body=body), encoding="utf-8")
    return str(folder / "mybot.py")


def document(*arguments: str, code: int = 0, **options: Any) -> Any:
    done = palabre(*arguments, "--json", **options)
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


def refused(*arguments: str) -> str:
    """What a command says that is refused in one line."""
    done = palabre(*arguments)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    errors = without_checks(done.stderr)
    assert len(errors.splitlines()) == 1, errors
    return errors


# --------------------------------------------------------------------------------------------------------- resuming


def test_the_same_command_goes_on_and_more_games_are_added(tmp_path: Path) -> None:
    arguments = ("match", "greedy", "idiot", "--game", TAKE_AWAY, "--event", str(tmp_path / "e"))
    first = document(*arguments, "--games", "6")
    again = document(*arguments, "--games", "6")
    assert first["played"] == again["played"]
    more = document(*arguments, "--games", "10")
    assert more["played"][:6] == first["played"]
    assert [game["number"] for game in more["played"]] == list(range(1, 11))
    swapped = document("match", "idiot", "greedy", *arguments[3:], "--games", "10")
    assert swapped["played"] == more["played"]
    assert swapped["score"] == pytest.approx(1 - more["score"])
    third = document("match", "idiot:seed=4", *arguments[1:], "--games", "10")
    assert len(third["played"]) == 30
    assert {bot["spec"]: bot["parameters"] for bot in third["bots"]}["idiot:seed=4"] == {"seed": 4}


def test_what_does_not_fit_the_event_is_refused_with_the_remedy(tmp_path: Path) -> None:
    event, path = tmp_path / "e", write(tmp_path)
    arguments = ("match", path, "idiot", "--game", TAKE_AWAY, "--event", str(event), "--games", "4")
    before = document(*arguments)
    assert tells(refused(*arguments, "--seed", "5"), "event.other_setting", name="seed", before=0, now=5)
    assert "another game" in refused(*[word.replace(TAKE_AWAY, f"{TAKE_AWAY}:heap=9") for word in arguments])
    assert "another openings" in refused(*arguments, "--opening-plies", "1")
    assert "another format" in refused("sprt", *arguments[1:-2])
    assert tells(refused(*arguments, "--time", "5"), "event.other_clock", now="--time 5")
    write(tmp_path, "assert True")
    errors = refused(*arguments)
    assert tells(errors, "event.bot_changed")
    remedy = shlex.split(errors.rpartition("add ")[2])
    after = document(*arguments, *remedy)
    assert [game["superseded"] for game in after["played"]] == ["bot changed", None] * 4
    assert [game for game in after["played"] if not game["superseded"]] != before["played"]
    assert after["games"] == 4
    assert not event.with_name("e-lock").exists()


def test_a_match_that_was_killed_goes_on(tmp_path: Path) -> None:
    event = tmp_path / "e"
    arguments = ("match", "greedy", "idiot", "--game", "awele", "--games", "2000", "--event", str(event))

    def kept() -> int:
        try:
            with read_store(event) as store:
                return len(store.games())
        except ValueError:
            return 0

    with running(*arguments) as process:
        wait_until(lambda: kept() > 20)
        assert tells(refused(*arguments), "event.in_use", file=event)
        end(process, signal.SIGKILL)
    before = kept()
    assert 20 < before < 2000
    with running(*arguments) as process:
        wait_until(lambda: kept() > before + 20)
        printed, errors = end(process)
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert tells(printed, "played.games", games=f"{kept()} of 2000", game="awele")
    with read_store(event) as store:
        rows = store.games()
        assert len({(row.meeting, row.rotation) for row in rows}) == len(rows)


@pytest.mark.parametrize(("content", "why"), [(b"", "database.empty"), (b"not an event", "database.other_kind")])
def test_a_file_that_is_no_event(tmp_path: Path, content: bytes, why: str) -> None:
    event = tmp_path / "e"
    event.write_bytes(content)
    arguments = ("match", "greedy", "idiot", "--game", TAKE_AWAY, "--event", str(event), "--games", "2")
    assert tells(refused(*arguments), why)
    assert event.read_bytes() == content


# ------------------------------------------------------------------------------------------- who plays, and where


def test_records_are_the_same_with_one_two_and_five_workers(tmp_path: Path) -> None:
    texts = []
    for workers in ("0", "1", "2", "5"):
        games = tmp_path / f"{workers}.txt"
        arguments = ("greedy", "idiot", "idiot:seed=2", "--game", "awele", "--games", "40", "--record", str(games))
        document("match", *arguments, "--workers", workers)
        texts.append(games.read_text(encoding="utf-8"))
    assert texts[0].count("[Result") == 120
    assert len(set(texts)) == 1
    records = load(tmp_path / "5.txt")
    assert [record.tags["Round"] for record in records] == [str(number) for number in range(1, 121)]


def test_three_bots_at_a_board_for_two_meet_each_other(tmp_path: Path) -> None:
    arguments = ("match", "greedy", "idiot", "idiot:seed=2", "--game", "awele", "--games", "4")
    done = palabre(*arguments, settings={"COLUMNS": "120"})
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("12 games of awele")
    assert lines[2].split()[0] == "greedy"  # the best first
    assert [line.split()[4] for line in lines[2:5]] == ["8", "8", "8"]
    assert tells(lines[5], "played.fair_share", percent=50.0)


@pytest.mark.parametrize(
    ("bots", "seats", "games"), [(2, 3, 6), (3, 3, 3), (4, 3, 12), (2, 4, 4), (3, 4, 12), (4, 4, 4)]
)
def test_boards_for_three_and_four(bots: int, seats: int, games: int) -> None:
    """`games` is for one opening: every line-up in every rotation of the seats."""
    specs = ["greedy", "idiot", "idiot:seed=2", "idiot:seed=3"][:bots]
    found = document("match", *specs, "--game", f"penguins:players={seats}", "--games", str(seats))
    assert found["games"] == games
    for seat in range(seats):
        assert len(set(Counter(game["bots"][seat] for game in found["played"]).values())) == 1
    assert sum(one["score"] * one["seats"] for one in found["standings"]) == pytest.approx(games)
    assert found["fair_share"] == 1 / seats


def test_every_bot_has_a_time_of_its_own(tmp_path: Path) -> None:
    path = write(tmp_path, "assert 250 < clock.per_move <= 300, clock")  # the engine sets some of it aside
    fast = tmp_path / "fast.py"
    fast.write_text(BOT.format(body="assert clock.per_move == 200, clock"), encoding="utf-8")
    slow = tmp_path / "slow.py"
    slow.write_text(BOT.format(body="assert clock.per_move == 300, clock"), encoding="utf-8")
    engine = f"ugi:{COMMAND} ugi {TAKE_AWAY} --bot {path}"
    arguments = ("match", str(fast), str(slow), engine, "--game", TAKE_AWAY, "--games", "2")
    found = document(*arguments, "--time", "200,300,300")
    assert [game["ending"] for game in found["played"]] == ["by the rules"] * 6
    assert [bot["clock"]["per_move"] for bot in found["bots"]] == [200, 300, 300]
    assert all(game["timed"] == [0, 1] for game in found["played"])
    errors = refused("match", "idiot", "idiot", "--game", TAKE_AWAY, "--time", "1,2,3")
    assert tells(errors, "clock.times", option="--time", text="1,2,3", given=3, bots=2)


def test_depth_and_nodes_are_on_record_where_bots_tell_them() -> None:
    engine = f"ugi:{COMMAND} ugi awele --bot palabre:nodes=100"
    found = document("match", "palabre:depth=2", engine, "--game", "awele", "--games", "2", "--time", "300")
    for game in found["played"]:
        assert len(game["depths"]) == len(game["nodes"]) == game["plies"]
        assert all(game["nodes"][4:])
        own = [
            depth for mover, depth in zip(game["movers"], game["depths"], strict=True) if "depth" in game["bots"][mover]
        ]
        assert set(own[2:]) <= {1, 2}
    parameters = found["bots"][0]["parameters"]
    assert (parameters["depth"], parameters["memory"], parameters["level"]) == (2, 64, 10)


@pytest.mark.usefixtures("unprotected")
def test_what_a_bot_prints_does_not_break_the_document(tmp_path: Path) -> None:
    path = write(tmp_path, "print('thinking about', '\\x1b[31m', position.text[:1] and 'it', flush=True)")
    for workers in ("0", "1"):
        done = palabre("match", path, "idiot", "--game", TAKE_AWAY, "--games", "2", "--json", "--workers", workers)
        assert len(json.loads(done.stdout)["played"]) == 2
        assert "thinking about" in done.stderr
    assert "\x1b" not in done.stderr


@pytest.mark.usefixtures("unprotected")
def test_a_bot_that_ends_its_process_is_named_and_the_rest_is_kept(tmp_path: Path) -> None:
    path = write(tmp_path, "os._exit(7)")
    done = palabre("match", "greedy", "idiot", path, "--game", TAKE_AWAY, "--games", "2", "--workers", "1")
    assert done.returncode == 2
    assert tells(done.stderr, "event.deaths", bots=["greedy", path], times=3)
    assert done.stdout.startswith("2 of 6 games of ")


# --------------------------------------------------------------------------------------------------------- forfeits


@pytest.mark.usefixtures("unprotected")
def test_forfeits_are_counted_apart_and_can_be_played_once_more(tmp_path: Path) -> None:
    """The bot fails once in the first game of each process."""
    flag = tmp_path / "failed"
    path = write(tmp_path, f"assert os.path.exists({str(flag)!r}) or open({str(flag)!r}, 'w').close()")
    games = tmp_path / "games.txt"
    arguments = ("match", path, "idiot", "--game", TAKE_AWAY, "--games", "4", "--event", str(tmp_path / "e"))
    found = document(*arguments, "--workers", "1")
    assert found["first"]["forfeits"] == 1
    assert found["wins"] + found["draws"] + found["losses"] == 3
    [forfeited] = [game for game in found["played"] if game["forfeit"] is not None]
    assert forfeited["margin"] is None
    assert "AssertionError" in forfeited["ending"]
    assert "mybot.py" in forfeited["details"]
    again = document(*arguments, "--replay-forfeits", "--record", str(games))
    assert again["first"]["forfeits"] == 0
    assert again["wins"] + again["draws"] + again["losses"] == 4
    assert [game["superseded"] for game in again["played"]].count("forfeit replayed") == 1
    assert [record.tags["Round"] for record in load(games, trusted=True)] == [str(forfeited["number"])]
    assert tells(palabre(*arguments).stdout, "replayed.forfeits", count=1)


# --------------------------------------------------------------------------------------------------------- openings


def test_openings_from_a_file_of_positions_or_records(tmp_path: Path) -> None:
    positions = tmp_path / "positions.txt"
    positions.write_text("# three of them\n12 1\n9 2  # after one move\n\n7 1\n", encoding="utf-8")
    arguments = ("match", "idiot", "idiot", "--game", TAKE_AWAY)
    found = document(*arguments, "--games", "8", "--openings", str(positions))
    assert [game["start"] for game in found["played"]] == [None] * 2 + ["9 2"] * 2 + ["7 1"] * 2 + [None] * 2
    assert all(game["opening"] == 0 for game in found["played"])
    games = tmp_path / "games.txt"
    document(*arguments, "--games", "4", "--record", str(games))
    found = document(*arguments, "--games", "8", "--openings", str(games), "--opening-plies", "3")
    first = [list(record.moves[:3]) for record in load(games, trusted=True)]
    assert [game["moves"][:3] for game in found["played"]] == [opening for opening in first for _ in (0, 1)]
    assert tells(refused(*arguments, "--openings", str(games)), "openings.record_over", number=1)
    positions.write_text("12 1\n99 1\n", encoding="utf-8")
    assert tells(refused(*arguments, "--openings", str(positions)), "observations.place", file=positions, line=2)
    positions.write_text("# nothing\n", encoding="utf-8")
    assert tells(refused(*arguments, "--openings", str(positions)), "openings.none", file=positions)


def test_games_from_a_position_and_from_a_record(tmp_path: Path) -> None:
    arguments = ("match", "idiot", "idiot", "--game")
    found = document(*arguments, TAKE_AWAY, "--games", "4", "--position", "9 2", "--opening-plies", "1")
    assert [game["start"] for game in found["played"]] == ["9 2"] * 4
    assert [game["opening"] for game in found["played"]] == [1] * 4
    assert tells(refused(*arguments, TAKE_AWAY, "--position", "0 2"), "match.is_over", position="0 2")
    games = tmp_path / "games.txt"
    document(*arguments, "awele", "--games", "2", "--record", str(games))
    found = document(*arguments, f"{games}#2@7", "--games", "2", "--opening-plies", "0")
    assert all(game["moves"][:7] == list(load(games)[1].moves[:7]) for game in found["played"])
    assert found["played"][0]["opening"] == 7
    errors = refused(*arguments, "awele", "--position", "x", "--openings", str(games))
    assert "'x'" in errors


# ------------------------------------------------------------------------------------------------------------- sprt


def test_a_sequential_test_stops_when_it_is_decided(tmp_path: Path) -> None:
    games = tmp_path / "games.txt"
    arguments = ("sprt", "greedy", "idiot", "--game", "awele", "--elo0", "0", "--elo1", "100")
    done = palabre(*arguments, "--record", str(games))
    assert done.returncode == 0, done.stderr
    assert tells(done.stdout, "sprt.accepted", bot="greedy", elo0=0.0, elo1=100.0)
    found = document(*arguments, "--workers", "2")
    assert found["sprt"]["decision"] == "H1"
    assert found["sprt"]["llr"] >= found["sprt"]["upper"]
    assert len(found["played"]) == len(load(games)) == 2 * sum(found["pairs"])
    other = document("sprt", "idiot", "greedy", *arguments[3:])
    assert other["sprt"]["decision"] == "H0"


def test_a_sequential_test_goes_on_where_it_stopped(tmp_path: Path) -> None:
    arguments = ("sprt", "idiot", "idiot:seed=1", "--game", TAKE_AWAY, "--elo1", "5")
    event = ("--event", str(tmp_path / "e"))
    assert document(*arguments, *event, "--max-games", "40")["sprt"]["decision"] == "continue"
    resumed = document(*arguments, *event, "--max-games", "120", "--workers", "2")
    whole = document(*arguments, "--max-games", "120", "--workers", "0")
    assert [game["moves"] for game in resumed["played"]] == [game["moves"] for game in whole["played"]]
    assert resumed["sprt"] == whole["sprt"]
    assert len(whole["played"]) == 120


@pytest.mark.parametrize(
    ("words", "id", "params"),
    [
        (("--elo0", "10", "--elo1", "5"), "sprt.elo", {"elo0": 10.0, "elo1": 5.0}),
        (("--max-games", "7"), "match.no_pairs", {"games": 7, "better": 8}),
    ],
)
def test_wrong_numbers_are_refused_before_the_first_game(
    words: tuple[str, ...], id: str, params: dict[str, object]
) -> None:
    assert tells(refused("sprt", "greedy", "idiot", "--game", "awele", *words), id, **params)


def test_a_chance_of_an_error_is_below_one() -> None:
    assert "alpha" in refused("sprt", "greedy", "idiot", "--game", "awele", "--alpha", "1.5")


def test_a_sequential_test_is_for_two() -> None:
    errors = refused("sprt", "greedy", "idiot", "--game", "penguins:players=3")
    assert tells(errors, "pairing.not_for_two", asker="sprt", players=3)


# --------------------------------------------------------------------------------------------------------- progress


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_terminal_shows_a_table_while_the_match_goes_on(tmp_path: Path) -> None:
    import pty

    path = write(tmp_path, "time.sleep(0.02)")
    main, side = pty.openpty()
    command = [COMMAND, "match", path, "idiot", "--game", TAKE_AWAY, "--games", "40000"]
    with subprocess.Popen(command, env=environment(TERM="xterm"), stdout=subprocess.PIPE, stderr=side) as process:
        os.close(side)
        seen = b""
        while b" left" not in seen:
            seen += os.read(main, 1000)
        assert b"idiot" in seen
        assert b"of 40000 games" in seen
        process.send_signal(signal.SIGINT)
        printed, _ = process.communicate(timeout=PATIENCE)
        assert b"of 40000 games" in printed
    os.close(main)
