"""Preparation is on no clock: one engine for both sides, a table that lives, and answers before it is ready.

A bot here is not ready until the test says so: whatever it answers before has not waited for it. How late answers come
is measured by benchmarks/promise.py.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import palabre
from palabre.compile import cache
from palabre.compile.compiler import Compiled, compiled
from palabre.core.system import locked
from palabre.evaluation.names import evaluation
from palabre.search.pvs import search_root
from palabre.ugi.engine import Conversation
from tests import take_away
from tests.command import PATIENCE, wait_until
from tests.driver import Driver
from tests.sentences import tells

pytestmark = pytest.mark.processes


def depth_reached(infos: list[str]) -> int:
    found = [re.match(r"info depth (\d+) ", line) for line in infos]
    return max((int(match[1]) for match in found if match), default=0)


def nodes(infos: list[str]) -> int:
    [*_, last] = [line for line in infos if line.startswith("info depth")]
    return int(last.split()[last.split().index("nodes") + 1])


@pytest.fixture(scope="module")
def warm() -> None:
    """The engine's code for Awélé is on disk."""
    with Driver("awele") as driver:
        driver.say("isready")
        driver.until("readyok")


@pytest.fixture
def driver(warm: None) -> Iterator[Driver]:
    with Driver("awele") as driver:
        driver.say("ugi")
        driver.until("ugiok")
        yield driver
        assert driver.leave()[0] == 0


def test_a_driver_that_never_asks_isready_gets_good_moves_for_both_sides(driver: Driver) -> None:
    driver.say("uginewgame")
    moves: list[str] = []
    for _ in range(8):
        driver.say(f"position startpos moves {' '.join(moves)}" if moves else "position startpos", "go nodes 20000")
        infos = driver.until("bestmove")
        assert depth_reached(infos) > 4, infos
        moves.append(infos[-1].split()[1])


def test_the_table_lives_from_move_to_move_and_side_to_side(driver: Driver) -> None:
    driver.say("uginewgame", "position startpos", "go depth 12")
    first = nodes(driver.until("bestmove"))
    driver.say("position startpos", "go depth 12")
    again = nodes(driver.until("bestmove"))
    assert again < first / 10
    driver.say("position startpos moves C", "go depth 11")
    driver.until("bestmove")
    driver.say("position startpos", "go depth 12")
    assert nodes(driver.until("bestmove")) < first / 10


@pytest.mark.parametrize("line", ["uginewgame", "setoption name memory value 32"])
def test_a_new_game_and_a_new_setting_begin_with_an_empty_table(line: str, driver: Driver) -> None:
    driver.say("position startpos", "go depth 10")
    first = nodes(driver.until("bestmove"))
    driver.say("position startpos", "go depth 10")
    assert nodes(driver.until("bestmove")) < first
    driver.say(line, "position startpos", "go depth 10")
    assert nodes(driver.until("bestmove")) == first


# Is ready as soon as a file is there.
SLOW = """\
import pathlib, time
from palabre.bots import Bot
class MyBot(Bot):
    any_seat = True
    def start(self, game, seat):
        while not pathlib.Path(__file__).with_name("ready").exists():
            time.sleep(0.01)
    def choose(self, position, clock):
        return position.moves()[0]
"""
NOT_READY = "is not ready yet; this move was chosen without a search"


@pytest.fixture
def ready(tmp_path: Path) -> Path:
    """The file that the slow bot waits for."""
    return tmp_path / "ready"


@pytest.fixture
def slow(tmp_path: Path, ready: Path) -> Iterator[Driver]:
    (tmp_path / "slow.py").write_text(SLOW, encoding="utf-8")
    with Driver("awele", "--bot", str(tmp_path / "slow.py")) as driver:
        yield driver


def test_a_go_that_comes_before_it_is_ready_is_answered_by_a_plain_move(slow: Driver) -> None:
    slow.say("position startpos", "go movetime 100")
    [told, best] = slow.until("bestmove")
    assert told.endswith(NOT_READY)
    assert best.split()[1] in "ABCDEF"


def test_a_go_right_after_a_new_game_is_answered_by_a_search(
    tmp_path: Path, ready: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However short the time is: a bot that has been ready before begins a new game within moments."""
    monkeypatch.setattr("palabre.ugi.engine.NEW_GAME_WAIT", PATIENCE)
    (tmp_path / "slow.py").write_text(SLOW, encoding="utf-8")
    said: list[str] = []
    conversation = Conversation(palabre.game("awele"), str(tmp_path / "slow.py"), said.append)

    def say(*lines: str) -> None:
        said.clear()
        for line in lines:
            conversation.receive(line)

    def answer() -> list[str]:
        wait_until(lambda: said and said[-1].split()[0] in ("readyok", "bestmove"))
        return said

    # Its first preparation may take as long as compiling does, and is not waited for.
    say("position startpos", "go movetime 10")
    assert answer()[0].endswith(NOT_READY)
    ready.touch()
    say("isready")
    answer()
    ready.unlink()
    say("uginewgame", "position startpos", "go movetime 10")
    ready.touch()
    assert answer() == ["bestmove A"]


def test_isready_waits_until_it_is_ready_and_everything_else_is_heard_meanwhile(slow: Driver, ready: Path) -> None:
    slow.say("isready", "position startpos", "query p1turn")
    assert slow.until("response") == ["response true"]
    ready.touch()
    assert slow.until("readyok") == ["readyok"]
    slow.say("go movetime 100")
    assert slow.until("bestmove") == ["bestmove A"]


def test_stop_is_heard_before_it_is_ready(slow: Driver) -> None:
    slow.say("position startpos", "go infinite", "stop")
    [told, _] = slow.until("bestmove")
    assert told.endswith(NOT_READY)


def test_a_search_without_a_limit_of_time_waits_until_it_is_ready(slow: Driver, ready: Path) -> None:
    slow.say("position startpos", "go depth 1", "query p1turn")
    assert slow.until("response") == ["response true"]
    ready.touch()
    assert slow.until("bestmove") == ["bestmove A"]


def test_quit_is_heard_before_it_is_ready(slow: Driver) -> None:
    slow.say("position startpos", "query p1turn")
    slow.until("response")
    assert slow.leave()[0] == 0


def test_every_isready_is_answered_however_often_preparation_begins_anew(slow: Driver, ready: Path) -> None:
    slow.say("isready", "uginewgame", "isready", "uginewgame", "isready")
    ready.touch()
    for _ in range(3):
        slow.until("readyok")


def test_code_that_must_be_compiled_is_on_no_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is on disk yet, and the engine waits for another process to compile it: this one."""
    monkeypatch.setenv("PALABRE_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "game.py"
    file.write_text(take_away.source(), encoding="utf-8")
    game = palabre.game(str(file))
    search = compiled(search_root, game, type(evaluation(game, "score")))
    assert isinstance(search, Compiled)
    assert search.folder is not None
    with Driver(str(file), cache=tmp_path / "cache") as driver:
        with locked(cache.lock(search.folder, "search_root"), pytest.fail):
            driver.say("isready", "position startpos", "go movetime 100")
            told = driver.until("bestmove")
            assert told[-2].endswith(NOT_READY)
            assert "readyok" not in told
        driver.until("readyok")
        driver.say("go nodes 20000")
        assert depth_reached(driver.until("bestmove")) > 4


def test_the_board_follows_the_driver_back_and_forth() -> None:
    said: list[str] = []
    conversation = Conversation(palabre.game("awele"), "greedy", said.append)
    for moves in ("C d A", "C d", "C e", "", "C e A"):
        conversation.receive(f"position startpos moves {moves}")
        assert conversation.board is not None
        assert [move.text for move in conversation.board.moves] == moves.split()
    conversation.receive("position startpos moves C d Z")
    assert conversation.board is not None
    assert [move.text for move in conversation.board.moves] == ["C", "e", "A"]
    [told] = said
    assert tells(told, "error.illegal_move", move="Z")


def test_a_bot_that_cannot_begin_says_so_and_is_ready_to_say_it_again(tmp_path: Path) -> None:
    (tmp_path / "sick.py").write_text(SLOW.replace("time.sleep(0.01)", "1 / 0"), encoding="utf-8")
    with Driver("awele", "--bot", str(tmp_path / "sick.py")) as driver:
        for _ in range(2):
            driver.say("isready")
            [told, _] = driver.until("readyok")
            assert told.startswith("info string ")
            assert tells(told, "forfeit.raised_in", kind="ZeroDivisionError")
