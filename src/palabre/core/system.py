"""Calls to the operating system that are not the same everywhere: the clock, locks between processes, other programs.

Each has a portable fallback for systems that lack the usual call. Linux has them all; two environment variables
force the fallbacks there, so that tests can run them: `PALABRE_CLOCK=ticker` and `PALABRE_PROCESSES=portable`.
"""

import contextlib
import ctypes
import os
import platform
import queue
import selectors
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

# Compiled code calls the system's clock_gettime, which Windows lacks and 32-bit systems have in another shape.
USES_TICKER = (
    os.environ.get("PALABRE_CLOCK") == "ticker" or not hasattr(time, "clock_gettime_ns") or sys.maxsize < 2**63 - 1
)
# Process groups, /bin/sh and pipes that can be polled come together, on POSIX systems.
IS_PORTABLE = os.environ.get("PALABRE_PROCESSES") == "portable" or os.name != "posix"

TICK = 0.0005  # seconds between two readings of the clock by the ticker
PR_SET_PDEATHSIG, PR_SET_DUMPABLE = 1, 4  # of linux/prctl.h
LOCK_POLL = 0.1  # seconds between two attempts to get a lock
CHUNK = 1 << 16  # bytes that are read at once
MAX_POLL = 3600.0  # seconds; the system counts milliseconds in 32 bits
WRITE_PATIENCE = 0.5  # seconds for a program to read what it was sent before, where pipes cannot be polled
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

    The system takes the lock back when its holder ends, however that happens.
    """
    with file.open("a+b") as handle:
        has_told = False
        while not _try_lock(handle):
            if not has_told:
                on_wait()
                has_told = True
            time.sleep(LOCK_POLL)
        yield  # closing the file gives the lock back


@contextlib.contextmanager
def try_locked(file: Path) -> Iterator[bool]:
    """Hold a lock if no other process has it, and tell whether that is so; its file is gone afterwards."""
    with file.open("a+b") as handle:
        # The one who had the lock removes the file: a lock on a file that is no longer there excludes nobody.
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
    """The processor's name, as the system tells it."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass  # not Linux
    return platform.processor() or platform.machine()


def waited_for_processor() -> float:
    """Seconds for which this thread could have run while others had the processor; 0 where nobody counts them."""
    try:
        with open("/proc/thread-self/schedstat", "rb", buffering=0) as file:  # noqa: PTH123 (it is read before each move)
            return int(file.read(100).split()[1]) / 1e9
    except (OSError, IndexError):
        return 0.0  # not Linux, or one that does not count


def free_megabytes() -> float:
    """The memory that nobody uses now; 0 if nobody knows."""
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
    except (AttributeError, OSError, ValueError):
        return 0.0


def own_megabytes() -> float:
    """The most memory that this process has used so far; 0 if nobody knows."""
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
    """Start the process that kills a program's group when our own process is gone; None where that cannot be done."""
    if IS_PORTABLE:
        return None
    return subprocess.Popen(
        ["/bin/sh", "-c", KEEPER, "keeper", str(program.pid)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


class Running(Protocol):
    """A program that was started as the leader of its group, by `subprocess` or by `asyncio`."""

    @property
    def pid(self) -> int: ...
    def kill(self) -> None: ...


def kill_program(program: Running) -> None:
    """Kill a program and, where there are process groups, all that it has started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):  # nobody is left
        if IS_PORTABLE:
            program.kill()
        elif sys.platform != "win32":
            os.killpg(program.pid, signal.SIGKILL)


def end_in_words(code: int) -> Message:
    """What an exit code says about how a program ended."""
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
    """Have the system kill this process when the one that started it ends, however that happens (Linux only)."""
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
    """Whether a program, or one that it has started, waits for input; None where the system does not say."""
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
    except OSError:  # the system keeps it to itself
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


class PolledPipes:
    """The pipes to a program, where the system can tell which of them are ready."""

    def __init__(self, program: "subprocess.Popen[bytes]") -> None:
        assert program.stdin is not None
        assert program.stdout is not None
        assert program.stderr is not None
        self._in, self._out, self._err = (stream.fileno() for stream in (program.stdin, program.stdout, program.stderr))
        self.errors_ended = False  # standard error has been read to its end
        self._selector = selectors.PollSelector()
        for number in (self._in, self._out, self._err):
            os.set_blocking(number, False)
        for number in (self._out, self._err):
            self._selector.register(number, selectors.EVENT_READ)

    def write(self, message: bytes) -> bool:
        """Send a message; False if the pipe is full. An `OSError` says that nobody reads it any more."""
        try:
            return os.write(self._in, message) == len(message)
        except BlockingIOError:
            return False

    def read(self, seconds: float) -> tuple[bytes | None, bytes]:
        """What has come on standard output and standard error, after waiting at most this many seconds.

        The output is None if nothing has come, and empty at the end of the stream.
        """
        ready = [key.fd for key, _ in self._selector.select(min(seconds, MAX_POLL))]
        output = self._read_chunk(self._out) if self._out in ready else None
        errors = self._read_chunk(self._err) if self._err in ready else None
        self.errors_ended = self.errors_ended or errors == b""
        return output, errors or b""

    def _read_chunk(self, number: int) -> bytes:
        """Read what there is; a stream at its end would always be ready, so it is not polled any more."""
        chunk = os.read(number, CHUNK)
        if not chunk:
            self._selector.unregister(number)
        return chunk

    def close(self) -> None:
        """Nothing will be read or written any more."""
        self._selector.close()


class ThreadedPipes:
    """The pipes to a program, each served by a thread that may block: the portable fallback."""

    def __init__(self, program: "subprocess.Popen[bytes]") -> None:
        assert program.stdin is not None
        assert program.stdout is not None
        assert program.stderr is not None
        self.errors_ended = False  # standard error has been read to its end
        # One chunk waits at most: a program that writes more than is read has to wait, as with any pipe. Both streams
        # share the queue, so that whoever waits for one empties the other.
        self._chunks: queue.Queue[tuple[bool, bytes]] = queue.Queue(1)  # whether it is an error's, and the chunk
        self._messages: queue.Queue[bytes] = queue.Queue(1)
        self._failure: OSError | None = None
        self._closed = threading.Event()
        for target, *arguments in (
            (self._receive, os.dup(program.stdout.fileno()), False),
            (self._receive, os.dup(program.stderr.fileno()), True),
            (self._send, os.dup(program.stdin.fileno())),
        ):
            threading.Thread(target=target, args=arguments, daemon=True).start()

    def write(self, message: bytes) -> bool:
        """Send a message; False if the one before has not been read. An `OSError` says that nobody reads any more."""
        if self._failure is not None:
            raise self._failure
        try:
            self._messages.put(message, timeout=WRITE_PATIENCE)
        except queue.Full:
            return False
        return True

    def read(self, seconds: float) -> tuple[bytes | None, bytes]:
        """What has come on standard output or standard error, after waiting at most this many seconds.

        The output is None if nothing has come, and empty at the end of the stream.
        """
        try:
            is_error, chunk = self._chunks.get(seconds > 0, min(seconds, MAX_POLL))
        except queue.Empty:
            return None, b""
        if not is_error:
            return chunk, b""
        self.errors_ended = not chunk
        return None, chunk

    def close(self) -> None:
        """Nothing will be read or written any more: the threads end."""
        self._closed.set()
        with contextlib.suppress(queue.Full):  # then the thread ends after the message that is in the queue
            self._messages.put_nowait(b"")

    def _send(self, number: int) -> None:
        """Write messages until an empty one comes, or all are written after the pipes were closed."""
        with os.fdopen(number, "wb", buffering=0) as stream:
            while message := self._messages.get():
                try:
                    while message:
                        message = message[stream.write(message) or 0 :]
                except OSError as error:
                    self._failure = error
                    return
                if self._closed.is_set() and self._messages.empty():
                    return

    def _receive(self, number: int, is_error: bool) -> None:
        """Move what the program writes to the queue, up to and including the empty chunk at the end."""
        with os.fdopen(number, "rb", buffering=0) as stream:
            chunk = b" "
            while chunk and not self._closed.is_set():
                try:
                    chunk = stream.read(CHUNK) or b""
                except OSError:
                    chunk = b""
                while not self._closed.is_set():
                    with contextlib.suppress(queue.Full):
                        self._chunks.put((is_error, chunk), timeout=WRITE_PATIENCE)
                        break


def pipes_to(program: "subprocess.Popen[bytes]") -> PolledPipes | ThreadedPipes:
    """The pipes to a program that `start_program` has started."""
    return ThreadedPipes(program) if IS_PORTABLE else PolledPipes(program)
