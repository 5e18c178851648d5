"""Fixtures and options that all tests share."""

import contextlib
import random
import re
import shutil
import signal
from asyncio import events
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from palabre.compile.collector import freeze_collector
from palabre.core.system import usable_cores
from palabre.sandbox import bubblewrap
from tests import take_away
from tests.command import palabre
from tests.driver import Driver
from tests.programs import cannot_run, require

if TYPE_CHECKING:
    from playwright.sync_api import Playwright

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
    parser.addoption(
        "--order-seed",
        type=int,
        metavar="N",
        help="shuffle the files, and the tests in each, the same for the same N: no test may need one before it",
    )


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Shuffle the files and the tests in each if that is wanted; a file stays together, as its fixtures are dear."""
    seed: int | None = config.option.order_seed
    if seed is None:
        return
    chance = random.Random(seed)
    by_file: dict[Path, list[pytest.Item]] = {}
    for item in items:
        by_file.setdefault(item.path, []).append(item)
    files = list(by_file.values())
    chance.shuffle(files)
    for tests in files:
        chance.shuffle(tests)
    items[:] = [item for tests in files for item in tests]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Ignore a file none of whose tests `-m` can choose: to import all files takes longer than many a run.

    Only the parts of the expression that are joined by `and` are looked at: `kernels` needs a mark somewhere in the
    file, and `not browser` needs neither the folder of this name nor a file that is marked as a whole.
    """
    expression: str = config.option.markexpr
    if " or " in expression:
        return None
    terms = expression.split(" and ")
    if collection_path.is_dir():
        return True if f"not {collection_path.name}" in terms else None
    if collection_path.suffix != ".py":
        return None
    source = collection_path.read_text(encoding="utf-8")
    for term in terms:
        if term.isidentifier() and f"mark.{term}" not in source:
            return True
        if term.startswith("not ") and re.search(rf"^pytestmark = .*mark\.{term[4:]}\b", source, re.MULTILINE):
            return True
    return None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """More workers than processors: tests wait for processes, browsers and disks a third of the time.

    At most two more, because each takes up to a gigabyte. The tests of kernels only compute, as do those that `make
    quick` chooses.
    """
    cores = usable_cores()
    only_computes = {"kernels", "not processes"} & set(config.option.markexpr.split(" and "))
    return cores if only_computes else cores + min(cores // 2, 2)


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("needs"):
        require(*mark.args)


@pytest.fixture(scope="session")
def sandboxes() -> None:
    """What a test needs that uses a sandbox."""
    refusal = bubblewrap.why_not()
    if refusal is not None:
        cannot_run(f"sandboxes do not work here: {refusal}")


@pytest.fixture(scope="session")
def playwright() -> "Iterator[Playwright]":
    """What drives browsers, once for each process of tests: a second one beside it would not start."""
    from playwright.sync_api import sync_playwright  # loading it takes longer than most tests

    with sync_playwright() as running:
        yield running


@contextlib.contextmanager
def no_running_loop() -> Iterator[None]:
    """Playwright leaves its event loop behind as the running one of this thread, in which `asyncio.run` then fails."""
    loop = events._get_running_loop()
    events._set_running_loop(None)
    try:
        yield
    finally:
        events._set_running_loop(loop)


@pytest.fixture(autouse=True)
def own_loop(request: pytest.FixtureRequest) -> Iterator[None]:
    """Tests without a browser may come after tests with one, in the same process."""
    with contextlib.nullcontext() if "playwright" in request.fixturenames else no_running_loop():
        yield


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
