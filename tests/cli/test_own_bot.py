"""What a student sees of a bot of her own that is wrong: in a match, with `--debug`, and in `palabre check`."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from palabre.core.words import Message, say
from tests.arena.needs import needs_sandbox
from tests.command import COMMAND, environment, palabre
from tests.sentences import tells

pytestmark = pytest.mark.processes

BOT = """\
from palabre import Bot


class Mine(Bot):
    name = "Mine"
    authors = ("Anna M.",)

    def choose(self, position, clock):
        {line}
        return position.moves()[0]
"""


def bot(folder: Path, line: str, name: str = "mine.py") -> str:
    (folder / name).write_text(BOT.format(line=line), encoding="utf-8")
    return str(folder / name)


def match(path: str, *options: str, **settings: str) -> "subprocess.CompletedProcess[str]":
    return palabre("match", path, "random", "--game", "awele", "--games", "2", *options, settings=settings)


# --------------------------------------------------------------------------------------------------------------- debug


def test_debug_shows_what_a_bot_prints(tmp_path: Path) -> None:
    done = match(bot(tmp_path, 'print("I see", position.ply)'), "--debug")
    assert done.returncode == 0
    assert "I see 4\n" in done.stdout
    assert tells(done.stderr, "debug.unprotected")


def test_debug_shows_the_traceback_of_a_failure(tmp_path: Path) -> None:
    done = match(bot(tmp_path, "self.helper()\n\n    def helper(self):\n        1 / 0"), "--debug")
    assert done.returncode == 1
    assert "line 9, in choose" in done.stderr
    assert "line 12, in helper" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal to type in")
def test_debug_lets_a_breakpoint_be_used_and_left(tmp_path: Path) -> None:
    """Leaving the debugger ends the match like Ctrl-C, and is no forfeit."""
    ours, theirs = pty.openpty()
    command = [COMMAND, "match", bot(tmp_path, "breakpoint()"), "random", "--game", "awele", "--games", "2", "--debug"]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment()) as process:
        os.close(theirs)
        os.write(ours, b"p 'ply', position.ply\nq\n")
        shown = b""
        try:
            while chunk := os.read(ours, 1 << 16):
                shown += chunk
        except OSError:  # the other end is closed
            pass
        assert process.wait() == 130
    os.close(ours)
    assert b"('ply', 4)" in shown
    assert b"forfeit" not in shown


@needs_sandbox
def test_a_breakpoint_in_a_sandbox_says_how_to_use_it(tmp_path: Path) -> None:
    done = match(bot(tmp_path, "breakpoint()"))
    assert tells(done.stderr, "forfeit.breakpoint")


@pytest.mark.parametrize("option", [["--untrusted"], ["--workers", "2"], ["--json"]])
def test_debug_refuses_what_would_contradict_it(tmp_path: Path, option: list[str]) -> None:
    done = match(bot(tmp_path, "pass"), "--debug", *option)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"leave out {option[0]}" in done.stderr


# ------------------------------------------------------------------------------------------------------------ messages


def test_a_failure_in_a_match_names_the_bot_and_is_told_once(tmp_path: Path) -> None:
    path = bot(tmp_path, "1 / 0")
    [errors] = [line for line in match(path).stderr.splitlines() if " loses: " in line]
    assert re.match(rf"game [12]: {re.escape(path)} loses: ", errors)
    assert tells(errors, "forfeit.raised_at", kind="ZeroDivisionError", line=9)


@needs_sandbox
@pytest.mark.parametrize("sandbox", ["on", "off"])
@pytest.mark.parametrize(("answer", "shown"), [("return None", "None"), ("return 3", "3"), ("return []", "[]")])
def test_what_is_no_move_is_shown_as_it_is_with_advice(tmp_path: Path, sandbox: str, answer: str, shown: str) -> None:
    errors = match(bot(tmp_path, answer), PALABRE_SANDBOX=sandbox).stderr
    assert tells(errors, "forfeit.no_move", answer=shown)


@needs_sandbox
@pytest.mark.parametrize(
    ("text", "errors"),
    [
        (
            BOT.replace("clock):", "clock)"),
            say("spec.unloadable", file="mine.py", error="SyntaxError: expected ':' (mine.py, line 8)"),
        ),
        (
            "import torchvision\n" + BOT,
            say(
                "spec.unloadable",
                file="mine.py",
                error="ModuleNotFoundError: No module named 'torchvision' (mine.py, line 1)",
            ),
        ),
        ("x = 1\n", say("spec.no_bot_in_file", path="mine.py")),
    ],
)
def test_a_bot_that_cannot_be_loaded_is_told_in_its_authors_terms(tmp_path: Path, text: str, errors: Message) -> None:
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    done = match(str(tmp_path / "mine.py"))
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"palabre: {errors}\n")


@needs_sandbox
def test_the_admission_test_says_what_is_no_python(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(BOT.replace("clock):", "clock)"), encoding="utf-8")
    done = palabre(
        "championship",
        str(tmp_path / "mine.py"),
        "greedy",
        "random",
        "--game",
        "awele",
        "--dry-run",
        settings={"COLUMNS": "300"},
    )
    assert tells(done.stderr, "submission.no_python", file="mine.py")
    assert "line 8: expected ':': def choose(" in done.stderr


# --------------------------------------------------------------------------------------------------------------- check


@needs_sandbox
def test_check_admits_a_bot(tmp_path: Path) -> None:
    done = palabre("check", bot(tmp_path, "pass"), "--game", "awele")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"^Mine +mine\.py +Anna M\. +\d", done.stdout, re.MULTILINE)
    assert tells(done.stdout.splitlines()[-1], "admission.counts", admitted=1, rejected=0)


@needs_sandbox
def test_check_says_why_a_bot_is_rejected_and_shows_its_own_lines(tmp_path: Path) -> None:
    done = palabre("check", bot(tmp_path, "1 / 0"), "--game", "awele")
    assert done.returncode == 1
    assert tells(done.stdout, "admission.rejected", bot="Mine (mine.py)")
    assert tells(done.stdout, "forfeit.raised_at", kind="ZeroDivisionError", file="mine.py", line=9)
    first, second, *_ = done.stderr.splitlines()
    assert first == "Traceback (most recent call last):"
    assert second == '  File "mine.py", line 9, in choose'


def test_check_asks_for_the_game_of_a_bot(tmp_path: Path) -> None:
    done = palabre("check", bot(tmp_path, "pass"))
    assert done.returncode == 2
    assert tells(done.stderr, "admission.which_game")


@needs_sandbox
def test_all_that_is_missing_is_told_at_once(tmp_path: Path) -> None:
    text = BOT.format(line="pass").replace('    name = "Mine"\n    authors = ("Anna M.",)\n', "")
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    done = palabre("check", str(tmp_path / "mine.py"), "--game", "awele")
    assert tells(done.stdout, "submission.anonymous", path="mine.py")


@needs_sandbox
def test_the_verdicts_come_before_a_championship_with_too_few_bots(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(BOT.replace("clock):", "clock)"), encoding="utf-8")
    done = palabre("championship", str(tmp_path / "mine.py"), "greedy", "--game", "awele", "--dry-run")
    assert done.returncode == 2
    *errors, last = done.stderr.splitlines()
    assert tells(errors[-2], "admission.rejected", bot="mine")
    assert tells(errors[-2], "submission.no_python", file="mine.py")
    assert tells(errors[-1], "admission.counts", admitted=1, rejected=1)
    assert tells(last, "event.too_few_admitted")
    assert tells(last, "format.too_few", least=2, bots=1)
