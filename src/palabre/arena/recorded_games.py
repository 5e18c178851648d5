"""Games on record, in files of records and in the files of events."""

from functools import partial
from pathlib import Path

from palabre.arena.store import read_store
from palabre.core.database import is_database
from palabre.core.given import given_path
from palabre.core.record import Record, find, load


def read_games(file: str | Path, *, trusted: bool = False) -> list[Record]:
    """All games in a file of records, or in the file of an event.

    Games of users' own are files that reading a record runs, so they must be `trusted`.
    """
    path = given_path("read_games", file)
    if not is_database(path):
        return load(path, trusted=trusted)
    with read_store(path, trusted=trusted) as store:
        return store.records()


def find_game(reference: str, *, trusted: bool = False) -> tuple[Record, int | None]:
    """The game that `FILE#GAME@PLY` names, and the ply if there is one."""
    return find(reference, partial(read_games, trusted=trusted))
