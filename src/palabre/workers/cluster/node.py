"""What runs on a node of a cluster: an inspection before anything else, and the hosts of the processes that work."""

import contextlib
import hashlib
import importlib
import platform
import queue
import time
from collections.abc import Mapping
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import ray

import palabre
from palabre.workers.cluster.archives import placed, unpack_all
from palabre.workers.process import Process

GATHER = 0.25  # seconds for which a host gathers what has happened before it reports
LONGEST_SILENCE = 10.0  # seconds after which it reports that nothing has
NEWS = "news"  # the group of methods of a host that run beside the others
SOURCES = (".py", ".toml", ".json", ".net")  # files that decide how bots of ours play

News = tuple[list[bytes], list[str], str | None]  # lines of the process, what was printed there, how it ended


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


def inspect(requirement: str | None) -> tuple[dict[str, str], str | None]:
    """What this node runs, and why it cannot be used, if the function named `module:function` has a reason."""
    if requirement is None:
        return build(), None
    module, name = requirement.split(":")
    refusal = getattr(importlib.import_module(module), name)()
    return build(), None if refusal is None else str(refusal)


class Host:
    """The actor of a core: it has a process here that works, and passes on what goes to and from it.

    If tasks end that process, the host reports it and lives on. If the host ends, the node is to blame.
    """

    def __init__(self) -> None:
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._printed: list[str] = []
        self._due = 0  # tasks that the process still has to do
        self._process: Process | None = None

    def begin(self, module: str, setup: bytes, archives: Mapping[str, Any]) -> None:
        """Start the process, when all files are here."""
        self._root = unpack_all({digest: partial(ray.get, kept) for digest, kept in archives.items()})
        self._process = Process(module, placed(setup, self._root), self._lines.put, on_output=self._on_output)

    def send(self, lines: bytes, tasks: int) -> None:
        """Give it lines with so many tasks."""
        assert self._process is not None
        self._due += tasks
        self._process.send(placed(lines, self._root))

    def news(self) -> News:
        """Wait for news and return it: at once if the process has nothing left to do, and else a little later."""
        lines: list[bytes] = []
        deadline = time.monotonic() + LONGEST_SILENCE
        with contextlib.suppress(queue.Empty):
            while True:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
                if line is None:
                    return lines, self._take_printed(), self._end()
                if line:
                    lines.append(line)
                    self._due -= line.startswith((b'{"type":"Result"', b'{"type":"Failed"'))
                if self._due <= 0:
                    break
                deadline = min(deadline, time.monotonic() + GATHER)
        return lines, self._take_printed(), None

    def _end(self) -> str:
        assert self._process is not None
        report = self._process.exit_report()
        self._process.close()
        return str(report)

    def _on_output(self, line: str) -> None:
        self._printed.append(line)
        self._lines.put(b"")  # `news` may be waiting

    def _take_printed(self) -> list[str]:
        printed, self._printed = self._printed, []
        return printed


# It waits while the host is sent more. The class must say so itself: nodes import it, and get nothing of it from us.
ray.method(concurrency_group=NEWS)(Host.news)
