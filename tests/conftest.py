"""Fixtures and options that all tests share."""

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from palabre.arena.sandbox import bubblewrap
from palabre.compile.collector import freeze_collector
from tests import take_away
from tests.command import palabre
from tests.driver import Driver

# The same examples in every run: a change fails for what it changes. `--hypothesis-profile=default` looks for new ones.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")
freeze_collector()  # tests of time limits must not wait for the garbage collector

# A shell that starts a command in the background has it ignore Ctrl-C, and so would every program that the tests start
# and interrupt. They would then run until the patience of the test is at an end.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--deep",
        action="store_true",
        help="count every row of the perft tables, and send 100,000 forged messages, however long it takes",
    )


@pytest.fixture(scope="session")
def sandboxes() -> None:
    """Skip a test where sandboxes do not work. With CI set that is a failure: nobody would notice the tests missing."""
    refusal = bubblewrap.why_not()
    if refusal is not None:
        (pytest.fail if "CI" in os.environ else pytest.skip)(f"sandboxes do not work here: {refusal}")


@pytest.fixture
def unprotected(monkeypatch: pytest.MonkeyPatch) -> None:
    """No sandboxes: a bot of somebody else runs in the process that plays, as where bubblewrap is missing."""
    monkeypatch.setenv("PALABRE_SANDBOX", "off")


@pytest.fixture(scope="session")
def small_game() -> Path:
    """Somebody's game, which compiles faster than ours; nobody may change it."""
    return Path(take_away.__file__)


@pytest.fixture(scope="session")
def warm_cache(small_game: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder with the compiled perft of the small game, made once; nobody may change it."""
    cache = tmp_path_factory.mktemp("warm")
    done = palabre("perft", str(small_game), "1", cache=cache)
    assert done.stdout == "3\n", done.stderr
    return cache


@pytest.fixture
def plain_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels run as plain Python in this test: compiling them would take seconds and show nothing more."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


@pytest.fixture
def cache(warm_cache: Path, tmp_path: Path) -> Path:
    """A copy of the warm cache, to spoil."""
    return shutil.copytree(warm_cache, tmp_path / "cache")


@pytest.fixture
def greedy() -> Iterator[Driver]:
    """The greedy bot on Awélé as a UGI engine of its own."""
    with Driver("awele", "--bot", "greedy") as driver:
        yield driver
