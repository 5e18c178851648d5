"""What works everywhere: Palabre where the modules and calls of POSIX systems are missing, as on Windows.

A `sitecustomize` takes them away from our own modules in every process that is started. The libraries below us are
those of the system that the tests run on, and keep theirs.
"""

import importlib
import pkgutil
from pathlib import Path

import pytest

import palabre as package
from tests.command import PLAIN, palabre, python

pytestmark = pytest.mark.processes

# These run inside a sandbox, which only Linux has.
INSIDE = {f"palabre.sandbox.{name}" for name in "supervisor peer processes apart scratch warm inmate".split()}
# These need Ray, which an extra brings.
ON_RAY = {f"palabre.workers.cluster.{name}" for name in ("crew", "node")}
TAKEN_AWAY = """
import builtins, os, select, selectors, subprocess

MISSING = {"fcntl", "resource", "termios", "readline", "pwd", "grp", "pty", "tty"}
usual = builtins.__import__

def without(name, globals=None, locals=None, fromlist=(), level=0):
    if name in MISSING and globals is not None and str(globals.get("__name__")).startswith("palabre"):
        raise ModuleNotFoundError(f"No module named {name!r}")
    return usual(name, globals, locals, fromlist, level)

builtins.__import__ = without
for name in ("fork", "killpg", "setsid", "geteuid", "sysconf", "sched_getaffinity", "setpriority"):
    delattr(os, name)
del select.poll, selectors.PollSelector
"""

BOT = """
from palabre import Bot


class Mine(Bot):
    name = "{name}"
    authors = ("{name}",)

    def choose(self, position, clock):
        return position.moves()[0]
"""


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The settings of a process that runs on such a system."""
    folder = tmp_path_factory.mktemp("elsewhere")
    (folder / "sitecustomize.py").write_text(TAKEN_AWAY, encoding="utf-8")
    forced = {"PALABRE_PROCESSES": "portable", "PALABRE_CLOCK": "ticker", "PALABRE_SANDBOX": "off"}
    return {**PLAIN, **forced, "PYTHONPATH": str(folder)}


def test_every_module_can_be_imported(elsewhere: dict[str, str]) -> None:
    found = {module.name for module in pkgutil.walk_packages(package.__path__, "palabre.")}
    names = sorted(found - INSIDE - ON_RAY - {"palabre.__main__"})
    assert len(names) > 100
    code = "import importlib, os, sys; print([*map(importlib.import_module, sys.argv[1:])] and hasattr(os, 'fork'))"
    assert python(code, *names, **elsewhere) == "False\n"


def test_what_runs_inside_a_sandbox_is_named_here() -> None:
    for name in INSIDE:
        importlib.import_module(name)


def test_people_play_there(elsewhere: dict[str, str]) -> None:
    done = palabre("play", "--terminal", "awele", "--players", "person,greedy", stdin="C\nq\n", settings=elsewhere)
    assert (done.returncode, done.stderr) == (0, "")
    assert "● C: Player 1 sows 4 seeds from C.\n○ " in done.stdout


@pytest.mark.parametrize("workers", ["0", "2"])
def test_bots_play_a_match_there(workers: str, elsewhere: dict[str, str]) -> None:
    options = ("--game", "awele", "--games", "4", "--workers", workers)
    done = palabre("match", "greedy", "random", *options, settings=elsewhere)
    assert done.returncode == 0, done.stderr
    assert "score of greedy" in done.stdout


def test_a_foreign_program_plays_there(elsewhere: dict[str, str]) -> None:
    code = "from palabre.cli.main import run; run()"
    engine = f"ugi:{python('import sys; print(sys.executable)').strip()} -c '{code}' ugi awele --bot greedy"
    done = palabre("match", engine, "random", "--game", "awele", "--games", "2", settings=elsewhere)
    assert done.returncode == 0, done.stderr
    assert "error" not in done.stderr


def test_a_championship_is_held_there(elsewhere: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "submissions"
    folder.mkdir()
    for name in ("anna", "bert"):
        (folder / f"{name}.py").write_text(BOT.format(name=name), encoding="utf-8")
    done = palabre("championship", str(folder), "--game", "awele", settings=elsewhere, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "anna" in done.stdout
