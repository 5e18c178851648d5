"""Events in the browser: played by a process of their own, watched, stopped, resumed, killed, and read from files."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from palabre.arena.store import read_store
from palabre.core.errors import PalabreError
from palabre.web.events import events as module
from palabre.web.events import runs
from palabre.web.events.plan import format_choices, make_plan
from palabre.web.limits import Folders, ServerLimits
from palabre.web.messages import EventState
from palabre.web.reading import Reader
from palabre.web.refusal import Refused, in_language
from palabre.web.requests import StartEvent
from tests import take_away
from tests.arena.events import TAKE_AWAY, new_event, play
from tests.arena.needs import needs_sandbox
from tests.command import PATIENCE, environment, python, wait_until
from tests.core.test_plain import plain_spaces as plain
from tests.messages import holds, refuses
from tests.sentences import tells
from tests.test_translation import ENGLISH
from tests.web.browsing import serving
from tests.web.events.eventing import (
    ENDLESS,
    GAME,
    READER,
    Beat,
    Session,
    games_of,
    gated,
    has_ended,
    run,
    server,
    until,
    wish,
)
from tests.web.pool.pools import pids

pytestmark = [pytest.mark.processes, pytest.mark.usefixtures("plain_python")]

# ------------------------------------------------------------------------------------------------------------- playing


def test_a_match_is_played_to_its_end(tmp_path: Path) -> None:
    async def work() -> None:
        async with server(tmp_path) as events:
            opened = await events.start(wish(games=39, seed=3), Session())
            state = await until(events, opened.name, has_ended)
            assert (state.played, state.planned, state.message) == (40, 40, "")  # every opening from both seats
            assert (state.game, state.format, state.can) == (GAME, "match", [])
            assert [row.rank for row in state.table] in ([1, 2], [1, 1])
            assert sum(row.score for row in state.table) == pytest.approx(1)
            for row in state.table:
                assert row.games == row.wins + row.losses == 40
                assert 0 <= row.low < row.score < row.high <= 1
                assert row.rating is not None
                assert row.rating_error is not None
            first, second = state.table
            assert state.cross == [[None, (first.wins, 40)], [(second.wins, 40), None]]
            assert [game.number for game in state.games] == list(range(40, 0, -1))
            newest = await events.game(opened.name, 40, Session())
            assert newest.place.game == GAME
            assert newest.players == state.games[0].players
            assert READER.positions(newest.place)[-1].is_over
            assert len(newest.seconds) == len(newest.place.moves) == state.games[0].plies
            assert len(await events.games(opened.name, ["greedy", "idiot"], Session())) == 40
            assert await events.games(opened.name, ["somebody"], Session()) == []
            with refuses("event.no_game", number=41, file=opened.name):
                await events.game(opened.name, 41, Session())
            [entry] = (await events.entries(Session())).events
            assert (entry.event, entry.bots, entry.games, entry.is_running) == (opened.name, 2, 40, False)

    run(work)


@pytest.mark.parametrize("format", [choice.name for choice in format_choices()])
def test_every_format_can_be_begun(tmp_path: Path, format: str) -> None:
    async def work() -> None:
        async with server(tmp_path) as events:
            bots = ("greedy", "idiot", "idiot:seed=1", "idiot")
            opened = await events.start(wish(*bots, format=format, games=2), Session())
            state = await until(events, opened.name, has_ended)
            assert state.message == ""
            assert {row.name for row in state.table} == {"greedy", "idiot", "idiot:seed=1", "idiot (2)"}
            assert state.planned is not None
            assert 0 < state.played <= state.planned
            competing = [row for row in state.table if row.rank is not None]
            assert len(competing) == (3 if format == "gauntlet" else 4)
            assert all((row.points is None) == (format == "match") for row in state.table)

    run(work)


def test_the_plan_fits_the_number_of_players() -> None:
    made = make_plan("g", 3, "gauntlet", ["a", "b", "c", "d"], 10, None, 0)
    assert (made.staff, made.bots, made.format, made.games) == (["a", "b"], ["c", "d"], "gauntlet:repeats=4", 12)
    assert make_plan("g", 2, "knockout", ["a", "b"], 10_000, None, 0).format == "knockout:best_of=99"
    assert make_plan("g", 2, "adaptive", ["a", "b", "c"], 10, None, 0).format == "adaptive:meetings=15"
    with refuses("format.players", format="swiss", players=3):
        make_plan("g", 3, "swiss", ["a", "b", "c"], 2, None, 0)


def test_three_players_at_a_board(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "three.py").write_text(take_away.for_three(), encoding="utf-8")
    reader = Reader(ServerLimits(), Folders(games=(tmp_path / "games",)))

    async def work() -> None:
        async with server(tmp_path / "events", reader) as events:
            request = wish("greedy", "idiot", "idiot:seed=1", game="games/three.py", games=10)
            opened = await events.start(request, Session())
            state = await until(events, opened.name, has_ended)
            assert (state.played, state.planned) == (12, 12)  # every opening from three seats
            assert state.fair_share == pytest.approx(1 / 3)
            for row, column in ((0, 1), (0, 2), (1, 2)):
                one, other = state.cross[row][column], state.cross[column][row]
                assert one is not None
                assert other is not None
                assert one[1] == other[1] == one[0] + other[0] == 12

    run(work)


@pytest.mark.parametrize(
    ("request_", "id", "parameters"),
    [
        (wish(format="lottery"), "format.unknown", {"name": "lottery"}),
        (wish("greedy"), "event.two_bots", {}),
        (wish("greedy", format="swiss"), "format.too_few", {"format": "swiss", "least": 2, "bots": 1}),
        (wish("greedy", "nobody"), "spec.no_bot", {"name": "nobody"}),
        (wish("greedy", "ugi:./engine"), "server.no_programs", {"spec": "ugi:./engine"}),
        (wish("greedy", "/etc/passwd"), "server.no_bot", {"name": "/etc/passwd"}),
        (wish(game=TAKE_AWAY), "server.no_game", {"name": TAKE_AWAY}),
    ],
)
def test_what_cannot_be_played_is_refused_at_once(
    tmp_path: Path, request_: StartEvent, id: str, parameters: dict[str, object]
) -> None:
    async def work() -> None:
        async with server(tmp_path / "events") as events:
            with refuses(id, **parameters) as error:
                await events.start(request_, Session())
            assert isinstance(error.value, PalabreError)
            assert not ENGLISH.search(error.value.text("fr"))
            assert (await events.entries(Session())).events == []

    run(work)


def test_two_starts_at_once_are_one_event(tmp_path: Path) -> None:
    async def work() -> None:
        async with server(tmp_path) as events:
            results = await asyncio.gather(
                *(events.start(wish(games=ENDLESS), Session()) for _ in range(2)), return_exceptions=True
            )
            [opened] = [result for result in results if not isinstance(result, BaseException)]
            [refused] = [result for result in results if isinstance(result, Refused)]
            assert refused.id == "event_busy"
            holds(refused.message, "refusal.event_busy", event=opened.name)
            [entry] = (await events.entries(Session())).events
            assert entry.is_running

    run(work)


def test_two_events_where_two_are_allowed(tmp_path: Path) -> None:
    async def work() -> None:
        async with server(tmp_path, most=2) as events:
            names = [(await events.start(wish(games=ENDLESS), Session())).name for _ in range(2)]
            assert len(set(names)) == 2
            for name in names:
                await until(events, name, lambda state: state.is_running and state.played)

    run(work)


def test_a_bot_that_ends_the_event_is_told(tmp_path: Path) -> None:
    """A bot that cannot be loaded ends a match; in a championship it loses."""
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "sick.py").write_text("raise RuntimeError('sick')\n", encoding="utf-8")
    reader = Reader(ServerLimits(), Folders((tmp_path / "bots",), READER.folders.games))

    async def work() -> None:
        async with server(tmp_path / "events", reader) as events:
            opened = await events.start(wish("greedy", "bots/sick.py"), Session())
            state = await until(events, opened.name, has_ended)
            assert tells(state.message, "spec.unloadable", file="sick.py")
            assert str(tmp_path) not in state.message
            [entry] = (await events.entries(Session())).events
            assert entry.message == state.message
            french = await events.watch(opened.name, Session(language="fr"))
            assert plain(french.message) == "impossible de charger sick.py : « RuntimeError: sick (sick.py, line 1) »"

    run(work)


@needs_sandbox
def test_why_a_bot_has_lost_or_was_rejected_is_told_in_french(tmp_path: Path) -> None:
    (tmp_path / "bots").mkdir()
    code = "import os\nfrom palabre import Bot\nclass Leaver(Bot):\n    name = 'Leaver'\n    authors = 'me'\n"
    code += "    def choose(self, position, clock): os._exit(3)\n"
    (tmp_path / "bots" / "leaver.py").write_text(code, encoding="utf-8")
    reader = Reader(ServerLimits(), Folders((tmp_path / "bots",), READER.folders.games))
    why = "arrêt : son processus s’est terminé avec le code de sortie 3"
    where = "comme joueur 1, après 0 demi-coups de l’examen d’admission"

    async def work() -> None:
        async with server(tmp_path / "events", reader) as events:

            async def ended(*bots: str, format: str) -> EventState:
                opened = await events.start(wish(*bots, format=format, games=2), Session())
                await until(events, opened.name, has_ended)
                return await events.watch(opened.name, Session(language="fr"))

            played = await ended("idiot", "bots/leaver.py", format="match")
            assert {plain(game.ending) for game in played.games} == {f"bots/leaver.py perd : {why}"}
            without = await ended("idiot", "greedy", "bots/leaver.py", format="round-robin")
            assert {row.name for row in without.table} == {"idiot", "greedy"}
            assert plain(without.notes[0]) == f"Leaver n’a pas été admis : {why} ({where})"
            alone = await ended("idiot", "bots/leaver.py", format="round-robin")
            assert plain(alone.message).startswith("trop peu de bots sont admis : ")
            assert plain(alone.message).endswith(f" ; Leaver est refusé : {why} ({where})")

    run(work)


@pytest.mark.usefixtures("unprotected")
def test_files_are_shown_by_their_names(tmp_path: Path) -> None:
    (tmp_path / "bots").mkdir()
    gate = tmp_path / "gate"  # until it is there, each move takes a second
    code = "import time\nfrom pathlib import Path\nfrom palabre import Bot\n"
    code += "class Slow(Bot):\n    def choose(self, position, clock):\n"
    code += f"        for _ in range(100):\n            Path({str(gate)!r}).exists() or time.sleep(0.01)\n"
    code += "        return position.moves()[0]\n"
    (tmp_path / "bots" / "slow.py").write_text(code, encoding="utf-8")
    reader = Reader(ServerLimits(), Folders((tmp_path / "bots",), READER.folders.games))

    async def work() -> None:
        async with server(tmp_path / "events", reader) as events:
            opened = await events.start(wish("idiot", "bots/slow.py", game=f"{GAME}:heap=40", games=4), Session())
            live = await until(events, opened.name, lambda state: state.under_way)
            [game] = live.under_way
            assert sorted(game.players) == ["bots/slow.py", "idiot"]
            assert game.place.game == f"{GAME}:heap=40"
            assert not reader.positions(game.place)[-1].is_over
            gate.touch()
            done = await until(events, opened.name, has_ended)
            assert {row.name for row in done.table} == {"bots/slow.py", "idiot"}
            assert len(await events.games(opened.name, ["bots/slow.py"], Session())) == 4
            assert str(tmp_path) not in repr((live, done, await events.game(opened.name, 1, Session())))

    run(work)


# ------------------------------------------------------------------------------------- interrupted, and gone on with


@pytest.mark.usefixtures("unprotected")
def test_a_stopped_event_goes_on_and_plays_nothing_twice(tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    reader = gated(tmp_path, gate, most=4)

    async def work() -> None:
        async with server(tmp_path / "one", reader) as events, server(tmp_path / "other", reader) as others:
            request = wish("bots/gated.py", "idiot", games=20, seed=7)
            name = (await events.start(request, Session())).name
            await until(events, name, lambda state: state.played >= 4)
            await events.stop(name)
            stopped = await until(events, name, has_ended)
            assert (stopped.played, stopped.can, stopped.message, stopped.under_way) == (4, ["resume"], "", [])
            gate.touch()
            await asyncio.gather(events.resume(name), events.resume(name))  # two clicks are one
            await events.resume(name)  # again, while it is played: nothing happens
            done = await until(events, name, has_ended)
            assert (done.played, done.can) == (20, [])
            with pytest.raises(Refused) as refused:
                await events.resume(name)
            assert refused.value.id == "cannot_resume"
            assert (await others.start(request, Session())).name == name
            await until(others, name, has_ended)
        assert games_of(tmp_path / "one" / name) == games_of(tmp_path / "other" / name)

    run(work)


def test_it_is_stopped_at_once_where_interrupts_are_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a server that a shell has started in the background. Nobody waits for the process to be killed."""
    monkeypatch.setattr(runs, "PATIENCE", 2 * PATIENCE)

    async def work() -> None:
        async with server(tmp_path) as events:
            name = (await events.start(wish(game="awele", games=ENDLESS), Session())).name
            await until(events, name, lambda state: state.played)
            await events.stop(name)
            assert (await events.watch(name, Session())).can == ["resume"]

    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        run(work)
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("unprotected")
def test_it_is_stopped_at_once_in_the_middle_of_a_long_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while the process waits for the system, here in a bot that sleeps."""
    monkeypatch.setattr(runs, "PATIENCE", 2 * PATIENCE)
    reader = gated(tmp_path, tmp_path / "gate", most=0)
    bot = tmp_path / "bots" / "gated.py"
    asleep = f"Path({str(tmp_path / 'asleep')!r}).touch(); time.sleep(1000)"
    bot.write_text(bot.read_text().replace("time.sleep(0.01)", asleep), encoding="utf-8")

    async def work() -> None:
        async with server(tmp_path / "events", reader) as events:
            name = (await events.start(wish("bots/gated.py", "idiot"), Session())).name
            await until(events, name, lambda state: (tmp_path / "asleep").exists())
            await events.stop(name)
            assert (await events.watch(name, Session())).can == ["resume"]

    run(work)


def test_an_event_goes_on_after_the_server_was_started_again(tmp_path: Path) -> None:
    async def work() -> None:
        async with server(tmp_path) as events:
            request = wish("greedy", "idiot", "idiot:seed=1", format="round-robin", game="awele", games=ENDLESS)
            name = (await events.start(request, Session())).name
            before = await until(events, name, lambda state: state.played >= 2)
        async with server(tmp_path) as events:
            [entry] = (await events.entries(Session())).events
            assert (entry.event, entry.format, entry.is_running) == (name, before.format, False)
            state = await events.watch(name, Session())
            assert before.played <= state.played < ENDLESS
            assert state.can == ["resume"]
            await events.resume(name)
            again = await until(events, name, lambda later: later.played > state.played)
            assert (again.can, again.planned) == (["stop"], before.planned)

    run(work)


@pytest.mark.usefixtures("unprotected")
def test_a_killed_process_is_told_and_the_event_goes_on(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    gate = tmp_path / "gate"
    reader = gated(tmp_path, gate, most=2)

    async def work() -> None:
        async with server(tmp_path / "events", reader) as events:
            name = (await events.start(wish("bots/gated.py", "idiot", games=12), Session())).name
            await until(events, name, lambda state: state.played >= 2)
            [pid] = pids(events._runs[name]._lane)
            os.kill(pid, signal.SIGKILL)
            state = await until(events, name, has_ended)
            assert state.message == in_language("refusal.event_died", "en")
            assert "ended by SIGKILL" in caplog.text
            assert state.can == ["resume"]
            french = await events.watch(name, Session(language="fr"))
            assert french.message == in_language("refusal.event_died", "fr")
            gate.touch()
            await events.resume(name)
            state = await until(events, name, has_ended)
            assert (state.played, state.message) == (12, "")

    run(work)


def test_the_process_ends_with_a_server_that_is_killed(tmp_path: Path) -> None:
    code = """
import asyncio, sys
from pathlib import Path
from tests.web.events.eventing import *
from tests.web.pool.pools import pids
async def work():
    events = EventManager(Path(sys.argv[1]), READER)
    name = (await events.start(wish(game="awele", games=ENDLESS), Session())).name
    await until(events, name, lambda state: state.played)
    print(*pids(events._runs[name]._lane), name, flush=True)
    await asyncio.sleep(1000)
asyncio.run(work())
"""
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], env=environment(None), stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        pid, name = process.stdout.readline().split()
        process.kill()
    wait_until(lambda: not Path(f"/proc/{int(pid)}").exists())
    with new_event(tmp_path / "free.event"):
        pass  # the machinery of locks works,
    wait_until(lambda: not (tmp_path / f"{name.decode()}-lock").exists())  # and nobody holds this one


# ------------------------------------------------------------------------------------------------------------ watching


def test_whoever_watches_is_told_once_a_second_and_nobody_else(tmp_path: Path) -> None:
    beat = Beat()

    async def work() -> None:
        async with server(tmp_path, pause=beat) as events:
            watching, leaving, gone = Session("watcher"), Session(), Session()
            name = (await events.start(wish(game="awele", games=ENDLESS), Session())).name
            for session in (watching, leaving, gone):
                await events.watch(name, session)
            events.leave(name, leaving)
            events.leave_all(gone)
            states = watching.states
            while len(states) < 3 or states[0].played == states[-1].played:
                await beat.tick()
                assert len(watching.states) <= len(states) + 1
                states = watching.states
            assert beat.seconds == {module.EVERY}
            assert leaving.sent == gone.sent == []
            played = [state.played for state in states]
            assert played == sorted(played)
            assert all(state.can == [] for state in states)  # a watcher stops nothing
            await events.stop(name)
            while watching.states[-1].is_running:
                await beat.tick()
            await beat.tick()
            count = len(watching.sent)
            for _ in range(3):
                await beat.tick()
            assert len(watching.sent) == count  # nothing new

    run(work)


def test_a_page_watches_a_few_events_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WATCHED", 2)
    beat = Beat()
    names = [f"{number}.event" for number in range(3)]
    for name in names:
        with new_event(tmp_path / name, game="awele") as store:
            play(store, 1)

    async def work() -> None:
        async with server(tmp_path / "data", others=[tmp_path], pause=beat) as events:
            session = Session()
            for name in names:
                await events.watch(name, session)
            for name in names:
                with new_event(tmp_path / name, game="awele") as store:
                    play(store, 2)
            await beat.tick()
            assert {state.event: state.played for state in session.states} == dict.fromkeys(names[1:], 4)

    run(work)


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    async def work() -> None:
        async with server(tmp_path / "file" / "events") as events:
            with refuses("refusal.event_not_started"):
                await events.start(wish(), Session())

    run(work)


def test_only_the_operator_may_begin_stop_and_resume(tmp_path: Path) -> None:
    async def work() -> None:
        async with server(tmp_path) as events:
            name = (await events.start(wish(games=ENDLESS), Session())).name
            for role, may in (("operator", True), ("player", False), ("watcher", False)):
                session = Session(role)
                assert (await events.entries(session)).can_start is may
                assert (await events.watch(name, session)).can == (["stop"] if may else [])

    run(work)


def test_the_server_imports_neither_numpy_nor_numba(tmp_path: Path) -> None:
    code = """
import asyncio, sys
from pathlib import Path
from tests.web.events.eventing import *
async def work():
    async with server(Path(sys.argv[1])) as events:
        name = (await events.start(wish(), Session())).name
        state = await until(events, name, has_ended)
        assert state.table[0].rating is not None
asyncio.run(work())
print({"numpy", "numba"} & set(sys.modules))
"""
    assert python(code, str(tmp_path), NUMBA_DISABLE_JIT="1") == "set()\n"


def test_a_browser_begins_watches_and_replays_an_event(tmp_path: Path) -> None:
    """The whole way: page, socket, server, process, file, and back."""
    with serving(tmp_path) as running:
        operator = running.operator()
        assert operator.ask("Events")["can_start"]
        wanted = {"game": "awele", "format": "match", "bots": ["greedy", "idiot"], "games": 20, "seconds": 100.0}
        name = operator.ask("StartEvent", **wanted)["name"]
        state = operator.ask("WatchEvent", event=name)
        while state["is_running"]:
            state = operator.wait("EventChanged")["state"]
        assert (state["played"], state["planned"], state["message"]) == (20, 20, "")
        game = operator.ask("EventGame", event=name, number=20)
        shown = operator.ask("ShowLine", place=game["place"])
        assert len(shown["plies"]) == 1 + len(game["place"]["moves"])
        assert shown["now"]["is_over"]
        pair = [row["name"] for row in state["table"]]
        assert len(operator.ask("EventGames", event=name, bots=pair)) == 20
        with read_store(tmp_path / "games-events" / name) as store:
            # No more than the server allows, however much was asked for.
            assert {bot.clock.per_move for bot in store.bots()} == {ServerLimits().seconds}
