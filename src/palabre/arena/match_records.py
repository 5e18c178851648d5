"""A file that gets the records of a match in their order, however many workers end its games in another one."""

import contextlib
import dataclasses
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

from palabre.arena.match import Match
from palabre.arena.rows import GameRow
from palabre.core.errors import PalabreError
from palabre.core.record import append
from palabre.core.words import say


class MatchRecords:
    """A file of records; when the match is stopped, it also gets the games that still wait for an earlier one."""

    def __init__(self, match: Match, file: Path) -> None:
        """The games that the match lacks will be added to the file; it is refused now if it cannot be written."""
        self._match, self._file = match, file
        played = {match.number(row) for row in match.rows()}
        self._missing = iter([number for number in range(1, match.games + 1) if number not in played])
        self._next = next(self._missing, 0)
        self._waiting: defaultdict[int, list[GameRow]] = defaultdict(list)  # by number
        with _naming(file):
            file.open("a", encoding="utf-8").close()

    def __enter__(self) -> "MatchRecords":
        return self

    def __exit__(self, *_: object) -> None:
        for number in sorted(self._waiting):
            self._write(self._waiting[number])

    def add(self, row: GameRow) -> None:
        """A game has ended."""
        self._waiting[self._match.number(row)].append(row)
        while (attempts := self._waiting.get(self._next)) and attempts[-1].superseded is None:
            self._write(self._waiting.pop(self._next))
            self._next = next(self._missing, 0)

    def _write(self, attempts: Sequence[GameRow]) -> None:
        for record in map(self._match.record, attempts):
            with _naming(self._file):
                append(dataclasses.replace(record, tags={"Date": date.today().isoformat(), **record.tags}), self._file)


@contextlib.contextmanager
def _naming(file: Path) -> Iterator[None]:
    """Name the file in an error of the system."""
    try:
        yield
    except OSError as error:
        raise PalabreError(say("database.unwritable", file=file, error=error.strerror)) from error
