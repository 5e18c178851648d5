"""Calls to the operating system that are not the same everywhere: the clock, locks between processes, other programs.

Each has a portable fallback for systems that lack the usual call, without which Palabre would not run there:

    ticker                   Windows and 32-bit systems: compiled code cannot call `clock_gettime`, and reads a word
    `msvcrt.locking`         Windows: it has no `flock`
    no lock                  systems with neither, which run one process at a time, as a browser does
    no group, no keeper      Windows: a program is killed alone, and one that outlives us is not killed
    `ThreadedPipes`          Windows: pipes cannot be polled (`core/pipes.py`)
    0 or None                macOS and Windows: what only Linux can measure

Linux has all calls; two environment variables force the fallbacks there, so that tests can run them:
`PALABRE_CLOCK=ticker` and `PALABRE_PROCESSES=portable`. `tests/test_portable.py` plays games on such a system.
"""

import contextlib
import ctypes
import os
import platform
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache as remember
from pathlib import Path
from typing import IO, Protocol

from palabre.core.words import Message, say

try:
    import fcntl
except ImportError:  # not POSIX
    HAS_FLOCK = False
else:
    HAS_FLOCK = True
if sys.platform == "win32":
    import msvcrt
HAS_LOCKS = HAS_FLOCK or sys.platform == "win32"  # without them every lock seems to be free

# Compiled code calls the system's clock_gettime, which Windows lacks and 32-bit systems have in another shape.
USES_TICKER = (
    os.environ.get("PALABRE_CLOCK") == "ticker" or not hasattr(time, "clock_gettime_ns") or sys.maxsize < 2**63 - 1
)
# Process groups, /bin/sh and pipes that can be polled come together, on POSIX systems.
IS_PORTABLE = os.environ.get("PALABRE_PROCESSES") == "portable" or os.name != "posix"

TICK = 0.0005  # seconds between two readings of the clock by the ticker
PR_SET_PDEATHSIG, PR_SET_DUMPABLE = 1, 4  # of linux/prctl.h
LOCK_POLL = 0.1  # seconds between two attempts to get a lock
# The keeper waits until the pipe that only our process holds is closed. A well-behaved program notices that, too, and
# has a second to leave.
KEEPER = 'read nothing; sleep 1; kill -s KILL -- "-$1"'

# ----------------------------------------------------------------------------------------------------------- the clock


def now() -> int:
    """Nanoseconds on a clock that never goes back. Kernels may call it.

    Compiled, it is a call of `clock_gettime`, or a read of the word that the ticker writes.
    """
    return time.monotonic_ns() if USES_TICKER else time.clock_gettime_ns(time.CLOCK_MONOTONIC)


class Ticker:
    """A thread that writes the time to a word of memory, for compiled code that cannot ask the system."""

    def __init__(self) -> None:
        self._word = ctypes.c_int64(time.monotonic_ns())
        threading.Thread(target=self._run, name="palabre-ticker", daemon=True).start()

    @property
    def address(self) -> int:
        return ctypes.addressof(self._word)

    def _run(self) -> None:
        while True:
            self._word.value = time.monotonic_ns()
            time.sleep(TICK)


# ---------------------------------------------------------------------------------------------- locks between processes


@contextlib.contextmanager
def locked(file: Path, on_wait: Callable[[], None]) -> Iterator[None]:
    """Hold a lock that at most one process has; `on_wait` is called once if another has it now.

    The system releases the lock when its holder ends, however that happens.
    """
    with file.open("a+b") as handle:
        if not _try_lock(handle):
            on_wait()
            while not _try_lock(handle):
                time.sleep(LOCK_POLL)
        yield  # closing the file releases the lock


@contextlib.contextmanager
def try_locked(file: Path) -> Iterator[bool]:
    """Hold a lock if no other process has it, and yield whether that is so; its file is gone afterwards."""
    with file.open("a+b") as handle:
        # The process that had the lock removes the file: a lock on a removed file excludes no one.
        is_held = _try_lock(handle) and _is_same(handle, file)
        try:
            yield is_held
        finally:
            if is_held:
                with contextlib.suppress(OSError):  # a system on which an open file stays
                    file.unlink()


def _is_same(handle: IO[bytes], file: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle.fileno()), file.stat())
    except OSError:
        return False


def _try_lock(handle: IO[bytes]) -> bool:
    try:
        if sys.platform == "win32":
            handle.seek(0)
            msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)
        elif HAS_FLOCK:  # a system that has neither runs one process at a time, as a browser does
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


# ------------------------------------------------------------------------------------------------------- this machine


def processor() -> str:
    """The processor's name, as the system reports it."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass  # not Linux
    return platform.processor() or platform.machine()


def waited_for_processor() -> float:
    """Seconds for which this thread could have run while others had the processor; 0 where they are not counted."""
    try:
        with open("/proc/thread-self/schedstat", "rb", buffering=0) as file:  # noqa: PTH123 (it is read before each move)
            return int(file.read(100).split()[1]) / 1e9
    except (OSError, IndexError):
        return 0.0  # not Linux, or a kernel that does not count


def free_megabytes() -> float:
    """The free memory; 0 if the system does not report it."""
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
    except (AttributeError, OSError, ValueError):
        return 0.0


def own_megabytes() -> float:
    """The most memory that this process has used so far; 0 if the system does not report it."""
    try:
        import resource
    except ImportError:  # not everywhere
        return 0.0
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used / (1 << 20) if sys.platform == "darwin" else used / 1024


def usable_cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# ------------------------------------------------------------------------------------------------------- other programs


def start_program(words: Sequence[str], environment: Mapping[str, str] | None = None) -> "subprocess.Popen[bytes]":
    """Start a program with a pipe to each of its streams; it leads a process group of its own where there are any."""
    pipe, new = subprocess.PIPE, not IS_PORTABLE
    return subprocess.Popen(
        words, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=new, env=environment
    )


def start_keeper(program: "subprocess.Popen[bytes]") -> "subprocess.Popen[bytes] | None":
    """Start the process that kills a program's group when our own process is gone; None where there are no groups."""
    if IS_PORTABLE:
        return None
    return subprocess.Popen(
        ["/bin/sh", "-c", KEEPER, "keeper", str(program.pid)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


class RunningProgram(Protocol):
    """A program that was started as the leader of its group, by `subprocess` or by `asyncio`."""

    @property
    def pid(self) -> int: ...
    def kill(self) -> None: ...


def kill_program(program: RunningProgram) -> None:
    """Kill a program and, where there are process groups, all that it has started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):  # none is left
        if IS_PORTABLE:
            program.kill()
        elif sys.platform != "win32":
            os.killpg(program.pid, signal.SIGKILL)


def end_in_words(code: int) -> Message:
    """How a program ended, from its exit status."""
    if code >= 0 or os.name != "posix":
        return say("ended.code", code=code)
    try:
        name = signal.Signals(-code).name
    except ValueError:  # most real-time signals have no names
        name = str(-code)
    return say("ended.signal", signal=name)


@remember
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None)


def hide_memory(hide: bool = True) -> None:
    """Keep other processes of the same user from looking into this one's memory, or let them (Linux only)."""
    if sys.platform == "linux":
        _libc().prctl(PR_SET_DUMPABLE, 0 if hide else 1, 0, 0, 0)


def end_with_parent() -> None:
    """Have the system kill this process when its parent ends, however that happens (Linux only)."""
    if sys.platform == "linux":
        parent = os.getppid()
        _libc().prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:  # it ended meanwhile
            os._exit(1)


# The numbers of the system calls in which a program waits for input: those that read a descriptor, and those that wait
# for several (Linux: arch/x86/entry/syscalls/syscall_64.tbl, include/uapi/asm-generic/unistd.h).
READS = {"x86_64": {0, 19}, "aarch64": {63, 65}}  # read, readv
POLLS = {"x86_64": {7, 23, 232, 270, 271, 281, 441}, "aarch64": {22, 72, 73, 441}}  # poll, select, epoll and their kin


def waits_for_input(pid: int) -> bool | None:
    """Whether a program, or one that it has started, waits for input; None where the system does not report it."""
    machine = platform.machine()
    if sys.platform != "linux" or machine not in READS:
        return None
    try:
        for process in processes_of(pid):
            for thread in os.listdir(f"/proc/{process}/task"):  # noqa: PTH208 (it is asked every few milliseconds)
                call = _file(f"/proc/{process}/task/{thread}/syscall").split()
                if len(call) > 1 and call[0].isdigit():  # it is in a system call
                    number, is_stdin = int(call[0]), int(call[1], 16) == 0
                    if number in POLLS[machine] or (number in READS[machine] and is_stdin):
                        return True
    except (FileNotFoundError, ProcessLookupError):  # a thread has ended meanwhile
        return False
    except OSError:  # the system refuses to report it
        return None
    return False


def java_machines(pid: int) -> list[int]:
    """The Java machines among a program and all that it has started (Linux only)."""
    machines = []
    for process in processes_of(pid):
        with contextlib.suppress(OSError):
            if Path(f"/proc/{process}/exe").readlink().name == "java":
                machines.append(process)
    return machines


def processes_of(pid: int) -> Iterator[int]:
    """A process and all that it has started, as far as they live (Linux only; elsewhere only the process itself)."""
    yield pid
    with contextlib.suppress(OSError):
        for child in _file(f"/proc/{pid}/task/{pid}/children").split():
            yield from processes_of(int(child))


def _file(name: str) -> str:
    with open(name, encoding="ascii", errors="replace") as file:  # noqa: PTH123
        return file.read()
