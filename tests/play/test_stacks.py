"""The stack of a late bot: asked for after the verdict, bounded, escaped, and marked as the bot's own report."""

import contextlib
import html
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

import palabre
from palabre.arena import playing
from palabre.arena.match import Match
from palabre.arena.store import read_store
from palabre.bots import foreign
from palabre.bots.specs import bot
from palabre.core.errors import PalabreError
from palabre.core.words import Message, say
from palabre.play.failures import Failure, Limits
from palabre.play.finished import FinishedGame
from palabre.play.guard import teach
from palabre.play.referee import LONGEST_DETAILS, play_game
from palabre.play.stacks import readable_stack
from palabre.sandbox.peer import KEPT_OUTPUT, LONGEST_STACK
from palabre.sandbox.players import close_bot, seat
from palabre.sandbox.proxy import SandboxedBot
from palabre.search.clock import Clock
from palabre.web.report.write import write_report
from tests.arena.needs import needs_sandbox
from tests.command import PATIENCE

ZOO = Path(__file__).parent.parent / "sandbox" / "zoo"
GAME = palabre.game("awele")
SHORT = Clock(per_move=0.1)
PATIENT = Limits(stack=PATIENCE)  # for bots that report, however slow the machine is
HEADER = str(say("details.stack", stack="")).strip()


@contextlib.contextmanager
def seated(name: str, limits: Limits) -> Iterator[SandboxedBot]:
    player = seat(str(ZOO / f"{name}.py"), GAME, limits=limits, untrusted=True)
    assert isinstance(player, SandboxedBot)
    try:
        yield player
    finally:
        close_bot(player)


def play(player: SandboxedBot) -> FinishedGame:
    return play_game([player, bot("random", GAME)], GAME.start(), clock=SHORT)


def line_of(name: str, code: str) -> int:
    """The number of the line of a bot that has this code."""
    lines = (ZOO / f"{name}.py").read_text().splitlines()
    return 1 + next(number for number, line in enumerate(lines) if line.strip() == code)


def late(name: str) -> tuple[Failure, str]:
    """How a bot fails that never answers, and what its author reads, once its time was long enough for its own code."""
    seconds = 0.2
    while True:
        limits = Limits(stack=PATIENCE, loading=4 * seconds if "import" in name else PATIENCE)
        with seated(name, replace(limits, starting=seconds if "start" in name else PATIENCE)) as player:
            with contextlib.suppress(PalabreError):
                player.learn((), seconds)
            played = play_game([player, bot("random", GAME)], GAME.start(), clock=Clock(per_move=seconds))
        assert played.forfeit == 0
        assert player.failure is not None
        assert player.failure.kind == "time"
        if f"{name}.py" in player.failure.stack or seconds > PATIENCE:
            return player.failure, str(played.details)
        seconds *= 2


@needs_sandbox
@pytest.mark.parametrize(
    ("name", "code", "function"),
    [
        ("loops_in_c", "return sum(itertools.count())", "choose"),
        ("sleeps", "time.sleep(1e6)", "choose"),
        ("late_in_thread", "worker.join()", "choose"),
        ("hangs_in_start", "time.sleep(1e6)", "start"),
        ("hangs_in_learn", "time.sleep(1e6)", "learn"),
        ("hangs_in_import", "time.sleep(1e6)", "<module>"),
    ],
)
def test_a_late_bot_reports_its_line(name: str, code: str, function: str) -> None:
    failure, details = late(name)
    assert f'  File "{name}.py", line {line_of(name, code)} in {function}' in failure.stack.splitlines()
    assert "warm.py" not in failure.stack
    assert details.startswith(f"{HEADER}\n{failure.stack}")


@needs_sandbox
def test_all_threads_are_reported() -> None:
    failure, _ = late("late_in_thread")
    assert "in search" in failure.stack
    assert "in choose" in failure.stack


@needs_sandbox
@pytest.mark.parametrize("name", ["ignores_signals", "blocks_stack_signal", "takes_stack_signal"])
def test_a_bot_that_reports_nothing_loses_nothing_but_its_stack(name: str) -> None:
    """Its verdict stands, and the next game begins as after any other forfeit."""
    with seated(name, Limits()) as player:
        for _ in range(2):
            played = play(player)
            assert played.forfeit == 0
            assert player.failure is not None
            assert (player.failure.kind, player.failure.stack) == ("time", "")


@needs_sandbox
def test_what_a_bot_does_when_it_is_asked_for_its_stack_changes_nothing() -> None:
    limits = Limits(memory=256, scratch=8, files=500, processes=20, output=1)
    with seated("forks_when_asked_for_its_stack", limits) as player:
        for _ in range(2):
            played = play(player)
            assert player.failure is not None
            assert (played.forfeit, player.failure.kind, player.failure.stack) == (0, "time", "")
            assert len(player.failure.output.encode()) <= KEPT_OUTPUT


@needs_sandbox
def test_a_false_stack_is_bounded_and_escaped() -> None:
    with seated("lies_about_its_stack", Limits()) as player:
        played = play(player)
        assert player.failure is not None
        assert player.failure.kind == "time"
        assert 0 < len(player.failure.stack) <= LONGEST_STACK
        assert played.details is not None
        assert played.details.startswith(HEADER)
        assert len(played.details) <= LONGEST_DETAILS
        assert all(sign.isprintable() or sign == "\n" for sign in played.details)


@needs_sandbox
def test_a_game_that_is_not_late_is_not_asked_for_its_stack() -> None:
    with seated("raises", PATIENT) as player:
        teach(player)
        play(player)
        assert player.failure is not None
        assert player.failure.kind == "error"
        assert player.failure.stack == ""


@needs_sandbox
def test_the_handler_is_no_way_to_pass_notes() -> None:
    """Honest bots still have all their games in one sandbox: no game inherits a handler."""
    with seated("illegal", PATIENT) as player:
        sandboxes = set()
        for _ in range(3):
            play(player)
            sandboxes.add(id(player._sandbox))
        assert len(sandboxes) == 1


def test_a_late_bot_has_little_time_and_room_for_its_stack_and_nobody_vouches_for_it() -> None:
    assert Limits().stack == 0.1
    assert LONGEST_STACK == 8192
    assert "as the bot reports it" in HEADER


PYTHON_STACK = """Thread 0x00007f0000000001 (most recent call first):
  File "{package}/sandbox/warm.py", line 300 in listen_for_stop
  File "/usr/lib/python3.11/threading.py", line 975 in run

Current thread 0x00007f0000000002 (most recent call first):
  File "/usr/lib/python3.11/random.py", line 9 in choice
  File "/bot/mine.py", line 12 in deeper
  File "/bot/mine.py", line 7 in choose
  File "{package}/sandbox/warm.py", line 199 in do_choose
  File "<frozen runpy>", line 88 in _run_code
"""
JAVA_STACK = """2026-11-18 19:58:55
Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6-Debian-1deb12u1 mixed mode, sharing):

"main" #1 prio=5 tid=0x1 nid=0x7306 runnable
   java.lang.Thread.State: RUNNABLE
\tat java.util.Arrays.fill(java.base@17.0.15/Arrays.java:1)
\tat Bot.choose(Bot.java:77)

"Finalizer" #3 daemon prio=8 tid=0x2 nid=0x7316 in Object.wait()
\tat java.lang.Object.wait(java.base@17.0.15/Native Method)

JNI global refs: 4, weak refs: 0
"""


def test_a_stack_is_shown_without_frames_that_are_not_the_bots() -> None:
    shown = readable_stack(PYTHON_STACK.format(package=Path(palabre.__file__).parent))
    assert shown.splitlines()[-3:] == [
        '  File "/usr/lib/python3.11/random.py", line 9 in choice',
        '  File "mine.py", line 12 in deeper',
        '  File "mine.py", line 7 in choose',
    ]
    shown = readable_stack(JAVA_STACK)
    assert shown.splitlines()[0].startswith('"main"')
    assert shown.splitlines()[-1] == "    at Bot.choose(Bot.java:77)"
    assert readable_stack("nothing of the kind\n") == "nothing of the kind"
    assert readable_stack("") == ""


@needs_sandbox
def test_the_stack_is_on_record_and_in_the_report_for_the_author(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playing, "Limits", partial(Limits, stack=PATIENCE))
    path, event, seconds, details = ZOO / "loops.py", tmp_path / "late.event", 0.2, ""
    while "loops.py" not in details and seconds < PATIENCE:  # until it is in its own code when its time is over
        event.unlink(missing_ok=True)
        with Match([str(path), "greedy"], GAME, 2, clocks=Clock(per_move=seconds), file=event) as match:
            assert all(row.forfeit is not None for row in match.play(0))
        with read_store(event, trusted=True) as store:
            details = str(store.games()[0].details)
            write_report(store, tmp_path / "report", "late")
        seconds *= 2
    assert details.startswith(f"{HEADER}\nCurrent thread ")
    [place] = [line for line in details.splitlines() if line.startswith('  File "loops.py", line ')]
    page = html.unescape((tmp_path / "report" / "private" / "bot-001" / "index.html").read_text(encoding="utf-8"))
    assert f"<pre>{HEADER}\n" in page
    assert place in page
    for file in (tmp_path / "report" / "public").rglob("*.*"):
        assert place.encode() not in file.read_bytes()


# ------------------------------------------------------------------------------------------ programs of other languages

JAVA = """
import java.util.Scanner;

public class Bot {
    static void search() {
        System.err.println("searching \u001b[2J");
        long count = 0;
        while (true) count++;
    }

    public static void main(String[] arguments) {
        new Scanner(System.in).nextLine();
        search();
    }
}
"""
PROGRAM = """
import sys
input()
print("searching \x1b[2J\u202e", file=sys.stderr, flush=True)
while True: pass
"""
TOML = 'name = "late"\nauthors = "me"\n'


def java(tmp_path: Path) -> str:
    (tmp_path / "Bot.java").write_text(JAVA)
    (tmp_path / "bot.toml").write_text(TOML)
    return str(tmp_path)


def program(tmp_path: Path) -> str:
    (tmp_path / "player.py").write_text(PROGRAM)
    return f"pipe:{sys.executable} {tmp_path / 'player.py'}"


def late_details(spec: str, until: str, *, in_process: bool) -> str:
    """What the author of a late program reads, once its time was long enough for it to get so far."""
    details, seconds = "", 0.5
    while until not in details and seconds < PATIENCE:
        made = seat(spec, GAME, limits=PATIENT, in_process=in_process)
        try:
            played = play_game([made, bot("random", GAME)], GAME.start(), clock=Clock(per_move=seconds))
        finally:
            close_bot(made)
        assert played.forfeit == 0
        details = str(played.details)
        seconds *= 2
    return details


@needs_sandbox
@pytest.mark.needs("javac")
def test_a_late_java_machine_reports_its_threads(tmp_path: Path) -> None:
    details = late_details(java(tmp_path), "at Bot.search", in_process=False)
    assert details.startswith(f'{HEADER}\n"main" ')
    assert "\n    at Bot.search(Bot.java:" in details
    assert "\n    at Bot.main(Bot.java:" in details
    assert "Finalizer" not in details


@pytest.mark.needs("javac")
@pytest.mark.usefixtures("unprotected")
def test_a_late_java_machine_reports_its_threads_outside_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(foreign, "STACK_SECONDS", PATIENCE)
    assert "at Bot.search" in late_details(java(tmp_path), "at Bot.search", in_process=True)


@needs_sandbox
@pytest.mark.parametrize("in_process", [False, True])
def test_what_a_late_program_wrote_to_standard_error_is_shown(tmp_path: Path, in_process: bool) -> None:
    details = late_details(program(tmp_path), "searching", in_process=in_process)
    assert details == str(say("details.output", output="searching ?[2J?\n"))


@needs_sandbox
def test_late_programs_are_late_like_all_other_bots(tmp_path: Path) -> None:
    """Process 1 looks at the clock, so that the machine's delays and the grace of an event count for programs, too."""
    player = seat(program(tmp_path), GAME, limits=Limits())
    assert isinstance(player, SandboxedBot)
    play(player)
    close_bot(player)
    assert player.failure is not None
    assert player.failure.kind == "time"
    assert isinstance(player.failure.reason, Message)
    assert player.failure.reason.id == "forfeit.no_answer_in_time"
