"""`palabre ugi`: our bots as engines that somebody drives as is meant; test_ugi_mistakes.py does all else."""

import doctest
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import palabre
from palabre.core.words import say
from palabre.ugi.engine import Conversation
from tests.command import wait_until
from tests.driver import Driver

pytestmark = pytest.mark.processes

AWELE = palabre.game("awele")
OVER = "0,0,0,0,0,0/0,0,0,0,0,0 30,18 1 0"


@pytest.fixture(scope="module")
def engine() -> Iterator[Driver]:
    """The engine on Awélé, which may be told anything, but is idle and willing before and after each test."""
    with Driver("awele") as driver:
        driver.say("setoption name memory value 1", "isready")
        assert driver.until("readyok") == ["readyok"]
        yield driver
        assert driver.leave()[0] == 0


# ------------------------------------------------------------------------------------------------------ whole games


def play(driver: Driver, start: str, position: palabre.Position, go: str) -> palabre.Position:
    """Play both sides to the end as a driver does: all moves of the game, from the start, before each `go`."""
    moves: list[str] = []
    while True:
        driver.say(f"position {start} moves {' '.join(moves)}" if moves else f"position {start}")
        assert driver.ask("query gameover", "response") == str(position.is_over).lower()
        assert driver.ask("query p1turn", "response") == str(position.to_move == 0).lower()
        if position.is_over:
            return position
        assert driver.ask("query result", "response") == "none"
        driver.say(go)
        *infos, best = driver.until("bestmove")
        assert all(line.startswith("info depth ") for line in infos)
        moves.append(best.split()[1])
        position = position.play(moves[-1])  # or it raises


def test_the_engine_plays_a_whole_game(engine: Driver) -> None:
    engine.say("uginewgame")
    end = play(engine, "startpos", AWELE.start(), "go nodes 2000")
    wins = {(1.0, 0.0): "p1win", (0.0, 1.0): "p2win", (0.5, 0.5): "draw"}
    assert end.result is not None
    assert engine.ask("query result", "response") == wins[end.result[0], end.result[1]]


@pytest.mark.parametrize(
    "spec", [*palabre.core.registry.names(), "awele:abapa", "abalone:official", "examples/connect_four.py"]
)
def test_every_game_is_played_from_its_start_and_from_a_text(spec: str) -> None:
    game = palabre.game(spec)
    with Driver("awele", "--bot", "greedy") as driver:
        assert driver.explains(f"setoption name Game value {spec}") == []
        play(driver, "startpos", game.start(), "go depth 1")
        middle = game.start()
        for _ in range(4):
            middle = middle.play(middle.moves()[-1])
        end = play(driver, f"fen {middle.text}", middle, "go depth 1")
        assert driver.ask("query result", "response") != "none"
        assert driver.explains(f"position fen {end.text}") == []
        assert driver.leave() == (0, "")


def test_three_can_play() -> None:
    with Driver("penguins:players=3", "--bot", "idiot") as driver:
        end = play(
            driver,
            "startpos",
            palabre.game("penguins:players=3").start(),
            "go p1time 900000 p2time 900000 p3time 900000",
        )
        winner = driver.ask("query result", "response")
        assert end.result is not None
        assert winner == ("draw" if 1.0 not in end.result else f"p{end.result.index(1.0) + 1}win")


@pytest.mark.parametrize(("scores", "result"), [("30,18", "p1win"), ("18,30", "p2win"), ("24,24", "draw")])
def test_the_result_of_an_ended_game_is_told(greedy: Driver, scores: str, result: str) -> None:
    greedy.say(f"position fen 0,0,0,0,0,0/0,0,0,0,0,0 {scores} 1 0")
    assert greedy.ask("query gameover", "response") == "true"
    assert greedy.ask("query result", "response") == result


def test_no_move_is_found_when_the_game_is_over(engine: Driver) -> None:
    engine.say(f"position fen {OVER}", "go depth 3")
    assert engine.until("bestmove") == [f"info string {say('error.game_is_over')}", "bestmove (none)"]


# ------------------------------------------------------------------------------------------------------ thinking


def test_what_it_thinks_is_told_depth_by_depth(engine: Driver) -> None:
    engine.say("position startpos", "go depth 6")
    *infos, best = engine.until("bestmove")
    form = r"info depth (\d+) score cp -?\d+ nodes \d+ nps \d+ time \d+ pv (\w)( \w)*"
    found = [re.fullmatch(form, line) for line in infos]
    assert [int(match[1]) for match in found if match] == list(range(1, 7))
    assert found[-1] is not None
    assert best == f"bestmove {found[-1][2]}"


def test_a_win_is_told_as_proven(engine: Driver) -> None:
    """E takes seven seeds and wins at once; the player with 26 seeds against none to come has won."""
    engine.say("position fen 0,5,0,0,4,0/1,1,2,3,3,3 19,7 1 0", "go depth 3")
    *infos, best = engine.until("bestmove")
    assert (infos[-1].split()[3:6], best) == (["score", "win", "1"], "bestmove E")


@pytest.mark.parametrize("last", ["", "info depth 1", "info depth 8"])
def test_stop_is_answered_and_isready_while_it_thinks(last: str, engine: Driver) -> None:
    """Also a stop that comes before the search has begun, or in the middle of it."""
    engine.say("uginewgame", "position startpos moves C", "go infinite")
    if last:
        while not engine.until("info")[-1].startswith(last):
            pass
    engine.say("isready")
    assert all(line.startswith("info depth") for line in engine.until("readyok")[:-1])
    assert engine.ask("stop", "bestmove") in "abcdef"


def test_an_infinite_search_answers_only_when_stopped() -> None:
    """There is one move, and it ends the game: nothing is left to think about."""
    said: list[str] = []
    conversation = Conversation(AWELE, "greedy", said.append)
    for line in ("position fen 0,5,0,0,4,0/1,1,2,3,3,3 19,7 1 0", "go infinite depth 2"):
        conversation.receive(line)
    wait_until(lambda: conversation.answer is not None)
    assert not any(line.startswith("bestmove") for line in said)
    conversation.receive("stop")
    assert said[-1] == "bestmove E"


@pytest.mark.parametrize("go", ["go movetime 100", "go p1time 1000 p2time 1 p1inc 0 p2inc 0", "go"])
def test_a_limit_of_time_ends_the_search(go: str, engine: Driver) -> None:
    """It would go on for ever; benchmarks/promise.py measures how late the answers come."""
    engine.say("position startpos")
    assert engine.ask(go, "bestmove") in "ABCDEF"


def test_what_is_out_of_place_while_it_thinks_changes_nothing(engine: Driver) -> None:
    engine.say("position startpos", "go infinite")
    engine.say("position startpos moves A", "go depth 1", "setoption name depth value 1", "uginewgame", "isready")
    told = [line for line in engine.until("readyok") if line.startswith("info string")]
    commands = ["position", "go", "setoption", "uginewgame"]
    assert told == [f"info string {say('ugi.thinking', command=command)}" for command in commands]
    assert engine.ask("stop", "bestmove") in "ABCDEF"


@pytest.mark.parametrize("last", ["quit", ""])
def test_it_leaves_while_it_thinks(last: str) -> None:
    with Driver("awele") as driver:
        driver.say("position startpos", "go infinite")
        driver.until("info")
        assert driver.leave(last)[0] == 0


def test_luck_is_the_same_in_the_same_session_and_new_in_each_game() -> None:
    def moves(*options: str) -> str:
        with Driver("awele", "--bot", "idiot") as driver:
            driver.say(*options)
            found = ""
            for _ in range(4):
                driver.say("uginewgame", "position startpos")
                found += "".join(driver.ask("go", "bestmove") for _ in range(5)) + " "
            return found

    first = moves()
    assert moves() == first
    assert len(set(first.split())) == 4
    assert moves("setoption name seed value 7") != first


# ------------------------------------------------------------------------------------------------------ options


def test_options_are_listed_set_and_kept(greedy: Driver) -> None:
    greedy.say("setoption name SEED value 12", "ugi")
    told = greedy.until("ugiok")
    assert told == [
        f"id name Palabre {palabre.__version__} greedy",
        "id author the authors of Palabre",
        "option name Game type string default awele",
        "option name seed type spin default 12 min 0 max 999999999",
        "ugiok",
    ]
    assert greedy.explains("setoption name Game value avalam:official") == []
    greedy.say("ugi")
    assert greedy.until("ugiok")[2:4] == [
        "option name Game type string default avalam:official",
        "option name seed type spin default 12 min 0 max 999999999",
    ]


def test_the_options_of_the_engine_are_its_parameters() -> None:
    with Driver("awale", "--bot", "palabre:memory=2") as driver:
        driver.say("ugi")
        told = driver.until("ugiok")
        assert "option name memory type spin default 2 min 1 max 4096" in told
        assert "option name time type string default 0 min 0 max 3600" in told
        combo = next(line for line in told if "type combo" in line)
        assert combo.startswith("option name eval type combo default standard var ")
        assert driver.explains("setoption name eval value raw", "setoption name Game value awele") == []
        driver.say("ugi")
        option = "option name eval type combo default standard var standard var score var montecarlo var net"
        assert option in driver.until("ugiok")


def test_an_option_takes_effect(engine: Driver) -> None:
    engine.say("position startpos", "setoption name depth value 2", "go depth 100")
    assert len(engine.until("bestmove")) == 3
    engine.say("setoption name depth value 0")


# ------------------------------------------------------------------------------------------------------ the document


def test_the_session_in_the_document_takes_place() -> None:
    page = (Path(__file__).parents[2] / "docs" / "ugi.md").read_text(encoding="utf-8")
    [session] = re.findall(r"^```ugi\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    with Driver("awele") as driver:
        for said, answers in re.findall(r"^> (.*)\n((?:(?!> ).*\n)*)", session, re.MULTILINE):
            if said == "quit":
                assert driver.leave(said)[0] == 0
                return
            driver.say(said)
            if answers:
                found = driver.until(answers.splitlines()[-1].split()[0])
                printed = "".join(f"{line}\n" for line in found)
                assert doctest.OutputChecker().check_output(answers, printed, doctest.ELLIPSIS), (said, printed)
    raise AssertionError("the session does not end with quit")
