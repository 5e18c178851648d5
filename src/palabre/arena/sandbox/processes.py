"""Inside the sandbox: which processes there are, what they use, and how they are stopped.

Everything here is called in each turn. So files in /proc stay open, and /proc is listed only if a process or a thread
has been made since.
"""

import contextlib
import os
import resource
import signal
import time
from dataclasses import dataclass, field

PAGE = os.sysconf("SC_PAGE_SIZE")
TICK = os.sysconf("SC_CLK_TCK")  # per second
SETTLING = 1.0  # seconds for killed processes to go
CHUNK = 4096


def cpu_seconds(pid: int) -> float:
    """The processor time of all threads of a process, also of those that have ended; an `OSError` if it is gone."""
    return time.clock_gettime((~pid << 3) | 2)  # CPUCLOCK_SCHED of linux/posix-timers.h: nanoseconds, no file to read


@dataclass
class Seen:
    """A process that we watch, with its open files in /proc."""

    pid: int
    files: dict[str, int] = field(default_factory=dict)  # name in /proc/PID: descriptor
    threads: list[int] = field(default_factory=list)  # descriptors of the threads' schedstat
    resident: int | None = None  # pages that it held while it stood still, None if it may have run since
    delay: float | None = None  # seconds that it has waited for a processor, None as above

    def read(self, name: str) -> bytes:
        """A small file of the process; empty if it is gone."""
        try:
            if name not in self.files:
                self.files[name] = os.open(f"/proc/{self.pid}/{name}", os.O_RDONLY)
            return os.pread(self.files[name], CHUNK, 0)
        except OSError:
            return b""

    def look_for_threads(self) -> None:
        self._close(self.threads)
        self.threads = []
        with contextlib.suppress(OSError):
            for thread in os.scandir(f"/proc/{self.pid}/task"):
                self.threads.append(os.open(f"{thread.path}/schedstat", os.O_RDONLY))

    def waited(self) -> float:
        """Seconds in which its threads were ready to run and waited for a processor."""
        total = 0
        for thread in self.threads:
            with contextlib.suppress(OSError, IndexError, ValueError):
                total += int(os.pread(thread, CHUNK, 0).split()[1])
        return total / 1e9

    def children_cpu(self) -> float:
        """The processor time of the children that it has waited for."""
        fields = self.read("stat").rpartition(b")")[2].split()
        return (int(fields[13]) + int(fields[14])) / TICK if fields else 0.0

    def close(self) -> None:
        self._close([*self.files.values(), *self.threads])

    @staticmethod
    def _close(descriptors: list[int]) -> None:
        for descriptor in descriptors:
            os.close(descriptor)


class Processes:
    """All processes of the sandbox but our own."""

    def __init__(self) -> None:
        self.warm: int | None = None  # the parent of all games, which is not part of any
        self.ended: dict[int, int] = {}  # process: wait status, of those that we have reaped
        self._seen: dict[int, Seen] = {}
        self._loads = os.open("/proc/loadavg", os.O_RDONLY)
        self._newest = b""
        self._has_forked = False
        self._reaped = 0.0  # processor seconds of those that have ended
        self._most = self._lost = 0.0  # processor seconds: the last sum, and what nobody has told us of

    def of_game(self) -> list[int]:
        """The processes of the game that is played, by number."""
        return [pid for pid in self._seen if pid != self.warm]

    def refresh(self, *, always: bool = False) -> None:
        """Learn of new processes and threads. /proc/loadavg tells the number that was given last."""
        newest = os.pread(self._loads, CHUNK, 0).split()[-1]
        if newest == self._newest and not always:
            return
        self._newest = newest
        running = {int(entry.name) for entry in os.scandir("/proc") if entry.name.isdigit()} - {os.getpid()}
        for pid in set(self._seen) - running:
            self._seen.pop(pid).close()
        for pid in running:
            self._seen.setdefault(pid, Seen(pid)).look_for_threads()
        self._has_forked = self._has_forked or len(running) > 2  # more than the warm parent and its game

    def reap(self) -> None:
        """Take note of processes that have ended."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            self.ended[pid] = status
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            self._reaped = used.ru_utime + used.ru_stime
            if pid in self._seen:
                self._seen.pop(pid).close()

    def cpu(self) -> float:
        """The processor seconds of all processes, also of those that have ended."""
        total = self._reaped
        for seen in self._seen.values():
            with contextlib.suppress(OSError):
                total += cpu_seconds(seen.pid)
            if self._has_forked:
                total += seen.children_cpu()
        # A child whose parent does not wait for it leaves no trace of its time but what we have seen.
        self._lost = max(self._lost, self._most - total)
        self._most = self._lost + total
        return self._most

    def waited(self) -> float:
        """Seconds in which threads were ready to run and waited for a processor."""
        total = 0.0
        for pid, seen in self._seen.items():
            if pid != self.warm or seen.delay is None:
                seen.delay = seen.waited()
            total += seen.delay
        return total

    def memory(self) -> int:
        """The bytes that the processes hold; pages that several of them share count several times."""
        total = 0
        for pid, seen in self._seen.items():
            if pid != self.warm or seen.resident is None:
                found = seen.read("statm").split()
                seen.resident = int(found[1]) if found else 0
            total += seen.resident
        return total * PAGE

    def shared_memory(self) -> int:
        """The same, with every page shared out between those who hold it. This takes a while."""
        total = 0
        for pid, seen in self._seen.items():
            try:
                with open(f"/proc/{pid}/smaps_rollup", "rb") as file:  # noqa: PTH123 (a Path costs more)
                    total += next(int(line.split()[1]) << 10 for line in file if line.startswith(b"Pss:"))
            except (OSError, StopIteration):
                resident = seen.read("statm").split()
                total += int(resident[1]) * PAGE if resident else 0
        return total

    def count(self) -> int:
        """How many threads there are."""
        return sum(len(seen.threads) for seen in self._seen.values())

    def stop(self) -> None:
        """Stop them all at once: nobody can fork or go on between one and the next."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGSTOP)

    def let_game_go_on(self) -> None:
        for pid in self.of_game():
            self._let_go_on(pid)

    def let_warm_go_on(self) -> None:
        assert self.warm is not None
        if self.warm in self._seen:
            self._seen[self.warm].resident = self._seen[self.warm].delay = None
        self._let_go_on(self.warm)

    def kill_game(self) -> bool:
        """Kill all that belongs to the game; False if something does not go."""
        deadline = time.monotonic() + SETTLING
        while True:
            self.stop()
            self.refresh(always=True)
            self.reap()
            left = self.of_game()
            if not left:
                return True
            if time.monotonic() > deadline:
                return False
            for pid in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.0005)

    def _let_go_on(self, pid: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)
