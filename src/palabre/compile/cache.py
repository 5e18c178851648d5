"""Where compiled code is kept: a folder for each game and kernel, named after a digest of all sources that take part.

When a rule is edited the digest changes, so no process ever runs yesterday's code. A folder holds the code of one game
only: Numba's index of kept code names the state classes in it, and a process that has not loaded that game could not
read it.

A process that may not write to the cache, such as a bot in a sandbox, has one of its own, and PALABRE_SHARED_CACHE
names the cache that it may read: what is missing in its own is copied from there.
"""

import contextlib
import os
import shutil
import time
from pathlib import Path

UNUSED_DAYS = 30


def root() -> Path:
    """The folder for everything that can be made again: PALABRE_CACHE, or the user's cache folder."""
    chosen = os.environ.get("PALABRE_CACHE")
    if chosen:
        return Path(chosen).expanduser()
    from platformdirs import user_cache_path  # here, for it takes longer to import than some commands to run

    return user_cache_path("palabre", appauthor=False)


def folder(title: str, digest: str) -> Path:
    """The folder for code of a game with this digest."""
    return root() / "kernels" / f"{title}-{digest}"


def locks() -> Path:
    """The folder of the files by which processes exclude each other; a bot in a sandbox does not see it."""
    place = root() / "locks"
    place.mkdir(parents=True, exist_ok=True)
    return place


def lock(place: Path, name: str) -> Path:
    """The file to lock while this code is made in a folder."""
    return locks() / f"{place.name}-{name}.lock"


def borrow(place: Path) -> None:
    """Copy a file or a folder of this cache from the shared one, if there is such a cache and it is missing here."""
    shared = os.environ.get("PALABRE_SHARED_CACHE")
    if not shared or place.exists():
        return
    source = Path(shared) / place.relative_to(root())
    with contextlib.suppress(OSError, shutil.Error):  # then it is made again
        if source.is_dir():
            shutil.copytree(source, place, copy_function=shutil.copyfile)
        elif source.is_file():
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, place)


def use(place: Path) -> None:
    """Make a folder for code if it is missing, and note that it was used today; raises `OSError` if that fails."""
    borrow(place)
    place.mkdir(parents=True, exist_ok=True)
    os.utime(place)
    probe = place / f"probe-{os.getpid()}"
    probe.touch()
    probe.unlink()
    forget_unused(place.parent)


def size(place: Path) -> int:
    """How many bytes the files below a folder take."""
    return sum(file.stat().st_size for file in place.rglob("*") if file.is_file())


def forget_unused(kernels: Path) -> None:
    """Remove the folders of compiled code that were not used for a month."""
    oldest = time.time() - UNUSED_DAYS * 24 * 3600
    for place in kernels.glob("*"):
        with contextlib.suppress(FileNotFoundError):  # another process was faster
            if place.stat().st_mtime < oldest:
                shutil.rmtree(place, ignore_errors=True)
