"""Files for sandboxes that root starts: their bots have a user of their own, whom rights such as 600 keep out."""

import contextlib
import shutil
import tempfile
from dataclasses import replace
from functools import cache as remember
from pathlib import Path

from palabre.core.temporary import temporary_folder
from palabre.sandbox import bubblewrap
from palabre.sandbox.bubblewrap import Files

PREFIX = "palabre-readable-"  # of the folders with copies
READ, ENTER = 0o004, 0o005  # rights of everybody: to read a file, to list and enter a folder


def readable(files: Files) -> Files:
    """The same files; those that only their owner may read are copies that everybody may."""
    if not bubblewrap.is_root():
        return files
    return replace(files, read={place: _readable(source) for place, source in files.read.items()})


def _readable(source: Path) -> Path:
    parts = [source, *source.rglob("*")] if source.is_dir() else [source]
    if all(_is_readable(part) for part in parts):
        return source
    marks = tuple(sorted((str(part), part.lstat().st_mtime_ns) for part in parts))
    return _copy(source, marks)


def _is_readable(part: Path) -> bool:
    if part.is_symlink():  # it stays a link, which leads to what is inside the sandbox
        return True
    needed = ENTER if part.is_dir() else READ
    return part.stat().st_mode & needed == needed


@remember
def _home() -> tuple[Path, contextlib.ExitStack]:
    """Where copies are kept as long as this process lives; only root can look for them there."""
    return temporary_folder(PREFIX)


@remember
def _copy(source: Path, marks: tuple[tuple[str, int], ...]) -> Path:
    """A copy of a file or folder as it is now, by the times of what is in it."""
    target = Path(tempfile.mkdtemp(dir=_home()[0])) / source.name
    if source.is_dir():
        shutil.copytree(source, target, symlinks=True)  # root would follow them anywhere
    else:
        shutil.copyfile(source, target)
    for part in [target, *target.rglob("*")]:
        if not part.is_symlink():
            part.chmod(part.stat().st_mode | (ENTER if part.is_dir() else READ))
    return target
