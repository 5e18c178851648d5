"""The file of an event: one SQLite database, whose schema has a version and migrates from the ones before.

A file that is damaged, not ours, or written by a newer Palabre is refused before anything is written to it.
"""

import contextlib
import sqlite3
from pathlib import Path
from urllib.parse import quote

from palabre.core.errors import PalabreError

APPLICATION_ID = 0x50414C42  # "PALB": it marks a file as ours, in the header of the database
MAGIC = b"SQLite format 3\0"
HEADER_BYTES = 100
APPLICATION_ID_PLACE = slice(68, 72)  # in the header, see https://www.sqlite.org/fileformat.html
BUSY_SECONDS = 5.0  # to wait for somebody who reads at the same moment

VERSION_1 = """
CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE bots (
    name TEXT NOT NULL, digest TEXT NOT NULL, spec TEXT NOT NULL, authors TEXT NOT NULL, options TEXT NOT NULL,
    clock TEXT NOT NULL, state TEXT NOT NULL CHECK (state IN ('admitted', 'rejected', 'superseded')),
    note TEXT NOT NULL, PRIMARY KEY (name, digest)
) STRICT;
CREATE UNIQUE INDEX current_bots ON bots (name) WHERE state != 'superseded';
CREATE TABLE openings (
    number INTEGER PRIMARY KEY, start TEXT, moves TEXT NOT NULL, value REAL, source TEXT NOT NULL
) STRICT;
CREATE TABLE games (
    id INTEGER PRIMARY KEY, round INTEGER NOT NULL, meeting TEXT NOT NULL, repeat INTEGER NOT NULL,
    rotation INTEGER NOT NULL, attempt INTEGER NOT NULL, bots TEXT NOT NULL, digests TEXT NOT NULL,
    shares TEXT NOT NULL, scores TEXT NOT NULL, margin INTEGER, plies INTEGER NOT NULL, opening INTEGER NOT NULL,
    start TEXT, moves TEXT NOT NULL, movers TEXT NOT NULL, seconds TEXT NOT NULL, depths TEXT NOT NULL,
    nodes TEXT NOT NULL, ending TEXT NOT NULL, timed TEXT NOT NULL, forfeit INTEGER, details TEXT,
    machine_late INTEGER NOT NULL, superseded TEXT, started TEXT NOT NULL, duration REAL NOT NULL,
    UNIQUE (round, meeting, repeat, rotation, attempt)
) STRICT;
CREATE UNIQUE INDEX counting_games ON games (round, meeting, repeat, rotation) WHERE superseded IS NULL;
"""
VERSION_2 = "ALTER TABLE bots ADD COLUMN role TEXT NOT NULL DEFAULT 'competitor'"
# What leads from each version to the next one; the first leads from an empty file.
MIGRATIONS: tuple[str, ...] = (VERSION_1, VERSION_2)


def is_event(file: Path) -> bool:
    """Whether a file looks like an event: like a database of the kind in which events are kept."""
    try:
        with file.open("rb") as content:
            return content.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def connect(file: Path | None) -> sqlite3.Connection:
    """The database of an event, to read and write; None keeps it in memory. It is made, or migrated, if need be."""
    if file is None:
        connection = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        _migrate(connection)
        return connection
    try:
        is_new = not file.exists() or file.stat().st_size == 0
        if not is_new:
            check(file)
        connection = _open(file, "rwc")
        _migrate(connection)
        _choose_journal(connection)
    except OSError as error:
        raise PalabreError(f"cannot write {file}: {error.strerror}") from error
    except sqlite3.Error as error:
        raise in_words(file, error) from error
    return connection


def connect_to_read(file: Path) -> sqlite3.Connection:
    """The database of an event, to read only, perhaps while somebody else plays.

    A file of an older version is read as a copy in memory, which is brought up to date.
    """
    check(file)
    connection = _open(file, "ro")
    [(version,)] = connection.execute("PRAGMA user_version")
    if version == len(MIGRATIONS):
        return connection
    copy = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
    with contextlib.closing(connection):
        connection.backup(copy)
    _migrate(copy)
    return copy


def check(file: Path) -> None:
    """Refuse a file that is not a whole event of this or an earlier version; nothing is written to it."""
    try:
        with file.open("rb") as stream:
            header = stream.read(HEADER_BYTES)
    except OSError as error:
        raise PalabreError(f"cannot read {file}: {error.strerror}") from error
    if not header.startswith(MAGIC) or int.from_bytes(header[APPLICATION_ID_PLACE], "big") != APPLICATION_ID:
        raise PalabreError(f"{file} is not an event of Palabre; give another file, or one that does not exist yet")
    try:
        connection = _open(file, "ro")
        try:
            [(version,)] = connection.execute("PRAGMA user_version")
            if version > len(MIGRATIONS):
                raise PalabreError(
                    f"{file} was written by a newer Palabre (version {version} of the file format, and this one knows "
                    f"{len(MIGRATIONS)}); update Palabre to go on with it"
                )
            [(verdict,), *_] = connection.execute("PRAGMA quick_check(1)")
        finally:
            connection.close()
    except sqlite3.Error as error:
        raise in_words(file, error) from error
    if verdict != "ok":
        raise damaged(file, str(verdict))


def in_words(file: Path | None, error: sqlite3.Error) -> PalabreError:
    """What an error of SQLite means for the person whose file it is."""
    code = getattr(error, "sqlite_errorcode", None)
    primary = None if code is None else code & 0xFF
    if primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return damaged(file, str(error))
    if primary in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return PalabreError(f"cannot write {file}: {error}; make room there, then run the same command again")
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return PalabreError(f"{file} is in use by another program: {error}")
    return PalabreError(f"cannot use {file}: {error}")


def damaged(file: Path | None, how: str) -> PalabreError:
    return PalabreError(f"{file} is damaged ({' '.join(how.split())}) and was left as it is; restore a copy of it")


def _open(file: Path, mode: str) -> sqlite3.Connection:
    name = f"file:{quote(str(file.resolve()))}?mode={mode}"
    return sqlite3.connect(name, uri=True, timeout=BUSY_SECONDS, check_same_thread=False, isolation_level=None)


def _migrate(connection: sqlite3.Connection) -> None:
    """Bring the schema up to date, all or nothing."""
    [(version,)] = connection.execute("PRAGMA user_version")
    if version == len(MIGRATIONS):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for script in MIGRATIONS[version:]:
            for statement in script.split(";"):
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _choose_journal(connection: sqlite3.Connection) -> None:
    """Write ahead where that works, so that others can read meanwhile; a rollback journal elsewhere.

    Write-ahead logging needs memory that processes share, which network file systems lack. Some of them say so, others
    fail at the first use.
    """
    try:
        [(mode,)] = connection.execute("PRAGMA journal_mode = WAL")
        if mode == "wal":
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("COMMIT")
            connection.execute("PRAGMA synchronous = NORMAL")  # whole after a crash of the machine, too
            return
    except sqlite3.OperationalError:
        pass  # the file is as it was
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.execute("PRAGMA synchronous = FULL")
