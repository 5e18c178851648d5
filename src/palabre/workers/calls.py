"""Calls of functions in other processes, or on a cluster, for work whose pieces know nothing of each other."""

import contextlib
import importlib
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from typing import Any

from palabre.core.errors import PalabreError
from palabre.workers.cluster.connection import check_cluster
from palabre.workers.job import Crew, Lane
from palabre.workers.local import LocalCrew
from palabre.workers.messages import Task, TaskFailed
from palabre.workers.pool import Pool
from palabre.workers.service import NO_SETUP, stateless


class Call(Task[Any], frozen=True):
    """A function that every worker can import is to be called with plain data."""

    RESULT = Any

    function: str  # module:name
    arguments: list[Any]


def call(state: None, task: Call, running: object) -> Any:
    """Call the function of a task."""
    module, _, name = task.function.partition(":")
    return getattr(importlib.import_module(module), name)(*task.arguments)


SERVICE = stateless({Call: call})

Submit = Callable[..., "Future[Any]"]


@contextlib.contextmanager
def calls(workers: int, on: str | None = None, archives: Mapping[str, bytes] | None = None) -> Iterator[Submit]:
    """How to call functions: in so many processes or, with `on`, on all cores of a Ray cluster, which has these files.

    `submit(function, *arguments)` returns a future of the result, as plain data, or of a `PalabreError`. When
    the block ends, calls under way end at once, however long they would take.
    """
    crew: Crew
    if on is None:
        crew = LocalCrew(__name__, NO_SETUP, workers)
    else:
        check_cluster(on)
        from palabre.workers.cluster.crew import RayCrew  # which needs Ray

        crew = RayCrew(on, __name__, lambda workers: NO_SETUP, archives or {})
    lane = Lane(crew)

    def submit(function: Callable[..., Any], *arguments: object) -> "Future[Any]":
        task = Call(f"{function.__module__}:{function.__qualname__}", list(arguments))
        return pool.submit(lane, task).future

    with Pool(lane) as pool:
        try:
            yield submit
        except TaskFailed as error:
            raise PalabreError(error.message) from None
