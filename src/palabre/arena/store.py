"""An event on disk: settings, bots, openings and games in one SQLite file, written by one process at a time.

A game is kept as soon as it ends, so whatever stops an event, at most the games under way are lost.
"""

import bisect
import contextlib
import json
import os
import platform
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from palabre import __version__
from palabre.arena.decoding import SETTINGS, TABLES, columns, read_row, read_settings
from palabre.arena.rows import BOT_CHANGED, WITHDRAWN, BotRow, GameRow, Opening, Outcome, Settings, clock_options
from palabre.arena.schema import EVENT
from palabre.core import registry
from palabre.core.database import Database, damaged, lock_file
from palabre.core.errors import PalabreError, UnreadableText
from palabre.core.game import Game
from palabre.core.given import given_path
from palabre.core.record import Record, Trust, is_trusted
from palabre.core.system import processor, usable_cores
from palabre.core.words import say

if TYPE_CHECKING:
    import pandas

Row = TypeVar("Row")
Kind = TypeVar("Kind", BotRow, Opening, Outcome, GameRow)
OPTIONS = {
    "data": "--data",
    "learning": "--learning-time",
    "forbids_engine": "--forbid-engine",
}  # what people call settings, where that is not their name
# The same for the same games, in whatever order they ended; `_place` is the same in Python.
ORDER = "ORDER BY round, repeat, meeting, rotation, attempt"


class Store(Database):
    """The file of an event, or the same in memory. It is made by `open_store` or `read_store`."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        file: Path | None = None,
        lock: contextlib.ExitStack | None = None,
        *,
        trusted: Trust = True,
    ) -> None:
        super().__init__(connection, file, lock)
        self._trusted = trusted  # whether the game file that the event names may be run
        self._is_ours = file is None or lock is not None  # then no other process writes to it
        self._known: dict[str, Any] = {}  # what was read, if it is ours

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------------------------------------- settings and bots

    @property
    def settings(self) -> Settings:
        """What holds for all games."""
        return self._once("settings", self._read_settings)[0]

    def _read_settings(self) -> tuple[Settings, dict[str, Any]]:
        rows = dict(self._rows("SELECT key, value FROM settings"))
        if not rows:
            raise PalabreError(say("event.not_begun", file=self.file))
        return self._checked(read_settings, rows)

    @property
    def facts(self) -> dict[str, Any]:
        """Version and machine when the event began."""
        return self._once("settings", self._read_settings)[1]

    @property
    def is_new(self) -> bool:
        """Whether there are no settings yet."""
        return not self._rows("SELECT 1 FROM settings LIMIT 1")

    def begin(self, settings: Settings) -> None:
        """Keep the settings of a new event; a `PalabreError` if the event has begun with others."""
        if self.is_new:
            entries = {**msgspec.to_builtins(asdict(settings)), **machine_facts()}
            self._known.clear()
            with self._transaction() as write:
                for key, value in entries.items():
                    write("INSERT INTO settings VALUES (?, ?)", (key, json.dumps(value)))
            return
        kept = self.settings
        for name in SETTINGS:
            before, now = (msgspec.to_builtins(getattr(one, name)) for one in (kept, settings))
            if before != now:
                called = OPTIONS.get(name, name)
                raise PalabreError(say("event.other_setting", file=self.file, name=called, before=before, now=now))

    def bots(self, *, all_versions: bool = False) -> list[BotRow]:
        """The bots, in the order in which they came; older versions of them only if asked for."""
        # A new version stands where the first one stood: line-ups are written in this order.
        first = "(SELECT min(rowid) FROM bots AS other WHERE other.name = bots.name)"
        rows = self._once("bots", lambda: self._read(BotRow, f"ORDER BY {first}, rowid"))
        return [row for row in rows if all_versions or row.state != "superseded"]

    def check_rows(self) -> None:
        """Refuse a file with rows that are not as we write them, before anything is written to it."""
        if not self.is_new:
            assert self.settings is not None
            self.bots(all_versions=True)
            self.openings()
            self.games(superseded=True)

    def _once(self, what: str, read: Callable[[], Row]) -> Row:
        """What `read` returns. Of an event that is ours, it is read once; who changes it clears what is known."""
        if what in self._known:
            kept: Row = self._known[what]
            return kept
        rows = read()
        if self._is_ours:
            self._known[what] = rows
        return rows

    def _read(self, kind: type[Kind], where: str, values: Sequence[object] = ()) -> list[Kind]:
        """Rows of a table as what they mean."""
        table, names = TABLES[kind]
        rows = self._rows(f"SELECT {', '.join(names)} FROM {table} {where}", values)
        bots = {name for (name,) in self._rows("SELECT name FROM bots")} if rows else set()
        return [self._checked(read_row, kind, dict(zip(names, row, strict=True)), bots) for row in rows]

    def _checked(self, read: Callable[..., Row], *arguments: object) -> Row:
        """What a row means; a `PalabreError` if it is not as we write them."""
        try:
            return read(*arguments)
        except (ValueError, OverflowError) as error:
            raise damaged(self.file, str(error)) from error

    def admit(self, bots: Iterable[BotRow], again: Sequence[str] = ()) -> None:
        """Take bots into the event; those that are in it already must be the same, or named in `again`.

        The games of a bot that plays again stay, superseded.
        """
        known = {bot.name: bot for bot in self.bots()}
        coming = list(bots)
        self.refuse_changed(coming, again)
        self._known.clear()
        with self._transaction() as write:
            for bot in coming:
                before = known.get(bot.name)
                if before is not None and (bot.name in again or before.state != bot.state):
                    self._supersede_bot(write, before)
                elif before is not None:
                    write("UPDATE bots SET role = ? WHERE name = ? AND digest = ?", (bot.role, bot.name, bot.digest))
                    continue
                _insert(write, bot, "OR REPLACE")

    def refuse_changed(self, bots: Iterable[BotRow], again: Sequence[str] = ()) -> None:
        """A `PalabreError` if a bot is not what it was in the event, and is not named in `again`."""
        known = {bot.name: bot for bot in self.bots()}
        strangers = [name for name in again if name not in known]
        if strangers:
            raise PalabreError(say("event.again_stranger", bot=strangers[0], file=self.file))
        for bot in bots:
            before = known.get(bot.name)
            if before is not None and before.digest != bot.digest and bot.name not in again:
                if before.clock != bot.clock:
                    had, has = (" ".join(clock_options(one.clock)) or say("event.no_clock") for one in (before, bot))
                    raise PalabreError(say("event.other_clock", file=self.file, before=had, now=has))
                raise PalabreError(say("event.bot_changed", bot=bot.name, file=self.file))

    def withdraw(self, names: Iterable[str]) -> None:
        """Take bots out of the event: they and their games stay on record and no longer count."""
        known = {bot.name: bot for bot in self.bots()}
        self._known.clear()
        with self._transaction() as write:
            for name in names:
                if name not in known:
                    raise PalabreError(say("event.not_withdrawn", bot=name, file=self.file))
                self._supersede_bot(write, known[name], WITHDRAWN)

    def keep_fact(self, key: str, value: Any) -> None:
        """Keep something that may change while the event goes on, and that no game depends on."""
        self._known.clear()
        with self._transaction() as write:
            write("INSERT OR REPLACE INTO settings VALUES (?, ?)", (key, json.dumps(value)))

    def _supersede_bot(self, write: Any, bot: BotRow, reason: str = BOT_CHANGED) -> None:
        write("UPDATE bots SET state = 'superseded' WHERE name = ? AND digest = ?", (bot.name, bot.digest))
        plays = "EXISTS (SELECT 1 FROM json_each(bots) WHERE value = ?)"
        write(f"UPDATE games SET superseded = ? WHERE superseded IS NULL AND {plays}", (reason, bot.name))

    # ------------------------------------------------------------------------------------------ openings and games

    def openings(self) -> list[Opening]:
        """The openings so far, by number."""
        return self._read(Opening, "ORDER BY number")

    def add_openings(self, openings: Iterable[Opening]) -> None:
        """Keep further openings."""
        with self._transaction() as write:
            for one in openings:
                _insert(write, one)

    def add_game(self, row: GameRow) -> None:
        """Keep a finished game. An earlier attempt that counted until now is superseded by it, if it says why."""
        with self._transaction() as write:
            _insert(write, row)
        if "games" in self._known:
            bisect.insort(self._known["games"], row, key=_place)

    def supersede(self, row: GameRow, reason: str) -> None:
        """Let a game count no longer: it is to be played again."""
        where = "round = ? AND repeat = ? AND meeting = ? AND rotation = ? AND attempt = ?"
        self._known.clear()
        with self._transaction() as write:
            write(f"UPDATE games SET superseded = ? WHERE {where}", (reason, *_place(row)))

    def games(self, *, superseded: bool = False) -> list[GameRow]:
        """The games, in the order of rounds and meetings; those that no longer count only if asked for."""
        rows = self._once("games", lambda: self._read(GameRow, ORDER))
        return [row for row in rows if superseded or row.superseded is None]

    def count_games(self) -> int:
        """How many games count."""
        [(count,)] = self._rows("SELECT count(*) FROM games WHERE superseded IS NULL")
        return int(count)

    def latest(self, most: int, bots: Sequence[str] = ()) -> list[tuple[int, GameRow]]:
        """The games that were kept last and count, the newest first, and their numbers; only those of all these bots.

        A number stays what it is while the event goes on: games are numbered as they are kept, from 1.
        """
        plays = "".join(" AND EXISTS (SELECT 1 FROM json_each(bots) WHERE value = ?)" for _ in bots)
        query = f"SELECT id FROM games WHERE superseded IS NULL{plays} ORDER BY id DESC LIMIT ?"
        numbers = [number for (number,) in self._rows(query, (*bots, most))]
        where = f"WHERE id IN ({', '.join('?' * len(numbers))}) ORDER BY id DESC"
        return list(zip(numbers, self._read(GameRow, where, numbers), strict=True))

    def numbered(self, number: int) -> GameRow:
        """The game with this number."""
        for row in self._read(GameRow, "WHERE id = ?", (number,)):
            return row
        raise PalabreError(say("event.no_game", number=number, file=self.file))

    def all_outcomes(self) -> list[Outcome]:
        """What schedules and ratings need to know of the games that count; their moves are not read."""
        if self._is_ours:
            return [row.outcome for row in self.games()]
        return self._read(Outcome, f"WHERE superseded IS NULL {ORDER}")

    def outcomes(self) -> list[Outcome]:
        """The games of all meetings that are done: a meeting counts when all its games have been played."""
        games = self.all_outcomes()
        played = Counter(game.meeting for game in games)
        return [game for game in games if played[game.meeting] == len(game.meeting.bots)]

    def records(self, *, superseded: bool = False) -> list[Record]:
        """The records of all games, numbered in their order."""
        game = self.game()
        specs = {bot.name: bot.spec for bot in self.bots()}
        return [
            row.record(game, specs, {"Round": str(number)})
            for number, row in enumerate(self.games(superseded=superseded), start=1)
        ]

    def game(self) -> Game:
        """The game that is played; an `UnreadableText` if it is in a file that is not trusted, which would be run."""
        return self._once("game", self._load_game)

    def _load_game(self) -> Game:
        spec = self.settings.game
        if registry.is_path(registry.split(spec)[0]) and not is_trusted(spec, self._trusted):
            raise UnreadableText(say("event.untrusted_game", file=self.file, game=spec))
        return registry.game(spec)

    def moves_to_dataframe(self) -> "pandas.DataFrame":
        """All moves of the games that count, one in a row: who made it, how long it took, what the bot reports."""
        columns = ("game", "ply", "seat", "bot", "move", "is_opening", "seconds", "depth", "nodes")
        rows = [
            (number, ply, seat, row.bots[seat], move, ply <= row.opening, seconds, depth, nodes)
            for number, row in enumerate(self.games(), start=1)
            for ply, (move, seat, seconds, depth, nodes) in enumerate(
                zip(row.moves, row.movers, row.seconds, row.depths, row.nodes, strict=True), start=1
            )
        ]
        return _pandas().DataFrame(rows, columns=columns)

    def to_dataframe(self) -> "pandas.DataFrame":
        """All games, superseded ones included, one in a row."""
        columns = ["round", "repeat", *(field.name for field in fields(GameRow) if field.name != "message"), "plies"]
        rows = []
        for row in self.games(superseded=True):
            round_, bots, repeat = row.meeting
            rows.append({"round": round_, "repeat": repeat, **vars(row), "meeting": bots, "plies": row.plies})
        return _pandas().DataFrame(rows, columns=columns)


def open_store(file: Path | None) -> Store:
    """The event in a file, to play in: made if it is not there yet. None keeps it in memory.

    A `PalabreError` says that the file is not an event, or that another process plays in it.
    """
    if file is None:
        return Store(EVENT.connect(None))
    with lock_file(file, say("event.in_use", file=file)) as lock:
        store = Store(EVENT.connect(file), file, lock.pop_all())
    try:
        store.check_rows()
    except BaseException:
        store.close()
        raise
    return store


def read_store(file: str | Path, *, trusted: Trust = False) -> Store:
    """Open the event in a file for reading, even while it is being played; use it in a `with` statement.

    An event of a user's own game names the file of that game, and `records()` and `game()` run it. They refuse to
    unless `trusted` is True, the spec of that game, or a function that returns True for it.

    It has `games()` and `outcomes()`, which `rate` takes, `records()`, `bots()`, `settings` and, with pandas,
    `to_dataframe()`, one row per game, and `moves_to_dataframe()`, one row per move.
    """
    path = given_path("read_store", file)
    return Store(EVENT.connect_to_read(path), path, trusted=trusted)


def _pandas() -> Any:
    try:
        import pandas
    except ImportError as error:
        raise PalabreError(say("event.no_pandas", command="pip install pandas")) from error
    return pandas


def machine_facts() -> dict[str, Any]:
    """Our version and the machine, for the record."""
    return {
        "palabre": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "usable_cores": usable_cores(),
    }


def _insert(write: Any, row: BotRow | Opening | GameRow, otherwise: str = "") -> None:
    """Write a row to its table; `otherwise` says what happens where it is already."""
    table, names = TABLES[type(row)]
    values = ", ".join(f":{name}" for name in names)
    write(f"INSERT {otherwise} INTO {table} ({', '.join(names)}) VALUES ({values})", columns(row))


def _place(row: GameRow) -> tuple[int, int, str, int, int]:
    """Where a game stands among the others."""
    return row.meeting.round, row.meeting.repeat, json.dumps(row.meeting.bots), row.rotation, row.attempt
