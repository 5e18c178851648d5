"""What a server keeps: everything comes back, nothing told is lost, and nothing is written to what is not ours."""

import contextlib
import hashlib
import os
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from palabre.arena.store import open_store as open_event
from palabre.core.errors import PalabreError
from palabre.web.store import (
    DAY,
    EMPTY_DAYS,
    UNFINISHED_DAYS,
    UNSEEN_DAYS,
    Browser,
    Ending,
    Invited,
    KeptRoom,
    NotKept,
    RoomRow,
    SeatRow,
    ServerStore,
    open_store,
)
from tests.messages import refuses

ROW = RoomRow(
    room="room",
    game="some:spec",
    start="a first position",
    seed=2**62,
    seats=(SeatRow("person", "", "me", "Aya"), SeatRow("bot", "palabre:level=3"), SeatRow("person")),
    clock=(900.0, 2.5),
    allowed={"undo": "asked", "help": False},
    opener="me",
    created=1_000.0,
)


@pytest.fixture
def store() -> ServerStore:
    made = open_store(None)
    made.add_room(ROW)
    return made


def found(store: ServerStore, room: str = "room") -> KeptRoom:
    kept = store.room(room)
    assert kept is not None
    return kept


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


# --------------------------------------------------------------------------------------------------------------- rooms


def test_a_room_comes_back_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: 5_000.0)
    store = open_store(tmp_path / "new folder" / "games")
    store.add_room(ROW)
    assert found(store).left == [900.0] * 3
    store.change_room("room", moves=[(0, "C d", 0.25)], left=[899.75, 900.0, 900.0])
    store.change_room("room", moves=[(1, "é", None)], left=[899.75, 900.0, 900.0])
    store.change_room("room", left=[899.75, 800.0, None])
    store.change_room("room", ending=Ending(1, False, "time"))
    store.change_room("room", rematch=replace(ROW, room="other", start=None, clock=None, created=2_000.0))
    seats = (*ROW.seats[:2], SeatRow("person", "", "you", "Ben"))
    store.change_room("room", seats=seats)
    before = found(store)
    store.close()

    again = open_store(tmp_path / "new folder" / "games")
    kept = found(again)
    assert kept == before
    assert kept.row == replace(ROW, seats=seats)
    assert (kept.plies, kept.moves) == (2, [("C d", 0.25), ("é", None)])
    assert (kept.left, kept.ending, kept.next_room) == ([899.75, 800.0, None], Ending(1, False, "time"), "other")
    assert kept.changed == 5_000.0
    other = found(again, "other")
    assert (other.row.start, other.row.clock, other.left, other.ending) == (None, None, [None] * 3, None)
    again.close()


def test_a_database_of_an_earlier_server_opens_as_before(tmp_path: Path) -> None:
    """The format of rows does not follow the names of classes and fields."""
    open_store(tmp_path / "games").close()
    seats = (
        '[{"who": "person", "bot": "", "browser": "me", "name": "Ada"}, '
        '{"who": "bot", "bot": "palabre:level=3", "browser": null, "name": "palabre:level=3"}]'
    )
    allowed = '{"undo": "asked", "help": false, "bots_resign": true}'
    why = '{"loser": 1, "drawn": false, "reason": "{\\"id\\": \\"game.resigns\\"}"}'  # without shares
    row = ("old", "awele", None, 7, seats, "[900.0, 5.0]", allowed, "me", 1.0, 2.0, "[890.0, 900.0]", why, None)
    with contextlib.closing(sqlite3.connect(tmp_path / "games")) as connection, connection:
        connection.execute(f"INSERT INTO rooms VALUES ({', '.join('?' * len(row))})", row)
        connection.execute("INSERT INTO moves VALUES ('old', 0, 'C', NULL), ('old', 1, 'd', 0.5)")
        connection.execute("INSERT INTO people VALUES ('me', 'old')")
    store = open_store(tmp_path / "games")
    kept = found(store, "old")
    assert kept.row.seats == (
        SeatRow("person", "", "me", "Ada"),
        SeatRow("bot", "palabre:level=3", None, "palabre:level=3"),
    )
    assert (kept.row.clock, kept.row.allowed["undo"], kept.row.seed) == ((900.0, 5.0), "asked", 7)
    assert (kept.moves, kept.left) == ([("C", None), ("d", 0.5)], [890.0, 900.0])
    assert kept.ending == Ending(1, False, '{"id": "game.resigns"}', None)
    assert [entry.row.room for entry in store.rooms("me")] == ["old"]
    store.close()


def test_moves_that_are_taken_back_are_gone_and_the_game_goes_on(store: ServerStore) -> None:
    for ply in range(4):
        store.change_room("room", moves=[(ply, str(ply), None)], left=[1.0] * 3)
    store.change_room("room", ending=Ending(None, True, "agreed"))
    store.change_room("room", cut=2)
    store.change_room("room", moves=[(2, "another", None)], left=[1.0] * 3)
    assert [move for move, _ in found(store).moves] == ["0", "1", "another"]
    assert found(store).ending is None


def test_rooms_are_listed_by_browser_the_last_changed_first(store: ServerStore) -> None:
    store.add_room(replace(ROW, room="second", seats=(SeatRow("bot"),), created=2_000.0))
    store.add_room(replace(ROW, room="theirs", seats=(SeatRow("person", "", "you"),), opener="you", created=3_000.0))
    store.change_room("room", seats=(SeatRow("person", "", "you"),))
    store.change_room("room", moves=[(0, "x", None)], left=[])
    assert [kept.row.room for kept in store.rooms()] == ["room", "theirs", "second"]
    assert [kept.row.room for kept in store.rooms("you")] == ["room", "theirs"]
    assert [kept.row.room for kept in store.rooms("me")] == ["room", "second"]
    assert [(kept.plies, kept.moves) for kept in store.rooms("me")] == [(1, []), (0, [])]
    assert len(store.rooms(most=2)) == 2
    assert store.rooms("nobody") == []


def test_what_cannot_be_is_refused_and_changes_nothing(store: ServerStore) -> None:
    store.change_room("room", moves=[(0, "x", None)], left=[5.0])
    before = found(store)
    with pytest.raises(NotKept):
        store.change_room("room", moves=[(0, "y", None)], left=[4.0])  # a ply is played once
    with pytest.raises(NotKept):
        store.add_room(ROW)
    with pytest.raises(NotKept):
        store.change_room("nowhere", moves=[(0, "x", None)], left=[])
    with pytest.raises(NotKept, match="no room 'nowhere'"):
        store.change_room("nowhere", left=[])
    assert found(store) == before
    assert store.room("nowhere") is None


# ------------------------------------------------------------------------------------------ browsers and invitations


def test_browsers_are_known_by_the_hash_of_their_cookie(store: ServerStore) -> None:
    store.add_browser(Browser("one", "watcher"), b"1")
    store.set_role("one", "player")
    store.set_name("one", "Aya")
    store.add_browser(Browser("two", "operator"), b"2")
    assert store.browser(b"1") == Browser("one", "player", "Aya")
    assert store.browser(b"3") is None
    store.forget_guests()
    assert store.browser(b"1") is None
    assert store.browser(b"2") is not None


def test_a_cookie_is_good_until_nobody_has_come_with_it_for_long(
    store: ServerStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    store.add_browser(Browser("one", "player"), b"1")
    for days in (0.9 * UNSEEN_DAYS, 1.8 * UNSEEN_DAYS):  # each visit counts anew
        monkeypatch.setattr(time, "time", lambda moment=now + days * DAY: moment)
        assert store.browser(b"1") is not None
    monkeypatch.setattr(time, "time", lambda: now + 2.9 * UNSEEN_DAYS * DAY)
    assert store.browser(b"1") is None


def test_an_invitation_is_kept_until_it_is_replaced_or_its_room_is_gone(store: ServerStore) -> None:
    store.add_invitation(b"a", Invited("room", 2))
    store.add_invitation(b"b", Invited("room", 2))
    store.add_invitation(b"c", Invited("room", 0))
    assert store.invitation(b"a") is None
    assert store.invitation(b"b") == Invited("room", 2)
    store.take_invitation(b"b", "you")
    assert store.invitation(b"b") == Invited("room", 2, "you")
    store.clean(ROW.created + (EMPTY_DAYS + 1) * DAY)
    assert store.invitation(b"c") is None


def test_old_rooms_that_nobody_ended_are_forgotten(store: ServerStore) -> None:
    now = time.time()
    store.add_room(replace(ROW, room="begun"))
    store.change_room("begun", moves=[(0, "x", None)], left=[])
    store.add_room(replace(ROW, room="ended"))
    store.change_room("ended", moves=[(0, "x", None)], left=[])
    store.change_room("ended", ending=Ending(None, False, "rules"))
    store.add_room(replace(ROW, room="new", created=now))
    assert store.clean(now) == 1  # the empty one, made long ago
    assert {kept.row.room for kept in store.rooms()} == {"begun", "ended", "new"}
    assert store.clean(now + (UNFINISHED_DAYS + 1) * DAY) == 2
    assert [kept.row.room for kept in store.rooms()] == ["ended"]
    assert found(store, "ended").plies == 1
    assert store._rows("SELECT DISTINCT room FROM moves") == [("ended",)]


def test_running_games_are_those_with_others_that_have_not_ended_and_changed_lately(store: ServerStore) -> None:
    ours = tuple(replace(seat, browser=name) for seat, name in zip(ROW.seats, ("me", "you"), strict=False))
    alone = tuple(replace(seat, browser="me") for seat in ROW.seats)
    for name, seats in (("one", ours), ("two", ours), ("ended", ours), ("alone", alone)):
        store.add_room(replace(ROW, room=name, seats=seats, opener="me", created=1.0))
    store.change_room("ended", ending=Ending(None, False, "rules"))
    store.add_room(replace(ROW, room="old", seats=ours, opener="me", created=1.0))
    store._rows("UPDATE rooms SET changed = CASE room WHEN 'old' THEN 1 ELSE 100 END")
    assert {kept.row.room for kept in store.running("me", 50.0, 10)} == {"one", "two"}
    assert {kept.row.room for kept in store.running("you", 0.0, 10)} == {"one", "two", "old"}
    assert len(store.running("me", 50.0, 1)) == 1
    assert store.running("somebody else", 0.0, 10) == []


# ---------------------------------------------------------------------------------------------- crashes, full disks


WRITER = """
import sys
from pathlib import Path
from palabre.web.store import open_store
from tests.web.test_store import ROW
store = open_store(Path(sys.argv[1]))
store.add_room(ROW)
for ply in range(1_000_000):
    store.change_room("room", moves=[(ply, f"move {ply}", 0.5)], left=[1.0, 2.0, float(ply)])
    sys.stdout.buffer.write(f"{ply}\\n".encode())  # it is told
    sys.stdout.buffer.flush()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
@pytest.mark.parametrize("told", [1, 57, 1000])
def test_a_server_that_is_killed_loses_nothing_that_was_told(tmp_path: Path, told: int) -> None:
    file = tmp_path / "games"
    with subprocess.Popen([sys.executable, "-c", WRITER, str(file)], stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        for _ in range(told):
            writer.stdout.readline()
        os.kill(writer.pid, signal.SIGKILL)
        last = told - 1 + len(writer.stdout.read().split())
    store = open_store(file)
    kept = found(store)
    assert [move for move, _ in kept.moves] == [f"move {ply}" for ply in range(kept.plies)]
    assert last < kept.plies <= last + 2  # the move that it died in may be kept, too
    assert kept.left == [1.0, 2.0, kept.plies - 1.0]  # a move and its clocks are kept together
    store.close()


def play_on(store: ServerStore) -> None:
    for ply in range(1_000):
        store.change_room("room", moves=[(ply, "x" * 100, None)], left=[float(ply)])


def test_on_a_full_disk_a_move_is_refused_and_the_game_stays_as_it_was(tmp_path: Path) -> None:
    store = open_store(tmp_path / "games")
    store.add_room(ROW)
    [(pages,)] = store._rows("PRAGMA page_count")
    store._rows(f"PRAGMA max_page_count = {pages + 1}")
    with refuses("server.at_limit", file=tmp_path / "games"):
        play_on(store)
    ply = found(store).plies
    assert ply > 0
    assert found(store).left == [ply - 1.0]
    store._rows("PRAGMA max_page_count = 100000")
    store.change_room("room", moves=[(ply, "x", None)], left=[0.0])
    assert found(store).plies == ply + 1
    store.close()


FILLER = """
import resource, signal, sys
from pathlib import Path
from palabre.web.store import NotKept, open_store
from tests.web.test_store import ROW, found
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store = open_store(Path(sys.argv[1]))
store.add_room(ROW)
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
ply = 0
try:
    while True:
        store.change_room("room", moves=[(ply, "x" * 100, None)], left=[])
        ply += 1
except NotKept as error:
    print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
assert found(store).plies == ply > 0
store.change_room("room", moves=[(ply, "there is room again", None)], left=[])
assert found(store).plies == ply + 1
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits on the size of files")
def test_the_systems_own_limit_is_told_and_the_same_server_goes_on_when_there_is_room(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FILLER, str(tmp_path / "games")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "cannot write" in done.stdout


def test_two_hundred_rooms_are_cheap(tmp_path: Path) -> None:
    """However many rooms and moves there are, a move is two rows that are written, found by their keys."""
    store = open_store(tmp_path / "games")
    for number in range(200):
        store.add_room(replace(ROW, room=str(number)))
    statements: list[str] = []
    store._connection.set_trace_callback(statements.append)
    for ply in range(5):
        for number in range(200):
            statements.clear()
            store.change_room(str(number), moves=[(ply, "x", 0.5)], left=[1.0, 2.0, 3.0])
            assert len(statements) == 4, statements  # the move and its room, in a transaction
    store.close()


# -------------------------------------------------------------------------------------------------- files, locks


def test_a_second_server_is_refused_and_told_where_the_first_one_is(tmp_path: Path) -> None:
    file = tmp_path / "games"
    store = open_store(file)
    with refuses("server.in_use", file=file, where=""):
        open_store(file)
    store.announce("http://127.0.0.1:8017")
    with refuses("server.where", address="http://127.0.0.1:8017"):
        open_store(file)
    store.close()
    open_store(file).close()
    assert [other.name for other in tmp_path.iterdir()] == ["games"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs modes of files")
def test_nobody_else_may_read_the_file(tmp_path: Path) -> None:
    store = open_store(tmp_path / "games")
    store.add_room(ROW)
    assert {file.stat().st_mode & 0o077 for file in tmp_path.iterdir() if not file.name.endswith("-lock")} == {0}
    store.close()


def test_what_is_not_ours_is_refused_and_left_alone(tmp_path: Path) -> None:
    text, event, newer, cut = (tmp_path / name for name in ("text", "event", "newer", "cut"))
    text.write_text("these are my notes")
    open_event(event).close()
    for file in (newer, cut):
        store = open_store(file)
        store.add_room(ROW)
        store.close()
    with sqlite3.connect(newer) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    cut.write_bytes(cut.read_bytes()[:6_000])
    for file, id in (
        (text, "database.other_kind"),
        (event, "database.other_kind"),
        (newer, "database.newer"),
        (cut, "database.damaged"),
    ):
        before = digest(file)
        with refuses(id, file=file):
            open_store(file)
        assert digest(file) == before
    with pytest.raises(PalabreError, match="cannot write"):
        open_store(text / "games")
