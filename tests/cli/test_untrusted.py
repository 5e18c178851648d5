"""Bots of others in every command that lets them play: in a sandbox, without one, and refused."""

from pathlib import Path
from typing import Any

import pytest

from palabre.core.words import say
from tests import take_away
from tests.arena.needs import needs_sandbox
from tests.command import NO_PROGRAMS, PLAIN, palabre
from tests.sentences import tells

pytestmark = pytest.mark.processes

GAME = str(take_away.__file__)
# It leaves a trace if it runs where it can write.
BOT = """\
import pathlib
from palabre import Bot
try:
    pathlib.Path({trace!r}).touch()
except OSError:
    pass
class Mine(Bot):
    name = "Mine"
    authors = ("me",)
    def choose(self, position, clock):
        return position.moves()[0]
"""
PLAYING = {
    "match": ("match", "mine.py", "greedy", "--game", GAME, "--games", "2", "--unbalanced"),
    "sprt": ("sprt", "mine.py", "greedy", "--game", GAME, "--max-games", "2", "--unbalanced"),
    "play": ("play", "--terminal", GAME, "--players", "mine.py,mine.py"),
    "championship": ("championship", "mine.py", "greedy", "--game", GAME, "--unbalanced", "--event", "e"),
    "championship of a folder": ("championship", "bots", "greedy", "--game", GAME, "--unbalanced", "--event", "e"),
}
MISSING = str(say("sandbox.missing", command="apt-get install bubblewrap"))


def run(folder: Path, command: str, *options: str, **settings: str) -> Any:
    """Have a command play somebody's bot: how it ended, and whether the bot could write to our files."""
    (folder / "bots").mkdir()
    for file in (folder / "mine.py", folder / "bots" / "mine.py"):
        file.write_text(BOT.format(trace=str(folder / "trace")), encoding="utf-8")
    done = palabre(*PLAYING[command], *options, cwd=folder, settings={**PLAIN, **settings})
    return done, (folder / "trace").exists()


@needs_sandbox
@pytest.mark.parametrize("command", PLAYING)
def test_they_play_in_a_sandbox(command: str, tmp_path: Path) -> None:
    done, has_written = run(tmp_path, command, "--untrusted")
    assert done.returncode == 0, done.stderr
    assert "sandbox" not in done.stderr
    assert not has_written


@pytest.mark.parametrize("command", PLAYING)
def test_without_bubblewrap_it_is_said_once_what_is_not_protected(command: str, tmp_path: Path) -> None:
    done, has_written = run(tmp_path, command, **NO_PROGRAMS)
    assert done.returncode == 0, done.stderr
    given = "bots" if "folder" in command else "mine.py"
    assert done.stderr.count("sandbox") == 2
    assert tells(done.stderr, "sandbox.none", bots=given, why=MISSING)
    assert has_written


@pytest.mark.parametrize("command", PLAYING)
def test_without_bubblewrap_the_untrusted_are_refused_before_they_run(command: str, tmp_path: Path) -> None:
    done, has_written = run(tmp_path, command, "--untrusted", **NO_PROGRAMS)
    assert done.returncode == 2
    given = "bots" if "folder" in command else "mine.py"
    assert tells(done.stderr, "sandbox.required", bots=given, why=MISSING, option="--untrusted")
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""
    assert not has_written


def test_an_event_does_not_go_on_without_sandboxes(tmp_path: Path) -> None:
    """Bots that have been examined are not examined again, and are refused all the same."""
    assert run(tmp_path, "championship")[0].returncode == 0
    done = palabre(*PLAYING["championship"], "--untrusted", cwd=tmp_path, settings={**PLAIN, **NO_PROGRAMS})
    assert done.returncode == 2
    assert tells(done.stderr, "sandbox.required", bots="mine.py")


def test_our_own_bots_need_no_sandbox(tmp_path: Path) -> None:
    arguments = ("match", "greedy", "idiot", "--game", GAME, "--games", "2", "--unbalanced", "--untrusted")
    done = palabre(*arguments, cwd=tmp_path, settings={**PLAIN, **NO_PROGRAMS})
    assert (done.returncode, done.stderr) == (0, "")


@needs_sandbox
@pytest.mark.parametrize("command", ["match", "sprt", "play", "championship"])
def test_no_bot_reads_its_rival(command: str, tmp_path: Path) -> None:
    """It tries when it is to move: the sandbox of the game decides, not the one in which it was examined."""
    text = BOT.format(trace=str(tmp_path / "trace"))
    (tmp_path / "rival.py").write_text(text, encoding="utf-8")
    spy = "if not position: import rival\n        open(__file__.replace('mine', 'rival')).close()\n        return"
    (tmp_path / "mine.py").write_text(text.replace("return", spy), encoding="utf-8")
    words = [{"greedy": "rival.py", "mine.py,mine.py": "mine.py,rival.py"}.get(word, word) for word in PLAYING[command]]
    done = palabre(*words, "--untrusted", cwd=tmp_path, settings=PLAIN)
    assert "No such file or directory: 'rival.py'" in done.stdout + done.stderr
