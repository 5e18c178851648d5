"""What runs on a node of a cluster: an inspection before anything else, and the hosts of the processes that play."""

import contextlib
import hashlib
import platform
import queue
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import ray

import palabre
from palabre.arena.cluster.parcels import here, unpack_all, unpack_setup
from palabre.arena.sandbox import bubblewrap
from palabre.arena.worker import kept_bots, setup_from_plain
from palabre.arena.workers import LocalProcess, Machine, Messages
from palabre.core.errors import PalabreError
from palabre.core.words import say

GATHER = 0.25  # seconds for which a host gathers what has happened before it tells
LONGEST_SILENCE = 10.0  # seconds after which it tells that nothing has
EARS = "ears"  # the group of methods of a host that run beside the others
SOURCES = (".py", ".toml", ".json")  # files that decide how bots of ours play

News = tuple[list[bytes], list[str], str | None]  # lines of the process, what bots printed, how the process ended


@cache
def build() -> dict[str, str]:
    """What must be the same on all nodes, or the same seed would not give the same game."""
    package = Path(palabre.__file__).parent
    total = hashlib.sha256()
    for file in sorted(file for file in package.rglob("*") if file.suffix in SOURCES):
        total.update(
            f"{file.relative_to(package).as_posix()}\0{hashlib.sha256(file.read_bytes()).hexdigest()}".encode()
        )
    return {
        "Palabre": f"{palabre.__version__} ({total.hexdigest()[:8]})",
        "Python": ".".join(platform.python_version_tuple()[:2]),
        "Numba": version("numba"),
        "NumPy": version("numpy"),
    }


def difference(ours: Mapping[str, str], theirs: Mapping[str, str]) -> str | None:
    """How the build of a node differs from ours, in words; None if it does not."""
    others = [
        f"{name} {theirs.get(name, 'none')}, not {value}" for name, value in ours.items() if theirs.get(name) != value
    ]
    return f"it has {'; '.join(others)}; install the same versions on all nodes" if others else None


def inspect(is_untrusted: bool) -> tuple[dict[str, str], str | None]:
    """What this node runs, and why bots that are not trusted cannot play here."""
    refusal = bubblewrap.why_not() if is_untrusted else None
    return build(), None if refusal is None else str(refusal)


def fetchers(parcels: Mapping[str, Any]) -> dict[str, Callable[[], bytes]]:
    """How to get each parcel from the cluster."""
    return {digest: partial(ray.get, kept) for digest, kept in parcels.items()}


def call(ours: Mapping[str, str], parcels: Mapping[str, Any], function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function of ours on this node; texts that name files that were sent name them here."""
    refusal = difference(ours, build())
    if refusal is not None:
        raise PalabreError(say("cluster.refused", node=platform.node(), why=refusal))
    root = unpack_all(fetchers(parcels))
    return function(*(here(word, root) if isinstance(word, str) else word for word in arguments))


class Host:
    """The actor of a core: it has a process here that plays, and passes on what goes to and from it.

    Bots run in that process or in sandboxes that it starts. If they end it, the host tells so and lives on. If the host
    ends, the node is to blame.
    """

    def __init__(self) -> None:
        self._messages: Messages = queue.SimpleQueue()
        self._said: list[str] = []
        self._due = 0  # games that the process still has to play
        self._process: LocalProcess | None = None

    def begin(self, setup: Mapping[str, Any], parcels: Mapping[str, Any], workers: int) -> None:
        """Start the process, on a node that has so many."""
        placed = unpack_setup(setup_from_plain(setup), fetchers(parcels))
        placed = replace(placed, kept_bots=kept_bots(workers))
        self._process = LocalProcess(placed, Machine(platform.node(), workers), self._messages, self._overhear)

    def send(self, line: bytes, games: int) -> None:
        """Give it a line with so many games."""
        assert self._process is not None
        self._due += games
        self._process.send(line)

    def hear(self) -> News:
        """Wait for what happens and tell it: at once if the process has nothing left to do, and else a little later."""
        lines: list[bytes] = []
        deadline = time.monotonic() + LONGEST_SILENCE
        with contextlib.suppress(queue.Empty):
            while True:
                _, message = self._messages.get(timeout=max(0.0, deadline - time.monotonic()))
                if message is None:
                    return lines, self._heard_said(), self._end()
                if isinstance(message, bytes) and message:
                    lines.append(message)
                    self._due -= message.startswith(b'{"game"')
                if self._due <= 0:
                    break
                deadline = min(deadline, time.monotonic() + GATHER)
        return lines, self._heard_said(), None

    def _end(self) -> str:
        assert self._process is not None
        words = self._process.last_words()
        self._process.close()
        return words

    def _overhear(self, line: str) -> None:
        self._said.append(line)
        self._messages.put((None, b""))  # whoever waits is to tell it

    def _heard_said(self) -> list[str]:
        said, self._said = self._said, []
        return said


# It waits while the host is sent more. The class must say so itself: nodes import it, and get nothing of it from us.
ray.method(concurrency_group=EARS)(Host.hear)
