"""Inside the sandbox: which processes there are, what they use, and how they are stopped.

Everything here is called in each turn, between two bots that have filled the processor's caches with their own. So
files in /proc stay open, /proc is listed only if a process or a thread has been made since, and of a process that has
not run since we last looked only the processor time is read.
"""

import contextlib
import math
import os
import resource
import signal
import time
from collections.abc import Iterable
from dataclasses import dataclass, field

PAGE = os.sysconf("SC_PAGE_SIZE")
TICK = os.sysconf("SC_CLK_TCK")  # per second
SETTLING = 10.0  # seconds for killed processes to go
CHUNK = 4096
LINE = 256  # bytes of the short files in /proc; Python takes longer to make room for more
# As plain numbers: Python takes a quarter of a microsecond to find the number of a member of `signal.Signals`.
STOP, GO_ON = int(signal.SIGSTOP), int(signal.SIGCONT)
TABLE = 512  # pages that one page of a page table leads to
SOCKET = 400_000  # bytes that the kernel may hold for a socket whose buffers have the usual sizes
LOOKS = 8  # at sockets there is one look in so many, for it takes as long as the rest of the look
EXITING = 4  # PF_EXITING of linux/sched.h
STANDING = (b"T", b"t", b"Z", b"X")  # states of a process that runs no code
HALTING = 0.05  # seconds for processes that have been stopped to stand still

Schedule = tuple[float, float]  # seconds for which a thread had a processor, and for which it waited for one


@dataclass
class Seen:
    """A process that we watch, with its open files in /proc."""

    pid: int
    files: dict[str, int] = field(default_factory=dict)  # name in /proc/PID: descriptor
    threads: dict[int, int] = field(default_factory=dict)  # number: descriptor of its schedstat
    used: float = -1.0  # processor seconds when the two below were measured: they change only if it runs
    resident: int = 0  # pages that it holds
    tables: int = 0  # pages that the kernel may need for its page tables, at most

    def __post_init__(self) -> None:
        self.clock = (~self.pid << 3) | 2  # CPUCLOCK_SCHED of linux/posix-timers.h: nanoseconds, and no file to read

    def cpu(self) -> float:
        """The processor time of all its threads, also of those that have ended; 0 if it is gone."""
        try:
            return time.clock_gettime(self.clock)
        except OSError:
            return 0.0

    def measure(self, used: float) -> None:
        """Measure the memory that it holds, after it has run for so many processor seconds."""
        self.used = used
        pages = self.read("statm", LINE).split(None, 2)
        self.resident = int(pages[1]) if pages else 0
        self.tables = int(pages[0]) // TABLE if pages else 0

    def schedule(self, thread: int) -> Schedule:
        """For how long a thread had a processor, and waited for one."""
        try:
            used, waited, _ = os.pread(self.threads[thread], LINE, 0).split()
        except (KeyError, OSError, ValueError):  # it has ended
            return 0.0, 0.0
        return int(used) / 1e9, int(waited) / 1e9

    def is_gone(self) -> bool:
        try:
            time.clock_gettime(self.clock)
        except OSError:
            return True
        return False

    def stands(self) -> bool:
        """Whether it runs no code: it is stopped, has ended, or is gone."""
        fields = self._stat()
        return not fields or fields[0] in STANDING

    def read(self, name: str, longest: int = CHUNK) -> bytes:
        """A small file of the process, not more than so many bytes; empty if it is gone."""
        try:
            if name not in self.files:
                self.files[name] = os.open(f"/proc/{self.pid}/{name}", os.O_RDONLY)
            return os.pread(self.files[name], longest, 0)
        except OSError:
            return b""

    def look_for_threads(self) -> None:
        self._close(self.threads.values())
        self.threads = {}
        with contextlib.suppress(OSError):
            for thread in os.scandir(f"/proc/{self.pid}/task"):
                self.threads[int(thread.name)] = os.open(f"{thread.path}/schedstat", os.O_RDONLY)

    def children_cpu(self) -> float:
        """The processor time of the children that it has waited for."""
        fields = self._stat()
        return (int(fields[13]) + int(fields[14])) / TICK if fields else 0.0

    def is_ending(self) -> bool:
        """Whether it runs no more code of its own, though a busy machine may take a while to remove it."""
        fields = self._stat()
        return bool(fields) and int(fields[6]) & EXITING != 0

    def close(self) -> None:
        self._close([*self.files.values(), *self.threads.values()])

    def _stat(self) -> list[bytes]:
        """What /proc has in one line, from the third word on."""
        return self.read("stat").rpartition(b")")[2].split()

    @staticmethod
    def _close(descriptors: Iterable[int]) -> None:
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
        self._most = self._lost = 0.0  # processor seconds: the last sum, and what no process has reported
        # The bytes that the processes held at the last look; pages that several of them share count several times.
        self.memory = 0
        self.most_memory = 0  # the same with what the kernel may hold for them besides
        self._sockets = os.open("/proc/net/sockstat", os.O_RDONLY)
        self._in_sockets = 0  # bytes that the kernel may hold in sockets
        self._looks = 0
        self._changes = self._changes_at_start = 0  # of what processes and threads there are; at the start of the turn
        self._schedules: dict[int, Schedule] = {}  # by thread, at the end of the turn before

    def of_game(self) -> list[int]:
        """The processes of the game that is played, by number."""
        return [pid for pid in self._seen if pid != self.warm]

    def refresh(self, *, always: bool = False) -> None:
        """Learn of new processes and threads."""
        newest = self.newest()
        if newest == self._newest and not always:
            return
        self._newest = newest
        self._changes += 1
        running = {int(entry.name) for entry in os.scandir("/proc") if entry.name.isdigit()} - {os.getpid()}
        for pid in set(self._seen) - running:
            self._seen.pop(pid).close()
        for pid in running:
            self._seen.setdefault(pid, Seen(pid)).look_for_threads()
        self._has_forked = self._has_forked or len(running) > 2  # more than the warm parent and its game

    def newest(self) -> bytes:
        """The number that was given last to a process or a thread."""
        return os.pread(self._loads, LINE, 0).rpartition(b" ")[2]

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
                self._changes += 1
                self._seen.pop(pid).close()

    def look(self) -> float:
        """The processor seconds of all processes, also of those that have ended; measure the memory that they hold."""
        total, resident, tables = self._reaped, 0, 0
        for seen in self._seen.values():
            used = seen.cpu()
            if used != seen.used:
                seen.measure(used)
            total += used
            resident += seen.resident
            tables += seen.tables
        self._looks += 1
        if self._looks % LOOKS == 0:
            self._in_sockets = SOCKET * int(os.pread(self._sockets, LINE, 0).split(None, 3)[2])
        self.memory = resident * PAGE
        self.most_memory = self.memory + tables * PAGE + self._in_sockets
        return self._with_children(total)

    def begin_turn(self) -> tuple[float, bool]:
        """The processor seconds of all processes, and whether all have stood still since they were stopped.

        What was just being forked when it was stopped appears now, and stands still. But nothing that stands still
        can end, and there is no record of the processor time of what has ended. Where no process has used
        any, none has begun either: to fork takes time.
        """
        total, has_run, may_be_gone = self._reaped, False, False
        for seen in self._seen.values():
            used = seen.cpu()
            has_run |= used != seen.used
            may_be_gone |= used == 0.0
            total += used
        has_stood = True
        if may_be_gone or (has_run and self.newest() != self._newest):
            has_stood = not self._has_ended_since() and not self._forget_gone()
            total = self._reaped + sum(seen.cpu() for seen in self._seen.values())
        self._changes_at_start = self._changes
        return self._with_children(total), has_stood

    def _has_ended_since(self) -> bool:
        """Whether a process or a thread has begun since all were stopped, and has ended."""
        before, newest = int(self._newest), int(self.newest())
        if newest == before:
            return False
        self.refresh()
        alive = {thread for seen in self._seen.values() for thread in seen.threads if not seen.is_ending()}
        return newest < before or not alive.issuperset(range(before + 1, newest + 1))

    def waited(self, answering: int | None, used: float, *, is_program: bool) -> tuple[float, float]:
        """The seconds of this turn in which the bot's answer waited for a processor, by no fault of its own.

        What counts is the thread that answers: the first of the process that we ask or, if that has started a
        program, any thread. What the others have used meanwhile of a processor, it may have waited for. The second
        number is what they have used, infinite if some were not measured.
        """
        before, self._schedules = self._schedules, {}
        for pid, seen in self._seen.items():
            if is_program and pid != self.warm:
                self._schedules.update({thread: seen.schedule(thread) for thread in seen.threads})
            elif pid == answering:
                self._schedules[pid] = seen.schedule(pid)
        if self._changes != self._changes_at_start:
            return 0.0, math.inf
        waited, others = 0.0, used
        for thread, (now_used, now_waited) in self._schedules.items():
            then_used, then_waited = before.get(thread, (0.0, 0.0))
            its_others = max(0.0, used - (now_used - then_used))
            waited, others = max(waited, now_waited - then_waited - its_others), min(others, its_others)
        return waited, others

    def shared_memory(self) -> int:
        """The memory with every page shared out between the processes that hold it, page tables, and the most that
        may be in sockets. This takes a while.
        """
        total = self._in_sockets
        for pid, seen in self._seen.items():
            try:
                with open(f"/proc/{pid}/smaps_rollup", "rb") as file:  # noqa: PTH123 (a Path costs more)
                    total += next(int(line.split()[1]) << 10 for line in file if line.startswith(b"Pss:"))
                with open(f"/proc/{pid}/status", "rb") as file:  # noqa: PTH123
                    total += next(int(line.split()[1]) << 10 for line in file if line.startswith(b"VmPTE:"))
            except (OSError, StopIteration):
                resident = seen.read("statm").split()
                total += int(resident[1]) * PAGE if resident else 0
        return total

    def count(self) -> int:
        """How many threads there are."""
        return sum([len(seen.threads) for seen in self._seen.values()])

    def stop(self) -> None:
        """Stop them all, so that none can fork or go on between one and the next; and learn of new ones.

        Where a game is one process, its group and that of the warm parent are all that there is, if no number has been
        given since: a signal to a group reaches also what is just being forked. To signal everybody, the system
        would go through all processes of the machine, which takes longer than all else that we do.
        """
        game = self.of_game()
        if len(game) == 1 and self.warm is not None:
            try:
                os.kill(-game[0], STOP)
                os.kill(-self.warm, STOP)
                if self.newest() == self._newest:
                    return
            except ProcessLookupError:
                pass  # it is no group, or is gone
        self._stop_everybody()
        self.refresh()
        self._let_stand()

    def is_ending(self, pid: int) -> bool:
        return pid in self._seen and self._seen[pid].is_ending()

    def let_game_go_on(self) -> None:
        for pid in self._seen:
            if pid != self.warm:
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
            os.kill(-1, STOP)

    def _let_stand(self) -> None:
        """Wait until all have stopped or ended: until then they use processor time, and may end."""
        deadline = time.monotonic() + HALTING
        while not all(seen.stands() for seen in self._seen.values()) and time.monotonic() < deadline:
            time.sleep(0.0002)
        self._forget_gone()

    def _forget_gone(self) -> bool:
        """Forget processes of which nothing is left; whether there were any."""
        gone = [pid for pid, seen in self._seen.items() if seen.is_gone()]
        for pid in gone:
            self._changes += 1
            self._seen.pop(pid).close()
        return bool(gone)

    def _let_go_on(self, pid: int) -> None:
        try:  # noqa: SIM105 (`contextlib.suppress` takes half as long as the call)
            os.kill(pid, GO_ON)
        except ProcessLookupError:
            pass
