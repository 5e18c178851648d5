"""What a server keeps: rooms with their games as they are played, browsers, invitations; one SQLite file.

Every call that writes is one transaction, done when it returns: what has been sent is kept, whatever happens to the
server afterwards. If the machine itself loses power, the last moments may be missing, and nothing else. A call that
fails raises `NotKept` and has changed nothing.
"""

import contextlib
import json
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from palabre.core.database import Database, lock_file
from palabre.core.errors import PalabreError
from palabre.core.words import Message, say
from palabre.web.schema import GAMES

DAY = 86_400.0  # seconds
OWNER_ONLY = 0o600  # the mode of the file: no one else on this machine is to read who plays
UNFINISHED_DAYS = 90.0  # how long a game that was not ended is kept after its last change
EMPTY_DAYS = 7.0  # the same for a room without moves
UNSEEN_DAYS = 180.0  # how long a browser that does not come any more is remembered, and its cookie is good
SEEN_EVERY = 3_600.0  # seconds between two notes that a browser has been seen
MOST_MEGABYTES = 1_000  # of a file
MOST_PAGES = 16  # of a file that one call needs

Role = Literal["operator", "player", "watcher"]


class NotKept(PalabreError):
    """Something could not be written, for lack of room or otherwise: it must not be shown as if it had happened.

    The text is for the operator, since it names files.
    """


@dataclass(frozen=True)
class SeatRow:
    """A player of a room."""

    who: str  # person or bot
    bot: str = ""  # its spec
    browser: str | None = None  # where the person is; None while the seat is free
    name: str = ""


@dataclass(frozen=True)
class RoomRow:
    """How a room begins."""

    room: str
    game: str
    start: str | None
    seed: int
    seats: tuple[SeatRow, ...]
    clock: tuple[float, float] | None  # seconds for a game, and added after each move
    allowed: dict[str, Any]
    opener: str  # a browser
    created: float = field(default_factory=time.time)


@dataclass(frozen=True)
class Ending:
    """Why a game is over: by its rules, or by what people or clocks have done."""

    loser: int | None  # a seat
    drawn: bool
    reason: str
    shares: list[float] | None = None  # of each player; None in rooms of before they were noted


@dataclass(frozen=True)
class KeptRoom:
    """A room as it was left. In lists its moves are only counted."""

    row: RoomRow
    plies: int
    moves: list[tuple[str, float | None]]  # with the seconds that each took
    left: list[float | None]  # on each clock
    ending: Ending | None
    next_room: str | None
    changed: float


@dataclass(frozen=True)
class Browser:
    """A browser, recognised by its cookie."""

    id: str
    role: Role
    name: str = ""


@dataclass(frozen=True)
class Invited:
    """What an invitation is for."""

    room: str
    seat: int
    taken_by: str | None = None  # the browser that has used it


class ServerStore(Database):
    """The file of a server, or the same in memory. It is made by `open_store`."""

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[Any]:
        try:
            with super()._transaction() as write:
                yield write
        except PalabreError as error:
            raise NotKept(self._is_at_limit(error) or error.message) from error

    def _is_at_limit(self, error: PalabreError) -> Message | None:
        """What to say if it is our own limit of size that has been reached, not that of a disk."""
        if getattr(error.__cause__, "sqlite_errorcode", None) != sqlite3.SQLITE_FULL:
            return None
        [(pages,)], [(most,)], [(size,)] = (
            self._rows(f"PRAGMA {name}") for name in ("page_count", "max_page_count", "page_size")
        )
        if most - pages > MOST_PAGES:
            return None
        return say("server.at_limit", file=self.file, megabytes=most * size / 1e6)

    # -------------------------------------------------------------------------------------------------------- rooms

    def add_room(self, row: RoomRow, moves: Sequence[str] = ()) -> None:
        """Keep a new room, with the moves that come before it."""
        with self._transaction() as write:
            _add_room(write, row)
            for ply, move in enumerate(moves):
                write("INSERT INTO moves VALUES (?, ?, ?, ?)", (row.room, ply, move, None))

    def change_room(
        self,
        room: str,
        *,
        cut: int | None = None,
        moves: Sequence[tuple[int, str, float | None]] = (),
        left: Sequence[float | None] | None = None,
        seats: Sequence[SeatRow] | None = None,
        ending: Ending | None = None,
        rematch: RoomRow | None = None,
    ) -> None:
        """Keep what has happened in a room; None where nothing has.

        The moves from ply `cut` on have been taken back, so the game is no longer over. `moves` have been played, each
        with its ply and its seconds. `left` is what the clocks show, noted from time to time as well. Every game that
        is over has an `ending`: those without one are not kept for ever. `rematch` is a room to be added.
        """
        values: dict[str, object] = {"changed": time.time()}
        if cut is not None:
            values["ending"] = None
        if left is not None:
            values["left"] = json.dumps(left)
        if seats is not None:
            values["seats"] = _seats_text(seats)
        if ending is not None:
            values["ending"] = json.dumps(asdict(ending))
        if rematch is not None:
            values["next_room"] = rematch.room
        with self._transaction() as write:
            if cut is not None:
                write("DELETE FROM moves WHERE room = ? AND ply >= ?", (room, cut))
            for ply, move, seconds in moves:
                write("INSERT INTO moves VALUES (?, ?, ?, ?)", (room, ply, move, seconds))
            columns = ", ".join(f"{column} = ?" for column in values)
            if write(f"UPDATE rooms SET {columns} WHERE room = ?", (*values.values(), room)).rowcount == 0:
                raise PalabreError(say("server.no_room", room=room, file=self.file))
            if seats is not None:
                _note_people(write, room, [seat.browser for seat in seats])
            if rematch is not None:
                _add_room(write, rematch)

    def room(self, room: str) -> KeptRoom | None:
        """A room with its moves."""
        for row in self._rows("SELECT *, 0 FROM rooms WHERE room = ?", (room,)):
            moves = self._rows("SELECT move, seconds FROM moves WHERE room = ? ORDER BY ply", (room,))
            return _kept(row, moves)
        return None

    def rooms(self, browser: str | None = None, most: int = 50) -> list[KeptRoom]:
        """The rooms that a browser has opened or sat in, or all, without their moves; the last changed first."""
        plies = "(SELECT count(*) FROM moves WHERE moves.room = rooms.room)"
        where = "" if browser is None else "WHERE room IN (SELECT room FROM people WHERE browser = ?)"
        values = (most,) if browser is None else (browser, most)
        query = f"SELECT *, {plies} FROM rooms {where} ORDER BY changed DESC, rowid DESC LIMIT ?"
        return [_kept(row, []) for row in self._rows(query, values)]

    def running(self, browser: str, since: float, most: int) -> list[KeptRoom]:
        """The same of those rooms that have not ended, that have changed since, and in which others have sat, too."""
        plies = "(SELECT count(*) FROM moves WHERE moves.room = rooms.room)"
        others = "EXISTS (SELECT 1 FROM people WHERE people.room = rooms.room AND browser != ?)"
        own = "room IN (SELECT room FROM people WHERE browser = ?)"
        query = f"SELECT *, {plies} FROM rooms WHERE ending IS NULL AND changed >= ? AND {own} AND {others} LIMIT ?"
        return [_kept(row, []) for row in self._rows(query, (since, browser, browser, most))]

    # ----------------------------------------------------------------------------------------------------- browsers

    def add_browser(self, browser: Browser, secret: bytes) -> None:
        """Remember a new browser by the hash of its cookie."""
        now = time.time()
        with self._transaction() as write:
            values = (browser.id, secret, browser.role, browser.name, now, now)
            write("INSERT INTO browsers VALUES (?, ?, ?, ?, ?, ?)", values)

    def browser(self, secret: bytes) -> Browser | None:
        """The browser whose cookie has this hash."""
        query = "SELECT browser, role, name, seen FROM browsers WHERE secret = ?"
        for id, role, name, seen in self._rows(query, (secret,)):
            now = time.time()
            if now - seen > UNSEEN_DAYS * DAY:
                return None
            if now - seen > SEEN_EVERY:
                with contextlib.suppress(NotKept):  # a full disk keeps no browser out
                    self._set_browser(id, "seen", now)
            return Browser(id, role, name)
        return None

    def set_role(self, browser: str, role: Role) -> None:
        """A browser is trusted with more, or with less."""
        self._set_browser(browser, "role", role)

    def set_name(self, browser: str, name: str) -> None:
        """What to call the person."""
        self._set_browser(browser, "name", name)

    def forget_guests(self) -> None:
        """Let only operators in by an old cookie. Their games stay."""
        with self._transaction() as write:
            write("DELETE FROM browsers WHERE role != 'operator'")

    def _set_browser(self, browser: str, column: str, value: object) -> None:
        with self._transaction() as write:
            write(f"UPDATE browsers SET {column} = ? WHERE browser = ?", (value, browser))

    # -------------------------------------------------------------------------------------------------- invitations

    def add_invitation(self, secret: bytes, invited: Invited) -> None:
        """Keep an invitation by the hash of its code. Older ones to the same seat are void."""
        with self._transaction() as write:
            write("DELETE FROM invitations WHERE room = ? AND seat = ?", (invited.room, invited.seat))
            values = (secret, invited.room, invited.seat, invited.taken_by, time.time())
            write("INSERT INTO invitations VALUES (?, ?, ?, ?, ?)", values)

    def invitation(self, secret: bytes) -> Invited | None:
        """What the invitation whose code has this hash is for."""
        rows = self._rows("SELECT room, seat, taken_by FROM invitations WHERE secret = ?", (secret,))
        return Invited(*rows[0]) if rows else None

    def take_invitation(self, secret: bytes, browser: str) -> None:
        """A browser has used an invitation."""
        with self._transaction() as write:
            write("UPDATE invitations SET taken_by = ? WHERE secret = ?", (browser, secret))

    # ------------------------------------------------------------------------------------------------- housekeeping

    def clean(self, now: float | None = None) -> int:
        """Delete what is no longer used; returns how many rooms that were."""
        moment = time.time() if now is None else now
        is_empty = "NOT EXISTS (SELECT 1 FROM moves WHERE moves.room = rooms.room)"
        with self._transaction() as write:
            write("DELETE FROM browsers WHERE seen < ?", (moment - UNSEEN_DAYS * DAY,))
            done = write(
                f"DELETE FROM rooms WHERE ending IS NULL AND (changed < ? OR (changed < ? AND {is_empty}))",
                (moment - UNFINISHED_DAYS * DAY, moment - EMPTY_DAYS * DAY),
            )
            return int(done.rowcount)

    def announce(self, address: str) -> None:
        """Note where this server is, for another one that tries to use the same file, until the store is closed."""
        if self.file is not None:
            note = _note(self.file)
            with contextlib.suppress(OSError):  # then the other one does not learn the address
                note.write_text(address, encoding="utf-8")
            self._closing.callback(note.unlink, missing_ok=True)


def open_store(file: Path | None, most_megabytes: int = MOST_MEGABYTES) -> ServerStore:
    """The games in a file, to serve: made if it is not there yet. None keeps them in memory.

    A `PalabreError` says that the file is not one of ours, or that another server uses it, and where that is.
    """
    if file is None:
        return _bounded(ServerStore(GAMES.connect(None)), most_megabytes)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PalabreError(say("database.unwritable", file=file, error=error.strerror)) from error
    with lock_file(file, _in_use(file)) as lock:
        return _bounded(ServerStore(GAMES.connect(file, OWNER_ONLY), file, lock.pop_all()), most_megabytes)


def _bounded(store: ServerStore, most_megabytes: int) -> ServerStore:
    store._rows("PRAGMA foreign_keys = ON")
    [(page,)] = store._rows("PRAGMA page_size")
    store._rows(f"PRAGMA max_page_count = {most_megabytes * 1_000_000 // page}")
    return store


def _in_use(file: Path) -> Message:
    """The error of a second server on the same file."""
    try:
        where: Message | str = say("server.where", address=_note(file).read_text(encoding="utf-8"))
    except OSError:
        where = ""
    return say("server.in_use", file=file, where=where)


def _note(file: Path) -> Path:
    return file.with_name(f"{file.name}-address")


def _add_room(write: Any, row: RoomRow) -> None:
    left = [None if row.clock is None else row.clock[0]] * len(row.seats)
    values = (
        *(row.room, row.game, row.start, row.seed, _seats_text(row.seats), _text_or_none(row.clock)),
        *(json.dumps(row.allowed), row.opener, row.created, row.created, json.dumps(left)),
    )
    write(f"INSERT INTO rooms VALUES ({', '.join('?' * len(values))}, NULL, NULL)", values)
    _note_people(write, row.room, [row.opener, *(seat.browser for seat in row.seats)])


def _note_people(write: Any, room: str, browsers: Iterable[str | None]) -> None:
    for browser in browsers:
        if browser is not None:
            write("INSERT OR IGNORE INTO people VALUES (?, ?)", (browser, room))


def _seats_text(seats: Iterable[SeatRow]) -> str:
    return json.dumps([asdict(seat) for seat in seats])


def _text_or_none(value: object) -> str | None:
    return None if value is None else json.dumps(value)


def _kept(row: Sequence[Any], moves: list[tuple[str, float | None]]) -> KeptRoom:
    room, game, start, seed, seats, clock, allowed, opener, created, changed, left, ending, next_room, plies = row
    began = RoomRow(
        *(room, game, start, seed, tuple(SeatRow(**seat) for seat in json.loads(seats))),
        *(None if clock is None else tuple(json.loads(clock)), json.loads(allowed), opener, created),
    )
    over = None if ending is None else Ending(**json.loads(ending))
    return KeptRoom(began, plies or len(moves), moves, json.loads(left), over, next_room, changed)
