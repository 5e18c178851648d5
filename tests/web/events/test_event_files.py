"""Events and records that the server only shows: files of others, broken ones, those that grow."""

import asyncio
import hashlib
import os
import re
import signal
import sqlite3
from pathlib import Path

import pytest

from palabre.core.errors import PalabreError
from palabre.core.record import save
from palabre.core.words import say
from palabre.web.limits import Folders, ServerLimits
from palabre.web.reading import Reader
from palabre.web.refusal import Refused
from tests.arena.events import new_event, play
from tests.messages import refuses
from tests.sentences import tells
from tests.test_translation import ENGLISH
from tests.web.events.eventing import READER, Beat, Session, run, server
from tests.web.pool.pools import pids

pytestmark = [pytest.mark.processes, pytest.mark.usefixtures("plain_python")]

# ------------------------------------------------------------------------------------------------- events of others


def digests(folder: Path) -> dict[str, str]:
    files = [file for file in folder.iterdir() if file.suffix in (".event", ".txt", ".pgn")]
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def test_events_and_records_of_other_folders_are_shown_and_left_alone(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    with new_event(mine / "night.event", game="awele") as store:
        play(store, 3)
        save(store.records(), mine / "games.txt")
    before = digests(mine)

    async def work() -> None:
        async with server(tmp_path / "data", others=[mine]) as events:
            entries = {entry.event: entry for entry in (await events.entries(Session())).events}
            assert set(entries) == {"night.event", "games.txt"}
            assert [(entry.bots, entry.games, entry.message) for entry in entries.values()] == [(2, 6, "")] * 2
            event, records = [await events.watch(name, Session()) for name in ("night.event", "games.txt")]
            assert (event.format, event.planned, records.format, records.planned) == ("match", None, "records", 6)
            assert event.can == records.can == []
            shown = [{row.name: (row.wins, row.draws, row.losses) for row in state.table} for state in (event, records)]
            assert shown[0] == shown[1]
            # The games of a pair depend on each other, which a record does not tell.
            assert all(row.low < row.score < row.high or row.score in (0, 1) for row in (*event.table, *records.table))
            last = await events.game("games.txt", 6, Session())
            assert last.players in (["greedy", "idiot"], ["idiot", "greedy"])
            assert READER.positions(last.place)[-1].is_over
            with refuses("record.no_game", file="games.txt", number=7, games=6):
                await events.game("games.txt", 7, Session())
            with refuses("refusal.cannot_resume"):
                await events.resume("night.event")

    run(work)
    assert digests(mine) == before


@pytest.mark.usefixtures("unprotected")
def test_bots_in_files_of_others_are_shown_without_their_places(tmp_path: Path) -> None:
    code = "from palabre import Bot\nclass A(Bot):\n    def choose(self, position, clock):\n"
    code += "        return position.moves()[0]\n"
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "a.py").write_text(code, encoding="utf-8")
    with new_event(tmp_path / "night.event", (str(tmp_path / "mine" / "a.py"), "idiot"), game="awele") as store:
        play(store, 2)
        save(store.records(), tmp_path / "games.txt")

    async def work() -> None:
        async with server(tmp_path / "data", others=[tmp_path]) as events:
            for name in ("night.event", "games.txt"):
                state = await events.watch(name, Session())
                assert {row.name for row in state.table} == {"mine/a.py", "idiot"}
                assert len(await events.games(name, ["mine/a.py", "idiot"], Session())) == 4
                assert str(tmp_path) not in repr((state, await events.game(name, 1, Session())))

    run(work)


def test_an_event_that_somebody_else_plays_is_seen_growing(tmp_path: Path) -> None:
    beat = Beat()

    async def work() -> None:
        async with server(tmp_path / "data", others=[tmp_path], pause=beat) as events:
            with new_event(tmp_path / "night.event", game="awele") as store:
                play(store, 1)
                session = Session()
                assert (await events.watch("night.event", session)).played == 2
                await beat.tick()
                assert session.states == []
                play(store, 2)
                await beat.tick()
                assert [state.played for state in session.states] == [4]

    run(work)


def test_what_is_no_event_is_told_in_a_sentence(tmp_path: Path) -> None:
    with new_event(tmp_path / "good.event", game="awele") as store:
        play(store, 20)
    damaged = bytearray((tmp_path / "good.event").read_bytes())
    damaged[3000:9000] = b"x" * 6000
    (tmp_path / "damaged.event").write_bytes(damaged)
    (tmp_path / "empty.event").touch()
    (tmp_path / "text.event").write_text("no event", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("milk, bread", encoding="utf-8")
    (tmp_path / "binary.pgn").write_bytes(bytes(range(256)))
    foreign = sqlite3.connect(tmp_path / "foreign.event")
    foreign.execute("CREATE TABLE t (x)")
    foreign.close()
    with new_event(tmp_path / "untrusted.event") as store:  # its game is somebody's own file
        play(store, 1)
        save(store.records(), tmp_path / "untrusted.txt")
    reader = Reader(ServerLimits(), Folders())

    async def work() -> None:
        async with server(tmp_path / "data", reader, others=[tmp_path]) as events:
            listed = (await events.entries(Session())).events
            told = {entry.event: entry.message for entry in listed}
            assert told.pop("good.event") == ""
            assert "damaged" in told["damaged.event"]
            kind = say("database.kind.event")
            assert tells(told["text.event"], "database.unlike", file="text.event", kind=kind)
            assert tells(told["foreign.event"], "database.unlike", file="foreign.event", kind=kind)
            assert "take_away.py" in told["untrusted.event"]
            assert len(told) == 8
            assert all(told.values())
            assert str(tmp_path) not in "".join(told.values())
            french = {entry.event: entry.message for entry in (await events.entries(Session(language="fr"))).events}
            without_errors = [re.sub(r"\(.*?\)", "", text) for text in french.values()]  # what SQLite says
            assert [text for text in without_errors if ENGLISH.search(text)] == []
            assert french["text.event"].startswith("text.event n’est pas un tournoi de Palabre")
            assert french["untrusted.event"].startswith("son jeu est dans un fichier, take_away.py,")
            for name in told:
                with pytest.raises(PalabreError):
                    await events.watch(name, Session())
            assert (await events.watch("good.event", Session())).played == 40

    run(work)


def test_a_game_from_a_file_is_run_only_if_it_is_offered(tmp_path: Path) -> None:
    """A record can name any file as its game; reading it must not run that file."""
    trap, sprung = tmp_path / "trap.py", tmp_path / "sprung"
    trap.write_text(f"open({str(sprung)!r}, 'w')\n", encoding="utf-8")
    (tmp_path / "trap.txt").write_text(f'[A "b"] [Game "{trap}"]\n\n*\n', encoding="utf-8")

    async def work() -> None:
        async with server(tmp_path / "data", others=[tmp_path]) as events:
            [entry] = (await events.entries(Session())).events
            assert "trap.py" in entry.message

    run(work)
    assert not sprung.exists()


@pytest.mark.parametrize("name", ["../secret.event", "/etc/passwd", "mine/night.event", "link.event", "", "a" * 100])
def test_a_browser_names_no_paths(tmp_path: Path, name: str) -> None:
    for file in ("secret.event", "mine/night.event"):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        with new_event(tmp_path / file, game="awele"):
            pass
    (tmp_path / "mine" / "link.event").symlink_to(tmp_path / "secret.event")

    async def work() -> None:
        async with server(tmp_path / "data", others=[tmp_path / "mine"]) as events:
            for ask in (
                events.watch(name, Session()),
                events.game(name, 1, Session()),
                events.games(name, [], Session()),
                events.resume(name),
            ):
                with pytest.raises(Refused) as refused:
                    await ask
                assert refused.value.id == "no_event"
            with pytest.raises(Refused):
                await events.stop(name)

    run(work)


def test_files_of_the_same_name_are_told_apart(tmp_path: Path) -> None:
    for number, folder in enumerate(("one", "two"), start=1):
        (tmp_path / folder).mkdir()
        with new_event(tmp_path / folder / "night.event", game="awele") as store:
            play(store, number)

    async def work() -> None:
        async with server(tmp_path / "data", others=[tmp_path / "one", tmp_path / "two"]) as events:
            assert (await events.watch("night.event", Session())).played == 2
            assert (await events.watch("night.event (2)", Session())).played == 4

    run(work)


def test_the_process_that_reads_is_replaced_when_it_dies(tmp_path: Path) -> None:
    with new_event(tmp_path / "night.event", game="awele") as store:
        play(store, 1)

    async def work() -> None:
        async with server(tmp_path / "data", others=[tmp_path]) as events:
            await events.game("night.event", 1, Session())
            [pid] = pids(events.reader._lane)
            os.kill(pid, signal.SIGSTOP)  # It dies with the task, not before it.
            reading = asyncio.create_task(events.game("night.event", 1, Session()))
            while not any(worker.job for worker in events.reader._lane.workers):
                await asyncio.sleep(0.01)
            os.kill(pid, signal.SIGKILL)
            with refuses("refusal.event_unreadable", event="night.event"):
                await reading
            assert (await events.game("night.event", 1, Session())).players == ["greedy", "idiot"]

    run(work)


def test_whoever_leaves_while_a_file_is_read_does_not_confuse_the_next(tmp_path: Path) -> None:
    with new_event(tmp_path / "night.event", game="awele") as store:
        play(store, 2)

    async def work() -> None:
        async with server(tmp_path / "data", others=[tmp_path]) as events:
            for number in (1, 2, 3):
                impatient = asyncio.create_task(events.game("night.event", number, Session()))
                await asyncio.sleep(0.01)
                impatient.cancel()
                assert (await events.game("night.event", 4, Session())).place == (
                    await events.game("night.event", 4, Session())
                ).place
                found = await events.games("night.event", ["greedy"], Session())
                assert [game.number for game in found] == [4, 3, 2, 1]

    run(work)
