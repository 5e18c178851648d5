"""Where compiled code is kept: a folder for each game, named after a digest of every source that takes part.

Edit a rule and the digest changes, so no process ever runs yesterday's code. A folder holds one game only: Numba's
index of cached code names the state classes in it, and could not be read by a process that has not loaded that game.
"""

import ast
import contextlib
import hashlib
import os
import platform
import shutil
import sys
import time
from collections.abc import Iterable
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
# The layers that hold kernels. Games are not listed: each takes part in its own digest only.
KERNEL_LAYERS = ("core", "evaluation", "search")
UNUSED_DAYS = 30


def root() -> Path:
    """The folder for everything that can be made again: PALABRE_CACHE, or the user's cache folder."""
    chosen = os.environ.get("PALABRE_CACHE")
    if chosen:
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", "~/AppData/Local"))
    elif sys.platform == "darwin":
        base = Path("~/Library/Caches")
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME", "~/.cache"))
    return base.expanduser() / "palabre"


def folder(title: str, sources: Iterable[Path], toolchain: str) -> Path:
    """The folder for code made from Palabre's kernels and these sources by this toolchain."""
    return root() / "kernels" / f"{title}-{digest(sources, toolchain)}"


def digest(sources: Iterable[Path], toolchain: str) -> str:
    """A name for all that decides what the compiled code does."""
    files = {file for layer in KERNEL_LAYERS for file in (PACKAGE / layer).rglob("*.py")}
    files.update(with_neighbours(sources))
    settings = sorted(f"{name}={value}" for name, value in os.environ.items() if name.startswith("NUMBA_"))
    total = hashlib.sha256("\n".join([toolchain, platform.python_version(), *settings]).encode())
    for file in sorted(files):
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()[:16]


def with_neighbours(sources: Iterable[Path]) -> set[Path]:
    """The sources, and the files beside them that they import, and so on."""
    found: set[Path] = set()
    waiting = list(sources)
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            for name in _imported(file):
                beside = file.parent / name
                waiting += [beside.with_name(f"{name}.py")] if beside.with_name(f"{name}.py").is_file() else []
                waiting += beside.rglob("*.py")  # none unless it is a folder
    return found


def _imported(file: Path) -> set[str]:
    """The first parts of the names of all modules that a file imports, and of what it imports from its own folder."""
    names: set[str] = set()
    try:
        parsed = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):
        return names  # a neighbour that is no Python; whoever tried to import it got along without
    for node in ast.walk(parsed):
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.split(".")[0])
        elif isinstance(node, ast.ImportFrom):
            names.update(alias.name for alias in node.names)
    return names


def size(place: Path) -> int:
    """How many bytes the files below a folder take."""
    return sum(file.stat().st_size for file in place.rglob("*") if file.is_file())


def forget_unused(kernels: Path) -> None:
    """Remove the folders of compiled code that nobody has used for a month."""
    oldest = time.time() - UNUSED_DAYS * 24 * 3600
    for place in kernels.glob("*"):
        with contextlib.suppress(FileNotFoundError):  # another process was faster
            if place.stat().st_mtime < oldest:
                shutil.rmtree(place, ignore_errors=True)
