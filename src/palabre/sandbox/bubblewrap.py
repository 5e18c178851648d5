"""The walls: the `bwrap` command line with an empty root, into which only what a bot needs is bound, all read-only.

Started by root, the sandbox has a user id of its own, from a range of its own: limits on processes count by
user. Process 1 stays root, without any capability but those it needs to drop the bot to that user id, to stop it and to
look at it. Started by anybody else, the sandbox is a user namespace.
"""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache as remember
from pathlib import Path

import palabre
from palabre.compile import cache
from palabre.core.words import Message, say
from palabre.play.failures import MEGABYTE, Limits, SandboxBroken
from palabre.play.stacks import BOT

INSTALL = "apt-get install bubblewrap"
SCRATCH = Path("/tmp")  # the only folder that it can write to
STARTING = 20.0  # seconds for a sandbox that does nothing
FIRST_UID, UIDS = 1_900_000_000, 10_000  # no system gives these to anybody
LIBRARIES = ("/lib", "/lib32", "/lib64", "/libx32", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib")
# What programs that are not Python need besides: a compiled engine little, a shell script or Java a lot.
PROGRAMS = ("/bin", "/sbin", "/usr", "/opt", "/etc/alternatives", "/etc/java-17-openjdk", "/etc/java-21-openjdk")
DEVICES = ("null", "zero", "full", "random", "urandom")
# Of process 1, none of which the bot has: to drop it to its user id and its bounding set, to stop it, to look at it.
CAPABILITIES = ("CAP_SETPCAP", "CAP_SETUID", "CAP_SETGID", "CAP_KILL", "CAP_SYS_PTRACE", "CAP_DAC_READ_SEARCH")
# Settings that change what is compiled, so that kept code is found.
PASSED_ON = ("NUMBA_", "PALABRE_CLOCK")


# Modules of `palabre.search` that no search is in: what bots, clocks and evaluations need.
NO_SEARCHES = ("__init__", "clock", "thought", "values", "parameters", "repetition", "perft")
FORBIDDEN = Path(__file__).with_name("forbidden.txt")  # the module in the place of a search that is forbidden


@dataclass(frozen=True)
class Files:
    """What a sandbox has besides Python and Palabre."""

    read: Mapping[str, Path] = field(default_factory=dict)  # places inside, and what is seen there
    write: Mapping[str, Path] = field(default_factory=dict)
    has_programs: bool = False  # whether the programs of this machine are there as well


def program() -> str | None:
    """Where bubblewrap is, or None if it is not installed."""
    return shutil.which("bwrap") if sys.platform == "linux" else None


def is_root() -> bool:
    """Whether sandboxes are started by root."""
    return os.geteuid() == 0


def why_not() -> Message | None:
    """Why sandboxes cannot be used here, or None if they can."""
    return say("sandbox.off") if is_off() else _why_not()


def is_off() -> bool:
    """Whether the user has turned sandboxes off, to debug a bot for example."""
    return os.environ.get("PALABRE_SANDBOX") == "off"


@remember
def _why_not() -> Message | None:
    if program() is None:
        return say("sandbox.missing", command=INSTALL)
    try:
        line = command(Limits(), Files(), [python(), "-c", ""], seccomp=None)
        done = subprocess.run(line, capture_output=True, text=True, timeout=STARTING, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return say("sandbox.unstartable", error=str(error))
    return say("sandbox.fails", error=" ".join(done.stderr.split())[-300:]) if done.returncode else None


def command(limits: Limits, files: Files, words: Sequence[str], *, seccomp: int | None) -> list[str]:
    """The command line of a sandbox that runs some words."""
    bwrap = program()
    if bwrap is None:
        raise SandboxBroken(say("sandbox.missing", command=INSTALL))
    line = [bwrap, "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    if is_root():
        line += ["--cap-drop", "ALL", *(word for name in CAPABILITIES for word in ("--cap-add", name))]
    else:
        line += ["--unshare-user", "--disable-userns", "--cap-drop", "ALL"]
    line += ["--as-pid-1", "--new-session", "--die-with-parent", "--hostname", "sandbox"]
    if seccomp is not None:
        line += ["--seccomp", str(seccomp)]
    line += ["--size", str(MEGABYTE), "--tmpfs", "/dev", "--proc", "/proc"]
    for device in DEVICES:
        line += ["--dev-bind", f"/dev/{device}", f"/dev/{device}"]
    line += ["--symlink", "/tmp", "/dev/shm", "--remount-ro", "/dev"]
    line += ["--perms", "1777", "--size", str(limits.scratch * MEGABYTE), "--tmpfs", "/tmp"]
    line += _bound([*interpreter(), *(existing(PROGRAMS) if files.has_programs else ())], files)
    if limits.forbids_engine:
        line += _without_searches()
    line += _without_locks()
    line += ["--remount-ro", "/", "--chdir", _home(files)]
    line += ["--clearenv"]
    for name, value in environment().items():
        line += ["--setenv", name, value]
    return [*line, "--", *words]


def _without_searches() -> list[str]:
    """Put a module that raises in the place of each of Palabre's searches, and leave out what was compiled of them."""
    folder = package() / "search"
    hidden = [file for file in sorted(folder.glob("*.py")) if file.stem not in NO_SEARCHES]
    line = [word for file in hidden for word in ("--ro-bind", str(FORBIDDEN), str(file))]
    if (folder / "__pycache__").is_dir():
        line += ["--size", str(MEGABYTE), "--tmpfs", str(folder / "__pycache__")]
    return line


def _without_locks() -> list[str]:
    """Cover the locks of the cache: a bot that held one would have others wait."""
    try:
        place = str(cache.locks())
    except OSError:  # the cache cannot be written to, so that no process locks anything there
        return []
    return ["--perms", "0755", "--size", str(MEGABYTE), "--tmpfs", place, "--remount-ro", place]


def interpreter() -> list[Path]:
    """The folders and files that Python and Palabre consist of."""
    places = [*existing(LIBRARIES), *existing(["/etc/ld.so.cache"]), package()]
    if sys.prefix != sys.base_prefix:
        places.append(Path(sys.prefix))
    base = Path(sys.base_prefix)
    if base in (Path("/"), Path("/usr"), Path("/usr/local")):  # only Python, not all that is installed there
        real = Path(sys.executable).resolve()
        links = [link for link in (base / "bin").glob("python3*") if link.resolve() == real]
        stdlib = [Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")]
        places += [real, *links, *(folder for folder in stdlib if folder.is_dir())]
    else:
        places.append(base)
    if cache.root().is_dir():
        places.append(cache.root())
    return places


def python() -> str:
    """The interpreter, by its shortest path: one through folders that are not bound would not be found inside."""
    return os.path.abspath(sys.executable)  # noqa: PTH100 (links must stay)


def package() -> Path:
    """The folder of Palabre's sources."""
    return Path(palabre.__file__).resolve().parent


def environment() -> dict[str, str]:
    """All environment variables of a bot."""
    chosen = {name: value for name, value in os.environ.items() if name.startswith(PASSED_ON)}
    return chosen | {
        "HOME": "/tmp",
        "LANG": "C.UTF-8",
        "PATH": f"{Path(python()).parent}:/usr/local/bin:/usr/bin:/bin",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONNOUSERSITE": "1",
        "PYTHONPATH": str(package().parent),
        "PALABRE_CACHE": "/tmp/.palabre",
        "PALABRE_SHARED_CACHE": str(cache.root()),
        # Libraries start a thread per processor otherwise, and a bot has one processor.
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        # Scikit-learn imports pandas where that is installed, and pandas Arrow, whose memory has a thread of its own:
        # a bot with a thread would have to learn again for each game.
        "JE_ARROW_MALLOC_CONF": "background_thread:false",
    }


def existing(names: Iterable[str]) -> list[Path]:
    """Those of some places that this machine has."""
    return [Path(name) for name in names if os.path.lexists(name)]


def _home(files: Files) -> str:
    """The folder in which a bot begins: its own, if it has one."""
    return str(BOT) if any(Path(place).is_relative_to(BOT) for place in files.read) else "/"


def _bound(places: Iterable[Path], files: Files) -> list[str]:
    """Bind places where they are, and others elsewhere. Links stay links; what they lead to is found where it is."""
    line: list[str] = []
    done: set[Path] = set()
    ways: dict[Path, None] = {}  # folders in the scratch folder that lead to what is bound below them
    ours = [(place, place) for place in sorted(set(places))]  # folders come before what is in them
    theirs = [(Path(place), source) for place, source in [*files.read.items(), *files.write.items()]]
    for place, source in [*ours, *theirs]:
        if not done.isdisjoint(place.parents) and place.resolve() == source.resolve():
            continue  # it is there already
        if SCRATCH in place.parents[1:]:
            way = SCRATCH / place.relative_to(SCRATCH).parts[0]
            if way not in ways and way not in done:
                line += ["--perms", "0755", "--size", str(MEGABYTE), "--tmpfs", str(way)]
                ways[way] = None
        for folder in reversed(place.parents[:-1]):  # bubblewrap would make them for root alone
            line += ["--perms", "0755", "--dir", str(folder)]
        if place == source and place.is_symlink():
            line += ["--symlink", str(place.readlink()), str(place)]
        else:
            line += ["--bind" if str(place) in files.write else "--ro-bind", str(source), str(place)]
            done.add(place)
    for way in ways:  # or a bot could put files beside what is bound, where Python looks for modules
        line += ["--remount-ro", str(way)]
    return line


class Uid:
    """A user id that no other sandbox on this machine has now; the system takes it back when we end, however we do."""

    def __init__(self) -> None:
        for number in range(FIRST_UID, FIRST_UID + UIDS):
            holder = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            with contextlib.suppress(OSError):  # it is taken
                holder.bind(f"\0palabre-sandbox-{number}")
                self.number, self.close = number, holder.close
                return
            holder.close()
        raise SandboxBroken(say("sandbox.no_ids", most=UIDS))
