"""The file of an event: what goes in comes out, one writer at a time, and nothing is written to what is not ours."""

import contextlib
import hashlib
import resource
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from palabre import __version__
from palabre.arena import store as event_store
from palabre.arena.rows import BOT_CHANGED, BotRow, GameRow, Meeting, Opening, RandomOpenings, Settings
from palabre.arena.schema import EVENT
from palabre.arena.store import open_store, read_store
from palabre.core.database import DatabaseFormat, choose_journal
from palabre.core.errors import PalabreError
from palabre.core.plain import stored
from palabre.core.words import say
from palabre.search.clock import Clock
from palabre.workers.messages import decoder, to_raw
from tests.arena.events import TAKE_AWAY, bots, new_event, play
from tests.command import python
from tests.messages import refuses

ROW = GameRow(
    meeting=Meeting(0, ("greedy", "idiot"), 0),
    rotation=0,
    attempt=1,
    bots=("greedy", "idiot"),
    shares=(1.0, 0.0),
    scores=(1, 0),
    margin=1,
    opening=1,
    start=None,
    moves=("1", "3"),
    movers=(0, 1),
    seconds=(None, 0.25),
    depths=(None, 3),
    nodes=(None, 2**40),
    ending="by the rules",
    timed=(1,),
    digests=("a", "b"),
    started="2026-11-18T04:00:00.000+00:00",
    duration=0.5,
)


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


# ------------------------------------------------------------------------------------------------- what is kept


def test_everything_that_goes_in_comes_out(tmp_path: Path) -> None:
    file = tmp_path / "night.event"
    opening = Opening(0, "7 1", ("1", "2"), 0.25, "by hand")
    competitor = BotRow("x", "idiot", "d", {"seed": 0, "word": "é"}, Clock(per_move=0.1, nodes=7), "A. and B.")
    forfeit = replace(ROW, rotation=1, forfeit=0, margin=None, details="Traceback …", machine_late=True, start="7 1")
    settings = Settings(TAKE_AWAY, "match", 7, RandomOpenings(plies=3))
    with open_store(file) as store:
        store.begin(settings)
        store.admit([competitor, *bots("greedy", "idiot")])
        store.add_openings([opening])
        store.add_game(ROW)
        store.add_game(forfeit)
    with read_store(file) as store:
        assert store.settings == settings
        assert store.bots() == [competitor, *bots("greedy", "idiot")]
        assert store.openings() == [opening]
        assert store.games() == [ROW, forfeit]
        assert [outcome.forfeit for outcome in store.outcomes()] == [None, 0]
        assert store.facts["palabre"] == __version__
        assert {"python", "platform", "processor", "cores", "usable_cores"} <= set(store.facts)


def test_an_event_that_is_ours_is_read_once_and_is_what_the_file_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with new_event(tmp_path / "e", ("greedy", "idiot", "idiot:seed=1")) as store:
        rows = play(store, 2)
        store.supersede(rows[0], "forfeit replayed")
        store.add_game(replace(rows[0], attempt=2))
        store.admit([replace(bots("idiot")[0], digest="another")], again=["idiot"])
        with read_store(tmp_path / "e", trusted=True) as reader:
            for _ in range(2):
                assert store.games(superseded=True) == reader.games(superseded=True)
                assert store.games() == reader.games()
                assert store.outcomes() == reader.outcomes()
                assert store.bots(all_versions=True) == reader.bots(all_versions=True)
                assert (store.settings, store.facts) == (reader.settings, reader.facts)
        monkeypatch.setattr(store, "_rows", None)
        assert len(store.games(superseded=True)) == len(rows) + 1
        assert store.game().spec == TAKE_AWAY
        assert [bot.name for bot in store.bots()] == ["greedy", "idiot", "idiot:seed=1"]


def test_a_row_crosses_processes_as_json() -> None:
    assert decoder(GameRow).decode(to_raw(ROW)) == ROW


def test_a_meeting_counts_when_all_its_games_are_done() -> None:
    with new_event(None) as store:
        store.add_game(ROW)
        assert store.outcomes() == []
        store.add_game(replace(ROW, rotation=1))
        assert len(store.outcomes()) == 2


def test_games_come_in_the_order_of_their_meetings_whoever_ended_first() -> None:
    with new_event(None) as store:
        for repeat, rotation in ((1, 1), (0, 1), (1, 0), (0, 0)):
            store.add_game(replace(ROW, meeting=ROW.meeting._replace(repeat=repeat), rotation=rotation))
        assert [(row.meeting.repeat, row.rotation) for row in store.games()] == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_games_are_numbered_as_they_are_kept() -> None:
    later = replace(ROW, meeting=Meeting(0, ("greedy", "other"), 1), bots=("greedy", "other"))
    with new_event(None, ("greedy", "idiot", "other")) as store:
        for row in (later, replace(ROW, superseded="bot changed"), replace(ROW, attempt=2)):
            store.add_game(row)
        assert [(number, row.bots) for number, row in store.latest(9)] == [(3, ROW.bots), (1, later.bots)]
        assert [number for number, _ in store.latest(1)] == [3]
        assert store.count_games() == 2
        assert [number for number, _ in store.latest(9, ["other", "greedy"])] == [1]
        assert store.numbered(2).superseded == "bot changed"
        with refuses("event.no_game", number=4):
            store.numbered(4)


def test_no_game_counts_twice() -> None:
    with new_event(None) as store:
        store.add_game(ROW)
        with pytest.raises(PalabreError, match="UNIQUE constraint failed"):
            store.add_game(replace(ROW, attempt=2))
        store.supersede(ROW, "forfeit replayed")
        store.add_game(replace(ROW, attempt=2))
        assert [row.attempt for row in store.games()] == [2]
        assert [row.superseded for row in store.games(superseded=True)] == ["forfeit replayed", None]


def test_records_can_be_read_and_replayed(tmp_path: Path) -> None:
    with new_event(tmp_path / "e") as store:
        rows = play(store, 3)
        records = store.records()
    assert [record.moves for record in records] == [row.moves for row in rows]
    assert [record.tags["Round"] for record in records] == list("123456")
    assert all(record.positions()[-1].is_over for record in records)


def test_a_data_frame_in_one_call() -> None:
    pytest.importorskip("pandas")
    with new_event(None) as store:
        rows = play(store, 2)
        frame = store.to_dataframe()
    assert len(frame) == 4
    assert list(frame["plies"]) == [len(row.moves) for row in rows]
    assert {"round", "repeat", "bots", "shares", "seconds", "duration", "superseded"} <= set(frame.columns)


# ------------------------------------------------------------------------------------------- the same event again


def test_an_event_goes_on_with_the_settings_it_has_begun_with(tmp_path: Path) -> None:
    new_event(tmp_path / "e").close()
    with refuses("event.other_setting", name="seed", before=0, now=5):
        new_event(tmp_path / "e", seed=5)
    with refuses("event.other_setting", name="game"):
        new_event(tmp_path / "e", game="awele")
    new_event(tmp_path / "e").close()


def test_a_changed_bot_is_refused_unless_it_plays_again() -> None:
    with new_event(None, ("greedy", "idiot", "idiot:seed=1")) as store:
        play(store, 1)
        changed = [replace(bots("idiot")[0], digest="another")]
        with refuses("event.bot_changed", bot="idiot"):
            store.admit(changed)
        store.admit(changed, again=["idiot"])
        assert [bot.digest for bot in store.bots() if bot.name == "idiot"] == ["another"]
        assert [bot.state for bot in store.bots(all_versions=True)].count("superseded") == 1
        assert {row.bots for row in store.games()} == {("greedy", "idiot:seed=1"), ("idiot:seed=1", "greedy")}
        superseded = [row for row in store.games(superseded=True) if row.superseded]
        assert [row.superseded for row in superseded] == [BOT_CHANGED] * 4
        with refuses("event.again_stranger", bot="nobody"):
            store.admit([], again=["nobody"])


# ------------------------------------------------------------------------------------------------ what is refused


@pytest.mark.parametrize("content", [b"hello", b"SQLite format 3\0" + bytes(200), b"PK\3\4" + bytes(1000)])
def test_a_file_that_is_no_event_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "e"
    file.write_bytes(content)
    for use, id in ((open_store, "database.other_kind"), (read_store, "database.unlike")):
        with refuses(id):
            use(file)
    assert file.read_bytes() == content
    assert [other.name for other in tmp_path.iterdir()] == ["e"]


def test_the_database_of_another_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "e"
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE notes (text)")
    connection.close()
    before = digest(file)
    with refuses("database.other_kind"):
        open_store(file)
    assert digest(file) == before


def test_a_newer_event_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "e"
    new_event(file).close()
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = digest(file)
    for use in (open_store, read_store):
        with refuses("database.newer", version=99):
            use(file)
    assert digest(file) == before


def test_a_damaged_event_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "e"
    with new_event(file) as store:
        play(store, 30)
    size = file.stat().st_size
    with file.open("r+b") as stream:
        stream.seek(size // 2)
        stream.write(b"\xff" * 4096)
    before = digest(file)
    for use in (open_store, read_store):
        with refuses("database.damaged", file=file):
            use(file)
    assert digest(file) == before


def with_step(script: str) -> DatabaseFormat:
    """The format of a Palabre to come, with one more migration."""
    return replace(EVENT, migrations=(*EVENT.migrations, script))


def test_an_older_event_is_migrated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "e"
    with new_event(file) as store:
        rows = play(store, 1)
    monkeypatch.setattr(event_store, "EVENT", with_step("ALTER TABLE games ADD COLUMN extra TEXT"))
    with open_store(file) as store:
        assert store.games() == rows
        assert store._rows("SELECT extra FROM games") == [(None,)] * len(rows)
        assert store._rows("PRAGMA user_version") == [(len(EVENT.migrations) + 1,)]


def test_an_event_of_the_first_version_is_read_as_it_is_and_migrated_when_it_goes_on(tmp_path: Path) -> None:
    """It had no roles, and its settings neither grace nor strikes."""
    file = tmp_path / "e"
    with new_event(file) as store:
        rows = play(store, 1)
    connection = sqlite3.connect(file)
    for table, column in (("bots", "role"), ("bots", "message"), ("games", "message")):
        connection.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
    connection.execute("DELETE FROM settings WHERE key IN ('grace', 'strikes')")
    connection.execute("PRAGMA user_version = 1")
    connection.commit()
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    before = digest(file)
    with read_store(file) as store:
        assert store.games() == rows
        assert [bot.role for bot in store.bots()] == ["competitor", "competitor"]
        assert (store.settings.grace, store.settings.strikes) == (0.0, 0)
    assert digest(file) == before
    with new_event(file) as store:
        assert (play(store, 1), store.games()) == ([], rows)
        assert store._rows("PRAGMA user_version") == [(3,)]


def test_an_event_of_the_second_version_keeps_its_english_sentences(tmp_path: Path) -> None:
    """Its file was written when reasons were English text alone. They are shown as they are, in any language."""
    file = tmp_path / "old.event"
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.executescript(Path(__file__).with_name("version_2.sql").read_text(encoding="utf-8"))
        connection.execute(f"PRAGMA application_id = {EVENT.application_id}")
        connection.execute("PRAGMA user_version = 2")
    before = digest(file)
    for is_migrated in (False, True):
        with open_store(file) if is_migrated else read_store(file) as store:
            first, second = store.games()
            assert (first.forfeit, second.forfeit, second.movers, second.plies) == (0, 1, (0, 1, 0), 3)
            assert first.ending.startswith("player 1 loses: illegal move: 'nonsense' is not a legal move")
            home = store.game().words().home
            assert (first.why_ended(home), first.message) == (first.ending, None)
            [rejected] = [bot for bot in store.bots() if bot.state == "rejected"]
            assert rejected.why_rejected(home) == rejected.reason
            assert rejected.note.splitlines()[1:] == ["more for its author"]
            assert store.records()[0].why_ended == first.ending
        assert (digest(file) == before) is not is_migrated


def test_why_a_game_ended_and_a_bot_was_rejected_is_kept_as_a_message(tmp_path: Path) -> None:
    told = say("game.loses", player=1, reason=say("forfeit.late_for_move", seconds=1.25, allowed=0.5))
    reason = say("submission.no_kind", path="fritz.rar")
    lost = replace(ROW, forfeit=0, margin=None, ending=str(told), message=stored(told))
    fritz = BotRow("fritz", "fritz.rar", "f").rejected(reason, details="more")
    with new_event(tmp_path / "e") as store:
        store.add_game(lost)
        store.admit([fritz])
    with read_store(tmp_path / "e", trusted=True) as store:
        assert store.games() == [lost]
        assert (store.games()[0].why_ended(), store.bots()[-1]) == (told, fritz)
        assert (fritz.note, fritz.why_rejected()) == (f"{reason}\nmore", reason)
        assert store.records()[0].why_ended == told
        # A text that somebody else has put there counts alone, also in a record.
        public = replace(lost, ending="player 1 loses")
        assert public.record(store.game()).tags["Termination"] == public.record(store.game()).why_ended


@pytest.mark.parametrize(
    "forged",
    [
        "text",
        "[]",
        "3",
        "{}",
        '{"id": "game.resigns"}',
        '{"id": "game.resigns", "params": {"player": NaN}}',
        '{"id": "game.resigns", "params": {"player": "\\ud800"}}',
        '{"id": "game.resigns", "params": {"player": 1}, "home": "/etc"}',
        "[" * 100_000,
        '{"id": "game.loses", "params": {"player": 1, "reason": "' + "x" * 100_000 + '"}}',
    ],
)
@pytest.mark.parametrize("table", ["games", "bots"])
def test_a_forged_message_is_a_damaged_row(tmp_path: Path, table: str, forged: str) -> None:
    with new_event(tmp_path / "e") as store:
        store.add_game(ROW)
    with contextlib.closing(sqlite3.connect(tmp_path / "e")) as connection:
        connection.execute(f"UPDATE {table} SET message = ?", (forged,))
        connection.commit()
    with read_store(tmp_path / "e") as store, refuses("database.damaged"):
        assert store.bots()
        store.games()


def test_an_event_that_has_not_begun_is_told(tmp_path: Path) -> None:
    open_store(tmp_path / "e").close()
    with read_store(tmp_path / "e") as store, refuses("event.not_begun"):
        store.game()


def test_bots_have_roles_and_may_be_withdrawn() -> None:
    with open_store(None) as store:
        store.begin(Settings(TAKE_AWAY, "match"))
        one, other = bots("greedy", "idiot")
        store.admit([replace(one, role="staff"), other])
        assert [bot.role for bot in store.bots()] == ["staff", "competitor"]
        store.admit([one])
        assert [bot.role for bot in store.bots()] == ["competitor", "competitor"]
        store.add_game(ROW)
        store.withdraw(["idiot"])
        assert [bot.name for bot in store.bots()] == ["greedy"]
        assert [row.superseded for row in store.games(superseded=True)] == ["bot withdrawn"]
        with refuses("event.not_withdrawn", bot="idiot"):
            store.withdraw(["idiot"])
        store.keep_fact("marks", "rank")
        store.keep_fact("marks", "rank:1,2")
        assert store.facts["marks"] == "rank:1,2"


def test_half_a_migration_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "e"
    new_event(file).close()
    broken = "ALTER TABLE games ADD COLUMN extra TEXT; ALTER TABLE nowhere ADD COLUMN extra TEXT"
    with monkeypatch.context() as patch:
        patch.setattr(event_store, "EVENT", with_step(broken))
        with pytest.raises(PalabreError, match="no such table"):
            open_store(file)
    with open_store(file) as store:
        assert "extra" not in str(store._rows("SELECT sql FROM sqlite_master"))


def test_a_second_process_is_refused_and_a_reader_is_not(tmp_path: Path) -> None:
    file = tmp_path / "e"
    with new_event(file) as store:
        store.add_game(ROW)
        told = python(
            "import sys; from pathlib import Path; from palabre.arena.store import open_store, read_store\n"
            "print(len(read_store(Path(sys.argv[1])).games()))\n"
            "try: open_store(Path(sys.argv[1]))\n"
            "except ValueError as error: print(error)",
            str(file),
        )
        assert told.splitlines() == ["1", str(say("event.in_use", file=file))]
        with refuses("event.in_use", file=file):
            open_store(file)  # nor the same process a second time
    open_store(file).close()
    assert [other.name for other in tmp_path.iterdir()] == ["e"]


# --------------------------------------------------------------------------------------------- disks and journals


def test_write_ahead_where_it_works_and_a_rollback_journal_where_it_does_not(tmp_path: Path) -> None:
    """SQLite has a way to lock files that needs no shared memory, for systems that lack it: there it cannot do WAL."""
    with new_event(tmp_path / "e") as store:
        assert store._rows("PRAGMA journal_mode") == [("wal",)]
    connection = sqlite3.connect(f"file:{tmp_path / 'f'}?vfs=unix-dotfile", uri=True, isolation_level=None)
    choose_journal(connection)
    assert connection.execute("PRAGMA journal_mode").fetchall() == [("delete",)]
    assert connection.execute("PRAGMA synchronous").fetchall() == [(2,)]
    connection.close()


def test_a_full_disk_is_told_and_loses_nothing_that_was_kept(tmp_path: Path) -> None:
    file = tmp_path / "e"
    with new_event(file) as store:
        [(pages,)] = store._rows("PRAGMA page_count")
        store._rows(f"PRAGMA max_page_count = {pages + 3}")
        with refuses("database.full"):
            play(store, 200)
        kept = len(store.games())
        assert kept > 0
    with new_event(file) as store:
        assert len(store.games()) == kept
        assert len(play(store, kept)) == kept


def limit_file_size() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits on the size of files")
def test_a_file_that_may_not_grow_is_told_and_goes_on_later(tmp_path: Path) -> None:
    """The system's own limit, which SQLite meets as an error of the disk."""
    file = tmp_path / "e"
    code = (
        "import sys; from pathlib import Path; from tests.arena.events import new_event, play\n"
        "with new_event(Path(sys.argv[1])) as store: play(store, 1000)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(file)], capture_output=True, text=True, preexec_fn=limit_file_size, check=False
    )
    assert "PalabreError: cannot write" in done.stderr
    with new_event(file) as store:
        kept = len(store.games())
        assert 0 < kept < 2000
        assert len(play(store, kept)) == kept


@pytest.mark.parametrize("name", ["no/such/folder/e", "folder"])
def test_a_place_that_cannot_be_written_is_a_mistake_in_words(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(PalabreError, match="cannot"):
        open_store(tmp_path / name)
