"""Inside the sandbox: the only folder that a bot can write to, and how it is emptied between two games."""

import contextlib
import ctypes
import os
import platform
import shutil
import stat
import struct
from collections.abc import Iterator

PROBE = ".palabre-probe"
GETDENTS = {"x86_64": 217, "aarch64": 61}  # the number of the system call getdents64
ENTRY = struct.Struct("<QqH")  # the beginning of struct linux_dirent64: inode, offset of the next entry, length
PAST_LAST = 2**31 - 1  # the offset after the last entry
CHUNK = 1 << 15

_libc = ctypes.CDLL(None)


class Scratch:
    """The scratch folder. What is bound into it, such as a game from a folder for temporary files, is not litter."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._descriptor = os.open(folder, os.O_RDONLY)
        itself = os.stat(folder)  # noqa: PTH116 (called in each turn, as all here)
        self._device, self._mode = itself.st_dev, stat.S_IMODE(itself.st_mode)
        self._bound: set[str] = set()
        while bound := {entry.path for entry in self._litter(folder)} - self._bound:
            self._bound |= bound

    def files(self) -> int:
        """How many files and folders there are."""
        system = os.statvfs(self._descriptor)
        return system.f_files - system.f_ffree

    def newest(self) -> tuple[int, int]:
        """The number of a file that is made now, and its place among all names that the folder has ever had."""
        path = f"{self.folder}/{PROBE}"
        file = os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR)
        try:
            return os.fstat(file).st_ino, _largest_offset(self.folder)
        finally:
            os.close(file)
            os.unlink(path)  # noqa: PTH108

    def has_litter(self) -> bool:
        """Whether there is anything that was not there in the beginning."""
        return next(self._litter(self.folder), None) is not None

    def clear(self) -> None:
        """Remove all that was not there in the beginning, also if it has been locked."""
        for entry in list(self._litter(self.folder)):
            if entry.is_dir(follow_symlinks=False):
                _unlock(entry.path)
                shutil.rmtree(entry.path, ignore_errors=True)
            else:
                with contextlib.suppress(OSError):
                    os.unlink(entry.path)  # noqa: PTH108

    def reset(self) -> None:
        """Have the folder itself look as in the beginning: its owner may be the bot, and dates can be notes."""
        os.chmod(self.folder, self._mode)  # noqa: PTH101
        os.utime(self.folder, (0, 0))
        for name in os.listxattr(self.folder):
            os.removexattr(self.folder, name)

    def _litter(self, folder: str) -> Iterator["os.DirEntry[str]"]:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.path not in self._bound:
                    yield entry
                elif entry.is_dir(follow_symlinks=False) and entry.stat().st_dev == self._device:
                    yield from self._litter(entry.path)  # a folder on the way to what is bound


def _largest_offset(folder: str) -> int:
    """The largest position of a name in a folder. A tmpfs counts them on with each name, renamed ones included."""
    number = GETDENTS.get(platform.machine())
    if number is None:
        return 0
    largest, buffer = 0, ctypes.create_string_buffer(CHUNK)
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        while (size := _libc.syscall(number, descriptor, buffer, CHUNK)) > 0:
            place = 0
            while place < size:
                _, offset, length = ENTRY.unpack_from(buffer, place)
                if offset < PAST_LAST:
                    largest = max(largest, offset)
                place += length
    finally:
        os.close(descriptor)
    return largest


def _unlock(folder: str) -> None:
    """Allow ourselves everything in a folder and the folders in it."""
    with contextlib.suppress(OSError):
        os.chmod(folder, stat.S_IRWXU)  # noqa: PTH101
    for place, folders, _ in os.walk(folder):
        for name in folders:
            with contextlib.suppress(OSError):
                os.chmod(os.path.join(place, name), stat.S_IRWXU)  # noqa: PTH101, PTH118
