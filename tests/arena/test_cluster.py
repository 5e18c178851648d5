"""Events on a real Ray cluster of several nodes, all of them on this machine: `make test-ray`."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import palabre as package
from palabre.arena.rows import GameRow
from palabre.arena.store import read_store
from palabre.core.errors import PalabreError
from tests.arena.events import TAKE_AWAY, timeless
from tests.arena.needs import needs_sandbox
from tests.arena.rays import Cluster, kill, players
from tests.command import COMMAND, PATIENCE, environment, palabre, python, wait_until
from tests.study import small
from tests.take_away import source

pytestmark = pytest.mark.ray

HELPER = "def last(moves):\n    return moves[-1]\n"
SLOW = """\
import time
from helper import last
from palabre import Bot

class Slow(Bot):
    def choose(self, position, clock):
        time.sleep(0.05)
        return last(position.moves())
"""
GAMES = 60
SOME = 32  # of them


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    made = Cluster(tmp_path_factory.mktemp("cache"))
    try:
        yield made
    finally:
        made.close()


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A match of a bot that consists of two files, in a game that is somebody's file."""
    folder = tmp_path_factory.mktemp("bots")
    (folder / "helper.py").write_text(HELPER)
    (folder / "slow.py").write_text(SLOW)
    return ["match", str(folder / "slow.py"), "montecarlo:playouts=20", "--game", f"{TAKE_AWAY}:heap=20"]


@pytest.fixture(scope="module")
def alone(match: list[str], cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> list[GameRow]:
    """Its games, as this machine plays them by itself."""
    file = tmp_path_factory.mktemp("alone") / "event"
    done = palabre(*match, "--games", str(GAMES), "--event", str(file), "--workers", "8", cache=cluster.cache)
    assert done.returncode == 0, done.stderr
    return games(file)


class Driver:
    """A match on the cluster, under way; what it tells is in a file."""

    def __init__(self, cluster: Cluster, match: list[str], count: int, file: Path, on: str = "ray") -> None:
        self._told = file.with_suffix(".told")
        with self._told.open("wb") as told:
            self.process = subprocess.Popen(
                [COMMAND, *match, "--games", str(count), "--event", str(file), "--on", on],
                env=environment(cluster.cache, **cluster.settings),
                cwd=file.parent,
                stdout=subprocess.DEVNULL,
                stderr=told,
            )

    def told(self) -> str:
        return self._told.read_text()

    def wait_until(self, happened: Callable[[], object]) -> None:
        """Wait for what happens while it plays."""

        def has_happened() -> object:
            assert self.process.poll() is None, f"it has ended before: {self.told()}"
            return happened()

        wait_until(has_happened)

    def wait_for(self, words: str) -> None:
        """Wait until it tells something."""
        self.wait_until(lambda: words in self.told())

    def end(self, by: signal.Signals | None = None) -> int:
        if by is not None:
            self.process.send_signal(by)
        return self.process.wait(PATIENCE)


def games(file: Path) -> list[GameRow]:
    """All games in an event, those that do not count included."""
    with contextlib.suppress(PalabreError), read_store(file) as store:
        return timeless(store.games(superseded=True))
    return []  # it is about to be made


@needs_sandbox
def test_nodes_come_and_go_and_no_game_is_lost_or_doubled(
    cluster: Cluster, match: list[str], alone: list[GameRow], tmp_path: Path
) -> None:
    other = tmp_path / "src" / "palabre"
    shutil.copytree(Path(package.__file__).parent, other, ignore=shutil.ignore_patterns("__pycache__"))
    with (other / "core" / "dice.py").open("a") as source:
        source.write("\nEDITED = 1\n")
    file = tmp_path / "event"
    edited, unprotected = cluster.join(PYTHONPATH=str(other.parent)), cluster.join(PALABRE_SANDBOX="off")
    driver = Driver(cluster, match, GAMES, file)
    driver.wait_for("node 127.0.0.3 does not take part: it has Palabre 0.1.0 (")
    driver.wait_for("node 127.0.0.4 does not take part: it has no sandbox for other people's bots")
    driver.wait_until(lambda: players(cluster.head))
    joined = cluster.join()
    driver.wait_until(lambda: players(joined))
    assert not players(edited) + players(unprotected)
    before = len(games(file))
    driver.wait_until(lambda: len(games(file)) > before + 2)
    for node in (joined, edited, unprotected):
        kill(node)
    assert GAMES - len(games(file)) > 4, "it was killed too late for anything to be lost with it"
    driver.wait_for("node 127.0.0.5 is gone; its work is done elsewhere")
    assert driver.end() == 0, driver.told()
    assert "raylet" not in driver.told()  # Ray itself says nothing
    assert games(file) == alone
    assert len({(row.meeting, row.rotation) for row in alone}) == len(alone) == GAMES


@needs_sandbox
def test_whatever_ends_the_command_the_same_command_goes_on(
    cluster: Cluster, match: list[str], alone: list[GameRow], tmp_path: Path
) -> None:
    file = tmp_path / "event"
    # Ray has nodes import modules from the current folder; nobody's file there may take the place of one of ours.
    (tmp_path / "palabre.py").write_text("raise SystemExit('a file of the current folder was imported')")
    for on, by in (("ray", signal.SIGKILL), (cluster.address, signal.SIGINT)):
        before = len(games(file))
        driver = Driver(cluster, match, SOME, file, on)
        driver.wait_until(lambda: len(games(file)) > before + 2)  # noqa: B023 (it is called at once)
        os.kill(players(cluster.head)[0], signal.SIGKILL)  # its meeting is played again, by another process
        killed = len(games(file))
        driver.wait_until(lambda: len(games(file)) > killed + 2)  # noqa: B023
        assert driver.end(by) != 0
        assert 0 < len(games(file)) < SOME
        wait_until(lambda: not players(cluster.head))
    driver = Driver(cluster, match, SOME, file)
    assert driver.end() == 0, driver.told()
    assert "is gone" not in driver.told()
    assert games(file) == [row for row in alone if row.meeting.repeat < SOME // 2]


def test_self_play_is_the_same_on_a_cluster(cluster: Cluster, tmp_path: Path) -> None:
    records = []
    for on in ([], ["--on", "ray"]):
        file = tmp_path / f"games{len(on)}"
        options = ["--eval", "standard", "--games", "12", "--nodes", "50", "--record", str(file), "--json"]
        done = palabre("fit", "awele", *options, *on, cache=cluster.cache, settings=cluster.settings)
        assert done.returncode == 0, done.stderr
        records.append(file.read_bytes())
    assert records[0] == records[1]


RUN = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import trial  # a module that the nodes do not have
from palabre.study import run
on = sys.argv[4] if len(sys.argv) > 4 else None
run(trial.experiment(Path(sys.argv[2])), Path(sys.argv[3]), most=32, on=on)
"""


def test_an_experiment_is_the_same_on_a_cluster(cluster: Cluster, tmp_path: Path) -> None:
    file = tmp_path / "take_away.py"
    file.write_text(source(), encoding="utf-8")
    shutil.copy(small.__file__, tmp_path / "trial.py")
    found = []
    for on in ([], ["ray"]):
        folder = tmp_path / f"data{len(on)}"
        settings = {**cluster.settings, "PALABRE_CACHE": str(cluster.cache)}
        python(RUN, str(tmp_path), str(file), str(folder), *on, **settings)
        rows = json.loads((folder / "squares.json").read_text(encoding="utf-8"))
        found.append((games(folder / "duel.event"), rows))
    assert found[0] == found[1]
