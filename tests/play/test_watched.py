"""Bots in this process, for their authors: an endless loop ends, its line is shown, and a debugger stops the clock."""

import pdb
import re
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import palabre
from palabre.bots.specs import bot
from palabre.core.words import say
from palabre.play import watched
from palabre.play.failures import BotFailed, Limits
from palabre.play.guard import ask
from palabre.play.referee import play_game
from palabre.play.stopwatch import Stopwatch
from palabre.play.watched import WatchedBot, limited_time
from palabre.sandbox.players import close_bot, seat
from palabre.search.clock import Clock
from tests.command import PATIENCE
from tests.command import palabre as command
from tests.messages import refuses

GAME = palabre.game("awele")
ZOO = Path(__file__).parent.parent / "sandbox" / "zoo"


class Hand:
    """A clock that is moved by hand."""

    time = 0.0

    def __call__(self) -> float:
        return self.time


HAND = Hand()  # which the bots below move themselves, once they are in the code that takes too long
LATE = "HAND.time += 60.0\n"


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stopwatch]:
    """The clock of the bots, which a slow machine does not move."""
    made = Stopwatch(HAND)
    monkeypatch.setattr(watched, "STOPWATCH", made)
    monkeypatch.setattr(watched, "HARD", PATIENCE)
    interrupt = signal.getsignal(signal.SIGINT)
    yield made
    signal.signal(signal.SIGINT, interrupt)  # pdb leaves its own handler behind


def written(tmp_path: Path, body: str, hook: str = "choose(self, position, clock)") -> Path:
    """A file with a bot that does this in a hook."""
    file = tmp_path / "mine.py"
    hooks = {"choose(self, position, clock)": "return position.moves()[0]", hook: body}
    code = "".join(
        f"    def {name}:\n" + "".join(f"        {line}\n" for line in lines.splitlines())
        for name, lines in hooks.items()
    )
    file.write_text(
        f"import time\nfrom palabre import Bot\nfrom tests.play.test_watched import HAND\n\nclass Mine(Bot):\n{code}"
    )
    return file


def seated(file: Path, limits: Limits | None = None) -> WatchedBot:
    made = seat(str(file), GAME, limits=limits, in_process=True)
    assert isinstance(made, WatchedBot)
    return made


@pytest.mark.parametrize(
    "body",
    [
        "while True:\n    pass",
        "time.sleep(1e6)",
        "while True:\n    try:\n        time.sleep(0.001)\n    except Exception:\n        pass",
    ],
)
def test_an_endless_loop_ends_and_its_line_is_shown(tmp_path: Path, body: str) -> None:
    file = written(tmp_path, LATE + body)
    made = seated(file)
    game = play_game([made, bot("random", GAME)], GAME.start(), clock=Clock(per_move=1.0))
    close_bot(made)
    assert (game.forfeit, game.machine_late) == (0, False)
    assert (
        str(say("game.loses", player=1, reason=say("forfeit.no_answer_in_time", seconds=60, allowed=1))) == game.reason
    )
    assert game.details is not None
    first, place, *_, last = game.details.strip().splitlines()
    assert first.startswith("Traceback")
    assert re.fullmatch(rf'  File "{file}", line \d+, in choose', place)
    assert "watched.py" not in game.details
    assert last.endswith(f"Overdue: {say('debug.overdue')}")


@pytest.mark.parametrize("hook", ["start(self, game, seat)", "learn(self, data, budget)"])
def test_other_hooks_end_as_well(tmp_path: Path, hook: str) -> None:
    made = seated(written(tmp_path, LATE + "while True: pass", hook), Limits(starting=1.0))
    first, *_ = hook.partition("(")
    with pytest.raises(BotFailed) as failed:
        made.sit_down(GAME, 0) if first == "start" else made.learn((), 1.0)
    assert failed.value.failure.kind == "time"
    assert f"in {first}" in failed.value.failure.traceback


def test_a_loop_in_an_import_ends(tmp_path: Path) -> None:
    file = written(tmp_path, "pass")
    file.write_text(f"{file.read_text()}\n{LATE}while True: pass\n")
    with pytest.raises(BotFailed) as failed:
        seated(file, Limits(loading=1.0))
    assert "in <module>" in failed.value.failure.traceback


def test_an_honest_bot_plays_as_in_its_sandbox(tmp_path: Path) -> None:
    file = written(tmp_path, "return position.moves()[self.roll(len(position.moves()))]")
    games = [
        play_game([player, bot("random", GAME)], GAME.start(), seed=3, clock=Clock(per_move=1.0))
        for player in (seated(file), bot(str(file), GAME))
    ]
    assert games[0].reason is None
    assert games[0].moves == games[1].moves


def test_nothing_is_watched_outside_the_main_thread() -> None:
    """Signals reach the main thread alone."""
    done: list[int] = []

    def run() -> None:
        with limited_time(0.0):
            done.extend(range(1000))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(PATIENCE)
    assert len(done) == 1000


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux alone")
def test_memory_has_the_limit_of_the_sandbox(tmp_path: Path) -> None:
    made = seated(written(tmp_path, "kept = []\nwhile True: kept.append(bytes(1 << 24))"), Limits(memory=128))
    made.sit_down(GAME, 0)
    with refuses("forfeit.raised_in", kind="MemoryError", error=say("forfeit.no_message"), line=8):
        ask(made, GAME.start(), Clock(per_move=PATIENCE))
    assert len(bytes(1 << 28)) == 1 << 28  # we have no limit


# ---------------------------------------------------------------------------------------------------- in the debugger


class Keyboard:
    """Somebody who takes their time at the prompt of a debugger."""

    def __init__(self, *lines: str) -> None:
        self._lines = list(lines)

    def readline(self) -> str:
        HAND.time += 1000.0
        return self._lines.pop(0)


@pytest.mark.parametrize("call", ["breakpoint()", "import pdb; pdb.Pdb().set_trace()"])
def test_the_clock_stands_still_in_a_debugger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Stopwatch, call: str
) -> None:
    # Not pdb.set_trace, in which pytest connects the terminal.
    monkeypatch.setattr(sys, "breakpointhook", lambda: pdb.Pdb().set_trace(sys._getframe().f_back))
    monkeypatch.setattr(sys, "stdin", Keyboard("next\n", "p position.ply\n", "continue\n"))
    made = seated(written(tmp_path, f"{call}\ncount = 1\nHAND.time += 0.5\nreturn position.moves()[0]"))
    made.sit_down(GAME, 0)
    before = HAND.time
    after, seconds = ask(made, GAME.start(), Clock(per_move=1.0), now=clock.now)
    assert after.ply == 1
    assert HAND.time == before + 3000.5
    assert seconds == 0.5


def test_a_stopwatch_goes_on_where_it_stood() -> None:
    hand = Hand()
    clock = Stopwatch(hand)
    hand.time = 5.0
    with clock.stopped():
        hand.time = 7.0
        with clock.stopped():
            hand.time = 9.0
        assert (clock.is_stopped, clock.now()) == (True, 5.0)
    hand.time = 10.0
    assert (clock.is_stopped, clock.now()) == (False, 6.0)


# ---------------------------------------------------------------------------------- what cannot be interrupted, outside


@pytest.mark.parametrize(
    ("name", "line"),
    [("loops_in_c", "in choose"), ("ignores_signals", "in choose")],
)
def test_what_cannot_be_interrupted_ends_the_command_with_its_stack(name: str, line: str) -> None:
    done = command("match", str(ZOO / f"{name}.py"), "random", "--game", "awele", "--debug", "--time", "0.2")
    assert done.returncode == 1
    assert f'zoo/{name}.py", line ' in done.stderr
    assert line in done.stderr
    assert "Timeout (" in done.stderr or "most recent call first" in done.stderr
