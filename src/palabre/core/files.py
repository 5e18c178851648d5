"""Reading files with errors for people, writing them whole or not at all, and the folder of a user's games."""

import contextlib
import os
import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path

from palabre.core.errors import UnreadableText
from palabre.core.words import say


def data_folder() -> Path:
    """The folder of a user's games by default."""
    import platformdirs  # needed by few commands

    return platformdirs.user_data_path("palabre", appauthor=False)


@contextlib.contextmanager
def errors_of_reading(file: Path) -> Iterator[None]:
    """Raise `UnreadableText` if the block cannot read a file, or if it is not UTF-8."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise UnreadableText(say("record.not_utf8", file=file, error=error)) from error
    except OSError as error:
        raise UnreadableText(say("record.unreadable", file=file, error=error.strerror)) from error


def line_of_null(content: bytes) -> int | None:
    """The number of the first line with a null byte, which no Python source has; Python itself does not name it."""
    place = content.find(b"\0")
    return None if place < 0 else content.count(b"\n", 0, place) + 1


def replace_file(file: Path, content: str | bytes) -> None:
    """Write a text, or bytes, to a file, all or nothing: what was there stays until the new is safely on disk.

    A link stays a link, and a file that exists keeps its permissions. A device is written to directly.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    if file.exists() and not file.is_file():
        file.write_bytes(data)
        return
    file = file.resolve()
    draft = file.with_name(f".{file.name}.{uuid.uuid4().hex[:8]}")
    try:
        with draft.open("xb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        if file.exists():
            shutil.copymode(file, draft)
        draft.replace(file)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
