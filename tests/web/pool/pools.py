"""A pool of real processes for tests."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from pathlib import Path
from typing import Any

import pytest

from palabre.web.pool.thinking import SearchPool
from palabre.web.requests import Place
from palabre.workers.job import Job, Lane
from palabre.workers.messages import TaskFailed
from tests.command import PATIENCE

PLACE = Place("awele")
LATER = Place("awele", moves=["C", "d", "E"])
AGES = 2 * PATIENCE  # seconds of a search that nobody will wait for


@contextlib.asynccontextmanager
async def open_pool(*arguments: Any, **options: Any) -> AsyncIterator[SearchPool]:
    pool = SearchPool(*arguments, **{"grace": PATIENCE, **options})
    await pool.start()
    try:
        yield pool
    finally:
        await pool.close()


def run(coroutine: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(coroutine, PATIENCE))


async def until(happened: Any) -> None:
    """Wait for what another process does."""
    while not happened():
        await asyncio.sleep(0.01)


def pids(lane: Lane) -> list[int]:
    return [worker.transport.pid for worker in lane.workers if worker.transport.pid is not None]


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def failure(job: Job[Any]) -> str:
    """The id of what a job has failed by."""
    with pytest.raises(TaskFailed) as error:
        await job.outcome()
    return error.value.id
