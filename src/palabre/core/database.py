"""Files that are SQLite databases: each kind has a schema with a version, and migrates from the ones before.

A file that is damaged, of another kind, or written by a newer Palabre is refused before anything is written to it.
"""

import contextlib
import sqlite3
import threading
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from palabre.core.errors import PalabreError
from palabre.core.system import try_locked
from palabre.core.words import Message, say

MAGIC = b"SQLite format 3\0"
HEADER_BYTES = 100
APPLICATION_ID_PLACE = slice(68, 72)  # in the header, see https://www.sqlite.org/fileformat.html
BUSY_SECONDS = 5.0  # to wait for a reader at the same moment


def is_database(file: Path) -> bool:
    """Whether a file looks like a database."""
    try:
        with file.open("rb") as content:
            return content.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


@dataclass(frozen=True)
class DatabaseFormat:
    """A kind of file."""

    name: str  # of the message `database.kind.NAME`, which describes it
    application_id: int  # marks a file as one of this kind, in the header of the database
    migrations: tuple[str, ...]  # what leads from each version to the next one; the first leads from an empty file

    def connect(self, file: Path | None, mode: int = 0o666) -> sqlite3.Connection:
        """The database in a file, to read and write; None keeps it in memory. It is made, or migrated, if need be.

        A new file gets this mode, less the process's mask.
        """
        if file is None:
            connection = _in_memory()
            self._migrate(connection)
            return connection
        try:
            if not file.exists():
                self._create(file, mode)
            elif file.stat().st_size == 0:
                raise PalabreError(say("database.empty", file=file))
            self.check(file)
            connection = _open(file, "rw")
            self._migrate(connection)
            choose_journal(connection)
        except OSError as error:
            raise PalabreError(say("database.unwritable", file=file, error=error.strerror)) from error
        except sqlite3.Error as error:
            raise in_words(file, error) from error
        return connection

    def _create(self, file: Path, mode: int) -> None:
        """Make a file beside its place and move it there: a process that is killed leaves no empty one."""
        draft = file.with_name(f".{file.name}.{uuid.uuid4().hex[:8]}")
        try:
            draft.touch(mode=mode)  # what stands beside it follows
            with contextlib.closing(_open(draft, "rw")) as connection:
                self._migrate(connection)
            draft.rename(file)
        finally:
            draft.unlink(missing_ok=True)

    def connect_to_read(self, file: Path) -> sqlite3.Connection:
        """The database in a file, to read only, perhaps while another process writes to it.

        A file of an older version is read as a copy in memory, which is brought up to date.
        """
        self.check(file, to_read=True)
        try:
            connection = _open(file, "ro")
            [(version,)] = connection.execute("PRAGMA user_version")
            if version == len(self.migrations):
                return connection
            copy = _in_memory()
            with contextlib.closing(connection):
                connection.backup(copy)
            self._migrate(copy)
        except sqlite3.Error as error:
            raise in_words(file, error) from error
        return copy

    def check(self, file: Path, *, to_read: bool = False) -> None:
        """Refuse a file that is not whole, of this kind, and of this or an earlier version; nothing is written."""
        try:
            with file.open("rb") as stream:
                header = stream.read(HEADER_BYTES)
        except OSError as error:
            raise PalabreError(say("database.unreadable", file=file, error=error.strerror)) from error
        if not header.startswith(MAGIC) or int.from_bytes(header[APPLICATION_ID_PLACE], "big") != self.application_id:
            kind = say(f"database.kind.{self.name}")
            raise PalabreError(say("database.unlike" if to_read else "database.other_kind", file=file, kind=kind))
        try:
            with contextlib.closing(_open(file, "ro")) as connection:
                [(version,)] = connection.execute("PRAGMA user_version")
                if version > len(self.migrations):
                    raise PalabreError(say("database.newer", file=file, version=version, known=len(self.migrations)))
                [(verdict,), *_] = connection.execute("PRAGMA quick_check(1)")
        except sqlite3.Error as error:
            raise in_words(file, error) from error
        if verdict != "ok":
            raise damaged(file, str(verdict))

    def _migrate(self, connection: sqlite3.Connection) -> None:
        """Bring the schema up to date, all or nothing."""
        [(version,)] = connection.execute("PRAGMA user_version")
        if version == len(self.migrations):
            return
        connection.execute("BEGIN IMMEDIATE")
        try:
            for script in self.migrations[version:]:
                for statement in script.split(";"):
                    connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {self.application_id}")
            connection.execute(f"PRAGMA user_version = {len(self.migrations)}")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


class Database:
    """An open database, and the lock on its file if there is one: what the stores of all kinds have in common."""

    def __init__(
        self, connection: sqlite3.Connection, file: Path | None = None, lock: contextlib.ExitStack | None = None
    ) -> None:
        self.file = file
        self._connection = connection
        self._closing = lock or contextlib.ExitStack()
        self._closing.callback(connection.close)  # before the lock is released
        self._mutex = threading.RLock()

    def close(self) -> None:
        """Let another process go on with the file."""
        self._closing.close()

    def _rows(self, query: str, values: Sequence[object] = ()) -> list[Any]:
        try:
            with self._mutex:
                return self._connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise in_words(self.file, error) from error

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[Any]:
        """What is written inside is kept as a whole, or not at all."""
        with self._mutex:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield self._connection.execute
                self._connection.execute("COMMIT")
            except BaseException as error:
                with contextlib.suppress(sqlite3.Error):
                    if self._connection.in_transaction:
                        self._connection.execute("ROLLBACK")
                if isinstance(error, sqlite3.Error):
                    raise in_words(self.file, error) from error
                raise


def lock_file(file: Path, in_use: Message) -> contextlib.ExitStack:
    """The lock that lets one process write to a file; a `PalabreError` of the id `in_use` if another one has it."""
    with contextlib.ExitStack() as stack:
        try:
            if not stack.enter_context(try_locked(file.with_name(f"{file.name}-lock"))):
                raise PalabreError(in_use)
        except OSError as error:
            raise PalabreError(say("database.unwritable", file=file, error=error.strerror)) from error
        return stack.pop_all()


def in_words(file: Path | None, error: sqlite3.Error) -> PalabreError:
    """What an error of SQLite means for the person whose file it is."""
    code = getattr(error, "sqlite_errorcode", None)
    primary = None if code is None else code & 0xFF
    if primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return damaged(file, str(error))
    if primary in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return PalabreError(say("database.full", file=file, error=error))
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return PalabreError(say("database.busy", file=file, error=error))
    return PalabreError(say("database.unusable", file=file, error=error))


def damaged(file: Path | None, how: str) -> PalabreError:
    return PalabreError(say("database.damaged", file=file, how=" ".join(how.split())))


def choose_journal(connection: sqlite3.Connection) -> None:
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


def _in_memory() -> sqlite3.Connection:
    return sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)


def _open(file: Path, mode: str) -> sqlite3.Connection:
    name = f"file:{quote(str(file.resolve()))}?mode={mode}"
    return sqlite3.connect(name, uri=True, timeout=BUSY_SECONDS, check_same_thread=False, isolation_level=None)
