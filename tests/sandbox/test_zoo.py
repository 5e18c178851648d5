"""Hostile bots (`tests/sandbox/zoo/`): each loses its game for the right reason, and nothing else happens."""

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

import palabre
from palabre.bots.bot import Bot
from palabre.bots.specs import bot
from palabre.bots.submission import digest_of
from palabre.compile import cache
from palabre.core.errors import PalabreError
from palabre.core.position import Move, Position
from palabre.core.words import say, text_of
from palabre.play.failures import BotFailed, Limits
from palabre.play.finished import FinishedGame
from palabre.play.game import OngoingGame
from palabre.play.guard import teach
from palabre.play.referee import play_game
from palabre.sandbox import box
from palabre.sandbox.bubblewrap import FIRST_UID, UIDS
from palabre.sandbox.players import close_bot, seat
from palabre.sandbox.proxy import SandboxedBot
from palabre.search.clock import Clock
from tests.arena.needs import needs_sandbox
from tests.command import PATIENCE, wait_until
from tests.sandbox.inmates import descendants, game_of, processor_seconds, supervisor_of
from tests.sentences import Told, tells
from tests.test_translation import ENGLISH

pytestmark = pytest.mark.processes

ZOO = Path(__file__).parent / "zoo"
GAME = palabre.game("awele")
SHORT, LONG = Clock(per_move=0.3), Clock(per_move=PATIENCE)  # for bots that must be late, and for all others
# Nothing that a bot must do is limited in time but by what only a hang meets.
UNHURRIED = Limits(loading=PATIENCE, starting=PATIENCE, closing=PATIENCE)
TIGHT = replace(UNHURRIED, memory=256, scratch=8, files=500, processes=20, output=1, strikes=0)
STINGY = replace(TIGHT, cores=0.05)  # a bot can exceed it even on a busy machine
HURRIED = {"hangs_in_import": replace(TIGHT, loading=0.5), "hangs_in_start": replace(TIGHT, starting=0.4)}


def error(kind: str, says: str = "") -> tuple[Told, ...]:
    """Something was raised."""
    return (Told("forfeit.raised", {"kind": kind}, says),)


def illegal(move: str) -> tuple[Told, ...]:
    return (Told("error.illegal_move", {"move": move}),)


def died(id: str, **parameters: object) -> tuple[Told, ...]:
    return (Told("forfeit.died", {"how": say(id, **parameters)}),)


TIME = (Told("forfeit.late_for_move", {"allowed": 0.3}), Told("forfeit.no_answer_in_time", {"allowed": 0.3}))
NO_ANSWER = (Told("forfeit.no_answer"),)
GARBAGE = (Told("forfeit.garbage"),)
TOO_LONG = (Told("forfeit.too_long", {"most": 65536}),)
MEMORY = (Told("forfeit.memory", {"most": 256}),)
STIRRED = (Told("forfeit.processor", {"strike": say("forfeit.stirred")}),)
BETWEEN_TURNS = (Told("forfeit.between_turns"),)
TOO_MANY_CORES = (Told("forfeit.too_many_cores"),)
OVER_ONE_CORE = Told("forfeit.too_many_cores", {"cores": 1.0})
# What is told of each; one of several messages, where chance decides.
REASONS = {
    "answers_early": (Told("forfeit.twice"), Told("forfeit.early")),
    "answers_garbage": GARBAGE,
    "answers_hugely": TOO_LONG,
    "answers_nested": GARBAGE,
    "answers_number": GARBAGE,
    "answers_twice": (Told("forfeit.twice"),),
    "answers_without_end": TOO_LONG,
    "asks_for_watches": error("RuntimeError", "allowed []"),
    "blocks_stack_signal": TIME,
    "changes_own_file": error("OSError", "(changes_own_file.py, line 10: pathlib"),
    "closes_descriptors": (Told("forfeit.closed"),),
    "digs_deep": illegal("dug"),
    "ends_by_nameless_signal": died("ended.signal", signal=40),
    "ends_a_child_when_stopped": STIRRED,
    "exits": died("ended.code", code=3),
    "exits_after_slow_fork": died("ended.code", code=3),
    "exits_in_start": died("ended.code", code=7),
    "feigns_a_busy_machine": TIME,
    "feigns_a_busy_machine_with_old_processes": TIME,
    "feigns_a_busy_machine_with_threads": TIME,
    "fills_scratch": error("OSError", "No space left on device"),
    "forks_when_asked_for_its_stack": TIME,
    "forges_cache": (*error("OSError", "Read-only file system"), *error("FileNotFoundError")),
    "fork_bomb": TIME,
    "hangs_in_start": NO_ANSWER,
    "ignores_signals": TIME,
    "illegal": illegal("Z9"),
    "interrupts": (Told("forfeit.error", {}, "KeyboardInterrupt"),),
    "kills_everybody": (Told("forfeit.parent_died", {"how": say("ended.signal", signal="SIGKILL")}),),
    "kills_parent": (*error("PermissionError"), *illegal("nobody died")),
    "late": TIME,
    "late_in_thread": TIME,
    "leaves": error("SystemExit", "good-bye"),
    "locks_the_cache": error("RuntimeError", "locked []"),
    "looks_into_its_parent": error("PermissionError"),
    "lies_about_its_stack": TIME,
    "loops": TIME,
    "loops_in_c": TIME,
    "makes_files": (Told("forfeit.files", {"most": 500, "folder": "/tmp"}),),
    "makes_namespaces": error("PermissionError", "no namespaces"),
    "memory_alone": (*error("MemoryError"), Told("forfeit.memory")),
    "memory_children": MEMORY,
    "memory_file": error("OSError", "Function not implemented"),
    "memory_page_tables": MEMORY,
    "memory_segment": error("PermissionError", "no segment"),
    "memory_shared": MEMORY,
    "memory_sockets": MEMORY,
    "prints_a_gigabyte": (Told("forfeit.output", {"most": 1}),),
    "raises": error("IndexError", "(raises.py, line 7: return position.moves"),
    "raises_in_start": error("RuntimeError", "not today (raises_in_start.py, line 8: raise"),
    "raises_unprintable": error("Unprintable"),
    "reads_etc": error("FileNotFoundError"),
    "reads_rivals": error("RuntimeError", "found []"),
    "recurses": error("RecursionError"),
    "returns_nothing": (Told("forfeit.no_move", {"answer": "None"}),),
    "returns_odd_object": error("ValueError", "not shown"),
    "runs_programs": error("FileNotFoundError"),
    "segfaults": died("ended.signal", signal="SIGSEGV"),
    "setsid_child": TOO_MANY_CORES,
    "shadows_a_module": error("RuntimeError", "wrote to []"),
    "sleeps": TIME,
    "sockets": error("PermissionError"),
    "takes_stack_signal": TIME,
    "thinks_in_a_child_when_stopped": (*STIRRED, *BETWEEN_TURNS),
    "thinks_when_stopped": BETWEEN_TURNS,
    "thread_bomb": (*error("RuntimeError", "can't start new thread"), Told("forfeit.processes")),
    "threads": TOO_MANY_CORES,
    "writes_everywhere": error("RuntimeError", "wrote to []"),
}
# These break the rule of one core in every turn, and are struck out by the limits that hold if nothing is said.
CHEATING = ("two_processes", "two_threads")
# These would answer with what is no move if they found a note from an earlier game.
REMEMBERING = (
    "notes_by_signal",
    "notes_by_slow_fork",
    "notes_in_date",
    "notes_in_file_numbers",
    "notes_in_flags",
    "notes_in_limits",
    "notes_in_mapped_file",
    "notes_in_names",
    "notes_in_output_of_parent",
    "notes_in_pipe",
    "notes_in_priority",
    "notes_in_process_numbers",
    "notes_in_shared_memory",
    "notes_shared_late",
)
# These would answer with what is no move if they learned something from their twin in the opponent's sandbox.
SIGNALLING = ("signals_by_flock", "signals_by_opening", "signals_by_record_lock")
# These fail before any game. They lose all their games, for the same reason.
LOADING = {
    "exits_in_import": died("ended.code", code=7),
    "exits_in_learn": died("ended.code", code=7),
    "hangs_in_import": NO_ANSWER,
    "hangs_in_learn": NO_ANSWER,
    "raises_in_import": (Told("spec.unloadable", {}, "RuntimeError: not today (raises_in_import.py, line 5)"),),
    "raises_in_learn": error("RuntimeError", "not today (raises_in_learn.py, line 8: raise"),
}


class Pensive(Bot):
    """Takes its time, until its opponent, who is suspended, has thought all the same."""

    def __init__(self, opponent: SandboxedBot) -> None:
        self.opponent = opponent

    def choose(self, position: Position, clock: Clock) -> Move:
        game = game_of(self.opponent)
        before = processor_seconds(game)
        wait_until(lambda: processor_seconds(game) > before + 0.05)
        return position.moves()[0]


class Watchful(Bot):
    """Takes its time, until a process of its opponent, who is suspended, has ended all the same."""

    def __init__(self, opponent: SandboxedBot) -> None:
        self.opponent = opponent

    def choose(self, position: Position, clock: Clock) -> Move:
        supervisor = supervisor_of(self.opponent)
        seen: set[int] = set()

        def has_ended() -> bool:
            now = set(descendants(supervisor))
            seen.update(now)
            return seen != now

        wait_until(has_ended)
        return position.moves()[0]


@pytest.fixture(scope="module", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cache that no other test writes to meanwhile."""
    folder = tmp_path_factory.mktemp("cache")
    folder.chmod(0o755)  # bots may read it
    (folder / "kernels").mkdir()
    (folder / "locks").mkdir()
    (folder / "locks" / "game-search.lock").touch()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PALABRE_CACHE", str(folder))
        yield


@pytest.fixture(scope="module")
def bystander() -> Iterator["subprocess.Popen[bytes]"]:
    """A process that nobody may kill."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        yield process
        process.kill()


@pytest.fixture
def first_in_line() -> Iterator[None]:
    """Sandboxes get a processor before everybody else, if we may have that, so that a busy machine has two for them."""
    prefer = partial(os.sched_setscheduler, 0)  # of the thread that starts sandboxes, and of all that it starts
    with contextlib.suppress(PermissionError):
        box.launcher().submit(prefer, os.SCHED_RR, os.sched_param(1)).result()
    yield
    box.launcher().submit(prefer, os.SCHED_OTHER, os.sched_param(0)).result()


# Of bots that act in the opponent's turn, which lasts until they have.
OPPONENTS: dict[str, Callable[[SandboxedBot], Bot]] = {
    "ends_a_child_when_stopped": Watchful,
    "thinks_in_a_child_when_stopped": Watchful,
    "thinks_when_stopped": Pensive,
}


@contextlib.contextmanager
def hostile(name: str, limits: Limits = TIGHT) -> Iterator[SandboxedBot]:
    """A bot of the zoo; afterwards nothing is left of it, and nothing has changed."""
    before = (digest_of(ZOO), listing(cache.root()), set(os.listdir("/tmp")))  # noqa: PTH208
    player = seat(str(ZOO / f"{name}.py"), GAME, limits=limits, untrusted=True)
    assert isinstance(player, SandboxedBot)
    try:
        yield player
    finally:
        close_bot(player)
    assert not leftovers()
    left, kept, places = (digest_of(ZOO), listing(cache.root()), set(os.listdir("/tmp")))  # noqa: PTH208
    assert (left, kept) == before[:2]
    assert not [place for place in places - before[2] if "hostile" in place]


def assert_is_french(game: FinishedGame) -> None:
    """Whoever reads a reason in French reads nothing in English but what stands in quotation marks."""
    told = text_of(game.why_ended(GAME.words().home), "fr")
    assert told.startswith("le joueur ")
    assert not ENGLISH.search(re.sub(r"«.*?»|'.*?'", "", told)), told


def leftovers() -> list[str]:
    """Processes with the user id of a sandbox that is closed; root's sandboxes only, others have the user's own."""
    held = {int(number) for number in re.findall(r"@palabre-sandbox-(\d+)", Path("/proc/net/unix").read_text())}
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            user = folder.stat().st_uid
            if FIRST_UID <= user < FIRST_UID + UIDS and user not in held:
                found.append((folder / "cmdline").read_text())
    return found


def listing(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.glob("*"))


def test_the_zoo_is_complete() -> None:
    assert {file.stem for file in ZOO.glob("*.py")} == {*REASONS, *LOADING, *CHEATING, *REMEMBERING, *SIGNALLING}
    assert len(REASONS) + len(LOADING) >= 30


@needs_sandbox
@pytest.mark.parametrize("name", REASONS)
def test_hostile_bots_lose_and_nothing_else_happens(
    name: str, bystander: "subprocess.Popen[bytes]", request: pytest.FixtureRequest
) -> None:
    limits = HURRIED.get(name, TIGHT)
    if name in ("setsid_child", "threads"):
        limits = STINGY
        request.getfixturevalue("first_in_line")
    with hostile(name, limits) as player:
        opponent = OPPONENTS[name](player) if name in OPPONENTS else bot("random", GAME)
        teach(player)
        clock = SHORT if REASONS[name] == TIME else LONG
        played = play_game([player, opponent], GAME.start(), clock=clock)
        assert played.forfeit == 0
        assert played.shares == (0.0, 1.0)
        assert played.reason is not None
        assert not played.machine_late or not name.startswith("feigns")
        assert any(told.is_in(played.reason) for told in REASONS[name]), played.reason
        if "error.illegal_move" not in {told.id for told in REASONS[name]}:
            assert player.failure is not None
            assert str(player.failure.reason) in played.reason
        assert_is_french(played)
    assert bystander.poll() is None


@needs_sandbox
@pytest.mark.parametrize("name", CHEATING)
@pytest.mark.usefixtures("first_in_line")
def test_more_than_one_core_costs_strikes_and_then_the_game(name: str) -> None:
    strikes = 0
    with hostile(name, UNHURRIED) as player:
        player.sit_down(GAME, 0)
        for _ in range(50):  # turns; it may not get a second core in each
            with contextlib.suppress(BotFailed):
                player.choose(GAME.start(), LONG)
            if player.failure is not None:
                break
            turn, strike = player.last_turn, player.conduct.last
            strikes += strike is not None
            assert turn.cpu < 0.03 + 1.1 * turn.wall or OVER_ONE_CORE.is_in(str(strike)), turn
            assert turn.cpu > turn.wall or strike is None, turn
        else:
            pytest.skip("the machine has no second core to cheat with")
    assert player.failure.kind == "cpu"
    assert tells(str(player.failure.reason), "forfeit.processor")
    assert OVER_ONE_CORE.is_in(str(player.failure.reason))
    assert strikes == Limits().strikes == 2


@needs_sandbox
@pytest.mark.parametrize("name", REMEMBERING)
def test_no_note_reaches_a_later_game(name: str) -> None:
    with hostile(name) as player:
        for _ in range(3):
            game = OngoingGame(GAME.start(), [player, None], clock=LONG)
            game.sit_down()
            game.ask_bot()
            game.get_up()


@needs_sandbox
@pytest.mark.parametrize("name", SIGNALLING)
def test_no_message_reaches_another_sandbox(name: str) -> None:
    with hostile(name) as first, hostile(name) as second:
        game = OngoingGame(GAME.start(), [first, second], clock=LONG)
        game.sit_down()
        for _ in range(4):
            game.ask_bot()
        game.get_up()


@needs_sandbox
@pytest.mark.parametrize("name", LOADING)
def test_bots_that_cannot_be_loaded_lose_all_games(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with hostile(name, HURRIED.get(name, TIGHT)) as player:
        with pytest.raises(PalabreError) as refused:
            player.learn((), 0.3 if name == "hangs_in_learn" else PATIENCE)
        assert any(told.is_in(str(refused.value)) for told in LOADING[name]), refused.value
        monkeypatch.setattr(SandboxedBot, "load", lambda bot: pytest.fail("it was loaded again, to fail again"))
        for _ in range(3):
            played = play_game([bot("random", GAME), player], GAME.start(), clock=SHORT)
            assert played.forfeit == 1
            assert player.failure is not None
            assert str(player.failure.reason) in str(played.reason)
            assert_is_french(played)
