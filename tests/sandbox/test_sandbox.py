"""The sandbox: a bot in it plays as it would in process, and nothing outlives its game."""

import ast
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy
import pytest

import palabre
from palabre.bots.specs import bot
from palabre.core.observations import from_cells
from palabre.core.words import say
from palabre.play import judge
from palabre.play.failures import BotFailed, Limits
from palabre.play.game import OngoingGame
from palabre.play.guard import guard, teach
from palabre.play.referee import play_game
from palabre.sandbox import box, seccomp
from palabre.sandbox.installation import WORDS, probe
from palabre.sandbox.peer import Peer, PeerFailed
from palabre.sandbox.players import close_bot, seat
from palabre.sandbox.proxy import SandboxedBot
from palabre.search.clock import Clock
from tests.arena.needs import needs_sandbox
from tests.command import PATIENCE, wait_until
from tests.messages import holds
from tests.sandbox.inmates import supervisor_of
from tests.sandbox.test_zoo import REASONS
from tests.sentences import Told, tells

pytestmark = [pytest.mark.processes, needs_sandbox]
GAME = palabre.game("awele")
CLOCK = Clock(per_move=PATIENCE)
LESSON = from_cells(GAME, [("4,4,4,4,4,4,4,4,4,4,4,4,C3,G").split(",")])
TAUGHT = [[[[list(one.cells), one.position.text, one.move.text, one.won] for one in LESSON], 7.0]]
SOURCES = Path(palabre.__file__).parent.parent

CURIOUS = """
import json, os, pathlib, sys, time
from palabre import Bot

games = []
lessons = []

class Curious(Bot):
    def learn(self, data, budget):
        lessons.append([[[one.cells, one.position.text, one.move.text, one.won] for one in data], budget])

    def start(self, game, seat):
        games.append(seat)
        self.seat = seat

    def choose(self, position, clock):
        facts = {
            "games": games, "lessons": lessons, "uid": os.getuid(), "seen": [move.text for move in position.played],
            "text": position.text, "clock": clock.per_move, "environment": sorted(os.environ),
            "descriptors": sorted(int(name) for name in os.listdir("/proc/self/fd"))[:-1],
            "scratch": os.listdir("/tmp"), "modules": sorted({"numpy", "numba"} & set(sys.modules)),
            "processes": [name for name in os.listdir("/proc") if name.isdigit()],
        }
        pathlib.Path("/tmp/note").write_text("remember me")
        print(json.dumps(facts))
        return position.moves()[self.roll(len(position.moves()))]

    def end_game(self, position):
        print("over", json.dumps([position.result, len(position.played)]))

    def end_event(self):
        print("the end")
"""


@pytest.fixture(scope="module")
def curious(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SandboxedBot]:
    """A bot that prints what it sees."""
    file = tmp_path_factory.mktemp("bots") / "curious.py"
    file.write_text(CURIOUS)
    player = sandboxed(file)
    player.learn(LESSON, 7.0)
    yield player
    player.close()


def sandboxed(file: Path, limits: Limits | None = None) -> SandboxedBot:
    player = seat(str(file), GAME, limits=limits, untrusted=True)
    assert isinstance(player, SandboxedBot)
    return player


def written(tmp_path: Path, body: str, start: str = "pass") -> Path:
    """A file with a bot that does this in its turn."""
    file = tmp_path / "mine.py"
    lines = "\n".join(f"        {line}" for line in body.splitlines())
    file.write_text(
        "import os, sys, time, threading\nfrom palabre import Bot\n\nclass Mine(Bot):\n"
        f"    def start(self, game, seat):\n        {start}\n\n    def choose(self, position, clock):\n{lines}\n"
    )
    return file


def facts(player: SandboxedBot) -> dict[str, Any]:
    import json

    line = next(line for line in reversed(player.output_tail.splitlines()) if line.startswith("{"))
    found: dict[str, Any] = json.loads(line)
    return found


def test_it_plays_as_it_would_in_process(curious: SandboxedBot, tmp_path: Path) -> None:
    file = tmp_path / "curious.py"
    file.write_text(
        CURIOUS.replace("print(json", "str(json").replace('pathlib.Path("/tmp/note")', "pathlib.Path('/dev/null')")
    )
    mine = bot(str(file), GAME)
    for seed in range(2):
        inside = play_game([curious, bot("random", GAME)], GAME.start(), seed=seed, clock=CLOCK)
        outside = play_game([mine, bot("random", GAME)], GAME.start(), seed=seed, clock=CLOCK)
        assert inside.reason is None
        assert inside.moves == outside.moves
        assert inside.shares == outside.shares


def test_a_bot_sees_the_whole_game_also_after_moves_were_taken_back(curious: SandboxedBot) -> None:
    game = OngoingGame(GAME.position("4,4,4,4,4,4/4,4,4,4,4,4 0,0 1 0"), [curious, None], clock=CLOCK)
    game.sit_down()
    game.ask_bot()
    game.play("a")
    game.ask_bot()
    game.undo(2)
    game.play("b")
    game.ask_bot()
    seen = facts(curious)
    assert seen["seen"] == [move.text for move in game.moves[:2]]
    assert seen["text"] == game.positions[2].text
    assert seen["clock"] == PATIENCE


def test_nothing_survives_a_game_but_what_was_learned(curious: SandboxedBot) -> None:
    for _ in range(2):
        curious.sit_down(GAME, 0)
        curious.choose(GAME.start(), CLOCK)
        first = facts(curious)
        assert "note" not in first["scratch"]  # that of the game before is gone
        curious.choose(GAME.start(), CLOCK)
        assert sorted(facts(curious)["scratch"]) == sorted([*first["scratch"], "note"])
        assert first["games"] == [0]
        assert first["lessons"] == TAUGHT


def test_what_a_bot_says_of_its_clock_is_asked_in_its_game(tmp_path: Path) -> None:
    """Where its warm parent is asked, the bot can count its games there."""
    file = written(tmp_path, "return 'noted' if self.asked else position.moves()[0]")
    file.write_text(
        f"{file.read_text()}\n    asked = 0\n\n"
        "    def is_timed(self, position, clock):\n        Mine.asked += 1\n        return position.ply == 1\n"
    )
    player = sandboxed(file)
    start = GAME.start()
    for first, timed in ((start, False), (start.play("A"), True), (start, False)):
        game = OngoingGame(first, [player, player], clock=CLOCK)
        guard(player.sit_down, GAME, first.to_move, 0)
        assert not player.is_timed(first, CLOCK)  # it has not moved yet, so nothing can depend on its time
        game.ask_bot()
        assert player.is_timed(first, CLOCK) == timed
        player.end_game(game.position)
    player.close()


def test_honest_bots_are_forked_from_one_warm_parent(tmp_path: Path) -> None:
    """Libraries and files that were read are no way to pass notes; files that stay open, and threads, could be one."""
    body = "return position.moves()[0]"
    honest = "import numba, numpy, scipy.optimize\nbook = numpy.load('/bot/book.npy')\n"
    honest += "import random, sqlite3, multiprocessing, concurrent.futures\n"
    opened = "book = open('/bot/book.npy')\n"
    thread = "threading.Thread(target=time.sleep, args=[9], daemon=True).start()\n"
    for start, sandboxes in ((honest, 1), (opened, 3), (thread, 3)):
        file = written(tmp_path, body)
        file.write_text(f"import threading, time\n{start}{file.read_text()}")
        numpy.save(tmp_path / "book.npy", numpy.arange(5))
        (tmp_path / "bot.toml").write_text('name = "x"\nauthors = "y"\n')
        player = sandboxed(tmp_path)
        seen = []
        for _ in range(3):
            player.sit_down(GAME, 0)
            assert str(player.choose(GAME.start(), CLOCK)) == "A"
            seen.append(player._sandbox)
            player.end_game(GAME.start())
        assert len(set(map(id, seen))) == sandboxes
        player.close()


def test_what_a_bot_is_given(curious: SandboxedBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "password")
    curious.close()
    curious.sit_down(GAME, 0)
    curious.choose(GAME.start(), CLOCK)
    seen = facts(curious)
    assert "SECRET" not in str(seen["environment"])
    assert seen["descriptors"] == [0, 1, 2, 3, 4, 5]
    assert seen["processes"] == ["1", "2", str(max(map(int, seen["processes"])))]
    assert seen["modules"] == []  # a bot that needs neither NumPy nor Numba does not pay for them
    assert seen["lessons"] == TAUGHT  # it has learned again, in its new sandbox
    if os.getuid() == 0:
        assert seen["uid"] != 0


def test_hooks_for_the_end(curious: SandboxedBot) -> None:
    played = play_game([curious, bot("random", GAME)], GAME.start(), clock=CLOCK)
    assert f"over [{str(list(played.shares)).strip('[]')}" in curious.output_tail.replace("[[", "[")
    curious.end_event()
    assert "the end" in curious.output_tail


def test_what_a_turn_cost(tmp_path: Path) -> None:
    """As precisely as can be asked of any machine; `benchmarks/sandbox.py` measures what a turn costs."""
    body = "until = time.process_time() + 0.1\nwhile time.process_time() < until: pass\ntime.sleep(0.05)\n"
    player = sandboxed(written(tmp_path, body + "return position.moves()[0]"))
    player.sit_down(GAME, 0)
    begin = time.monotonic()
    player.choose(GAME.start(), CLOCK)
    turn = player.last_turn
    assert 0.15 <= turn.wall < time.monotonic() - begin
    assert 0.1 <= turn.cpu <= turn.wall - 0.05
    assert turn.waited >= 0
    assert 5 < turn.memory < 200
    player.close()


def test_each_move_has_its_own_clock(tmp_path: Path) -> None:
    clocks = [CLOCK, CLOCK, Clock(remaining=PATIENCE, increment=0.5), CLOCK]
    player = sandboxed(written(tmp_path, "print(clock)\nreturn position.moves()[0]"))
    player.sit_down(GAME, 0)
    for clock in clocks:
        player.choose(GAME.start(), clock)
    assert player.output_tail.splitlines() == list(map(str, clocks))
    player.close()


def test_an_answer_may_be_any_text(tmp_path: Path) -> None:
    answer = 'a "move"}, \\ é \n \ud800'
    player = sandboxed(written(tmp_path, f"return {answer!r}"))
    player.sit_down(GAME, 0)
    assert player.choose(GAME.start(), CLOCK) == answer
    player.close()


def test_a_question_is_sent_to_a_process_that_stands_still() -> None:
    """As much as there is room for; the rest follows when the process reads."""
    peer = Peer()
    assert peer.send(b"short\n") == b""
    long = bytes(range(256)) * 10_000
    rest = peer.send(long)
    assert 0 < len(rest) < len(long)
    assert peer.send(rest) == rest  # there is no room now
    sender = threading.Thread(target=peer.send_rest, args=[rest])
    sender.start()
    with peer.theirs.makefile("rb") as line:
        assert line.read(len(b"short\n") + len(long)) == b"short\n" + long
    sender.join()
    peer.keep_own_ends()
    peer.close()


def test_a_process_that_does_not_read_is_not_waited_for_for_ever() -> None:
    peer = Peer()
    rest = peer.send(bytes(1 << 22))
    with pytest.raises(PeerFailed) as failed:
        peer.send_rest(rest)
    assert failed.value.reason == say("forfeit.deaf")
    peer.keep_own_ends()
    peer.close()


def test_what_a_process_says_before_it_is_asked_is_refused() -> None:
    peer = Peer()
    for _ in range(2):
        peer.refuse_early()
        peer.theirs.send(b"early\n")
        with pytest.raises(PeerFailed) as failed:
            peer.refuse_early()
        assert failed.value.reason == say("forfeit.early")
        assert peer.receive() == b"early"
    peer.keep_own_ends()
    peer.close()


def test_suspended_bots_do_not_think(tmp_path: Path) -> None:
    """A thread counts while its bot may think, and not in the opponent's time."""
    start = "self.count = 0; threading.Thread(target=self.work, daemon=True).start()"
    file = written(tmp_path, "return position.moves()[0]", start)
    file.write_text(file.read_text() + "\n    def work(self):\n        while True:\n            self.count += 1\n")
    player = sandboxed(file)
    player.sit_down(GAME, 0)
    for _ in range(3):
        player.choose(GAME.start(), CLOCK)
        assert player.conduct.last is None  # which tells of processor time between two turns
        assert player.last_turn.cpu > 0
        time.sleep(0.2)
    player.close()


def test_a_strike_is_on_record_before_it_costs_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long a busy machine takes to give the bot its processor seconds."""
    monkeypatch.setattr(judge, "SPARE_PART", 0.0)
    body = (
        f"until = time.process_time() + {2 * judge.SPARE}\n"
        "while time.process_time() < until: pass\n"
        "return position.moves()[0]"
    )
    player = sandboxed(written(tmp_path, body), Limits(cores=1e-6, strikes=1))
    player.sit_down(GAME, 0)
    player.choose(GAME.start(), CLOCK)
    assert player.conduct.last is not None
    holds(player.conduct.last, "forfeit.too_many_cores", cores=1e-6)
    with pytest.raises(BotFailed) as failed:
        player.choose(GAME.start(), CLOCK)
    assert tells(str(failed.value), "forfeit.processor")
    assert tells(str(failed.value), "forfeit.too_many_cores")
    player.close()


def test_what_the_author_can_read(tmp_path: Path) -> None:
    body = "print('thinking about', position.ply)\nprint('oh', file=sys.stderr)\nreturn helper(position)"
    file = written(tmp_path, body)
    file.write_text(file.read_text() + "\ndef helper(position):\n    return {}['key']\n")
    player = sandboxed(file)
    played = play_game([player, bot("random", GAME)], GAME.start(), clock=CLOCK)
    line = 1 + file.read_text().splitlines().index("    return {}['key']")
    assert played.reason is not None
    holds(played.why_ended(), "game.loses", player=1)
    code = "return {}['key']"
    holds(played.why_ended(), "forfeit.raised_at", kind="KeyError", file="mine.py", line=str(line), code=code)
    assert player.failure is not None
    assert player.failure.output == "thinking about 0\noh\n"
    assert "in choose" in player.failure.traceback
    assert "in helper" in player.failure.traceback
    player.close()


def test_output_keeps_its_end(tmp_path: Path) -> None:
    player = sandboxed(written(tmp_path, "print('x' * 10_000 + 'end')\nreturn position.moves()[0]"))
    player.sit_down(GAME, 0)
    player.choose(GAME.start(), CLOCK)
    assert len(player.output_tail) == 4096
    assert player.output_tail.endswith("xend\n")
    player.close()


def test_after_a_failure_the_next_game_is_played(tmp_path: Path) -> None:
    kill = "if len(position.played) == 2:\n    os.kill(-1, 9) if {} else os._exit(1)\n    time.sleep(0.2)\n"
    body = f"{kill}return position.moves()[0]"
    for kills in (False, True):
        player = sandboxed(written(tmp_path, body.format(kills)))
        teach(player)
        for _ in range(2):
            played = play_game([player, bot("random", GAME)], GAME.start(), clock=CLOCK)
            assert len(played.moves) == 2
            assert "died: " in str(played.reason)
        player.close()


def test_stop_reaches_the_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever it comes: before the bot is asked, with the question, or later. It thinks until then."""
    file = written(tmp_path, "self.told.wait()\nself.told.clear()\nreturn position.moves()[0]")
    text = file.read_text().replace("pass", "self.told = threading.Event()", 1)
    file.write_text(text + "\n    def stop(self):\n        self.told.set()\n")
    player = sandboxed(file)
    player.sit_down(GAME, 0)
    assert player._sandbox is not None
    player.stop()  # it does not think: nothing happens
    ask, send = player._sandbox.ask, player._sandbox._send

    def stop_first(*arguments: Any, **options: Any) -> Any:
        player.stop()
        return ask(*arguments, **options)

    def stop_in_one_message(message: bytes) -> None:
        send(message + box.STOP if b"choose" in message else message)

    def stop_soon(message: bytes) -> None:
        send(message)
        threading.Thread(target=player.stop).start()

    for name, function in (("ask", stop_first), ("_send", stop_in_one_message), ("_send", stop_soon)):
        with monkeypatch.context() as patch:
            patch.setattr(player._sandbox, name, function)
            assert str(player.choose(GAME.start(), CLOCK)) == "A"
    player.close()


def test_it_may_be_started_in_a_thread_that_ends(tmp_path: Path) -> None:
    player = sandboxed(written(tmp_path, "return position.moves()[0]"))
    thread = threading.Thread(target=teach, args=[player])
    thread.start()
    thread.join()
    time.sleep(0.05)
    assert play_game([player, bot("random", GAME)], GAME.start(), clock=CLOCK).reason is None
    player.close()


def test_it_dies_with_its_parent(tmp_path: Path) -> None:
    """Also when the parent is killed in the middle of a turn."""
    file = written(tmp_path, "while True: pass")
    code = (
        "import sys, palabre; from palabre.sandbox.players import seat; from palabre.search.clock import Clock\n"
        f"game = palabre.game('awele'); player = seat({str(file)!r}, game); player.sit_down(game, 0)\n"
        "print(player._sandbox._process.pid, flush=True); player.choose(game.start(), Clock())"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        [child] = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        process.kill()
    wait_until(lambda: not Path(f"/proc/{child}").exists())


def test_kept_code_is_used_and_nothing_is_added_to_it(tmp_path: Path, small_game: Path, warm_cache: Path) -> None:
    """Inside, compiled code is loaded from the cache, which nobody can write to there."""
    body = (
        "from palabre.compile.compiler import Compiled, compiled\nfrom palabre.search.perft import perft\n"
        "Compiled._make = None  # nothing can be compiled\n"
        "print(int(compiled(perft, position.game)(position.state, 1)))\nreturn '1'"
    )
    warm_cache.chmod(0o755)  # pytest makes folders for its own user alone, and a bot in a sandbox is another one
    before = sorted(str(file) for file in warm_cache.rglob("*"))
    code = (
        "import palabre; from palabre.sandbox.players import seat; from palabre.search.clock import Clock\n"
        f"game = palabre.game({str(small_game)!r}); player = seat({str(written(tmp_path, body))!r}, game)\n"
        "player.sit_down(game, 0); print(player.choose(game.start(), Clock(per_move=300)), player.output_tail)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PALABRE_CACHE": str(warm_cache)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("1 3\n"), done.stdout
    assert sorted(str(file) for file in warm_cache.rglob("*")) == before


USES_LOCKS = """
import fcntl, sqlite3, tempfile, numba
with open("/tmp/doubling.py", "w") as file:
    file.write("import numba\\n@numba.njit(cache=True)\\ndef double(x):\\n    return 2 * x\\n")
sys.path.insert(0, "/tmp")
double = __import__("doubling").double
with tempfile.TemporaryFile() as file:
    for _ in range(2):
        fcntl.flock(os.dup(file.fileno()), fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
for number in range(2):
    with sqlite3.connect("/tmp/games.db", isolation_level="EXCLUSIVE") as base:
        base.execute("create table if not exists games (number)")
        base.execute("insert into games values (?)", [number])
    base.close()
reader = sqlite3.connect("/tmp/games.db")
print(double(21), reader.execute("select count(*), max(number) from games").fetchone())
return position.moves()[0]
"""


def test_programs_that_lock_files_run(tmp_path: Path) -> None:
    """The filter answers that they have their locks, although nothing is locked."""
    player = sandboxed(written(tmp_path, USES_LOCKS.strip()))
    player.sit_down(GAME, 0)
    player.choose(GAME.start(), CLOCK)
    assert player.output_tail == "42 (2, 1)\n"
    player.close()


def test_the_probe_finds_that_all_limits_bind() -> None:
    assert probe() == dict.fromkeys(WORDS, True)


def test_a_bot_has_no_capabilities_and_cannot_get_any(tmp_path: Path) -> None:
    body = "print([line.split() for line in open('/proc/self/status') if line.startswith('Cap')])\n"
    player = sandboxed(written(tmp_path, body + "return position.moves()[0]"))
    player.sit_down(GAME, 0)
    player.choose(GAME.start(), CLOCK)
    sets = dict(ast.literal_eval(player.output_tail))
    if os.getuid() != 0:
        del sets["CapBnd:"]  # of a user namespace, outside of which it means nothing
    assert {int(value, 16) for value in sets.values()} == {0}
    player.close()


@pytest.mark.skipif(os.getuid() != 0, reason="only root's sandboxes have capabilities")
def test_process_1_has_the_capabilities_that_it_needs_and_no_others(tmp_path: Path) -> None:
    numbers = {"KILL": 5, "SETGID": 6, "SETUID": 7, "SETPCAP": 8, "DAC_READ_SEARCH": 2, "SYS_PTRACE": 19}
    player = sandboxed(written(tmp_path, "return position.moves()[0]"))
    player.sit_down(GAME, 0)
    status = Path(f"/proc/{supervisor_of(player)}/status").read_text()
    sets = {name: int(value, 16) for name, value in re.findall(r"(Cap\w+):\s+(\w+)", status)}
    player.close()
    needed = sum(1 << number for number in numbers.values())
    assert sets["CapEff"] & ~needed == 0
    assert sets["CapPrm"] & ~needed == 0
    assert sets["CapBnd"] == 0, "and so no program that it starts can have any"


def test_python_may_be_started_by_a_path_with_dots(tmp_path: Path) -> None:
    """As in `../.venv/bin/python -m palabre`."""
    folder = Path(sys.prefix, "lib")
    code = (
        "from palabre.sandbox import bubblewrap; import sys; "
        "print('..' in sys.executable, bubblewrap.why_not(), bubblewrap.environment()['PATH'].split(':')[0])"
    )
    python = f"../bin/{Path(sys.executable).name}"
    done = subprocess.run(
        [python, "-c", code], cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.stdout.split() == ["True", "None", str(Path(sys.prefix, "bin"))], done.stderr


def test_the_filter_of_system_calls() -> None:
    for machine in ("x86_64", "aarch64"):
        filters = seccomp.program(machine)
        assert filters is not None
        assert len(filters) % 8 == 0
    assert seccomp.program("mips") is None


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become a plain user")
@pytest.mark.skipif(not Path("/usr/bin/python3").exists(), reason="there is no Python that everybody may run")
def test_a_plain_user_is_protected_as_well(tmp_path: Path) -> None:
    """The other way to make a sandbox, a user namespace, by somebody who may not read our files."""
    place = Path("/tmp") / f"palabre-plain-{os.getpid()}"  # tmp_path is closed to others
    try:
        shutil.copytree(SOURCES / "palabre", place / "src" / "palabre", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(Path(__file__).parent, place / "tests", ignore=shutil.ignore_patterns("__pycache__"))
        subprocess.run(["chmod", "-R", "a+rX", place], check=True)
        in_one_box, in_three = "nothing noted in 1 ", "nothing noted in 3 "
        noted = {
            "notes_by_signal": in_three,
            "notes_in_date": in_one_box,
            "notes_in_file_numbers": in_three,
            "notes_in_flags": in_one_box,
            "notes_in_limits": in_one_box,
            "notes_in_mapped_file": in_three,
            "notes_in_names": in_three,
            "notes_in_output_of_parent": in_three,
            "notes_in_pipe": in_three,
            "notes_in_priority": in_one_box,
            "notes_in_process_numbers": in_three,
            "notes_in_shared_memory": in_three,
        }
        told = {
            "asks_for_watches": REASONS["asks_for_watches"],
            "digs_deep": REASONS["digs_deep"],
            "exits": REASONS["exits"],
            "fork_bomb": REASONS["fork_bomb"],
            "kills_everybody": (Told("ended.signal", {"signal": "SIGKILL"}),),
            "kills_parent": REASONS["kills_parent"],
            "looks_into_its_parent": REASONS["looks_into_its_parent"],
            "makes_namespaces": (Told("forfeit.raised", {"kind": "PermissionError"}),),
            "memory_children": REASONS["memory_children"],
            "reads_rivals": REASONS["reads_rivals"],
            "shadows_a_module": REASONS["shadows_a_module"],
            "sockets": REASONS["sockets"],
            "thread_bomb": REASONS["thread_bomb"],
            "writes_everywhere": REASONS["writes_everywhere"],
        }
        user = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
        done = subprocess.run(
            [*user, "/usr/bin/python3", place / "tests" / "plain_user.py", *noted, *told],
            env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(place / "src"), "PALABRE_CACHE": "/nonexistent"},
            capture_output=True,
            text=True,
            timeout=10 * PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        lines = dict(line.split(": ", 1) for line in done.stdout.splitlines())
        assert list(lines) == [*noted, *told]
        for name, words in noted.items():
            assert lines[name].startswith(words), lines[name]
        for name, messages in told.items():
            assert any(message.is_in(lines[name]) for message in messages), lines[name]
    finally:
        shutil.rmtree(place, ignore_errors=True)


def test_process_1_imports_nothing_once_a_bot_runs(tmp_path: Path) -> None:
    """And it would not find what a bot can write, or make."""
    code = f"""
import os, sys
sys.path += [{str(tmp_path)!r}, {str(tmp_path / "missing")!r}]
from palabre.sandbox import supervisor
from palabre.core.words import say
supervisor.trust_no_bot()
assert not [place for place in sys.path if os.access(place, os.W_OK) or not os.path.exists(place)]
before = set(sys.modules)
told = str(supervisor.PeerFailed("memory", say("forfeit.memory", used=2, most=1)).reason)
told += str(say("forfeit.parent_died", how=supervisor._in_words(9)))
print(told, sorted(set(sys.modules) - before))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=False, cwd=tmp_path
    )
    assert done.stderr == ""
    assert done.stdout.endswith(" []\n")


def test_a_bot_that_no_clock_limits_is_not_waited_for_for_ever(tmp_path: Path) -> None:
    limits = replace(Limits(), patience=0.3)
    player = sandboxed(written(tmp_path, "time.sleep(1e6)"), limits)
    played = play_game([player, bot("random", GAME)], GAME.start(), clock=Clock())
    assert played.forfeit == 0
    assert str(played.reason).startswith("player 1 loses: time: ")
    assert Limits().patience == 60.0
    player.close()


@pytest.mark.parametrize("hook", ["end_game(self, position)", "end_event(self)"])
def test_a_bot_that_does_not_end_loses_nothing_and_is_killed(hook: str, tmp_path: Path) -> None:
    file = written(tmp_path, "return position.moves()[0]")
    file.write_text(f"{file.read_text()}\n    def {hook}:\n        while True: pass\n")
    player = sandboxed(file, replace(Limits(), closing=0.3))
    for _ in range(2):
        assert play_game([player, bot("random", GAME)], GAME.start(), clock=CLOCK).reason is None
    supervisor = supervisor_of(player)
    close_bot(player)
    wait_until(lambda: not Path(f"/proc/{supervisor}").exists())


def test_a_bot_can_be_bound_to_processors(tmp_path: Path) -> None:
    [first, *_] = sorted(os.sched_getaffinity(0))
    limits = replace(Limits(), processors=(first,))
    body = (
        "print(os.sched_getaffinity(0))\ntry: os.sched_setaffinity(0, range(64))\nexcept OSError as error: print(error)"
    )
    player = sandboxed(written(tmp_path, f"{body}\nreturn position.moves()[0]"), limits)
    player.sit_down(GAME, 0)
    player.choose(GAME.start(), CLOCK)
    assert player.output_tail.splitlines()[0] == f"{{{first}}}"
    assert "not permitted" in player.output_tail
    player.close()


def test_limits_can_be_changed(tmp_path: Path) -> None:
    player = sandboxed(written(tmp_path, "return 'x' * len(bytearray(300 << 20))"), replace(Limits(), memory=200))
    played = play_game([player, bot("random", GAME)], GAME.start(), clock=CLOCK)
    assert "MemoryError" in str(played.reason)
    player.close()
