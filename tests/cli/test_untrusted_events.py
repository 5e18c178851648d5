"""Events of others: no command runs a game file or a bot that only the event names, unless it is trusted."""

import contextlib
import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

import palabre
from palabre.arena.debugging import find_moment, prepare
from palabre.arena.store import read_store
from tests import take_away
from tests.arena.events import new_event, play
from tests.command import PLAIN
from tests.command import palabre as command
from tests.messages import refuses
from tests.sentences import tells

pytestmark = pytest.mark.processes
READERS = {
    "report": ["report", "EVENT", "--out", "OUT"],
    "debug": ["debug", "greedy", "--event", "EVENT", "--game", "1", "--ply", "2"],
    "replay": ["replay", "EVENT"],
    "replay a game": ["replay", "EVENT#1@1"],
    "stats": ["stats", "EVENT"],
    "observe": ["observe", "EVENT", "--out", "OUT"],
    "analyse": ["analyse", "EVENT#1", "--bot", "greedy"],
    "play": ["play", "EVENT#1@1", "--terminal", "--players", "greedy,idiot"],
    "match": ["match", "greedy", "idiot", "--game", "EVENT#1@1"],
    "sprt": ["sprt", "greedy", "idiot", "--game", "EVENT#1@1"],
}


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """What is there as soon as the code of the event has run."""
    return tmp_path / "trap"


@pytest.fixture
def event(tmp_path: Path, trap: Path) -> Path:
    """An event that names the file of a game, which no process has run yet."""
    game, file = tmp_path / "game.py", tmp_path / "some.event"
    with new_event(file) as store:
        play(store, 1)
    source = Path(str(take_away.__file__)).read_text(encoding="utf-8")
    game.write_text(f"{source}\nopen({str(trap)!r}, 'w').close()\n", encoding="utf-8")
    with contextlib.closing(sqlite3.connect(file)) as rows:
        rows.execute("UPDATE settings SET value = ? WHERE key = 'game'", (json.dumps(str(game)),))
        rows.commit()
    return file


def words(arguments: Sequence[str], event: Path) -> list[str]:
    out = str(event.with_name("out"))
    return [word.replace("EVENT", str(event)).replace("OUT", out) for word in arguments]


@pytest.mark.parametrize("reader", READERS)
def test_no_command_runs_the_game_of_an_event_without_being_told_to(reader: str, event: Path, trap: Path) -> None:
    done = command(*words(READERS[reader], event), settings=PLAIN)
    assert done.returncode == 2, done
    assert tells(done.stderr, "event.untrusted_game", file=str(event)), done.stderr
    assert not trap.exists()


def test_commands_run_it_if_it_is_trusted(event: Path, trap: Path) -> None:
    done = command(*words(READERS["report"], event), "--trust", settings=PLAIN)
    assert done.returncode == 0, done
    assert trap.exists()
    assert "--trust" not in (event.with_name("out") / "public" / "index.html").read_text(encoding="utf-8")


def test_no_function_runs_it(event: Path, trap: Path) -> None:
    with palabre.read_store(event) as store:
        for read in (store.game, store.records):
            with refuses("event.untrusted_game", file=event):
                read()
        assert store.games()
        with refuses("event.untrusted_game"):
            find_moment(store, 1, 2)
    assert not trap.exists()
    with palabre.read_store(event, trusted=str(event.with_name("game.py"))) as store:
        assert store.records()
    assert trap.exists()


@pytest.mark.parametrize("spec", ["pipe:touch TRAP", "ugi:touch TRAP", "FOLDER/bot.py", "FOLDER/bot.zip"])
def test_debug_runs_no_bot_that_only_the_event_names(spec: str, tmp_path: Path) -> None:
    file, trap = tmp_path / "some.event", tmp_path / "trap"
    (tmp_path / "bot.py").write_text(f"open({str(trap)!r}, 'w').close()\n")
    with new_event(file) as store:
        play(store, 1)
    spec = spec.replace("TRAP", str(trap)).replace("FOLDER", str(tmp_path))
    with contextlib.closing(sqlite3.connect(file)) as rows:
        rows.execute("UPDATE bots SET spec = ?", (spec,))
        rows.commit()
    with read_store(file, trusted=True) as store:
        moment = find_moment(store, 1, 2)
        with refuses("event.untrusted_bot", spec=spec):
            prepare(store, moment, moment.name)
    assert not trap.exists()
