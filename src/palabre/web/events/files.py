"""The files of events and records that a server shows, by names: a browser never sends or sees a path."""

import contextlib
import re
from collections.abc import Container, Sequence
from dataclasses import dataclass
from pathlib import Path

from palabre.web.events.records import RECORD_FILES

EVENT_FILE = ".event"
LONGEST_TITLE = 60
LONGEST_NAME = 90  # characters of a file's name; a longer one cannot be asked for


@dataclass(frozen=True)
class Known:
    """The file of an event. Only events of our own folder are played."""

    file: Path
    is_own: bool

    def signature(self) -> tuple[int, ...]:
        """What differs when the file has changed; what is written ahead lies in a second file."""
        stats: list[int] = []
        for file in (self.file, self.file.with_name(f"{self.file.name}-wal")):
            with contextlib.suppress(OSError):
                stat = file.stat()
                stats += (stat.st_mtime_ns, stat.st_size)
        return tuple(stats)


class EventFiles:
    """The folder in which a server keeps its own events, and folders that it only shows."""

    def __init__(self, folder: Path, others: Sequence[Path] = ()) -> None:
        self.folder, self.others = folder, tuple(others)

    def known(self) -> dict[str, Known]:
        """All files by their names, with a number where several have the same. A link out of its folder is none."""
        events: dict[str, Known] = {}
        for folder in (self.folder, *self.others):
            home = folder.resolve()
            for file in sorted(home.iterdir()) if home.is_dir() else ():
                is_shown = file.suffix in (EVENT_FILE, *RECORD_FILES) and len(file.name) <= LONGEST_NAME
                if not is_shown or not file.is_file() or not file.resolve().is_relative_to(home):
                    continue
                count = sum(known.file.name == file.name for known in events.values())
                events[f"{file.name} ({count + 1})" if count else file.name] = Known(file, folder == self.folder)
        return events

    def new_name(self, title: str, taken: Container[str]) -> str:
        """A name for a new event in our own folder, which is made if need be."""
        self.folder.mkdir(parents=True, exist_ok=True)
        title = re.sub(r"[^\w-]", "-", title)[:LONGEST_TITLE]  # a user's own game may be called anything
        number = 1
        while (name := f"{title}-{number}{EVENT_FILE}") in taken or (self.folder / name).exists():
            number += 1
        return name
