"""The pool, with real processes: who gets what, in which order, and what happens to those that stop, hang or die."""

import asyncio
import os
import signal
import subprocess
import sys
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

import palabre
from palabre.bots.review import review
from palabre.web.limits import Folders, ServerLimits
from palabre.web.pool import thinking
from palabre.web.pool.tasks import BestLines, Choose, Chosen, Prepare, ReviewGame, Reviewing, SearchSetup, Think
from palabre.web.pool.thinking import TEMPORARY, SearchPool
from palabre.web.requests import Place
from palabre.workers.job import Job
from palabre.workers.messages import Order, Preparing, Task, TaskFailed, to_line, to_raw
from palabre.workers.service import encoded
from tests.arena.needs import needs_sandbox
from tests.command import PATIENCE
from tests.messages import parts, refuses
from tests.web.held import held_game
from tests.web.pool.pools import AGES, LATER, PLACE, failure, open_pool, pids, run, until

pytestmark = [pytest.mark.processes, pytest.mark.usefixtures("plain_python")]


# ------------------------------------------------------------------------------------------------------ what jobs bring


def test_a_bot_chooses_a_move_and_says_what_it_thinks() -> None:
    async def scenario() -> None:
        async with open_pool(1) as pool:
            chosen = await pool.submit(Choose(LATER, "palabre:nodes=300", seat=1), owner="a").outcome()
            assert chosen.move in [move.text for move in last_position().moves()]
            assert chosen.chance is not None
            assert chosen.seconds > 0

    run(scenario())


def test_a_bot_says_when_it_has_lost(small_game: Path) -> None:
    """Four sticks are lost for whoever is to move."""
    lost = Place(f"{small_game.parent.name}/take_away.py", "4 1")

    async def scenario() -> None:
        async with open_pool(1, folders=Folders(games=(small_game,))) as pool:
            for bot, proven in (("palabre:depth=8", -1), ("mcts:nodes=200", -1)):
                assert (await pool.submit(Choose(lost, bot), owner="a").outcome()).proven_result == proven
            silent = await pool.submit(Choose(lost, "greedy"), owner="a").outcome()
            assert (silent.chance, silent.proven_result) == (None, None)

    run(scenario())


def last_position() -> palabre.Position:
    position = palabre.game(LATER.game).start()
    for move in LATER.moves:
        position = position.play(move)
    return position


def test_a_move_follows_from_place_bot_seed_and_seat_alone() -> None:
    """Whichever process plays it, whatever it has done before, and after a restart."""
    bots = [
        "idiot",
        "palabre:nodes=300",
        "palabre:level=2",
        "mcts:nodes=40",
        "alphabeta:depth=2",
        "montecarlo:playouts=2",
    ]
    wanted = [Choose(place, bot, seed=seed) for bot in bots for place in (PLACE, LATER) for seed in (1, 2)]

    async def moves(pool: SearchPool, order: list[Choose]) -> list[str]:
        submitted = [pool.submit(job, owner=f"owner {number % 3}") for number, job in enumerate(order)]
        return [(await job.outcome()).move for job in submitted]

    async def scenario() -> None:
        async with open_pool(2) as pool:
            first = await moves(pool, wanted)
            assert await moves(pool, wanted[::-1]) == first[::-1]
            for pid in pids(pool.lanes[0]):
                os.kill(pid, signal.SIGKILL)
            assert await moves(pool, wanted[::3]) == first[::3]
        async with open_pool(1) as pool:
            assert await moves(pool, wanted[::2]) == first[::2]
            assert len(set(await moves(pool, [Choose(PLACE, "idiot", seed=seed) for seed in range(12)]))) > 1

    run(scenario())


def test_lines_come_while_a_search_goes_on() -> None:
    async def scenario() -> None:
        heard: list[Any] = []
        async with open_pool(1) as pool:
            job = pool.submit(Think(LATER, lines=2, seconds=AGES), owner="a", on_progress=heard.append)
            await until(lambda: heard and isinstance(heard[-1], BestLines) and len(heard[-1].lines) == 2)
            assert not job.is_done
            job.stop()
            last = await job.outcome()
        assert all(isinstance(report, BestLines) and not report.is_done for report in heard)
        assert last.is_done
        assert [line.rank for line in last.lines] == [1, 2]
        assert last.lines[0].shares is not None
        assert sum(last.lines[0].shares) == pytest.approx(1)

    run(scenario())


def test_there_is_nothing_to_think_about_when_the_game_is_over(small_game: Path) -> None:
    over = Place(f"{small_game.parent.name}/take_away.py:heap=3", moves=["3"])

    async def scenario() -> None:
        async with open_pool(1, folders=Folders(games=(small_game,))) as pool:
            assert (await pool.submit(Think(over), owner="a").outcome()).lines == []
            with refuses("thinking.game_over", bot="greedy"):
                await pool.submit(Choose(over, "greedy"), owner="a").outcome()

    run(scenario())


def test_a_review_is_that_of_the_library_and_tells_its_progress(small_game: Path) -> None:
    moves = ["3", "2", "3"]  # the second gives the win away
    positions = [palabre.game(str(small_game)).start()]
    for move in moves:
        positions.append(positions[-1].play(move))
    expected = review(positions)

    async def scenario() -> None:
        heard: list[Any] = []
        async with open_pool(1, folders=Folders(games=(small_game,))) as pool:
            place = Place(f"{small_game.parent.name}/take_away.py", moves=moves)
            job = pool.submit(ReviewGame(place), owner="a", on_progress=heard.append)
            found = (await job.outcome()).moves
        assert [(move.ply, move.move, move.best, move.lost, move.mistake) for move in found] == [
            (move.ply, move.move.text, move.best.move.text, move.chance_lost, move.mistake) for move in expected
        ]
        assert {move.mistake for move in found} == {None, "blunder"}
        assert heard[0] == Reviewing(1, 3)

    run(scenario())


@pytest.mark.parametrize(
    ("job", "id"),
    [
        (Choose(Place("awele", moves=["z"]), "greedy"), None),  # in the words of the game
        (Choose(Place("nogame"), "greedy"), "spec.no_game"),
        (Choose(PLACE, "nobody"), "spec.no_bot"),
        (Choose(PLACE, "ugi:cat"), "server.no_bot"),
        (Think(PLACE, "greedy"), "error.no_analysis"),
        (Think(PLACE, "mine/bot.py"), "thinking.no_guest"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(job: Task[Any], id: str | None) -> None:
    async def scenario() -> None:
        async with open_pool(1) as pool:
            with pytest.raises(TaskFailed) as error:
                await pool.submit(job, owner="a").outcome()
            assert error.value.id == "task.refused"
            assert id is None or id in [message.id for message in parts(error.value.message)]
            await pool.submit(Choose(PLACE, "greedy"), owner="a").outcome()  # and the process goes on

    run(scenario())


# ------------------------------------------------------------------------------------------------ stopped and cancelled


@pytest.mark.parametrize("bot", ["palabre:time=1000", "mcts:time=1000", "minimax:depth=30", "montecarlo:time=1000"])
def test_a_bot_that_is_stopped_plays_the_best_move_so_far(bot: str) -> None:
    async def scenario() -> None:
        async with open_pool(1, limits=ServerLimits(seconds=AGES)) as pool:
            await pool.submit(Choose(PLACE, bot.replace("1000", "0.01").replace("30", "1")), owner="a").outcome()
            [worker] = pool.lanes[0].workers
            began = worker.began
            job = pool.submit(Choose(PLACE, bot), owner="a")
            await until(lambda: worker.began > began)
            job.stop()
            assert (await job.outcome()).move in "ABCDEF"  # long before its time, which nobody waits for

    run(scenario())


def test_a_bot_that_thinks_too_long_is_stopped() -> None:
    """Neither search would come to an end by itself."""

    async def scenario() -> None:
        async with open_pool(1, limits=ServerLimits(seconds=0.5)) as pool:
            assert (await pool.submit(Choose(PLACE, "minimax:depth=30"), owner="a").outcome()).move
        async with open_pool(1, limits=ServerLimits(seconds=AGES)) as pool:
            assert (await pool.submit(Choose(PLACE, "minimax:depth=30", remaining=0.1), owner="a").outcome()).move

    run(scenario())


def test_a_job_that_waits_can_be_stopped_before_it_begins() -> None:
    async def scenario() -> None:
        async with open_pool(1, limits=ServerLimits(seconds=AGES)) as pool:
            first = pool.submit(Choose(PLACE, "palabre:time=1000"), owner="a")
            second = pool.submit(Choose(PLACE, "palabre:time=1000"), owner="a")
            second.stop()
            first.stop()
            await first.outcome()
            await second.outcome()

    run(scenario())


def test_a_cancelled_job_frees_its_process() -> None:
    async def scenario() -> None:
        async with open_pool(1, limits=ServerLimits(seconds=AGES)) as pool:
            running = pool.submit(Choose(PLACE, "palabre:time=1000"), owner="a")
            waiting = pool.submit(Choose(PLACE, "palabre:time=1000"), owner="a")
            task = asyncio.create_task(running.outcome())
            await until(lambda: pool.lanes[0].workers[0].began)
            waiting.cancel()
            task.cancel()  # nobody listens any more: a closed socket, say
            await pool.submit(Choose(PLACE, "greedy"), owner="b").outcome()
            with pytest.raises(asyncio.CancelledError):
                await waiting.outcome()

    run(scenario())


def test_a_review_can_be_stopped() -> None:
    async def scenario() -> None:
        async with open_pool(1) as pool:
            job = pool.submit(ReviewGame(LATER), owner="a")
            await until(lambda: any(worker.began for lane in pool.lanes for worker in lane.workers))
            job.stop()
            with pytest.raises(TaskFailed) as error:
                await job.outcome()
            assert error.value.id == "task.stopped"
            assert error.value.id in TEMPORARY

    run(scenario())


# ---------------------------------------------------------------------------------------------------------------- fair


def test_owners_take_turns() -> None:
    async def scenario() -> None:
        order: list[str] = []

        async def ask(pool: SearchPool, owner: str) -> None:
            await pool.submit(Think(PLACE, seconds=0.1), owner=owner).outcome()
            order.append(owner)

        async with open_pool(1) as pool:
            await asyncio.gather(*(ask(pool, owner) for owner in "aaaaabbc"))
        assert "".join(order) == "aabcabaa" or "".join(order) == "abcabaaa"

    run(scenario())


def test_a_move_does_not_wait_for_an_analysis() -> None:
    async def scenario() -> None:
        async with open_pool(1) as pool:
            begun = asyncio.Event()
            analysis = pool.submit(Think(PLACE, seconds=AGES), owner="a", on_progress=lambda report: begun.set())
            await begun.wait()
            await pool.submit(Choose(PLACE, "greedy"), owner="b").outcome()
            await pool.submit(Think(PLACE, seconds=0.1), owner="b").outcome()
            assert not analysis.is_done
            analysis.stop()
            assert (await analysis.outcome()).lines

    run(scenario())


def test_long_searches_take_turns_and_never_fall_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "SLICE", 0.1)

    async def scenario() -> None:
        heard: dict[str, list[BestLines]] = {"a": [], "b": []}
        order: list[str] = []  # whose report has come

        def listener(owner: str) -> Any:
            def hear(report: BestLines) -> None:
                heard[owner].append(report)
                order.append(owner)

            return hear

        def turns() -> int:
            return len(list(groupby(order)))

        async with open_pool(1) as pool:
            jobs = [pool.submit(Think(PLACE, seconds=AGES), owner=owner, on_progress=listener(owner)) for owner in "ab"]
            await until(lambda: turns() >= 4)  # two for each
            assert not any(job.is_done for job in jobs)
            for job in jobs:
                job.stop()
            results = [await job.outcome() for job in jobs]
        for owner, last in zip("ab", results, strict=True):
            depths = [report.lines[0].depth for report in [*heard[owner], last]]
            seconds = [report.lines[0].seconds for report in [*heard[owner], last]]
            assert depths == sorted(depths)
            assert seconds == sorted(seconds)

    run(scenario())


def test_jobs_are_bounded_for_each_owner_and_in_all() -> None:
    async def scenario() -> None:
        async with open_pool(1, most_jobs=3, most_waiting=4) as pool:
            hints = [pool.submit(Think(PLACE, seconds=1.0), owner="a") for _ in range(4)]
            assert await failure(hints.pop()) == "task.greedy"
            hints += [pool.submit(Think(PLACE, seconds=1.0), owner="b") for _ in range(3)]
            assert await failure(hints.pop()) == "task.busy"
            for job in hints:
                job.cancel()
            await pool.submit(Choose(PLACE, "greedy"), owner="a").outcome()  # who has been refused may ask again

    run(scenario())


# ----------------------------------------------------------------------------------------------------------- preparing


def test_a_bot_is_prepared_once_for_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        async with open_pool(1) as pool:
            submitted: list[Job[Any]] = []
            submit = pool.submit

            def note(task: Prepare, **options: Any) -> Job[None]:
                submitted.append(submit(task, **options))
                return submitted[-1]

            async def has_work(game: str, bot: str) -> bool:
                submitted.clear()
                pool.prepare(Place(game), bot, lambda report: None)
                await asyncio.gather(*(job.outcome() for job in submitted), return_exceptions=True)
                return bool(submitted)

            monkeypatch.setattr(pool, "submit", note)
            assert await has_work("awele", "greedy")
            assert not await has_work("awele", "greedy")
            assert await has_work("awele", "idiot")
            assert await has_work("awale", "greedy")
            assert await has_work("awele", "nobody")
            assert await has_work("awele", "nobody")  # it has failed

    run(scenario())


def test_people_are_told_that_a_kernel_is_compiled(
    small_game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NUMBA_DISABLE_JIT")
    monkeypatch.setenv("PALABRE_CACHE", str(tmp_path))
    monkeypatch.setattr(thinking, "LINGER", 0.1)
    place = Place(f"{small_game.parent.name}/take_away.py")

    async def scenario() -> None:
        heard: list[Any] = []
        async with open_pool(1, folders=Folders(games=(small_game,))) as pool:
            ahead = pool.submit(Prepare(place, "alphabeta:depth=2"), owner="a", on_progress=heard.append)
            await ahead.outcome()
            fractions = [report.fraction for report in heard if isinstance(report, Preparing)]
            assert fractions == sorted(fractions)
            assert (fractions[0], fractions[-1]) == (0.0, 1.0)
            await until(lambda: not pool.lanes[3].workers)  # its process has nothing more to do
            heard.clear()
            chosen = await pool.submit(
                Choose(place, "alphabeta:depth=2"), owner="a", on_progress=heard.append
            ).outcome()
            assert not heard  # it was found on disk
            assert chosen.move in "123"

    run(scenario())


def test_moves_come_while_kernels_are_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Low levels move as plain Python; a stronger bot that is stopped has a low level move for it."""
    monkeypatch.delenv("NUMBA_DISABLE_JIT")
    monkeypatch.setenv("PALABRE_CACHE", str(tmp_path / "cache"))
    gate, folder = tmp_path / "gate", tmp_path / "mine"
    folder.mkdir()
    place = Place(f"mine/{held_game(folder, gate).name}:heap=30")

    async def scenario() -> None:
        heard: list[Any] = []
        async with open_pool(1, folders=Folders(games=(folder,))) as pool:
            (worker,) = pool.lanes[0].workers

            def low(seed: int) -> Job[Chosen]:
                return pool.submit(Choose(place, "palabre:level=2", seed=seed), owner="a", on_progress=heard.append)

            def strong(bot: str = "palabre:nodes=20000") -> Job[Chosen]:
                return pool.submit(Choose(place, bot), owner="a", on_progress=heard.append)

            asked = [low(seed) for seed in range(3)]
            quick = [(await job.outcome()).move for job in asked]
            assert worker.job is asked[0]  # its process still compiles
            first = heard[0]
            assert isinstance(first, Preparing)
            assert first.seconds
            late, early, timed = strong(), strong(), strong("palabre:time=0.1")
            early.stop()
            assert (await early.outcome()).move in "123"
            await until(lambda: late.stand_in is not None and late.stand_in.is_done)  # it has found the bot too strong
            late.stop()
            assert (await late.outcome()).move in "123"
            assert worker.job is asked[0]
            assert not timed.is_done  # with a compiled search it plays better
            gate.touch()
            assert (await timed.outcome()).move in "123"
            assert [(await low(seed).outcome()).move for seed in range(3)] == quick
            heard.clear()
            again = strong()
            assert (await again.outcome()).chance is not None
            assert again.stand_in is None  # the compiled search thinks for itself
            assert not heard

    run(scenario())


def test_a_strong_bot_that_is_stopped_while_its_own_process_compiles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NUMBA_DISABLE_JIT")
    monkeypatch.setenv("PALABRE_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "mine"
    folder.mkdir()
    place = Place(f"mine/{held_game(folder, tmp_path / 'gate').name}:heap=30")

    async def scenario() -> None:
        async with open_pool(1, folders=Folders(games=(folder,))) as pool:
            (worker,) = pool.lanes[0].workers
            job = pool.submit(Choose(place, "palabre:time=0.1"), owner="a")
            job.stop()
            assert (await job.outcome()).move in "123"
            assert worker.job is job  # its process still compiles

    run(scenario())


# ------------------------------------------------------------------------------------------------ bots of somebody else

GUEST = """
import palabre, time
class Guest(palabre.Bot):
    def start(self, game, seat):
        self.asked = 0
    def choose(self, position, clock):
        self.asked += 1
        if position.ply >= 4:
            time.sleep(1000)
        return position.moves()[self.asked - 1]
"""


@needs_sandbox
def test_a_process_whose_server_is_gone_leaves_no_copies_of_private_bots_behind(tmp_path: Path) -> None:
    folder, temporary = tmp_path / "mine", tmp_path / "temporary"
    folder.mkdir()
    temporary.mkdir()
    (folder / "guest.py").write_text(GUEST, encoding="utf-8")
    (folder / "guest.py").chmod(0o600)
    order = Order(1, to_raw(Choose(PLACE, "mine/guest.py", room="one")), AGES)
    with subprocess.Popen(
        [sys.executable, "-c", "from palabre.workers.main import main; main('palabre.web.pool.thinker')"],
        env={**os.environ, "TMPDIR": str(temporary)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(
            encoded(SearchSetup(ServerLimits(seconds=AGES, memory=1), Folders(bots=(folder,)))) + b"\n" + to_line(order)
        )
        process.stdin.flush()
        assert any(b"Result" in line for line in process.stdout)
        process.stdin.close()
        process.wait(PATIENCE)
    assert not list(temporary.iterdir())


@needs_sandbox
def test_a_bot_of_somebody_else_has_an_instance_for_its_room(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "guest.py").write_text(GUEST, encoding="utf-8")

    def ask(pool: SearchPool, room: str, moves: str = "", seconds: float = AGES) -> Job[Chosen]:
        place = Place("awele", moves=list(moves))
        return pool.submit(Choose(place, "mine/guest.py", room=room, per_move=seconds), owner="a")

    async def scenario() -> None:
        async with open_pool(1, limits=ServerLimits(seconds=AGES), folders=Folders(bots=(folder,))) as pool:
            assert (await ask(pool, "one").outcome()).move == "A"
            assert (await ask(pool, "two").outcome()).move == "A"
            assert (await ask(pool, "one", "Fd").outcome()).move == "B"
            pool.end_room("one", PLACE)
            assert (await ask(pool, "one").outcome()).move == "A"
            hanging = ask(pool, "two", "FdCa", seconds=1.0)
            assert (await pool.submit(Choose(PLACE, "greedy"), owner="b").outcome()).move  # it holds nobody up
            with pytest.raises(TaskFailed, match="time") as error:
                await hanging.outcome()
            assert error.value.id == "task.refused"
            assert error.value.id not in TEMPORARY
            assert str(tmp_path) not in str(error.value)
            assert (await ask(pool, "two").outcome()).move == "A"  # a new one

    run(scenario())
