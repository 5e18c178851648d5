"""Damaged rows in a sound event file: one sentence from every reader, and nothing is written."""

import contextlib
import hashlib
import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from palabre.arena.debugging import find_moment
from palabre.arena.decoding import read_settings
from palabre.arena.leaderboard import read_leaderboard
from palabre.arena.record_stats import record_stats
from palabre.arena.rows import GivenOpenings, Settings
from palabre.arena.schema import EVENT
from palabre.arena.store import Store, open_store, read_store
from palabre.core.errors import PalabreError
from palabre.web.report.write import write_report
from tests.arena.championships import hold
from tests.messages import refuses

pytestmark = pytest.mark.processes
BAD_VALUES: list[object] = [
    None,
    "",
    "text",
    "[",
    "[null]",
    '["greedy", "greedy"]',
    "{}",
    '{"per_move": "x"}',
    "[1e999, -1]",
    "[" * 100_000,
    "NaN",
    "9" * 5000,
    '"\\ud800"',
    b"\xff\xfe",
    -1,
    2**62,
    1e300,
]
RESUMED = [None, "text", -1]  # the values with which the event is also resumed, which takes longer
BOTS = ["greedy", "idiot"]
OPTIONS: dict[str, Any] = {"staff": ["idiot:seed=3"], "marks": "vs idiot:seed=3>=0.5:5,else:1"}
READERS: dict[str, Callable[[Store, Path], object]] = {
    "report": lambda store, folder: write_report(store, folder / "report", "fuzz"),
    "table": lambda store, _: read_leaderboard(store),
    "replay": lambda store, _: [record.positions() for record in store.records()],
    "stats": lambda store, _: record_stats(store.records(), 2),
    "debug": lambda store, _: find_moment(store, 1, 3),
    "latest": lambda store, _: store.latest(5),
}


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An event whose tables take any value; otherwise it is as we write it."""
    folder = tmp_path_factory.mktemp("event")
    hold(BOTS, folder / "sound.event", **OPTIONS).store.close()
    file = folder / "lenient.event"
    with (
        contextlib.closing(sqlite3.connect(folder / "sound.event")) as sound,
        contextlib.closing(sqlite3.connect(file)) as lenient,
    ):
        lenient.execute("PRAGMA journal_mode = WAL")
        for name, sql in sound.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall():
            lenient.execute(re.sub(r"NOT NULL|CHECK \(.*?\)\)|\) STRICT$", lambda found: _lenient(found[0]), sql))
            rows = sound.execute(f"SELECT * FROM {name}").fetchall()
            lenient.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(rows[0]))})", rows)
        lenient.execute(f"PRAGMA application_id = {EVENT.application_id}")
        lenient.execute(f"PRAGMA user_version = {len(EVENT.migrations)}")
        lenient.commit()
    return file


def _lenient(part: str) -> str:
    return ")" if part.endswith("STRICT") else ""


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def columns(file: Path) -> Iterator[tuple[str, str, int]]:
    """Each column of each table, and of settings each row."""
    with contextlib.closing(sqlite3.connect(file)) as rows:
        for (table,) in rows.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            numbers = [number for (number,) in rows.execute(f"SELECT rowid FROM {table}").fetchall()]
            for _, column, *_ in rows.execute(f"PRAGMA table_info({table})").fetchall():
                for number in numbers if table == "settings" else numbers[:1]:
                    yield table, column, number


@contextlib.contextmanager
def damaged(event: Path, folder: Path, table: str, column: str, number: int, value: object) -> Iterator[Path]:
    """The event with one value changed."""
    file = folder / "damaged.event"
    file.write_bytes(event.read_bytes())
    # A number that must be one, or a name that is taken, stays as it is.
    with contextlib.closing(sqlite3.connect(file)) as rows, contextlib.suppress(sqlite3.IntegrityError):
        rows.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (value, number))
        rows.commit()
    yield file
    file.unlink()


def test_the_lenient_event_can_be_read_and_resumed(event: Path, tmp_path: Path) -> None:
    with read_store(event, trusted=True) as store:
        for read in READERS.values():
            read(store, tmp_path)
    hold(BOTS, event, **OPTIONS).store.close()


def refusal(what: str, work: Callable[[], object]) -> str:
    """The sentence with which something is refused, empty if it is not; other errors fail the test."""
    try:
        work()
    except PalabreError as error:
        return str(error)
    except Exception as error:
        raise AssertionError(what) from error
    return ""


def run(read: Callable[[Store, Path], object], file: Path, folder: Path) -> None:
    with read_store(file, trusted=True) as store:
        read(store, folder)


@pytest.mark.parametrize("value", BAD_VALUES, ids=lambda value: repr(value)[:20])
def test_no_damaged_value_brings_a_traceback_or_a_change(event: Path, tmp_path: Path, value: object) -> None:
    refused = 0
    for table, column, number in columns(event):
        with damaged(event, tmp_path, table, column, number, value) as file:
            before, place = digest(file), f"{table}.{column} of row {number}"
            for name, read in READERS.items():
                sentence = refusal(f"{name}: {place}", lambda read=read: run(read, file, tmp_path))  # type: ignore[misc]
                refused += bool(sentence)
                assert len(sentence.splitlines()) <= 1, place
            assert digest(file) == before, place
            if value in RESUMED:
                sentence = refusal(f"resumed: {place}", lambda: hold(BOTS, file, **OPTIONS).store.close())
                assert len(sentence.splitlines()) <= 1, place
                assert not sentence or digest(file) == before, place
    assert refused > 50


@pytest.mark.parametrize(
    "change",
    [
        'UPDATE games SET bots = \'["greedy", "stranger"]\'',
        "UPDATE games SET meeting = '[\"greedy\"]', bots = '[\"greedy\"]' WHERE id = 1",
        "UPDATE games SET shares = '[1.0]'",
        "UPDATE games SET forfeit = 7",
        "UPDATE games SET rotation = 2 WHERE rotation = 1",
        "UPDATE games SET movers = json_insert(movers, '$[#]', 0)",
        "UPDATE games SET moves = moves || ' x'",
        "UPDATE games SET opening = 1000",
        "UPDATE games SET started = 'yesterday'",
        "UPDATE bots SET role = 'king'",
        'UPDATE settings SET value = \'{"kind": "random", "plies": -1}\' WHERE key = \'openings\'',
        "UPDATE settings SET value = '[[1]]' WHERE key = 'same_files'",
        "DELETE FROM bots WHERE name = 'greedy'",
    ],
)
def test_rows_that_contradict_each_other_are_refused(event: Path, tmp_path: Path, change: str) -> None:
    file = tmp_path / "odd.event"
    file.write_bytes(event.read_bytes())
    with contextlib.closing(sqlite3.connect(file)) as rows:
        rows.execute(change)
        rows.commit()
    before = digest(file)
    with refuses("database.damaged"):
        open_store(file)
    with refuses("database.damaged"), read_store(file, trusted=True) as store:
        store.check_rows()
    assert digest(file) == before


def test_an_empty_file_is_no_new_event(tmp_path: Path) -> None:
    file = tmp_path / "e"
    file.touch()
    with refuses("database.empty", file=file):
        open_store(file)
    assert file.stat().st_size == 0
    assert [path.name for path in tmp_path.iterdir()] == ["e"]


def test_a_new_file_appears_whole(tmp_path: Path) -> None:
    open_store(tmp_path / "e").close()
    assert [path.name for path in tmp_path.iterdir()] == ["e"]
    with pytest.raises(PalabreError, match="not begun"), read_store(tmp_path / "e") as store:
        assert store.settings


def test_every_setting_is_read() -> None:
    """A setting that is not read would be lost when an event goes on."""
    settings = Settings("awele", "match", 4, GivenOpenings("digest"), 0.5, 3, "some data", 7.5, True)
    assert all(value != Settings.__dataclass_fields__[name].default for name, value in vars(settings).items())
    rows = {name: json.dumps(value) for name, value in msgspec.to_builtins(settings).items()}
    assert read_settings(rows) == (settings, {})
