"""An event on disk: settings, bots, openings and games in one SQLite file, written by one process at a time.

A game is kept as soon as it ends, so whatever stops an event, at most the games under way are lost.
"""

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

from palabre import __version__
from palabre.arena import decoding
from palabre.arena.decoding import BOT_COLUMNS, COLUMNS, OPENING_COLUMNS, OUTCOME_COLUMNS, SETTINGS
from palabre.arena.outcome import Outcome
from palabre.arena.rows import BOT_CHANGED, WITHDRAWN, BotRow, GameRow, Opening, Settings, clock_options
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
OPTIONS = {
    "data": "--data",
    "learning": "--learning-time",
    "forbids_engine": "--forbid-engine",
}  # what people call settings, where that is not their name
# The same for the same games, in whatever order they ended.
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

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------------------------------------- settings and bots

    @property
    def settings(self) -> Settings:
        """What holds for all games."""
        kept = dict(self._rows("SELECT key, value FROM settings"))
        if not kept:
            raise PalabreError(say("event.not_begun", file=self.file))
        return self._checked(decoding.settings, kept)

    @property
    def facts(self) -> dict[str, Any]:
        """Version and machine when the event began."""
        return self._checked(decoding.facts, dict(self._rows("SELECT key, value FROM settings")))

    @property
    def is_new(self) -> bool:
        """Whether there are no settings yet."""
        return not self._rows("SELECT 1 FROM settings LIMIT 1")

    def begin(self, settings: Settings) -> None:
        """Keep the settings of a new event; a `PalabreError` if the event has begun with others."""
        if self.is_new:
            entries = {**asdict(settings), **machine_facts()}
            with self._transaction() as write:
                for key, value in entries.items():
                    write("INSERT INTO settings VALUES (?, ?)", (key, json.dumps(value)))
            return
        kept = self.settings
        for name in SETTINGS:
            before, now = getattr(kept, name), getattr(settings, name)
            if before != now:
                called = OPTIONS.get(name, name)
                raise PalabreError(say("event.other_setting", file=self.file, name=called, before=before, now=now))

    def bots(self, *, all_versions: bool = False) -> list[BotRow]:
        """The bots, in the order in which they came; older versions of them only if asked for."""
        where = "" if all_versions else "WHERE state != 'superseded'"
        # A new version stands where the first one stood: line-ups are written in this order.
        first = "(SELECT min(rowid) FROM bots AS other WHERE other.name = bots.name)"
        rows = self._rows(f"SELECT {', '.join(BOT_COLUMNS)} FROM bots {where} ORDER BY {first}, rowid")
        return [self._checked(decoding.bot, dict(zip(BOT_COLUMNS, row, strict=True))) for row in rows]

    def check_rows(self) -> None:
        """Refuse a file with rows that are not as we write them, before anything is written to it."""
        if not self.is_new:
            assert self.settings is not None
            assert self.facts is not None
            self.bots(all_versions=True)
            self.openings()
            self.games(superseded=True)

    def _checked(self, decode: Callable[..., Row], *arguments: object) -> Row:
        """What a row means; a `PalabreError` if it is not as we write them."""
        try:
            return decode(*arguments)
        except decoding.BadRow as error:
            raise damaged(self.file, str(error)) from error

    def _names(self) -> set[str]:
        """The names of all bots, older versions of them included."""
        return {name for (name,) in self._rows("SELECT name FROM bots")}

    def admit(self, bots: Iterable[BotRow], again: Sequence[str] = ()) -> None:
        """Take bots into the event; those that are in it already must be the same, or named in `again`.

        The games of a bot that plays again stay, superseded.
        """
        known = {bot.name: bot for bot in self.bots()}
        coming = list(bots)
        self.refuse_changed(coming, again)
        with self._transaction() as write:
            for bot in coming:
                before = known.get(bot.name)
                if before is not None and (bot.name in again or before.state != bot.state):
                    self._supersede_bot(write, before)
                elif before is not None:
                    write("UPDATE bots SET role = ? WHERE name = ? AND digest = ?", (bot.role, bot.name, bot.digest))
                    continue
                write(f"INSERT OR REPLACE INTO bots {_values(BOT_COLUMNS)}", decoding.bot_columns(bot))

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
        with self._transaction() as write:
            for name in names:
                if name not in known:
                    raise PalabreError(say("event.not_withdrawn", bot=name, file=self.file))
                self._supersede_bot(write, known[name], WITHDRAWN)

    def keep_fact(self, key: str, value: Any) -> None:
        """Keep something that may change while the event goes on, and that no game depends on."""
        with self._transaction() as write:
            write("INSERT OR REPLACE INTO settings VALUES (?, ?)", (key, json.dumps(value)))

    def _supersede_bot(self, write: Any, bot: BotRow, reason: str = BOT_CHANGED) -> None:
        write("UPDATE bots SET state = 'superseded' WHERE name = ? AND digest = ?", (bot.name, bot.digest))
        plays = "EXISTS (SELECT 1 FROM json_each(bots) WHERE value = ?)"
        write(f"UPDATE games SET superseded = ? WHERE superseded IS NULL AND {plays}", (reason, bot.name))

    # ------------------------------------------------------------------------------------------ openings and games

    def openings(self) -> list[Opening]:
        """The openings so far, by number."""
        rows = self._rows(f"SELECT {', '.join(OPENING_COLUMNS)} FROM openings ORDER BY number")
        return [self._checked(decoding.opening, dict(zip(OPENING_COLUMNS, row, strict=True))) for row in rows]

    def add_openings(self, openings: Iterable[Opening]) -> None:
        """Keep further openings."""
        with self._transaction() as write:
            for one in openings:
                write(f"INSERT INTO openings {_values(OPENING_COLUMNS)}", {**vars(one), "moves": " ".join(one.moves)})

    def add_game(self, row: GameRow) -> None:
        """Keep a finished game. An earlier attempt that counted until now is superseded by it, if it says why."""
        with self._transaction() as write:
            write(f"INSERT INTO games {_values(COLUMNS)}", decoding.game_columns(row))

    def supersede(self, row: GameRow, reason: str) -> None:
        """Let a game count no longer: it is to be played again."""
        where = "round = ? AND meeting = ? AND repeat = ? AND rotation = ? AND attempt = ?"
        values = (row.meeting.round, _key(row.meeting.bots), row.meeting.repeat, row.rotation, row.attempt)
        with self._transaction() as write:
            write(f"UPDATE games SET superseded = ? WHERE {where}", (reason, *values))

    def games(self, *, superseded: bool = False) -> list[GameRow]:
        """The games, in the order of rounds and meetings; those that no longer count only if asked for."""
        where = "" if superseded else "WHERE superseded IS NULL"
        return self._game_rows(self._rows(f"SELECT {', '.join(COLUMNS)} FROM games {where} {ORDER}"))

    def _game_rows(self, rows: Sequence[Sequence[Any]]) -> list[GameRow]:
        names = self._names() if rows else set()
        return [self._checked(decoding.game, dict(zip(COLUMNS, row, strict=True)), names) for row in rows]

    def count_games(self) -> int:
        """How many games count."""
        [(count,)] = self._rows("SELECT count(*) FROM games WHERE superseded IS NULL")
        return int(count)

    def latest(self, most: int, bots: Sequence[str] = ()) -> list[tuple[int, GameRow]]:
        """The games that were kept last and count, the newest first, and their numbers; only those of all these bots.

        A number stays what it is while the event goes on: games are numbered as they are kept, from 1.
        """
        plays = "".join(" AND EXISTS (SELECT 1 FROM json_each(bots) WHERE value = ?)" for _ in bots)
        query = f"SELECT id, {', '.join(COLUMNS)} FROM games WHERE superseded IS NULL{plays} ORDER BY id DESC LIMIT ?"
        rows = self._rows(query, (*bots, most))
        return list(zip([row[0] for row in rows], self._game_rows([row[1:] for row in rows]), strict=True))

    def numbered(self, number: int) -> GameRow:
        """The game with this number."""
        found = self._rows(f"SELECT {', '.join(COLUMNS)} FROM games WHERE id = ?", (number,))
        if not found:
            raise PalabreError(say("event.no_game", number=number, file=self.file))
        return self._game_rows(found)[0]

    def all_outcomes(self) -> list[Outcome]:
        """What schedules and ratings need to know of the games that count; their moves are not read."""
        rows = self._rows(f"SELECT {', '.join(OUTCOME_COLUMNS)} FROM games WHERE superseded IS NULL {ORDER}")
        names = self._names() if rows else set()
        return [self._checked(decoding.outcome, dict(zip(OUTCOME_COLUMNS, row, strict=True)), names) for row in rows]

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


def _values(columns: Sequence[str]) -> str:
    """The part of a statement that inserts these columns."""
    return f"({', '.join(columns)}) VALUES ({', '.join(f':{name}' for name in columns)})"


def _key(bots: Sequence[str]) -> str:
    return json.dumps(bots)
