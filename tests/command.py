"""Running the `palabre` command as a person would: the installed program, in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

COMMAND = str(Path(sys.executable).with_name("palabre"))


def environment(cache: Path | None = None, **settings: str) -> dict[str, str]:
    """The environment of a command: ours without Numba's settings, with this cache folder and these settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "PYTHON"))}
    chosen = {} if cache is None else {"PALABRE_CACHE": str(cache)}
    return {**kept, "LC_ALL": "C.UTF-8", **chosen, **settings}


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
        timeout=120,
        check=False,
        **options,
    )


def python(code: str, *arguments: str, **settings: str) -> str:
    """What a program prints that runs in a fresh interpreter and must not fail."""
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=environment(None, **settings),
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=True,
    ).stdout
