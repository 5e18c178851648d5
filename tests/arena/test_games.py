"""Workers by machine: whose deaths count, and where fewer play when a machine is late. Clusters that are not there."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from palabre.arena.event import hire
from palabre.arena.games import GameQueue
from palabre.arena.playing import MODULE, Player, PlayGame, Setup
from palabre.arena.rows import Meeting, Opening
from palabre.search.clock import Clock
from palabre.workers.cluster import connection
from palabre.workers.job import MOST_DEATHS, Machine
from palabre.workers.local import LocalCrew
from palabre.workers.service import encoded
from tests.arena.events import TAKE_AWAY
from tests.command import palabre
from tests.messages import refuses
from tests.sentences import tells

DEADLY = """\
import os
from palabre import Bot

class Deadly(Bot):
    def choose(self, position, clock):
        os._exit(3)
"""


class Dying(LocalCrew):
    """Processes on machines of which the first ones die with their process."""

    def __init__(self, setup: Setup, gone: int) -> None:
        super().__init__(MODULE, encoded(setup), 1)
        self.gone, self.started = gone, 0

    def start(self, count: int) -> None:
        self.started += count
        self.machine = Machine(f"machine {self.started}", 1, is_gone=self.started <= self.gone)
        super().start(count)


def test_only_deaths_on_machines_that_live_are_the_fault_of_bots(tmp_path: Path, unprotected: None) -> None:
    (tmp_path / "deadly.py").write_text(DEADLY)
    setup = Setup(TAKE_AWAY, 0, {"a": (str(tmp_path / "deadly.py"), Clock()), "b": ("idiot", Clock())})
    crew = Dying(setup, gone=MOST_DEATHS + 1)
    with GameQueue(setup, crew) as games:
        games.add(iter([PlayGame(Meeting(0, ("a", "b"), 0), 0, 1, Opening(0))]), 1)
        with refuses("event.deaths", bots=["a", "b"], times=MOST_DEATHS):
            list(games.games())
    assert crew.started == 2 * MOST_DEATHS + 1


def test_a_machine_that_is_late_gets_fewer_workers_and_at_least_half() -> None:
    machine = Machine("slow", 5)
    for left in (4, 3, 2, 2):
        machine.ease()
        assert machine.capacity == left


def test_a_cluster_without_ray_is_refused_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with refuses("cluster.no_ray", word="ray", command='pip install "palabre[ray]"'):
        hire(Setup(TAKE_AWAY, 0, {}), "ray", 0)


@pytest.mark.parametrize("on", ["", "rays", "ray:", "ray://", "ray://host", "ray://a b:1", "spark"])
def test_other_clusters_are_refused(on: str) -> None:
    with refuses("cluster.unknown", word=on):
        connection.check_cluster(on)


def test_the_command_refuses_before_anything_is_played(tmp_path: Path) -> None:
    done = palabre("match", "greedy", "idiot", "--game", TAKE_AWAY, "--games", "2", "--on", "nowhere")
    assert done.returncode == 2
    assert tells(done.stderr, "cluster.unknown", word="nowhere")


@pytest.mark.parametrize(
    "changed",
    [
        {"rotation": 1},
        {"attempt": 2},
        {"bots": ("b", "a")},
        # These would make the file of the event unreadable.
        {"moves": ()},
        {"shares": (1.0,)},
        {"movers": (7,) * 7},
        {"forfeit": 2},
        {"started": "yesterday"},
        {"message": {"id": "game.resigns", "params": {}, "home": "/etc"}},
    ],
)
def test_only_the_game_that_was_asked_for_is_believed(changed: dict[str, Any]) -> None:
    setup = Setup(TAKE_AWAY, 0, {"a": ("idiot", Clock()), "b": ("idiot", Clock())})
    task = PlayGame(Meeting(0, ("a", "b"), 0), 0, 1, Opening(0))
    row = Player(setup).play(task)
    assert task.accepts(row)
    assert not task.accepts(replace(row, **changed))
