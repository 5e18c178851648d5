"""Searches that are killed, hang, or fail: only their own job is lost, and no process is left behind."""

import asyncio
import contextlib
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from palabre.web.limits import Folders, ServerLimits
from palabre.web.pool import tasks
from palabre.web.pool.tasks import Choose, ReviewGame, Think
from palabre.web.requests import Place
from palabre.workers.job import Job
from palabre.workers.messages import Task, TaskFailed
from tests import take_away
from tests.command import environment, wait_until
from tests.web.pool.pools import AGES, LATER, PLACE, failure, is_alive, open_pool, pids, run, until

pytestmark = [pytest.mark.processes, pytest.mark.usefixtures("plain_python")]


# ----------------------------------------------------------------------------------------------- those that die or hang


def test_a_process_that_is_killed_is_replaced_and_its_job_done_by_another() -> None:
    async def scenario() -> None:
        begun = asyncio.Event()
        async with open_pool(1) as pool:
            job = pool.submit(Think(PLACE, seconds=AGES), owner="a", on_progress=lambda report: begun.set())
            await begun.wait()
            (pid,) = pids(job.lane)
            os.kill(pid, signal.SIGKILL)
            await until(lambda: pids(job.lane) not in ([pid], []))
            begun.clear()
            await begun.wait()
            job.stop()
            assert (await job.outcome()).lines
            await until(lambda: not is_alive(pid))

    run(scenario())


def test_a_job_that_kills_three_times_has_failed_and_others_go_on() -> None:
    async def scenario() -> None:
        begun = asyncio.Event()
        async with open_pool(1) as pool:
            job = pool.submit(Think(PLACE, seconds=AGES), owner="a", on_progress=lambda report: begun.set())
            for _ in range(3):
                await begun.wait()
                begun.clear()
                os.kill(pids(pool.lanes[1])[0], signal.SIGKILL)
            assert await failure(job) == "task.died"
            await pool.submit(Choose(PLACE, "greedy"), owner="a").outcome()

    run(scenario())


def test_a_process_that_does_not_answer_is_killed_and_only_its_job_fails(tmp_path: Path) -> None:
    """A game of the operator's, whose rules hang in one position."""
    folder = tmp_path / "ours"
    folder.mkdir()
    hanging = "    while state.heap == 5:\n        pass\n    return State("
    (folder / "hangs.py").write_text(take_away.source().replace("    return State(", hanging, 1), encoding="utf-8")
    stuck = Place("ours/hangs.py", start="5 1")

    async def scenario() -> None:
        async with open_pool(2, limits=ServerLimits(seconds=AGES), grace=0.5, folders=Folders(games=(folder,))) as pool:
            job = pool.submit(Choose(stuck, "greedy", per_move=0.5), owner="a")
            other = pool.submit(Choose(PLACE, "palabre:nodes=300"), owner="b")
            assert await failure(job) == "task.late"
            assert (await other.outcome()).move
            moves = [pool.submit(Choose(PLACE, "greedy"), owner="a") for _ in range(4)]
            assert len({(await job.outcome()).move for job in moves}) == 1

    run(scenario())


def test_a_mistake_in_the_rules_of_a_game_is_told_and_the_process_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "ours"
    folder.mkdir()
    wrong = "    assert state.heap != 5\n    return State("
    (folder / "wrong.py").write_text(take_away.source().replace("    return State(", wrong, 1), encoding="utf-8")

    async def scenario() -> None:
        async with open_pool(1, folders=Folders(games=(folder,))) as pool:
            job = pool.submit(Choose(Place("ours/wrong.py", start="5 1", moves=["1"]), "greedy"), owner="a")
            assert await failure(job) == "task.broken"
            pid = pids(pool.lanes[0])
            await pool.submit(Choose(PLACE, "greedy"), owner="a").outcome()
            assert pids(pool.lanes[0]) == pid

    run(scenario())


def test_nothing_is_lost_in_a_storm() -> None:
    """Jobs of all kinds, stopped, cancelled and with their processes killed at random: each one comes to an end."""
    dice = random.Random(5)
    kinds: list[Task[Any]] = [
        *(Choose(PLACE, "greedy"), Choose(LATER, "palabre:nodes=200"), Choose(PLACE, "nobody")),
        *(Think(PLACE, seconds=0.05), Think(LATER, seconds=3.0, lines=3), ReviewGame(Place("awele", moves=["A"]))),
    ]

    async def scenario() -> None:
        async with open_pool(2) as pool:
            submitted: list[Job[Any]] = []
            for _ in range(150):
                submitted.append(pool.submit(dice.choice(kinds), owner=dice.choice("abcd")))
                if dice.random() < 0.3:
                    dice.choice(submitted).stop()
                if dice.random() < 0.3:
                    dice.choice(submitted).cancel()
                if dice.random() < 0.05:
                    with contextlib.suppress(ProcessLookupError):  # it is gone already
                        os.kill(dice.choice([pid for lane in pool.lanes for pid in pids(lane)]), signal.SIGKILL)
                await asyncio.sleep(dice.random() * 0.02)
            for job in submitted:
                job.stop()
            ends = await asyncio.gather(*(job.outcome() for job in submitted), return_exceptions=True)
            expected = (tasks.Chosen, tasks.BestLines, tasks.Reviewed, TaskFailed, asyncio.CancelledError)
            assert all(isinstance(end, expected) for end in ends)
            await until(lambda: all(worker.job is None for lane in pool.lanes for worker in lane.workers))
            assert not any(lane.jobs or lane.waiting for lane in pool.lanes)
            assert (await pool.submit(Choose(PLACE, "greedy"), owner="a").outcome()).move

    run(scenario())


def test_closing_ends_all_processes_and_fails_what_is_left() -> None:
    async def scenario() -> None:
        async with open_pool(2) as pool:
            long = [pool.submit(Think(PLACE, seconds=AGES), owner="a") for _ in range(2)]
            await pool.submit(Choose(PLACE, "greedy"), owner="a").outcome()
            await until(lambda: pids(pool.lanes[1]))
            started = [pid for lane in pool.lanes for pid in pids(lane)]
            assert len(started) == 3
        assert [await failure(job) for job in long] == ["task.closed"] * 2
        assert await failure(pool.submit(Choose(PLACE, "greedy"), owner="a")) == "task.closed"
        assert not any(map(is_alive, started))

    run(scenario())


SERVER = """
import asyncio
from palabre.web.requests import Place
from palabre.web.pool.tasks import Think
from palabre.web.pool.thinking import SearchPool
async def main():
    pool = SearchPool(1)
    await pool.start()
    begun = asyncio.Event()
    pool.submit(Think(Place("awele"), seconds=1000.0), owner="a", on_progress=lambda report: begun.set())
    await begun.wait()
    print(*(worker.transport.pid for lane in pool.lanes for worker in lane.workers), flush=True)
    await asyncio.sleep(1000)
asyncio.run(main())
"""


def test_a_server_that_is_killed_leaves_no_process_behind() -> None:
    settings = environment(NUMBA_DISABLE_JIT="1")
    with subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, env=settings) as server:
        assert server.stdout is not None
        started = [int(word) for word in server.stdout.readline().split()]
        assert len(started) == 2
        assert all(map(is_alive, started))
        server.kill()
    wait_until(lambda: not any(map(is_alive, started)))


def test_the_server_loads_neither_numpy_nor_numba() -> None:
    modules = "palabre.web.pool.thinking, palabre.web.limits"
    code = f"import sys, {modules}; sys.exit(bool({{'numpy', 'numba'}} & set(sys.modules)))"
    subprocess.run([sys.executable, "-c", code], check=True)
