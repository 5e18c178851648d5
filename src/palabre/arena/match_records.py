"""A file that gets the records of a match in their order, however many workers end its games in another one."""

import contextlib
import dataclasses
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from palabre.arena.match import Match
from palabre.arena.outcome import Meeting
from palabre.arena.rows import GameRow
from palabre.core.errors import PalabreError
from palabre.core.record import append
from palabre.core.words import say


class MatchRecords:
    """A file of records; when the match is stopped, it also gets the games that still wait for an earlier one."""

    def __init__(self, match: Match, file: Path) -> None:
        """The games that the match lacks will be added to the file; it is refused now if it cannot be written."""
        self._match, self._file = match, file
        played = {(row.meeting, row.rotation) for row in match.rows()}
        seats = range(match.game.players)
        numbered = [(meeting, rotation) for meeting in match.meetings() for rotation in seats]
        self._coming = iter([key for key in numbered if key not in played])
        self._next = next(self._coming, None)
        self._waiting: dict[tuple[Meeting, int] | None, list[GameRow]] = {}
        with _naming(file):
            file.open("a", encoding="utf-8").close()

    def __enter__(self) -> "MatchRecords":
        return self

    def __exit__(self, *_: object) -> None:
        for row in sorted((row for rows in self._waiting.values() for row in rows), key=self._match.number):
            self._write(row)

    def add(self, row: GameRow) -> None:
        """A game has ended."""
        self._waiting.setdefault((row.meeting, row.rotation), []).append(row)
        while (ready := self._waiting.get(self._next)) and ready[-1].superseded is None:
            for attempt in self._waiting.pop(self._next):
                self._write(attempt)
            self._next = next(self._coming, None)

    def _write(self, row: GameRow) -> None:
        record = self._match.record(row)
        with _naming(self._file):
            append(dataclasses.replace(record, tags={"Date": date.today().isoformat(), **record.tags}), self._file)


@contextlib.contextmanager
def _naming(file: Path) -> Iterator[None]:
    """Name the file in an error of the system."""
    try:
        yield
    except OSError as error:
        raise PalabreError(say("database.unwritable", file=file, error=error.strerror)) from error
