"""`ugi:COMMAND`: foreign engines as players, ours first, and then a zoo of those that nobody would want."""

import gc
import os
import shlex
import signal
import sys
import time
import tracemalloc
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import palabre
from palabre.arena.match import play_match
from palabre.bots import Bot, line_program
from palabre.bots.foreign import EngineDied
from palabre.bots.specs import bot, split_specs
from palabre.core.words import say
from palabre.play.referee import play_game
from palabre.search.clock import Clock
from palabre.ugi import client as ugi
from palabre.ugi.client import Ugi
from palabre.ugi.engine import Conversation
from tests import take_away
from tests.command import COMMAND, PATIENCE, end, running, wait_until, without_checks
from tests.command import palabre as run
from tests.driver import Driver
from tests.messages import holds, parts, refuses

AWELE = palabre.game("awele")
pytestmark = [
    pytest.mark.processes,
    pytest.mark.usefixtures("unprotected"),
]  # the client itself; tests/arena has engines in sandboxes
OURS = f"ugi:{COMMAND} ugi awele"
TAKE_AWAY = palabre.game(take_away.__file__)
TAKES_ONE = "def go(): say('bestmove 1')"
EASY = Clock(per_move=300.0)  # no engine needs that long, on whatever machine

# Plays Awélé without knowing its rules: the first pit that had seeds in the first position, from the mover's row.
ENGINE = """\
import os, signal, sys, time
def begin():
    open({pid!r}, "a").write(f"{{os.getpid()}}\\n")
def mark():
    open({mark!r}, "w").close()
begin()
def say(text):
    print(text, flush=True)
def answer():
    start, _, moves = position.partition(" moves ")
    start = start.replace("startpos", "fen 4,4,4,4,4,4/4,4,4,4,4,4 0,0 1 0")
    _, rows, _, player, _ = start.split()
    seat = (int(player) - 1 + len(moves.split())) % 2
    seeds = rows.split("/")[seat].split(",")
    return "bestmove " + next(pit for pit, count in zip(("ABCDEF", "abcdef")[seat], seeds) if count != "0")
def ugi():
    say("id name zoo"), say("ugiok")
def isready():
    say("readyok")
def go():
    say("info depth 1 score cp 0"), say(answer())
def stop():
    pass
def leave():
    sys.exit(0)
{habits}
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "position":
        position = rest
    elif word == "quit":
        leave()
    elif word in ("ugi", "isready", "go", "stop"):
        globals()[word]()
"""


class Zoo:
    """Engines with habits, and where they leave the numbers of their processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pids = folder / "pids"
        self.mark = folder / "mark"

    def spec(self, habits: str = "") -> str:
        file = self.folder / "engine.py"
        file.write_text(ENGINE.format(pid=str(self.pids), mark=str(self.mark), habits=habits), encoding="utf-8")
        return f"ugi:{shlex.join([sys.executable, '-I', str(file)])}"

    def seated(self, habits: str = "") -> Ugi:
        made = bot(self.spec(habits), AWELE)
        assert isinstance(made, Ugi)
        made.sit_down(AWELE, 0)
        return made

    def started(self) -> list[int]:
        return [int(line) for line in self.pids.read_text().split()] if self.pids.exists() else []

    def wait_until_empty(self) -> None:
        """Wait until all processes are gone."""
        wait_until(lambda: not any(is_running(pid) for pid in self.started()))


@pytest.fixture
def zoo(tmp_path: Path) -> Zoo:
    return Zoo(tmp_path)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody waits as long as a busy machine may need."""
    for name in ("GREETING", "PREPARING", "DEFAULT_TIME", "PATIENCE", "STOPPING"):
        monkeypatch.setattr(ugi, name, PATIENCE)
    for name in ("ENDING", "ERRORS_PATIENCE"):
        monkeypatch.setattr(line_program, name, PATIENCE)


class JumpingTime:
    """The client's clock, which jumps beyond any limit when an engine has been sent a line and has left its mark."""

    def __init__(self, zoo: Zoo, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.zoo = zoo
        self.line = line
        self.ahead = 0.0
        self.send = line_program.LineProgram.send
        monkeypatch.setattr(ugi, "time", self)
        monkeypatch.setattr(line_program, "time", self)
        monkeypatch.setattr(line_program.LineProgram, "send", lambda partner, line: self.say(partner, line))

    def monotonic(self) -> float:
        return time.monotonic() + self.ahead

    def say(self, partner: line_program.LineProgram, line: str) -> None:
        self.zoo.mark.unlink(missing_ok=True)
        self.send(partner, line)
        if line.split()[0] == self.line:
            wait_until(self.zoo.mark.exists)
            self.ahead += 2 * PATIENCE


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


# ------------------------------------------------------------------------------------------------------ good engines


def test_our_own_engine_plays_a_match() -> None:
    result = play_match(f"{OURS} --bot greedy", "idiot", AWELE, 10, clock=EASY)
    assert (result.first.bot, result.first.forfeits, result.second.forfeits) == (f"{OURS} --bot greedy", 0, 0)
    assert result.score > 0.5


def test_our_own_engine_plays_what_the_match_plays() -> None:
    """It is started with another game, and plays on a clock."""
    game = palabre.game("avalam:official")
    clock = Clock(remaining=3000.0, increment=0.1)
    result = play_match(f"{OURS} --bot greedy", "idiot", game, 2, clock=clock)
    assert (result.first.forfeits, result.score) == (0, 1.0)


def test_the_same_bot_plays_the_same_behind_a_pipe() -> None:
    position = AWELE.position("4,4,4,0,5,5/5,5,4,4,4,4 0,0 2 1")
    far, near = bot(f"{OURS} --bot palabre:depth=4", AWELE), bot("palabre:depth=4", AWELE)
    for player in (far, near):
        player.sit_down(AWELE, 1)
    assert str(far.choose(position, Clock(depth=4))) == str(near.choose(position, Clock(depth=4)))


def test_a_simple_engine_plays_all_its_games_in_one_process(zoo: Zoo) -> None:
    result = play_match(zoo.spec(TAKES_ONE), "idiot", TAKE_AWAY, 4, clock=EASY)
    assert (result.games, result.first.forfeits) == (4, 0)
    assert len(zoo.started()) == 1


def test_an_engine_behind_an_engine_can_be_stopped(zoo: Zoo) -> None:
    """The bot of `palabre ugi` is itself a foreign engine, which answers only when it is stopped."""
    with Driver("awele", "--bot", zoo.spec("def go(): pass\ndef stop(): say(answer())")) as driver:
        driver.say("position startpos", "go infinite", "isready")
        assert driver.until("readyok") == ["readyok"]
        assert driver.ask("stop", "bestmove") == "A"
        assert driver.leave()[0] == 0
    zoo.wait_until_empty()


def test_an_engine_is_told_the_limits_of_its_clock(zoo: Zoo) -> None:
    made = zoo.seated("def go():\n    sys.stderr.write(line), say('bestmove ?')")
    for clock, told in (
        (Clock(), "go movetime 300000"),
        (Clock(per_move=250.0), "go movetime 250000"),
        (Clock(depth=3), "go depth 3"),
        (Clock(remaining=200.0, increment=0.5), "go p1time 200000 p2time 200000 p1inc 500 p2inc 500"),
    ):
        with refuses("engine.last_words", words=told):
            made.choose(AWELE.start(), clock)
        made.sit_down(AWELE, 0)


def test_an_engine_is_told_how_the_game_began_and_all_its_moves(zoo: Zoo) -> None:
    """Only so can it see that a position is repeated."""
    middle = AWELE.position("0,5,5,5,5,4/4,4,4,4,4,4 0,0 1 2")
    for position, told in (
        (AWELE.start(), "position startpos"),
        (AWELE.start().play("C").play("d"), "position startpos moves C d"),
        (middle, f"position fen {middle.text}"),
        (middle.play("B").play("a").play("C"), f"position fen {middle.text} moves B a C"),
    ):
        made = zoo.seated("def go():\n    sys.stderr.write('position ' + position + '\\n'), say('bestmove ?')")
        with refuses("engine.last_words", words=told):
            made.choose(position, EASY)


def test_what_an_engine_is_told_is_the_position_with_its_past() -> None:
    """Ours at the other end: in this game a repeated position ends it, so that the past is part of a position."""
    game = palabre.game("awele:abapa")
    conversation = Conversation(game, "greedy", lambda line: None)
    for start in (game.start(), game.position("0,0,1,0,0,0/0,0,1,0,0,0 20,26 1 30")):
        position = start
        while not position.is_over:
            conversation.receive(ugi.position_command(position))
            assert conversation.board is not None
            assert conversation.board.position == position  # with the keys of all positions before
            position = position.play(position.moves()[0])
        conversation.receive(ugi.position_command(position))
        assert conversation.board is not None
        assert conversation.board.position.is_over


def test_a_slow_start_is_on_no_clock(zoo: Zoo) -> None:
    slow = bot(zoo.spec(f"time.sleep(2)\n{TAKES_ONE}"), TAKE_AWAY)
    begin = time.perf_counter()
    played = play_game([slow, bot("idiot", TAKE_AWAY)], TAKE_AWAY.start(), clock=EASY)
    assert played.reason is None
    assert sum(seconds or 0.0 for seconds in played.seconds) <= time.perf_counter() - begin - 2


def test_late_words_about_an_earlier_position_are_not_taken_for_an_answer(zoo: Zoo) -> None:
    made = zoo.seated("def go():\n    say(answer()), say('bestmove nonsense'), say('readyok')")
    assert str(made.choose(AWELE.start(), EASY)) == "A"
    made = zoo.seated("def go():\n    say(answer()), say('bestmove F')")
    for text, move in (("4,4,4,4,4,4/4,4,4,4,4,4 0,0 1 0", "A"), ("0,5,5,5,5,4/4,4,4,4,4,4 0,0 1 2", "B")):
        assert str(made.choose(AWELE.position(text), EASY)) == move


def test_an_engine_that_is_told_to_stop_may_still_move(zoo: Zoo, monkeypatch: pytest.MonkeyPatch) -> None:
    JumpingTime(zoo, "go", monkeypatch)
    made = zoo.seated("def go():\n    mark()\ndef stop():\n    say(answer())")
    for _ in range(2):
        assert str(made.choose(AWELE.start(), EASY)) == "A"
        assert made.request.startswith("go ")
    assert len(zoo.started()) == 1


# ------------------------------------------------------------------------------------------------------ the zoo


@dataclass(frozen=True)
class Habit:
    """What an engine does, and the message that says how it died."""

    code: str
    id: str
    params: dict[str, object] = field(default_factory=dict)
    late_for: str = ""  # the line that it does not answer in time


def ends(code: str, exit_code: int) -> Habit:
    return Habit(code, "ended.code", {"code": exit_code})


def is_silent(code: str) -> Habit:
    return Habit(code, "engine.unstoppable", {"seconds": EASY.per_move}, "go")


def is_no_move(code: str, answer: str) -> Habit:
    return Habit(code, "engine.illegal", {"answer": answer})


HABITS = {
    "silent": is_silent("def go(): mark()"),
    "exits": ends("def go(): sys.exit(3)", 3),
    "leaves politely": ends("def go(): sys.exit(0)", 0),
    "crashes": Habit("def go(): os.kill(os.getpid(), signal.SIGSEGV)", "ended.signal", {"signal": "SIGSEGV"}),
    "raises": ends("def go(): 1 / 0", 1),
    "lies": is_no_move("def go(): say('bestmove Z9')", "bestmove Z9"),
    "says nothing as a move": is_no_move("def go(): say('bestmove')", "bestmove"),
    "gives up": is_no_move("def go(): say('info string I am tired'), say('bestmove (none)')", "bestmove (none)"),
    "shouts": is_silent("def go(): say(answer().swapcase()), mark()"),
    "closes its output": Habit("def go(): os.close(1), time.sleep(999)", "engine.closed_output"),
    "closes everything": Habit(
        "def go(): os.close(0), os.close(1), os.close(2), time.sleep(999)", "engine.closed_output"
    ),
    "floods": Habit("def go():\n    while True: os.write(1, b'info depth 1\\n' * 5000)", "engine.flood"),
    "floods errors": is_silent("def go():\n    mark()\n    while True: os.write(2, b'trouble\\n' * 5000)"),
    "never ends its line": Habit("def go():\n    while True: os.write(1, b'x' * 5000)", "engine.long_line"),
    "answers in binary": is_silent("def go(): os.write(1, bytes(range(256)) * 9 + b'\\n'), mark()"),
    "dies between the lines": ends("def go(): os.write(1, b'bestm'), os._exit(1)", 1),
    "stops reading": is_silent("def go(): mark(), time.sleep(999)"),
    "is deaf": is_silent(
        "def go(): mark(), time.sleep(999)\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\ndef leave(): time.sleep(999)"
    ),
    "has children": is_silent("def go():\n    if not os.fork(): begin(), mark()\n    time.sleep(999)"),
    "leaves its children behind": is_silent(
        "def go():\n    if not os.fork(): begin(), mark(), time.sleep(999)\n    os._exit(0)"
    ),
    "is not ready": Habit("def isready(): mark()", "engine.silent", {"seconds": PATIENCE}, "isready"),
    "speaks another language": Habit("def ugi(): say('uciok'), mark()", "engine.silent", {"seconds": PATIENCE}, "ugi"),
    "dies at once": ends("sys.exit('no licence')", 1),  # maybe before it can be told anything
    "floods its greeting": Habit("def ugi():\n    while True: os.write(1, b'option name x\\n' * 5000)", "engine.flood"),
}


def sit_down_and_choose(player: Bot, clock: Clock) -> None:
    player.sit_down(AWELE, 0)
    player.choose(AWELE.start(), clock)


def say_for_ever(partner: line_program.LineProgram) -> None:
    for _ in range(10_000):
        partner.send("x" * 1000)


@pytest.mark.parametrize("name", HABITS)
def test_a_sick_engine_loses_its_game_with_a_death_certificate(
    name: str, zoo: Zoo, monkeypatch: pytest.MonkeyPatch
) -> None:
    habit = HABITS[name]
    if habit.id == "engine.closed_output":
        monkeypatch.setattr(line_program, "ENDING", 0.1)  # it will not end
    if name == "leaves its children behind":
        monkeypatch.setattr(line_program, "ERRORS_PATIENCE", 0.1)  # they hold its standard error open
    if habit.late_for:
        JumpingTime(zoo, habit.late_for, monkeypatch)
        monkeypatch.setattr(ugi, "STOPPING", 0.1)
    sick = bot(zoo.spec(habit.code), AWELE)
    played = play_game([sick, bot("idiot", AWELE)], AWELE.start(), clock=EASY)
    assert (played.shares, played.forfeit) == ((0.0, 1.0), 0)
    assert played.reason is not None
    holds(played.why_ended(AWELE.words().home), "game.loses", player=1)
    holds(played.why_ended(AWELE.words().home), "forfeit.raised", kind="EngineDied")
    assert len(played.reason) < 450
    zoo.wait_until_empty()
    before = len(zoo.started())
    with refuses(habit.id, **habit.params):
        sit_down_and_choose(sick, EASY)
    assert len(zoo.started()) > before  # a new process for the next game
    zoo.wait_until_empty()


def test_the_certificate_has_all_that_is_known(zoo: Zoo) -> None:
    made = zoo.seated(
        "def go():\n    say('info string about to fail'), sys.stderr.write('a\\n' * 9 + 'out of seeds'), exit(7)"
    )
    with refuses("engine.last_words", words="a / a / out of seeds") as refused:
        made.choose(AWELE.start(), EASY)
    message = refused.value.message
    holds(message, "engine.said", line="about to fail")
    holds(message, "engine.told", line="go movetime 300000")
    holds(message, "engine.died", command=made.spec.removeprefix("ugi:"), how=say("ended.code", code=7))


def test_what_an_engine_wrote_to_standard_error_before_it_ended_is_told(zoo: Zoo) -> None:
    for habits in ("def go(): 1 / 0", "def ugi(): 1 / 0", "1 / 0"):
        with pytest.raises(EngineDied) as error:
            sit_down_and_choose(bot(zoo.spec(habits), AWELE), EASY)
        [told] = [part for part in parts(error.value.message) if part.id == "engine.last_words"]
        assert str(told.params["words"]).endswith("ZeroDivisionError: division by zero")


def test_the_certificate_in_the_document_is_a_true_one() -> None:
    page = (Path(__file__).parents[2] / "docs" / "ugi.md").read_text(encoding="utf-8")
    [command, *lines] = page.partition("    $ ")[2].partition("\n\n")[0].splitlines()
    done = run(*shlex.split(command)[1:])
    assert done.returncode == 1  # a bot that forfeits every game
    assert done.stderr.splitlines()[0] == " ".join(line.strip() for line in lines)


def test_an_engine_that_does_not_read_cannot_block_us(zoo: Zoo) -> None:
    made = zoo.seated()
    assert made.process is not None
    os.kill(zoo.started()[0], signal.SIGSTOP)
    with refuses("engine.deaf"):
        say_for_ever(made.process)


def test_memory_is_bounded_whatever_is_printed(zoo: Zoo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ugi, "STOPPING", 0.1)
    for flood in ("os.write(1, b'x\\n' * 30000)", "os.write(1, b'x' * 9999)", "os.write(2, b'x\\n' * 30000)"):
        made = zoo.seated(f"def go():\n    while True: {flood}")
        tracemalloc.start()
        try:
            with pytest.raises(EngineDied):
                made.choose(AWELE.start(), Clock(per_move=0.5))
            assert tracemalloc.get_traced_memory()[1] < 16 << 20
        finally:
            tracemalloc.stop()


# ------------------------------------------------------------------------------------------------------ leaving


def test_an_engine_goes_with_its_bot(zoo: Zoo) -> None:
    made = zoo.seated("def leave():\n    time.sleep(999)")
    assert [is_running(pid) for pid in zoo.started()] == [True]
    del made
    gc.collect()
    zoo.wait_until_empty()


def test_a_polite_engine_may_say_good_bye(zoo: Zoo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_program, "QUITTING", PATIENCE)
    made = zoo.seated(f"def leave():\n    open({str(tmp_path / 'good bye')!r}, 'w'), sys.exit(0)")
    assert made.process is not None
    made.process.close()
    assert (tmp_path / "good bye").exists()


# Takes neither `quit` nor the end of its input for an answer.
DEAF = """\
def leave():
    time.sleep(999)
def lines(source):
    yield from source
    time.sleep(999)
sys.stdin = lines(sys.stdin)
"""


def test_no_engine_is_left_when_the_command_is_done(zoo: Zoo) -> None:
    game = take_away.__file__
    done = run(
        "match", zoo.spec(DEAF + TAKES_ONE), "idiot", "--game", game, "--games", "2", "--time", "300", "--workers", "1"
    )
    assert (done.returncode, without_checks(done.stderr)) == (0, "")
    assert len(zoo.started()) == 1
    zoo.wait_until_empty()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_engine_is_left_when_the_command_is_ended(number: signal.Signals, zoo: Zoo) -> None:
    spec = zoo.spec(DEAF + "def go():\n    open({!r}, 'w'), time.sleep(999)".format(str(zoo.folder / "asked")))
    with running("match", spec, "idiot", "--game", "awele", "--time", "300") as match:
        wait_until((zoo.folder / "asked").exists)
        end(match, by=number)
    assert match.returncode in (130, -number)
    zoo.wait_until_empty()


# ------------------------------------------------------------------------------------------------------ specs


@pytest.mark.parametrize(
    ("spec", "id", "params"),
    [
        ("ugi:", "engine.no_command", {"prefix": "ugi:"}),
        ("ugi:  ", "engine.no_command", {}),
        ("ugi:./no-such-engine --fast", "engine.no_program", {"program": "./no-such-engine"}),
        ('ugi:./engine "a', "engine.no_command_line", {"command": './engine "a'}),
        ("ugi:sh\n-c true", "engine.no_program", {}),
        ("ugi:sh \0", "engine.no_program", {}),
        (f"ugi:sh {'x' * 600}", "spec.bot_too_long", {}),
        ("ugi", "spec.no_bot", {"name": "ugi"}),
    ],
)
def test_a_command_that_is_none_is_named(spec: str, id: str, params: dict[str, object]) -> None:
    with refuses(id, **params) as error:
        bot(spec, AWELE)
    assert "\n" not in str(error.value)


def test_all_of_a_spec_is_the_command() -> None:
    made = bot(' ugi: sh -c "true; x=1,2" ', AWELE)
    assert isinstance(made, Ugi)
    assert (made.spec, made.command) == ('ugi:sh -c "true; x=1,2"', 'sh -c "true; x=1,2"')
    assert bot(made.spec, AWELE).spec == made.spec


def test_a_program_that_is_no_program_cannot_be_started(tmp_path: Path) -> None:
    file = tmp_path / "engine"
    file.write_bytes(b"\x7fELF nothing")
    file.chmod(0o755)
    with refuses("engine.unstartable", error="Exec format error"):
        bot(f"ugi:{file}", AWELE).sit_down(AWELE, 0)


@pytest.mark.parametrize(
    ("text", "specs"),
    [
        ("person,ugi:./e --fast", ["person", "ugi:./e --fast"]),
        ("ugi:./e --threads=2,person", ["ugi:./e --threads=2", "person"]),
        ("""ugi:./e "a,b" 'c,d', idiot:seed=2""", ["""ugi:./e "a,b" 'c,d'""", "idiot:seed=2"]),
        ("ugi:./e --set a=1,b=2,idiot", ["ugi:./e --set a=1,b=2", "idiot"]),
        ("ugi:./it's,idiot", ["ugi:./it's", "idiot"]),
        ("it's/bot.py,what's/bot.py", ["it's/bot.py", "what's/bot.py"]),
    ],
)
def test_a_command_in_a_list_ends_at_a_comma_outside_quotes(text: str, specs: list[str]) -> None:
    assert split_specs(text) == specs


def test_a_person_plays_against_a_foreign_engine(zoo: Zoo) -> None:
    done = run("play", "--terminal", "awele", "--players", f"person,{zoo.spec()}", "--time", "300", stdin="C\n")
    assert done.returncode == 0, done.stderr
    assert f"○ Player 2: {zoo.spec()}" in "".join(done.stdout.splitlines())
    assert "○ a: Player 2 sows 5 seeds from a." in done.stdout
    zoo.wait_until_empty()
