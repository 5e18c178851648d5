"""`palabre ugi` driven as badly as can be: mistakes, garbage, and bots that are sick."""

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import palabre
from palabre.core.words import say
from palabre.ugi.engine import MAX_LINE_BYTES, Conversation
from tests.command import palabre as run
from tests.command import wait_until
from tests.driver import Driver
from tests.sentences import tells

pytestmark = pytest.mark.processes

AWELE = palabre.game("awele")
START = "4,4,4,4,4,4/4,4,4,4,4,4 0,0 1 0"
OVER = "0,0,0,0,0,0/0,0,0,0,0,0 30,18 1 0"
BOT = "from palabre.bots import Bot\nclass MyBot(Bot):\n    def choose(self, position, clock):\n"


def write(folder: Path, text: str) -> str:
    (folder / "mybot.py").write_text(text, encoding="utf-8")
    return str(folder / "mybot.py")


@pytest.mark.parametrize(
    ("line", "id", "params"),
    [
        ("setoption", "ugi.setoption", {"line": "setoption"}),
        ("setoption name", "ugi.setoption", {"line": "setoption name"}),
        ("setoption depth 4", "ugi.setoption", {"line": "setoption depth 4"}),
        ("setoption name hash value 64", "ugi.no_option", {"option": "hash", "hint": ""}),
        ("setoption name sead value 3", "ugi.no_option", {"hint": say("did_you_mean", choice="seed")}),
        ("setoption name seed value -1", "ugi.bad_value", {"option": "seed", "value": "-1"}),
        ("setoption name seed", "ugi.bad_value", {"option": "seed", "value": ""}),
        ("setoption name Game value chess", "spec.no_game", {"name": "chess"}),
        ("setoption name Game", "spec.no_game", {"name": ""}),
        ("position", "ugi.position", {"line": "position"}),
        ("position start", "ugi.position", {"line": "position start"}),
        ("position fen", "ugi.position", {"line": "position fen"}),
        ("position startpos A", "ugi.position", {"line": "position startpos A"}),
        ("position fen 4,4 moves A", "text.parts", {"text": "4,4"}),
        ("position startpos moves A a Z", "error.illegal_move", {"move": "Z"}),
        ("query", "ugi.query", {"words": "", "answers": "p1turn, gameover, result"}),
        ("query p2turn", "ugi.query", {"words": "p2turn"}),
        ("go movetime", "ugi.number", {"word": "movetime", "text": ""}),
        ("go depth six", "ugi.number", {"word": "depth", "text": "six"}),
        ("go nodes 1e6", "ugi.number", {"word": "nodes", "text": "1e6"}),
        ("stop", "ugi.not_thinking", {}),
        ("uci", "ugi.no_command", {"command": "uci", "hint": say("did_you_mean", choice="ugi")}),
        ("UGI", "ugi.no_command", {"command": "UGI"}),
        ("bestmove A", "ugi.no_command", {"command": "bestmove"}),
    ],
)
def test_what_cannot_be_done_is_explained_and_changes_nothing(line: str, id: str, params: dict[str, object]) -> None:
    answers: list[str] = []
    conversation = Conversation(AWELE, "greedy", answers.append)
    conversation.receive("position startpos moves A")
    before = conversation.board
    conversation.receive(line)
    [answer] = answers
    assert answer.startswith("info string ")
    assert tells(answer, id, **params)
    assert conversation.board is before
    assert conversation.setting.game == AWELE


def test_without_a_position_there_is_nothing_to_do(greedy: Driver) -> None:
    told = greedy.explains("go", "query result", "position startpos", "uginewgame", "go depth 1")
    assert [line.split(":")[0] for line in told] == ["go", "query", "go"]


def test_words_that_mean_nothing_are_told_and_left_out(greedy: Driver) -> None:
    greedy.say("position startpos", "go ponder depth 1 searchmoves A")
    [told, _] = greedy.until("bestmove")
    assert told == f"info string {say('ugi.unknown_words', words='ponder searchmoves A')}"


@pytest.mark.parametrize(
    ("arguments", "id", "params"),
    [
        (("chess",), "spec.no_game", {"name": "chess"}),
        (("awele", "--bot", "divine"), "spec.bot_of_games", {"games": "avalam", "game": "awele"}),
        (("awele", "--bot", "ugi:"), "engine.no_command", {"prefix": "ugi:"}),
    ],
)
def test_a_mistake_in_the_command_is_one_line(arguments: tuple[str, ...], id: str, params: dict[str, object]) -> None:
    done = run("ugi", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert tells(done.stderr, id, **params)
    assert len(done.stderr.splitlines()) == 1


# ------------------------------------------------------------------------------------------------------ garbage


GARBAGE: list[bytes] = [
    b"",
    b" \t ",
    b"\r",
    b"\0\0\0",
    b"\xff\xfe\x80 \xc3(",
    "é ½ \u202e \U0001f427".encode(),
    b"\x1b[2J\x07",
    b"x" * 100_000,
    b"x" * (MAX_LINE_BYTES - 1),
    b"x" * MAX_LINE_BYTES,
    b"isready " * MAX_LINE_BYTES,
    b"position startpos moves " + b"A " * 50_000,
    b"position fen " + b"4," * 50_000,
    b"go depth " + b"9" * 10_000,
    b"setoption name " + b"n" * 50_000 + b" value " + b"v" * 50_000,
    b"setoption name Game value ../../\0.py",
    b"query result\0",
    b"position fen moves moves moves",
]


def test_garbage_is_ignored(greedy: Driver) -> None:
    told = greedy.explains(*GARBAGE)
    assert len([line for line in told if tells(line, "ugi.long_line", most=MAX_LINE_BYTES)]) == 2
    assert all(line.isprintable() and len(line) < 900 for line in told)
    greedy.say("position startpos\r", "go depth 1\r")
    assert greedy.until("bestmove")[-1].split()[1] in "ABCDEF"
    assert greedy.leave() == (0, "")


WORDS = [
    *"ugi isready setoption name value Game seed awele awele:abapa avalam 3 -1 0.5 uginewgame position".split(),
    *"startpos fen moves A a Z query p1turn gameover result p1time 99999999999999999999 depth \x00 é \ud800".split(),
    START,
    OVER,
]


@settings(max_examples=100)
@example([["position", "startpos"], ["setoption", "name", "Game", "value", "avalam"], ["query", "result"]])
@given(st.lists(st.lists(st.sampled_from(WORDS) | st.text(max_size=10), max_size=7), max_size=8))
def test_any_lines_are_answered_or_explained(lines: list[list[str]]) -> None:
    answers: list[str] = []
    conversation = Conversation(AWELE, "idiot", answers.append)
    for line in lines:
        if line[:1] not in (["go"], ["quit"]):
            conversation.receive(" ".join(line))
    assert {answer.split()[0] for answer in answers} <= {"id", "option", "ugiok", "readyok", "response", "info"}
    assert not any("\n" in answer for answer in answers)
    conversation.receive("setoption name Game value awele")
    conversation.receive("position startpos")
    answers.clear()
    conversation.receive("query p1turn")
    assert answers == ["response true"]


# ------------------------------------------------------------------------------------------------------ sick bots


@pytest.mark.parametrize(
    ("body", "id", "params"),
    [
        ("return 1 / 0", "forfeit.raised_in", {"kind": "ZeroDivisionError"}),
        ("return 'Z9'", "error.illegal_move", {"move": "Z9"}),
        ("return None", "forfeit.no_move", {"answer": "None"}),
        ("raise KeyboardInterrupt", "forfeit.error", {"error": "KeyboardInterrupt"}),
        ("raise SystemExit(3)", "forfeit.raised_in", {"kind": "SystemExit", "error": "3"}),
        ("pass\n    def start(self, game, seat): 1 / 0", "forfeit.raised_in", {"kind": "ZeroDivisionError"}),
        ("pass\n    def learn(self, data, budget): 1 / 0", "lesson.failed", {}),
    ],
)
def test_a_bot_that_fails_has_no_move_and_the_reason_is_told(
    body: str, id: str, params: dict[str, object], tmp_path: Path
) -> None:
    with Driver("awele", "--bot", write(tmp_path, f"{BOT}        {body}\n")) as driver:
        for _ in range(2):
            driver.say("position startpos", "go")
            [reason, best] = driver.until("bestmove")
            assert best == "bestmove (none)"
            assert reason.startswith("info string ")
            assert tells(reason, id, **params)
        driver.say("isready")
        assert driver.until("readyok")[-1] == "readyok"
        assert driver.leave() == (0, "")


def test_what_a_bot_prints_is_not_for_the_driver(tmp_path: Path) -> None:
    path = write(tmp_path, f"{BOT}        print('bestmove Z')\n        return position.moves()[0]\n")
    with Driver("awele", "--bot", path) as driver:
        driver.say("position startpos", "go")
        assert driver.until("bestmove") == ["bestmove A"]
        assert driver.leave() == (0, "bestmove Z\n")


# A bot that answers only when a file is there.
WAITS = (
    f"import pathlib, time\n{BOT}"
    + """\
        pathlib.Path(__file__).with_name("asked").touch()
        while not pathlib.Path(__file__).with_name("go").exists():
            time.sleep(0.01)
        return "A"
"""
)


def test_a_bot_that_cannot_be_stopped_is_waited_for(tmp_path: Path) -> None:
    with Driver("awele", "--bot", write(tmp_path, WAITS)) as driver:
        driver.say("position startpos", "go depth 1")
        wait_until((tmp_path / "asked").exists)
        driver.say("stop", "stop", "isready")
        assert driver.until("readyok") == ["readyok"]
        (tmp_path / "go").touch()
        assert driver.until("bestmove") == ["bestmove A"]


def test_a_bot_that_fails_to_stop_is_told_of(tmp_path: Path) -> None:
    with Driver("awele", "--bot", write(tmp_path, f"{WAITS}    def stop(self): 1 / 0\n")) as driver:
        driver.say("position startpos", "go depth 1")
        wait_until((tmp_path / "asked").exists)
        driver.say("stop")
        told = driver.until("info")[0]
        assert tells(told, "ugi.not_stopped")
        assert tells(told, "forfeit.raised_in", kind="ZeroDivisionError")
        (tmp_path / "go").touch()
        assert driver.until("bestmove")[-1] == "bestmove A"


def test_a_bot_is_told_where_it_sits(tmp_path: Path) -> None:
    body = "return position.moves()[self.seat]\n    def start(self, game, seat): self.seat = seat"
    with Driver("awele", "--bot", write(tmp_path, f"{BOT}        {body}\n")) as driver:
        driver.say("isready", "position startpos moves C")
        assert driver.ask("go", "bestmove") == "b"
        driver.say("position startpos moves C b")
        assert driver.ask("go", "bestmove") == "A"


def test_a_game_whose_own_code_fails_is_explained(tmp_path: Path, small_game: Path) -> None:
    text = small_game.read_text(encoding="utf-8")
    game = tmp_path / "game.py"
    game.write_text(
        text.replace(
            "    heap, player = fields(text, 2,", "    1 / (text != '12 2')\n    heap, player = fields(text, 2,"
        )
    )
    with Driver(str(game), "--bot", "idiot") as driver:
        [told] = driver.explains("position fen 12 2")
        assert told.startswith("position: ZeroDivisionError: division by zero (")
        driver.say("position startpos moves 3 2")
        assert driver.ask("go", "bestmove") in "123"
