"""`palabre ugi`: our bots as engines that somebody drives, as well and as badly as can be."""

import doctest
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import palabre
from palabre.arena.ugi import LONGEST_LINE, Conversation
from palabre.bots.ugi_words import FOREVER, go_command, info_line, option_line, read_go, read_option, read_position
from palabre.core.errors import PalabreError
from palabre.core.spec import Decimal, Parameter
from palabre.search.clock import Clock
from palabre.search.thought import Thought
from palabre.search.values import WIN
from tests.command import palabre as run
from tests.driver import Driver

AWELE = palabre.game("awele")
START = "4,4,4,4,4,4/4,4,4,4,4,4 0,0 1 0"
OVER = "0,0,0,0,0,0/0,0,0,0,0,0 30,18 1 0"
BOT = "from palabre.bots import Bot\nclass MyBot(Bot):\n    def choose(self, position, clock):\n"


@pytest.fixture(scope="module")
def engine() -> Iterator[Driver]:
    """The engine on Awélé, which may be told anything, but is idle and willing before and after each test."""
    with Driver("awele") as driver:
        driver.say("setoption name memory value 1", "isready")
        assert driver.until("readyok") == ["readyok"]
        yield driver
        assert driver.leave()[0] == 0


@pytest.fixture
def greedy() -> Iterator[Driver]:
    with Driver("awele", "--bot", "greedy") as driver:
        yield driver


def write(folder: Path, text: str) -> str:
    (folder / "mybot.py").write_text(text, encoding="utf-8")
    return str(folder / "mybot.py")


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
        play(driver, "startpos", game.start(), "go movetime 50")
        middle = game.start()
        for _ in range(4):
            middle = middle.play(middle.moves()[-1])
        end = play(driver, f"fen {middle.text}", middle, "go movetime 50")
        assert driver.ask("query result", "response") != "none"
        assert driver.explains(f"position fen {end.text}") == []
        assert driver.leave() == (0, "")


def test_three_can_play() -> None:
    with Driver("penguins:players=3", "--bot", "idiot") as driver:
        end = play(
            driver, "startpos", palabre.game("penguins:players=3").start(), "go p1time 500 p2time 500 p3time 500"
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
    assert engine.until("bestmove") == ["info string the game is over", "bestmove (none)"]


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


def test_stop_is_answered_at_once_and_isready_while_it_thinks(engine: Driver) -> None:
    engine.say("uginewgame", "position startpos moves C")
    for pause in (0.0, 0.001, 0.2):
        engine.say("go infinite")
        time.sleep(pause)
        engine.say("isready")
        assert all(line.startswith("info depth") for line in engine.until("readyok")[:-1])
        begin = time.perf_counter()
        engine.say("stop")
        move = engine.until("bestmove")[-1].split()[1]
        assert time.perf_counter() - begin < 0.5
        assert move in "abcdef"


def test_an_infinite_search_answers_only_when_stopped(engine: Driver) -> None:
    """There is one move, and it ends the game: nothing is left to think about."""
    engine.say("position fen 0,5,0,0,4,0/1,1,2,3,3,3 19,7 1 0", "go infinite depth 2")
    time.sleep(0.3)
    engine.say("isready")
    assert not any(line.startswith("bestmove") for line in engine.until("readyok"))
    assert engine.ask("stop", "bestmove") == "E"


def test_time_limits_are_kept(engine: Driver) -> None:
    engine.say("position startpos")
    for go, most in (("go movetime 100", 1.0), ("go p1time 1000 p2time 1 p1inc 0 p2inc 0", 1.0), ("go", 2.0)):
        begin = time.perf_counter()
        engine.ask(go, "bestmove")
        assert 0.01 < time.perf_counter() - begin < most


def test_what_is_out_of_place_while_it_thinks_changes_nothing(engine: Driver) -> None:
    engine.say("position startpos", "go infinite")
    engine.say("position startpos moves A", "go depth 1", "setoption name depth value 1", "uginewgame", "isready")
    told = [line for line in engine.until("readyok") if line.startswith("info string")]
    assert [line.split()[2] for line in told] == ["position:", "go:", "setoption:", "uginewgame:"]
    assert all(line.endswith("not while thinking; say stop and wait for bestmove") for line in told)
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
        [combo, _] = [line for line in told if "type combo" in line]
        assert combo.startswith("option name eval type combo default keen var ")
        assert driver.explains("setoption name eval value raw", "setoption name Game value awele") == []
        driver.say("ugi")
        assert "option name eval type combo default keen var keen var score var montecarlo" in driver.until("ugiok")


def test_an_option_takes_effect(engine: Driver) -> None:
    engine.say("position startpos", "setoption name depth value 2", "go movetime 5000")
    assert len(engine.until("bestmove")) == 3
    engine.say("setoption name depth value 0")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("setoption", "'setoption' is not valid; say setoption name NAME value VALUE"),
        ("setoption name", "say setoption name NAME value VALUE"),
        ("setoption depth 4", "say setoption name NAME value VALUE"),
        ("setoption name hash value 64", "there is no option 'hash'; the options are Game, seed"),
        ("setoption name sead value 3", "there is no option 'sead' (did you mean seed?)"),
        ("setoption name seed value -1", "seed '-1' is not valid; seed is 0 to 999999999"),
        ("setoption name seed", "seed '' is not valid"),
        ("setoption name Game value chess", "there is no game 'chess'"),
        ("setoption name Game", "there is no game ''"),
        ("position", "say position startpos or position fen TEXT"),
        ("position start", "say position startpos or position fen TEXT"),
        ("position fen", "say position startpos or position fen TEXT"),
        ("position startpos A", "say position startpos or position fen TEXT"),
        ("position fen 4,4 moves A", "'4,4'"),
        ("position startpos moves A a Z", "'Z' is not a legal move in"),
        ("query", "query '' is not valid; query one of p1turn, gameover, result"),
        ("query p2turn", "query one of p1turn, gameover, result"),
        ("go movetime", "go: movetime '' is not valid; after movetime comes a whole number"),
        ("go depth six", "go: depth 'six' is not valid"),
        ("go nodes 1e6", "go: nodes '1e6' is not valid"),
        ("stop", "stop: there is nothing to stop"),
        ("uci", "there is no command 'uci' (did you mean ugi?); the commands are ugi, isready, setoption"),
        ("UGI", "there is no command 'UGI'"),
        ("bestmove A", "there is no command 'bestmove'"),
    ],
)
def test_what_cannot_be_done_is_explained_and_changes_nothing(line: str, told: str) -> None:
    answers: list[str] = []
    conversation = Conversation(AWELE, "greedy", answers.append)
    conversation.hear("position startpos moves A")
    before = conversation.board
    conversation.hear(line)
    [answer] = answers
    assert answer.startswith("info string ")
    assert told in answer
    assert conversation.board is before
    assert conversation.setting.game == AWELE


def test_without_a_position_there_is_nothing_to_do(greedy: Driver) -> None:
    told = greedy.explains("go", "query result", "position startpos", "uginewgame", "go movetime 5")
    assert [line.split(":")[0] for line in told] == ["go", "query", "go"]


def test_words_that_mean_nothing_are_told_and_left_out(greedy: Driver) -> None:
    greedy.say("position startpos", "go ponder movetime 10 searchmoves A")
    [told, _] = greedy.until("bestmove")
    assert told == "info string go: 'ponder searchmoves A' is not known, and ignored"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("chess",), "there is no game 'chess'"),
        (("awele", "--bot", "divine"), "divine plays avalam, not awele"),
        (("awele", "--bot", "ugi:"), "ugi: needs a command"),
        ((), "SPEC"),
    ],
)
def test_a_mistake_in_the_command_is_one_line(arguments: tuple[str, ...], told: str) -> None:
    done = run("ugi", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
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
    b"x" * (LONGEST_LINE - 1),
    b"x" * LONGEST_LINE,
    b"isready " * LONGEST_LINE,
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
    assert len([line for line in told if "bytes is ignored" in line]) == 2
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
            conversation.hear(" ".join(line))
    assert {answer.split()[0] for answer in answers} <= {"id", "option", "ugiok", "readyok", "response", "info"}
    assert not any("\n" in answer for answer in answers)
    conversation.hear("setoption name Game value awele")
    conversation.hear("position startpos")
    answers.clear()
    conversation.hear("query p1turn")
    assert answers == ["response true"]


# ------------------------------------------------------------------------------------------------------ sick bots


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("return 1 / 0", "error: ZeroDivisionError: division by zero"),
        ("return 'Z9'", "illegal move: 'Z9' is not a legal move"),
        ("return None", "no move: it returned 'None'"),
        ("raise KeyboardInterrupt", "error: KeyboardInterrupt"),
        ("raise SystemExit(3)", "error: SystemExit: 3"),
        ("pass\n    def start(self, game, seat): 1 / 0", "error: ZeroDivisionError"),
        ("pass\n    def learn(self, data, budget): 1 / 0", "cannot learn: ZeroDivisionError"),
    ],
)
def test_a_bot_that_fails_has_no_move_and_the_reason_is_told(body: str, told: str, tmp_path: Path) -> None:
    with Driver("awele", "--bot", write(tmp_path, f"{BOT}        {body}\n")) as driver:
        for _ in range(2):
            driver.say("position startpos", "go movetime 10")
            [reason, best] = driver.until("bestmove")
            assert best == "bestmove (none)"
            assert reason.startswith("info string ")
            assert told in reason
        driver.say("isready")
        assert driver.until("readyok")[-1] == "readyok"
        assert driver.leave() == (0, "")


def test_what_a_bot_prints_is_not_for_the_driver(tmp_path: Path) -> None:
    path = write(tmp_path, f"{BOT}        print('bestmove Z')\n        return position.moves()[0]\n")
    with Driver("awele", "--bot", path) as driver:
        driver.say("position startpos", "go")
        assert driver.until("bestmove") == ["bestmove A"]
        assert driver.leave() == (0, "bestmove Z\n")


def test_a_bot_that_cannot_be_stopped_is_waited_for(tmp_path: Path) -> None:
    path = write(tmp_path, f"import time\n{BOT}        time.sleep(0.5)\n        return position.moves()[0]\n")
    with Driver("awele", "--bot", path) as driver:
        driver.say("isready", "position startpos", "go", "stop", "stop", "isready")
        assert driver.until("bestmove") == ["readyok", "readyok", "bestmove A"]


def test_a_bot_that_fails_to_stop_is_told_of(tmp_path: Path) -> None:
    body = "time.sleep(0.02)\n        return 'A'\n    def stop(self): 1 / 0"
    with Driver("awele", "--bot", write(tmp_path, f"import time\n{BOT}        {body}\n")) as driver:
        driver.say("position startpos", "go", "stop")
        told = driver.until("bestmove")
        assert "cannot be stopped: error: ZeroDivisionError" in told[0]
        assert told[-1] == "bestmove A"


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
    game.write_text(text.replace("    heap, player = fields(text, 2,", "    1 / 0\n    heap, player = fields(text, 2,"))
    with Driver(str(game), "--bot", "idiot") as driver:
        [told] = driver.explains("position fen 3 1")
        assert told.startswith("position: ZeroDivisionError: division by zero (")
        driver.say("position startpos moves 3 2")
        assert driver.ask("go", "bestmove") in "123"


# ------------------------------------------------------------------------------------------------------ the words


def test_go_is_read_as_it_is_said() -> None:
    for clock in (
        Clock(),
        Clock(per_move=0.25),
        Clock(depth=4),
        Clock(nodes=10**9),
        Clock(per_move=2.0, remaining=61.5, increment=0.5, depth=9, nodes=7),
    ):
        for seat in (0, 1):
            assert read_go(go_command(clock, 2).split()[1:], seat) == (clock, False, ())


@pytest.mark.parametrize(
    ("text", "seat", "clock"),
    [
        ("p1time 1000 p2time 3000 p1inc 0 p2inc 200", 0, Clock(remaining=1.0)),
        ("p1time 1000 p2time 3000 p1inc 0 p2inc 200", 1, Clock(remaining=3.0, increment=0.2)),
        ("p1time 1000 p1inc 50", 1, Clock()),
        ("p1inc 50", 0, Clock()),
        ("p1time -20", 0, Clock(remaining=0.0)),
        ("depth 0 nodes 0", 0, Clock(depth=1, nodes=1)),
        ("movetime 999999999999999999", 0, Clock(per_move=FOREVER)),
        ("infinite", 0, Clock(per_move=FOREVER)),
        ("movetime 5 movetime 7", 0, Clock(per_move=0.007)),
    ],
)
def test_limits_are_those_of_the_player_to_move(text: str, seat: int, clock: Clock) -> None:
    assert read_go(text.split(), seat).clock == clock


def test_positions_and_options_may_have_spaces_in_them() -> None:
    assert read_position(f"fen {START} moves A b".split()) == (START, ("A", "b"))
    assert read_position(f"fen {START}".split()) == (START, ())
    assert read_position(["startpos", "moves"]) == (None, ())
    assert read_option("name Clear Hash value a b".split()) == ("Clear Hash", "a b")
    with pytest.raises(PalabreError):
        read_position([])


def test_parameters_are_told_with_what_is_valid() -> None:
    assert option_line(Parameter("depth", 2, range(1, 9), ""), 3) == "option name depth type spin default 3 min 1 max 8"
    assert (
        option_line(Parameter("eval", "a", ("a", "b"), ""), "b") == "option name eval type combo default b var a var b"
    )
    assert (
        option_line(Decimal("time", 0.5, 0.1, 9, ""), 1.5) == "option name time type string default 1.5 min 0.1 max 9"
    )


@pytest.mark.parametrize(
    ("value", "score"),
    [
        (1500, "cp 150"),
        (-250, "cp -25"),
        (0, "cp 0"),
        (WIN - 7, "win 7"),
        (-(WIN - 4), "loss 4"),
    ],
)
def test_scores_are_in_hundredths_or_plies(value: int, score: str) -> None:
    start = palabre.game("awele").start()
    thought = Thought(start, (0, 1), value, 5, 3000, 0.0015, resolution=1000)
    assert info_line(thought) == f"info depth 5 score {score} nodes 3000 nps 2000000 time 1 pv A b"


# ------------------------------------------------------------------------------------------------------ the document


def test_the_session_in_the_document_takes_place() -> None:
    page = (Path(__file__).parent.parent / "docs" / "ugi.md").read_text(encoding="utf-8")
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
