"""Processes and those that they have started, such as the ones in a sandbox, as they are seen from outside."""

import contextlib
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from palabre.sandbox.proxy import SandboxedBot


def supervisor_of(player: SandboxedBot) -> int:
    """The process 1 of a sandbox."""
    assert player._sandbox is not None
    pid = player._sandbox._process.pid
    while b"bwrap" in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[0]:
        pid = children(pid)[0]
    return pid


def game_of(player: SandboxedBot) -> int:
    """The process of the game that it plays; the one before is its warm parent."""
    return children(supervisor_of(player))[-1]


def children(pid: int) -> list[int]:
    """The children of a process, in the order in which they were made."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def processor_seconds(pid: int) -> float:
    """The processor time of a process and its threads."""
    return time.clock_gettime((~pid << 3) | 2)  # CPUCLOCK_SCHED of linux/posix-timers.h


def descendants(pid: int) -> Iterator[int]:
    """The processes that a process has started, and those that these have started."""
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in map(int, (task / "children").read_text().split()):
                yield child
                yield from descendants(child)


def command_of(pid: int) -> bytes:
    """The command line of a process; empty if it has ended."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def is_in_sandbox(pid: int) -> bool:
    """Whether a process is the supervisor of a sandbox, or one that was forked from it."""
    return command_of(pid).startswith(sys.executable.encode()) and b"palabre.sandbox.supervisor" in command_of(pid)
