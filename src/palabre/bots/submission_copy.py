"""Copies a submission to a folder of our own: only plain files, and not too many or too much."""

import os
import re
import stat
import zipfile
from pathlib import Path, PurePosixPath
from typing import IO

from palabre.bots.submission import LITTER, MOST_BYTES, MOST_DEPTH, MOST_FILES, ZIP, Rejected
from palabre.core.words import say


class _Bulk:
    """How much has been copied, which has its limits."""

    def __init__(self, path: Path) -> None:
        self._path, self._files, self._bytes = path, 0, 0

    def add_file(self) -> None:
        """Count a file or a folder."""
        self._files += 1
        if self._files > MOST_FILES:
            raise Rejected(say("submission.too_many", path=self._path, most=MOST_FILES))

    def copy(self, source: IO[bytes], target: Path, *, is_executable: bool) -> None:
        """Copy a file. Nothing that anyone claims about its size is believed."""
        with target.open("xb") as file:
            while chunk := source.read(1 << 16):
                self._bytes += len(chunk)
                if self._bytes > MOST_BYTES:
                    raise Rejected(say("submission.too_large", path=self._path, most=MOST_BYTES >> 20))
                file.write(chunk)
        target.chmod(0o755 if is_executable else 0o644)


def copy(path: Path, folder: Path) -> None:
    """Copy a file, a folder or what is in a zip; only plain files, and not too many or too much."""
    folder.mkdir(mode=0o755)
    try:
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            raise Rejected(say("submission.link", path=path))
        if stat.S_ISDIR(mode):
            _copy_folder(path, folder)
        elif stat.S_ISREG(mode) and path.suffix == ZIP:
            with open_plain(path) as file, zipfile.ZipFile(file) as archive:
                _unpack(archive, path, folder)
        elif stat.S_ISREG(mode) and path.suffix == ".py":
            with open_plain(path) as file:  # specs have colons and commas
                _Bulk(path).copy(file, folder / re.sub(r"[^\w.-]", "_", path.name), is_executable=False)
        else:
            raise Rejected(say("submission.no_kind", path=path))
    except FileNotFoundError as error:
        raise Rejected(say("submission.none", path=path)) from error
    except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:  # what zipfile raises
        raise Rejected(say("submission.unreadable", path=path, error=str(error))) from error


def open_plain(path: Path) -> IO[bytes]:
    """A file that is one; if it has been replaced by a link or a pipe meanwhile, an `OSError`."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    file = os.fdopen(os.open(path, flags), "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(f"{path.name} is no plain file")
    return file


def _copy_folder(path: Path, folder: Path) -> None:
    bulk = _Bulk(path)
    for place, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if name not in LITTER)
        inner = Path(place).relative_to(path)
        _refuse_depth(path, inner)
        target = folder / inner
        target.mkdir(mode=0o755, exist_ok=True)
        for name in [*folders, *names]:
            source = Path(place) / name
            mode = source.lstat().st_mode
            if stat.S_ISLNK(mode) or not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):
                raise Rejected(say("submission.no_file", path=path, name=name))
            if name in LITTER:
                continue
            bulk.add_file()
            if stat.S_ISREG(mode):
                with open_plain(source) as file:
                    bulk.copy(file, target / name, is_executable=os.access(source, os.X_OK))


def _unpack(archive: zipfile.ZipFile, path: Path, folder: Path) -> None:
    """Unpack a zip."""
    bulk = _Bulk(path)
    for entry in archive.infolist():
        if entry.is_dir():
            continue
        bulk.add_file()
        name = PurePosixPath(entry.filename.replace("\\", "/"))
        mode = entry.external_attr >> 16
        if name.is_absolute() or ".." in name.parts or ":" in entry.filename or "\0" in entry.filename:
            raise Rejected(say("submission.outside", path=path, name=entry.filename))
        if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
            raise Rejected(say("submission.no_plain_file", path=path, name=entry.filename))
        if set(name.parts) & set(LITTER):
            continue
        _refuse_depth(path, name)
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():
            raise Rejected(say("submission.twice", path=path, name=entry.filename))
        with archive.open(entry) as packed:
            bulk.copy(packed, target, is_executable=bool(mode & stat.S_IXUSR))
    while len(inside := list(folder.iterdir())) == 1 and inside[0].is_dir():  # a folder that was packed as a whole
        inner = inside[0].rename(folder.with_name("packed"))
        folder.rmdir()
        folder = inner.rename(folder)


def _refuse_depth(path: Path, inner: PurePosixPath | Path) -> None:
    """Refuse folders so deep that nothing could walk through them, or remove them."""
    if len(inner.parts) > MOST_DEPTH:
        raise Rejected(say("submission.too_deep", path=path, most=MOST_DEPTH))
