"""Temporary folders that do not outlive their process: what `kill -9` leaves behind, the next process removes."""

import atexit
import contextlib
import os
import shutil
import stat
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import NoReturn

from palabre.core.system import HAS_LOCKS, try_locked

LOCK = "lock"  # the file that marks a folder as in use
YOUNG = 60.0  # seconds in which a folder may not have been locked yet

# Folders, and the process that has made each: one that is forked from it must leave them alone.
_made: dict[Path, int] = {}


def temporary_folder(prefix: str) -> tuple[Path, contextlib.ExitStack]:
    """A new folder that only its owner may enter, and the stack whose `close` removes it.

    The system gives its lock back when the process ends, however that happens. The next process that makes a folder
    with the same prefix removes those that are no longer locked.
    """
    _remove_abandoned(prefix)
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    _made[folder] = os.getpid()
    with contextlib.ExitStack() as stack:
        stack.callback(_remove, folder)
        stack.enter_context(try_locked(folder / LOCK))
        return folder, stack.pop_all()


def _remove(folder: Path) -> None:
    if _made.get(folder) == os.getpid():
        shutil.rmtree(folder, ignore_errors=True)
        _made.pop(folder, None)  # another thread may remove it at the same time


@atexit.register
def _remove_all() -> None:
    for folder in list(_made):
        _remove(folder)


def leave(status: int = 0) -> NoReturn:
    """End the process at once, and leave no temporary folders.

    Python would take a third of a second to unload Numba, and would wait for threads.
    """
    _remove_all()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):  # reported already, or closed
            stream.flush()
    os._exit(status)


@cache
def _remove_abandoned(prefix: str) -> None:
    """Remove folders whose process was killed; once in a process is enough.

    Without locks, those of running processes look the same, so all of them stay.
    """
    if not HAS_LOCKS:
        return
    for folder in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        with contextlib.suppress(OSError):  # it is just gone, or cannot be removed
            if not _is_own_and_old(folder):
                continue
            with try_locked(folder / LOCK) as is_abandoned:
                if is_abandoned:
                    shutil.rmtree(folder, ignore_errors=True)


def _is_own_and_old(folder: Path) -> bool:
    """Whether a folder is ours, and its lock has had time to be taken; other users' folders may hold traps."""
    status = folder.lstat()
    is_own = stat.S_ISDIR(status.st_mode) and (not hasattr(os, "geteuid") or status.st_uid == os.geteuid())
    if not is_own:
        return False
    lock = folder / LOCK
    return time.time() - (lock if lock.exists() else folder).stat().st_mtime > YOUNG
