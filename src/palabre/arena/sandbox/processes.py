"""Inside the sandbox: which processes there are, what they use, and how they are stopped.

Everything here is called in each turn, between two bots that have filled the processor's caches with their own. So
files in /proc stay open, /proc is listed only if a process or a thread has been made since, and of a process that has
not run since we last looked only the processor time is read.
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
EXITING = 4  # PF_EXITING of linux/sched.h


@dataclass
class Seen:
    """A process that we watch, with its open files in /proc."""

    pid: int
    files: dict[str, int] = field(default_factory=dict)  # name in /proc/PID: descriptor
    threads: list[int] = field(default_factory=list)  # descriptors of the threads' schedstat
    used: float = -1.0  # processor seconds when the two below were measured: they change only if it runs
    resident: int = 0  # pages that it holds
    delay: float | None = None  # seconds in which its threads waited for a processor; None if it was not asked

    def cpu(self) -> float:
        """The processor time of all its threads, also of those that have ended; 0 if it is gone."""
        try:
            # CPUCLOCK_SCHED of linux/posix-timers.h: nanoseconds, and no file to read.
            return time.clock_gettime((~self.pid << 3) | 2)
        except OSError:
            return 0.0

    def look(self) -> float:
        """The same, and measure the memory that it holds, if it has run."""
        used = self.cpu()
        if used != self.used:
            self.used, self.delay = used, None
            found = self.read("statm").split(None, 2)
            self.resident = int(found[1]) if found else 0
        return used

    def waited(self) -> float:
        """Seconds in which its threads were ready to run and waited for a processor."""
        if self.delay is None:
            total = 0
            for thread in self.threads:
                try:
                    total += int(os.pread(thread, CHUNK, 0).split(None, 2)[1])
                except (OSError, IndexError, ValueError):  # it has ended
                    continue
            self.delay = total / 1e9
        return self.delay

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

    def children_cpu(self) -> float:
        """The processor time of the children that it has waited for."""
        fields = self._stat()
        return (int(fields[13]) + int(fields[14])) / TICK if fields else 0.0

    def is_ending(self) -> bool:
        """Whether it runs no more code of its own, though it may take a busy machine a while to bury it."""
        fields = self._stat()
        return bool(fields) and int(fields[6]) & EXITING != 0

    def close(self) -> None:
        self._close([*self.files.values(), *self.threads])

    def _stat(self) -> list[bytes]:
        """What /proc tells in one line, from the third word on."""
        return self.read("stat").rpartition(b")")[2].split()

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
        # The bytes that the processes held at the last look; pages that several of them share count several times.
        self.memory = 0

    def of_game(self) -> list[int]:
        """The processes of the game that is played, by number."""
        return [pid for pid in self._seen if pid != self.warm]

    def refresh(self, *, always: bool = False) -> None:
        """Learn of new processes and threads."""
        newest = self.newest()
        if newest == self._newest and not always:
            return
        self._newest = newest
        running = {int(entry.name) for entry in os.scandir("/proc") if entry.name.isdigit()} - {os.getpid()}
        for pid in set(self._seen) - running:
            self._seen.pop(pid).close()
        for pid in running:
            self._seen.setdefault(pid, Seen(pid)).look_for_threads()
        self._has_forked = self._has_forked or len(running) > 2  # more than the warm parent and its game

    def newest(self) -> bytes:
        """The number that was given last to a process or a thread."""
        return os.pread(self._loads, CHUNK, 0).rpartition(b" ")[2]

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
            total += seen.cpu()
        return self._with_children(total)

    def look(self) -> float:
        """The same, and measure the memory that they hold."""
        total, resident = self._reaped, 0
        for seen in self._seen.values():
            total += seen.look()
            resident += seen.resident
        self.memory = resident * PAGE
        return self._with_children(total)

    def waited(self) -> float:
        """Seconds in which threads were ready to run and waited for a processor, as of the last look."""
        return sum([seen.waited() for seen in self._seen.values()])

    def shared_memory(self) -> int:
        """The memory with every page shared out between the processes that hold it. This takes a while."""
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
        return sum([len(seen.threads) for seen in self._seen.values()])

    def stop(self) -> None:
        """Stop them all, so that nobody can fork or go on between one and the next; and learn of new ones.

        Where a game is one process, its group and that of the warm parent are all that there is, if no number has been
        given since: a signal to a group reaches also what is just being forked. To signal everybody, the system
        would go through all processes of the machine, which takes longer than all else that we do.
        """
        game = self.of_game()
        if len(game) == 1 and self.warm is not None:
            try:
                os.kill(-game[0], signal.SIGSTOP)
                os.kill(-self.warm, signal.SIGSTOP)
                if self.newest() == self._newest:
                    return
            except ProcessLookupError:
                pass  # it is no group, or is gone
        self._stop_everybody()
        self.refresh()

    def is_ending(self, pid: int) -> bool:
        return pid in self._seen and self._seen[pid].is_ending()

    def let_game_go_on(self) -> None:
        for pid in self.of_game():
            self._let_go_on(pid)

    def let_warm_go_on(self) -> None:
        assert self.warm is not None
        self._let_go_on(self.warm)

    def kill_game(self) -> bool:
        """Kill all that belongs to the game; False if something does not go."""
        deadline = time.monotonic() + SETTLING
        self.stop()
        while left := self.of_game():
            if time.monotonic() > deadline:
                return False
            for pid in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.0005)
            self.reap()
            if len(left) > 1 or self.newest() != self._newest:
                self._stop_everybody()
                self.refresh(always=True)
        return True

    def _with_children(self, total: float) -> float:
        if self._has_forked:
            total += sum(seen.children_cpu() for seen in self._seen.values())
        # A child whose parent does not wait for it leaves no trace of its time but what we have seen.
        if total < self._most - self._lost:
            self._lost = self._most - total
        self._most = self._lost + total
        return self._most

    def _stop_everybody(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGSTOP)

    def _let_go_on(self, pid: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)
