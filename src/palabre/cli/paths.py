"""Files and folders that options name, checked before a command begins: nothing is played for a file that cannot be.

Every option or argument that is a path has one of these functions as its callback, by what the command does
with it. A test reads all commands and fails on a path without one.
"""

import os
import stat
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from palabre.core.errors import PalabreError
from palabre.core.files import data_folder, replace_file
from palabre.core.words import own_words

Paths = TypeVar("Paths", bound=Path | Iterable[Path] | None)

say = own_words(__file__)


def _for_each(check: Callable[[Path], None]) -> Callable[[Paths], Paths]:
    """A callback for an option that is a path, several of them, or not given."""

    def callback(value: Paths) -> Paths:
        for path in [] if value is None else [value] if isinstance(value, Path) else value:
            try:
                check(path)
            except OSError as error:
                word = "path.unreadable" if check in (_check_input, _check_input_folder) else "path.unwritable"
                raise PalabreError(say(word, path=path, error=error.strerror)) from error
        return value

    callback.__name__ = check.__name__
    return callback


def _check_output(file: Path) -> None:
    """A file that will be written whole, through a draft beside it."""
    _check_appended(file)
    if file.exists() and stat.S_ISREG(file.stat().st_mode):
        _try_folder(file.resolve().parent)


def _check_appended(file: Path) -> None:
    """A file that will be written to, and made if it is not there."""
    if file.is_dir():
        raise PalabreError(say("path.is_folder", path=file))
    if not file.exists():
        folder = file.resolve().parent
        if not folder.is_dir():
            raise PalabreError(say("path.no_folder", path=file, folder=folder))
        _try_folder(folder)
    elif stat.S_ISREG(file.stat().st_mode):
        with file.open("ab"):
            pass  # it stays as it is


def _check_new(file: Path) -> None:
    """A file that is not there yet."""
    if file.exists():
        raise PalabreError(say("path.exists", path=file))
    _check_appended(file)


def _check_made(file: Path) -> None:
    """A file that will be made with the folders on the way to it."""
    if file.is_dir():
        raise PalabreError(say("path.is_folder", path=file))
    if file.parent.exists():
        _check_appended(file)
    else:
        _check_output_folder(file.parent, file)


def _check_output_folder(folder: Path, named: Path | None = None) -> None:
    """A folder that will be written to, and made with those on the way to it if it is not there."""
    place = folder.resolve()
    there = next(each for each in (place, *place.parents) if each.exists())
    if not there.is_dir():
        raise PalabreError(say("path.is_file", path=named or folder, file=there))
    _try_folder(there)


def _check_input(file: Path) -> None:
    """A file that will be read; what is in it is another matter."""
    with file.open("rb"):
        pass


def _check_input_folder(folder: Path) -> None:
    """A folder whose files will be looked at."""
    with os.scandir(folder):
        pass


def _try_folder(folder: Path) -> None:
    """An `OSError` if no file can be made in a folder."""
    with tempfile.TemporaryFile(dir=folder):
        pass


# The callbacks. A path that is not given is not checked.
output_file = _for_each(_check_output)
appended_file = _for_each(_check_appended)
new_file = _for_each(_check_new)
made_file = _for_each(_check_made)
output_folder = _for_each(_check_output_folder)
input_file = _for_each(_check_input)
input_folder = _for_each(_check_input_folder)
CALLBACKS = (
    output_file,
    appended_file,
    new_file,
    made_file,
    output_folder,
    input_file,
    input_folder,
)


def write_file(file: Path, text: str) -> None:
    """Write a result to a file, all or nothing. If that fails, it is kept elsewhere, and the error names the place."""
    try:
        replace_file(file, text)
    except OSError as error:
        kept = _keep_elsewhere(file.name, text)
        word = "path.lost" if kept is None else "path.kept"
        raise PalabreError(say(word, path=file, error=error.strerror, kept=kept)) from error


def _keep_elsewhere(name: str, text: str) -> Path | None:
    """Write a text to a new file in another folder, if there is room in any."""
    for folder in (data_folder(), Path(tempfile.gettempdir())):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            rescued = Path(tempfile.mkdtemp(prefix="rescued-", dir=folder)) / name
        except OSError:
            continue
        try:
            replace_file(rescued, text)
        except OSError:
            rescued.parent.rmdir()
        else:
            return rescued
    return None
