"""Events: the same games whoever plays them, nothing played twice, nothing lost, and dead workers replaced."""

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import palabre
from palabre.arena.event import MOST_REPLAYS, Event, EventProgress
from palabre.arena.games import GameQueue
from palabre.arena.lineups import fixed_list, lineups
from palabre.arena.playing import REPORT, Player, PlayGame, Setup, luck_of
from palabre.arena.rows import FORFEIT_REPLAYED, MACHINE_LATE, GameRow, Meeting, Outcome, UnderWay, replays
from palabre.core.errors import PalabreError
from palabre.core.system import start_program
from palabre.search.clock import Clock
from palabre.workers.job import Lane
from tests import take_away
from tests.arena.events import TAKE_AWAY, new_event, play, timeless
from tests.command import PATIENCE, wait_until
from tests.messages import refuses
from tests.sentences import tells

pytestmark = pytest.mark.processes

SICK = """\
import os, sys
from palabre import Bot
class Sick(Bot):
    def choose(self, position, clock):
        {body}
        return position.moves()[0]
"""


def write(folder: Path, body: str, more: str = "") -> str:
    (folder / "sick.py").write_text(SICK.format(body=body) + more, encoding="utf-8")
    return str(folder / "sick.py")


# ----------------------------------------------------------------------------------------- the same, whoever plays


@pytest.mark.parametrize(
    ("specs", "crews"),
    [
        (("greedy", "idiot", "alphabeta:depth=2", "idiot:seed=3"), (0, 1, 2, 5)),
        (("palabre:nodes=300", "palabre:nodes=700", "mcts:nodes=60", "mcts:nodes=90,seed=3"), (0, 3)),
    ],
    ids=["by depth and by chance", "by nodes"],
)
def test_any_number_of_workers_plays_the_same_games(
    specs: tuple[str, ...], crews: tuple[int, ...], tmp_path: Path
) -> None:
    """Moves, depths, nodes, results, seats, openings and luck are equal to the letter.

    The bots that search keep their tables and trees from move to move, and must not keep them from game to game.
    """
    found = []
    for workers in crews:
        with new_event(tmp_path / f"{workers}", specs, game="awele") as store:
            play(store, 2, workers)
            texts = "\n".join(record.to_text() for record in store.records())
            found.append((texts, timeless(store.games()), store.openings()))
    assert len(found[0][1]) == 24
    assert found[1:] == found[:1] * (len(crews) - 1)


def test_a_game_depends_on_nobody_who_does_not_play_in_it() -> None:
    with new_event(None, ("idiot", "greedy")) as small, new_event(None, ("idiot:seed=9", "greedy", "idiot")) as large:
        play(small, 3)
        play(large, 3)
        alone = {(row.meeting.repeat, row.bots): row.moves for row in small.games()}
        among = {(row.meeting.repeat, row.bots): row.moves for row in large.games() if "idiot:seed=9" not in row.bots}
    assert alone == among


def test_luck_differs_in_every_game_and_is_the_same_whoever_is_named_first() -> None:
    meetings = [Meeting(0, ("a", "b"), repeat) for repeat in range(50)]
    assert len({luck_of(1, meeting, rotation) for meeting in meetings for rotation in (0, 1)}) == 100
    assert luck_of(1, Meeting(0, ("a", "b"), 3), 0) == luck_of(1, Meeting(7, ("b", "a"), 3), 1)
    assert luck_of(1, Meeting(0, ("a", "b", "a", "b"), 3), 0) != luck_of(1, Meeting(0, ("a", "b", "a", "b"), 3), 2)
    assert luck_of(1, meetings[0], 0) != luck_of(2, meetings[0], 0)


def test_each_opening_is_played_in_every_rotation_of_the_seats(tmp_path: Path) -> None:
    (tmp_path / "three.py").write_text(take_away.for_three(), encoding="utf-8")
    with new_event(None, ("greedy", "idiot", "idiot:seed=1"), game=str(tmp_path / "three.py")) as store:
        rows = play(store, 2)
    assert [row.bots for row in rows[:3]] == [
        ("greedy", "idiot", "idiot:seed=1"),
        ("idiot", "idiot:seed=1", "greedy"),
        ("idiot:seed=1", "greedy", "idiot"),
    ]
    assert len({row.moves[:2] for row in rows[:3]}) == 1
    assert all(sum(row.shares) == 1 and row.opening == 2 for row in rows)


@pytest.mark.parametrize(("bots", "seats"), [(2, 2), (3, 2), (2, 3), (3, 3), (5, 3), (2, 4), (3, 4), (4, 4), (6, 4)])
def test_line_ups_use_every_bot_equally_often(bots: int, seats: int) -> None:
    names = [f"bot {number}" for number in range(bots)]
    found = lineups(names, seats)
    assert all(len(lineup) == seats for lineup in found)
    assert len(set(Counter(name for lineup in found for name in lineup).values())) == 1
    assert len(set(found)) == len(found)
    assert all(len(set(lineup)) == min(bots, seats) for lineup in found)


def test_a_bot_in_two_seats_is_two_bots(tmp_path: Path) -> None:
    path = write(tmp_path, "assert self.seat == position.to_move", "    def start(self, game, seat): self.seat = seat")
    (tmp_path / "three.py").write_text(take_away.for_three(), encoding="utf-8")
    with new_event(None, (path, "idiot"), game=str(tmp_path / "three.py")) as store:
        assert [row.forfeit for row in play(store, 2)] == [None] * 12


# ---------------------------------------------------------------------------------------------------------- going on


def test_an_event_goes_on_and_plays_nothing_twice(tmp_path: Path) -> None:
    with new_event(None) as store:
        play(store, 6)
        whole = timeless(store.games())
    file = tmp_path / "e"
    with new_event(file) as store:
        coming = Event(store, fixed_list(2, 6)).play()
        for _ in range(5):  # in the middle of the third meeting
            next(coming)
        coming.close()
    with new_event(file) as store:
        assert len(store.games()) == 5
        assert len(store.outcomes()) == 4
        assert len(play(store, 6, workers=2)) == 7
        assert timeless(store.games()) == whole


def test_kill_9_loses_at_most_the_games_under_way(tmp_path: Path) -> None:
    file = tmp_path / "e"
    code = (
        "import sys; from pathlib import Path; from tests.arena.events import new_event, play\n"
        "with new_event(Path(sys.argv[1])) as store:\n"
        "    play(store, 10**4, 2, watcher=lambda row, progress: print(progress.done, flush=True))"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(file)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    told = 0
    while told < 40:
        told = int(process.stdout.readline())
    process.kill()
    rest, _ = process.communicate()
    told = int(rest.split()[-1]) if rest.split() else told
    with new_event(file) as store:
        kept = store.games()
        assert len(kept) >= told
        repeats = max(row.meeting.repeat for row in kept) + 1
        assert len(play(store, repeats)) == 2 * repeats - len(kept)
        games = timeless(store.games())
    with new_event(None) as store:
        play(store, repeats)
        assert timeless(store.games()) == games


def test_adding_a_bot_plays_only_its_games(tmp_path: Path) -> None:
    file = tmp_path / "e"
    with new_event(file, ("greedy", "idiot")) as store:
        before = play(store, 3)
    with new_event(file, ("greedy", "idiot", "idiot:seed=1")) as store:
        added = play(store, 3)
        assert all("idiot:seed=1" in row.bots for row in added)
        assert len(added) == 12
        assert [row for row in store.games() if "idiot:seed=1" not in row.bots] == before


def test_a_bot_that_has_changed_plays_its_games_again(tmp_path: Path) -> None:
    with new_event(None, ("greedy", "idiot", "idiot:seed=1")) as store:
        play(store, 2)
        changed = [replace(bot, digest="new") for bot in store.bots() if bot.name == "greedy"]
        store.admit(changed, again=["greedy"])
        again = play(store, 2)
        assert len(again) == 8
        assert all(row.attempt == 2 and "greedy" in row.bots and "new" in row.digests for row in again)
        assert len(store.games(superseded=True)) == 12 + 8
        assert len(store.outcomes()) == 12


def test_rounds_are_drawn_from_the_outcomes_of_the_rounds_before(tmp_path: Path) -> None:
    seen: list[list[int]] = []

    def next_round(names: Sequence[str], played: Sequence[Outcome]) -> list[Meeting]:
        number = len(played) // 2
        seen.append([outcome.meeting.round for outcome in played])
        return [Meeting(number, (names[0], names[1]), number)] if number < 3 else []

    file = tmp_path / "e"
    with new_event(file) as store:
        coming = Event(store, next_round).play()
        for _ in range(3):
            next(coming)
        coming.close()
    seen.clear()
    with new_event(file) as store:
        event = Event(store, next_round, workers=1)
        assert event.run()
        assert event.progress.done == event.progress.scheduled == 6
        assert event.progress.round == 3
    assert seen == [[], [0, 0], [0, 0, 1, 1], [0, 0, 1, 1, 2, 2]]


@pytest.mark.parametrize(("workers", "games"), [(0, {20}), (2, {20, 22, 24})])
def test_when_the_time_is_over_whole_meetings_are_done(
    workers: int, games: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game takes one second of the clock, and there are 20; of two workers each finishes what it was given."""
    monkeypatch.setattr(GameQueue, "game_seconds", 1.0)
    monkeypatch.setattr(Lane, "job_seconds", 1.0)
    with new_event(None) as store:
        event = Event(store, fixed_list(2, 1000), workers=workers, until=20.0, now=lambda: event.progress.done)
        assert not event.run()
        assert len(store.games()) == len(store.outcomes())
        assert len(store.games()) in games


def test_nothing_is_begun_when_the_time_is_over() -> None:
    with new_event(None) as store:
        assert not Event(store, fixed_list(2, 10), until=99.0, now=lambda: 100.0).run()
        assert store.games() == []


# ------------------------------------------------------------------------------------------------- played once more


@pytest.mark.usefixtures("unprotected")
def test_forfeited_games_are_played_once_more_and_both_are_kept(tmp_path: Path) -> None:
    (tmp_path / "tries").mkdir()
    body = f"os.mkdir({str(tmp_path / 'tries')!r} + f'/{{position.text}}') if len(position.played) == 2 else None"
    path = write(tmp_path, body)  # fails whenever somebody has been in this position before
    with new_event(None, (path, path.replace("sick", "./sick")), game=f"{TAKE_AWAY}:heap=30") as store:
        play(store, 3)
        forfeited = [row for row in store.games() if row.forfeit is not None]
        assert forfeited
        replayed = play(store, 3, replay_forfeits=True)
        assert len(replayed) == len(forfeited)
        assert all(row.attempt == 2 for row in replayed)
        kept = [row for row in store.games(superseded=True) if row.superseded]
        assert [row.superseded for row in kept] == [FORFEIT_REPLAYED] * len(forfeited)
        assert all("FileExistsError" in str(row.details) and "sick.py" in str(row.details) for row in kept)
        assert play(store, 3, replay_forfeits=True) == []


def test_a_game_for_which_the_machine_was_late_is_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever measures lateness says so in the row; here it is every first attempt at a first seat."""
    whole = Player.play

    def late(self: Player, task: PlayGame, report: object = None) -> GameRow:
        row = whole(self, task)
        return replace(row, machine_late=task.rotation == 0 and task.attempt < 3)

    monkeypatch.setattr(Player, "play", late)
    with new_event(None) as store:
        assert len(play(store, 2)) == 8
        assert [row.attempt for row in store.games()] == [3, 1, 3, 1]
        assert [row.superseded for row in store.games(superseded=True)].count(MACHINE_LATE) == 4


def test_a_bot_that_is_late_too_often_loses_whatever_the_machine_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is on record counts, so that a later run gives it no more."""
    whole = Player.play

    def late(self: Player, task: PlayGame, report: object = None) -> GameRow:
        row = whole(self, task)
        return replace(row, forfeit=0, shares=(0.0, 1.0), machine_late=True) if row.bots[0] == "greedy" else row

    monkeypatch.setattr(Player, "play", late)
    with new_event(None) as store:
        play(store, 2)
        assert replays(store.games(superseded=True)) == {"greedy": 6}  # three for each of its two games
        play(store, 10)
        assert replays(store.games(superseded=True)) == {"greedy": MOST_REPLAYS}
        games = len(store.games(superseded=True))
        assert play(store, 10) == []
        assert len(store.games(superseded=True)) == games
        assert all(row.forfeit == 0 for row in store.games() if row.bots[0] == "greedy")


# ---------------------------------------------------------------------------------------------------------- workers


@pytest.mark.usefixtures("unprotected")
def test_a_worker_that_dies_now_and_then_is_replaced(tmp_path: Path) -> None:
    flag = tmp_path / "died"
    body = (
        f"len(position.played) == 3 and not os.path.exists({str(flag)!r}) and (open({str(flag)!r}, 'w'), os._exit(3))"
    )
    with new_event(None, (write(tmp_path, body), "idiot")) as store:
        rows = play(store, 4, workers=2)
    assert flag.exists()
    assert len(rows) == len({(row.meeting, row.rotation) for row in rows}) == 8


@pytest.mark.usefixtures("unprotected")
def test_bots_that_always_end_their_worker_stop_the_event_and_are_named(tmp_path: Path) -> None:
    body = "len(position.played) > 6 and (print('I am leaving', flush=True), os._exit(3))"
    path = write(tmp_path, body)
    with new_event(None, ("greedy", "idiot", path), game=f"{TAKE_AWAY}:heap=40") as store:
        with refuses("event.deaths", times=3) as caught:
            play(store, 2, workers=1)
        told = str(caught.value)
        assert path in told
        assert tells(told, "ended.code", code=3)
        assert "I am leaving" in told
        assert len(store.games()) == 2  # those of the others were played, and are kept


@pytest.mark.usefixtures("unprotected")
def test_a_killed_worker_is_named_as_such(tmp_path: Path) -> None:
    path = write(tmp_path, "os.kill(os.getpid(), 9)")
    with new_event(None, (path, "idiot")) as store, refuses("event.deaths") as caught:
        play(store, 1, workers=1)
    assert tells(str(caught.value), "ended.signal", signal="SIGKILL")


@pytest.mark.usefixtures("unprotected")
def test_a_worker_that_takes_long_to_end_is_waited_for(tmp_path: Path) -> None:
    """It has closed all pipes of ours: that it ends is known before it has ended, and how is not."""
    path = write(tmp_path, "import time; os.closerange(2, 99); time.sleep(1); os._exit(7)")
    with new_event(None, (path, "idiot")) as store, refuses("event.deaths") as caught:
        play(store, 1, workers=1)
    assert tells(str(caught.value), "ended.code", code=7)


@pytest.mark.usefixtures("unprotected")
def test_a_program_that_a_bot_leaves_behind_does_not_hold_up_the_event(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has a session of its own, and the pipe of standard error."""
    monkeypatch.setattr("palabre.workers.pool.LEAVING", 0.2)
    pids = tmp_path / "pids"
    sleeper = f"subprocess.Popen(['sleep', '{2 * PATIENCE}'], start_new_session=True)"
    body = f"import subprocess; print({sleeper}.pid, file=open({str(pids)!r}, 'a'))"
    try:
        with new_event(None, (write(tmp_path, body), "idiot")) as store:
            assert len(play(store, 1, workers=1)) == 2
        assert all(is_alive(int(pid)) for pid in pids.read_text().split())
    finally:
        for pid in pids.read_text().split():
            os.kill(int(pid), signal.SIGKILL)


@pytest.mark.usefixtures("unprotected")
def test_what_bots_print_is_nobodys_game(tmp_path: Path) -> None:
    path = write(tmp_path, "print('{\"game\": 1}', flush=True); os.write(1, b'[]\\n'); sys.stdin.read()")
    said: list[str] = []
    with new_event(None, (path, "idiot")) as store:
        assert [row.forfeit for row in play(store, 2, workers=1, on_output=said.append)] == [None] * 4
    assert set(said) == {'{"game": 1}', "[]"}


@pytest.mark.usefixtures("unprotected")
@pytest.mark.parametrize("words", ["garbage", "[]", '{"game": {"meeting": [0, ["a"], 0]}}', '{"game": 7}', "7"])
def test_a_bot_that_writes_to_our_pipe_is_not_believed(tmp_path: Path, words: str) -> None:
    """It finds the pipe by trying all descriptors; the worker is ended, and the bots are named."""
    body = f"[os.write(fd, {words!r}.encode() + b'\\n') for fd in range(3, 20) if is_pipe(fd)]"
    more = (
        "import stat\n"
        "def is_pipe(fd):\n"
        "    try: return stat.S_ISFIFO(os.fstat(fd).st_mode) and os.get_blocking(fd) and fd != 0 and writable(fd)\n"
        "    except OSError: return False\n"
        "def writable(fd):\n"
        "    import fcntl\n"
        "    return fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_ACCMODE == os.O_WRONLY\n"
    )
    path = write(tmp_path, body, more)
    with new_event(None, (path, "idiot")) as store:
        with refuses("event.deaths", bots=[path, "idiot"], times=3):
            play(store, 1, workers=1)
        assert store.games() == []


def test_a_bot_that_cannot_be_made_or_taught_is_told(tmp_path: Path) -> None:
    path = write(tmp_path, "pass", "    def learn(self, data, budget): data[0]")
    for workers in (0, 1):
        with (
            new_event(None, (path, "idiot")) as store,
            pytest.raises(PalabreError, match="cannot learn: error: IndexError"),
        ):
            play(store, 1, workers)


@pytest.mark.usefixtures("unprotected")
def test_a_bot_that_fails_to_load_loses_and_two_of_them_get_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, "pass", "    def learn(self, data, budget): data[0]")
    other = tmp_path / "other.py"
    other.write_text("raise OSError('no such book')", encoding="utf-8")
    for workers in (0, 1):
        with new_event(None, ("idiot", path, str(other))) as store:
            play(store, 2, workers, load_failures_lose=True)
            rows = store.games()
        assert len(rows) == 12
        assert {(row.bots, row.shares, row.forfeit) for row in rows} == {
            (("idiot", path), (1.0, 0.0), 1),
            ((path, "idiot"), (0.0, 1.0), 0),
            (("idiot", str(other)), (1.0, 0.0), 1),
            ((str(other), "idiot"), (0.0, 1.0), 0),
            ((path, str(other)), (0.0, 0.0), 0),
            ((str(other), path), (0.0, 0.0), 0),
        }
        both = next(row for row in rows if row.shares == (0.0, 0.0))
        assert "player 1 loses: " in both.ending
        assert "cannot learn: error: IndexError" in both.ending
        assert "no such book" in both.ending
        record = both.record(palabre.game(TAKE_AWAY))
        assert (record.result, len(record.positions())) == ("0-0", 3)


@pytest.mark.usefixtures("unprotected")
def test_workers_end_with_the_event_and_with_their_parent(tmp_path: Path) -> None:
    body = f"open({str(tmp_path)!r} + f'/{{os.getpid()}}.pid', 'w').close()"
    path = write(tmp_path, body)

    def living() -> list[int]:
        pids = [int(file.stem) for file in tmp_path.glob("*.pid")]
        return [pid for pid in pids if is_alive(pid)]

    with new_event(None, (path, "idiot")) as store:
        play(store, 6, workers=2)
    assert len(list(tmp_path.glob("*.pid"))) == 2
    assert living() == []
    code = (
        "import sys; from tests.arena.events import new_event, play\n"
        "with new_event(None, (sys.argv[1], 'idiot')) as store: play(store, 10**4, 2)"
    )
    with subprocess.Popen([sys.executable, "-c", code, path]) as process:
        wait_until(lambda: len(list(tmp_path.glob("*.pid"))) == 4)
        process.kill()
    wait_until(lambda: living() == [])


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def test_ctrl_c_ends_at_once_and_keeps_what_has_ended(tmp_path: Path) -> None:
    """One bot sleeps for ever in its second meeting; the games of the first are kept."""
    path = write(
        tmp_path, f"import time; len(position.played) == 2 and self.roll(4) == 0 and time.sleep({2 * PATIENCE})"
    )
    file = tmp_path / "e"
    code = (
        "import sys; from pathlib import Path; from tests.arena.events import new_event, play\n"
        "with new_event(Path(sys.argv[1]), (sys.argv[2], 'idiot')) as store:\n"
        "    play(store, 10**4, 2, watcher=lambda row, progress: print(progress.done, flush=True))"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(file), path], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        last = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=PATIENCE)
    with new_event(file, (path, "idiot")) as store:
        assert len(store.games()) == int((rest.split() or [last])[-1])


def test_short_work_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palabre.workers.process.start_program", lambda *given: pytest.fail("a process was started"))
    monkeypatch.setattr("palabre.arena.games.HESITATION", PATIENCE)
    with new_event(None) as store:
        assert len(play(store, 5, workers=4, begins_here=True)) == 10


def test_long_work_does(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []

    def start(words: Sequence[str], environment: Mapping[str, str]) -> "subprocess.Popen[bytes]":
        program = start_program(words, environment)
        started.append(program.pid)
        return program

    monkeypatch.setattr("palabre.workers.process.start_program", start)
    monkeypatch.setattr("palabre.arena.games.HESITATION", 0.0)
    with new_event(None) as store:
        assert len(play(store, 120, workers=2, begins_here=True)) == 240
        whole = timeless(store.games())
    assert len(started) == 2
    with new_event(None) as store:
        play(store, 120)
        assert timeless(store.games()) == whole


def test_a_process_that_cannot_be_started_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    with new_event(None) as store, refuses("event.no_process"):
        play(store, 1, workers=1)


def test_games_can_be_told_to_stop() -> None:
    setup = Setup(TAKE_AWAY, 0, {"a": ("idiot", Clock()), "b": ("idiot", Clock())})
    with GameQueue(setup) as games:
        games.is_stopped = True
        assert list(games.games()) == []


# --------------------------------------------------------------------------------------------- what is on record


def test_a_game_on_record_is_whole() -> None:
    clocks = {"greedy": Clock(), "alphabeta:depth=2": Clock(), "palabre:nodes=50": Clock(), "mcts:time=0.001": Clock()}
    with new_event(None, tuple(clocks), game="awele") as store:
        rows = play(store, 1)
    game = palabre.game("awele")
    for row in rows:
        last = row.record(game).positions()[-1]
        assert (last.is_over, last.result, last.scores) == (True, row.shares, row.scores)
        assert row.margin == abs(row.scores[0] - row.scores[1])
        assert len(row.moves) == len(row.movers) == len(row.seconds) == len(row.depths) == len(row.nodes) == row.plies
        assert row.movers == tuple(ply % 2 for ply in range(row.plies))
        assert row.seconds[:2] == row.depths[:2] == row.nodes[:2] == (None, None)
        for ply in range(2, row.plies):
            mover = row.bots[row.movers[ply]]
            seconds, depth, nodes = row.seconds[ply], row.depths[ply], row.nodes[ply]
            assert seconds is not None
            assert (depth is not None) == (mover in ("alphabeta:depth=2", "palabre:nodes=50")) or depth
            assert (nodes is not None) == (mover != "greedy")
        timed = [seat for seat, name in enumerate(row.bots) if name == "mcts:time=0.001"]
        assert row.timed == tuple(timed)
        assert row.record(game).tags.get("Timed") == (str(timed[0] + 1) if timed else None)
        assert row.digests == tuple(f"digest of {name}" for name in row.bots)


def test_progress_tells_how_long_it_will_take() -> None:
    seen: list[EventProgress] = []
    with new_event(None) as store:
        play(store, 4, watcher=lambda row, progress: seen.append(replace(progress)))
    assert [progress.done for progress in seen] == list(range(1, 9))
    assert all(progress.scheduled == 8 for progress in seen)
    assert seen[-1].seconds_left == 0
    assert seen[0].seconds_left is not None
    assert seen[0].seconds_left > 0


# ------------------------------------------------------------------------------------------- games that are under way


@pytest.mark.usefixtures("unprotected")
@pytest.mark.parametrize("workers", [0, 1])
def test_the_moves_of_a_slow_game_are_told_while_it_is_played(tmp_path: Path, workers: int) -> None:
    slow = write(tmp_path, f"import time; time.sleep({REPORT})")
    told: list[UnderWay] = []
    with new_event(None, (slow, "idiot"), game=f"{TAKE_AWAY}:heap=20") as store:
        rows = {(row.meeting, row.rotation): row for row in play(store, 1, workers, on_moves=told.append)}
    slow_moves = sum(row.bots[mover] == slow for row in rows.values() for mover in row.movers[row.opening : -1])
    assert len(told) >= slow_moves > 4
    for one in told:
        row = rows[one.meeting, one.rotation]
        assert one.bots == row.bots
        assert row.opening < len(one.moves) < len(row.moves)
        assert row.moves[: len(one.moves)] == one.moves
    assert {one.rotation for one in told} == {0, 1}


def test_quick_games_are_not_told_move_by_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palabre.arena.playing.REPORT", PATIENCE)
    told: list[UnderWay] = []
    with new_event(None) as store:
        play(store, 50, on_moves=told.append)
    assert len(told) <= 1
