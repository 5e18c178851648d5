"""Calls of a function on the cores of a Ray cluster, for work whose pieces know nothing of each other: self-play."""

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any

import ray

from palabre.arena.cluster.connection import connect, in_one_line
from palabre.arena.cluster.node import build, call
from palabre.core.errors import PalabreError

RETRIES = 20  # of a call whose node has died


class Calls:
    """Like a pool of processes that is spread over a cluster. A call that is lost with its node is made again."""

    def __init__(self, on: str, archives: Mapping[str, bytes]) -> None:
        """The archives are parcels with files that the calls need."""
        connect(on)
        self.processes = max(1, int(ray.cluster_resources().get("CPU", 1)))
        self._parcels = {digest: ray.put(archive) for digest, archive in archives.items()}
        self._call = ray.remote(num_cpus=1, max_retries=RETRIES)(call)

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        """Call a function, which every node can import, with plain data; a `PalabreError` says how it failed."""
        made: Future[Any] = Future()
        call_ = self._call.remote(build(), self._parcels, function, *arguments).future()
        call_.add_done_callback(lambda done: _pass_on(done, made))
        return made

    def close(self) -> None:
        """No more calls, and those under way end."""
        ray.shutdown()


def _pass_on(done: "Future[Any]", made: "Future[Any]") -> None:
    """Ray wraps what is raised on a node, and raises errors of its own."""
    error = done.exception()
    if error is None:
        made.set_result(done.result())
    else:
        made.set_exception(PalabreError(in_one_line(error)))
