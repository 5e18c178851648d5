"""Running the `palabre` command as a person would: the installed program, in a process of its own."""

import atexit
import contextlib
import functools
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

COMMAND = str(Path(sys.executable).with_name("palabre"))
PLAIN = {"NUMBA_DISABLE_JIT": "1"}  # settings for a command in which compiled code would add nothing but time
NO_PROGRAMS = {"PATH": str(Path(sys.executable).parent)}  # settings for a command that finds no bubblewrap
PATIENCE = 300.0  # seconds for what may have to be compiled first, on a machine that has other things to do


def environment(cache: Path | None = None, **settings: str) -> dict[str, str]:
    """The environment of a command: ours without Numba's settings, with this cache folder and these settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "PYTHON"))}
    chosen = {} if cache is None else {"PALABRE_CACHE": str(cache)}
    return {**kept, "LC_ALL": "C.UTF-8", "XDG_DATA_HOME": _data_home(), **chosen, **settings}


@functools.cache
def _data_home() -> str:
    """A folder for the games that are kept, so that tests leave those of the person who runs them alone."""
    folder = tempfile.mkdtemp(prefix="palabre-test-data-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def palabre(
    *arguments: str, cache: Path | None = None, stdin: str = "", settings: dict[str, str] | None = None, **options: Any
) -> "subprocess.CompletedProcess[str]":
    """Run `palabre` with these arguments to its end; `options` go to `subprocess.run`."""
    return subprocess.run(
        [COMMAND, *arguments],
        input=stdin,
        env=environment(cache, **(settings or {})),
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
        **options,
    )


@contextlib.contextmanager
def running(
    *arguments: str, cache: Path | None = None, settings: dict[str, str] | None = None, **options: Any
) -> "Iterator[subprocess.Popen[bytes]]":
    """`palabre` with these arguments, under way; if it has not ended by then, it is killed in the end."""
    with subprocess.Popen(
        [COMMAND, *arguments],
        env=environment(cache, **(settings or {})),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_until(happened: Callable[[], object]) -> None:
    """Wait for what another process does."""
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline, "it has not happened"
        time.sleep(0.05)


def end(process: "subprocess.Popen[bytes]", by: signal.Signals = signal.SIGINT) -> tuple[str, str]:
    """What a command prints and tells when it is ended."""
    process.send_signal(by)
    printed, told = process.communicate(timeout=PATIENCE)
    return printed.decode(), told.decode()


def python(code: str, *arguments: str, **settings: str) -> str:
    """What a program prints that runs in a fresh interpreter and must not fail."""
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=environment(None, **settings),
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=True,
    ).stdout


def run_without_programs(root: Path, *tests: str, settings: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    """Run tests on a machine on which nothing is installed but Python; CI is set only if `settings` say so."""
    chosen = {name: value for name, value in environment(None, **NO_PROGRAMS).items() if name != "CI"}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-r", "sE", "-p", "no:cacheprovider", *tests],
        cwd=root,
        env=chosen | settings,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def without_checks(told: str) -> str:
    """What a command tells, without the note that it checks somebody's game, which comes with the first use of it."""
    return "".join(line for line in told.splitlines(keepends=True) if not line.startswith("checking the rules of"))
