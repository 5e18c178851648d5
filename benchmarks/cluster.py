"""What a Ray cluster costs beside local processes, and how many games a second the one writer can keep.

    python -m benchmarks.cluster

Starts a cluster of two nodes on the loopback interface, one core each, and plays the same matches on it and in two
processes of this machine, in turns, with games of some milliseconds to a second. It prints medians of games per second,
once all workers play, and of processor time: of this process, which gives out jobs and writes, and of all processes.
First comes the writer alone: crews of many workers, which answer at once with a game that was played before, so that
only the work of this process is left.
"""

import contextlib
import os
import queue
import statistics
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from palabre.arena.event import Event
from palabre.arena.lineups import fixed_list
from palabre.arena.playing import PlayGame
from palabre.arena.rows import BotRow, GameRow, RandomOpenings, Settings
from palabre.arena.store import Store, open_store
from palabre.compile import cache
from palabre.workers.job import Lane, Machine, OnLine, Recruiter
from palabre.workers.messages import Exit, Order, Result, decoder, to_line, to_raw, to_worker
from tests.arena.rays import Cluster
from tests.sandbox.inmates import descendants

GAME = "awele"
MATCHES = {  # bots, and the pairs of games that they play
    "random moves": (("idiot", "idiot:seed=1"), 1000),
    "200 nodes a move": (("palabre:nodes=200", "palabre:nodes=200,seed=1"), 400),
    "20,000 nodes a move": (("palabre:nodes=20000", "palabre:nodes=20000,seed=1"), 30),
}
TURNS = 3  # of local processes and cluster
WARM = 0.2  # of the games are played before anything is counted
CROWDS = (2, 100, 800, 6400)  # workers of the writer alone
CROWD_GAMES = 20_000
TICKS = os.sysconf("SC_CLK_TCK")


def event(store: Store, bots: Sequence[str]) -> None:
    """Begin an event of these bots."""
    store.begin(Settings(GAME, "match", 0, RandomOpenings(4)))
    store.admit([BotRow(spec, spec, "") for spec in bots])


def tree_seconds(roots: Sequence[int]) -> float:
    """Processor seconds of these processes and of all that they have started and that live."""
    total = 0
    for pid in {pid for root in roots for pid in (root, *descendants(root))}:
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            total += int(fields[11]) + int(fields[12])
    return total / TICKS


def played(bots: Sequence[str], pairs: int, on: str | None, roots: Sequence[int]) -> dict[str, float]:
    """Games per second of a match, and processor milliseconds for a game: here, and in all."""
    marks: list[tuple[float, float, float]] = []
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "event") as store:
        event(store, bots)
        run = Event(store, fixed_list(2, pairs), workers=2, on=on)
        first = int(WARM * 2 * pairs)
        for number, _ in enumerate(run.play(), start=1):
            if number in (first, 2 * pairs):
                marks.append((time.perf_counter(), time.process_time(), tree_seconds((os.getpid(), *roots))))
    (begin, here, all_), (end, here_then, all_then) = marks
    games = 2 * pairs - first
    return {
        "games per second": games / (end - begin),
        "ms here": 1000 * (here_then - here) / games,
        "ms in all": 1000 * (all_then - all_) / games,
    }


def beside_each_other(cluster: Cluster) -> None:
    """Local processes and the cluster in turn; medians."""
    os.environ.update(cluster.settings)
    roots = [node.pid for node in cluster.nodes]
    print("| games | played by | games per second | processor ms a game, here | in all |\n|---|---|---|---|---|")
    for title, (bots, pairs) in MATCHES.items():
        figures_of: dict[str | None, list[dict[str, float]]] = {None: [], "ray": [], cluster.address: []}
        for _ in range(TURNS):
            for on, figures in figures_of.items():
                figures.append(played(bots, pairs, on, roots))
        for on, figures in figures_of.items():
            name = "2 local processes" if on is None else "2 nodes, `ray`" if on == "ray" else "2 nodes, `ray://`"
            medians = [statistics.median(one[key] for one in figures) for key in figures[0]]
            print(f"| {title} | {name} | {' | '.join(f'{median:.4g}' for median in medians)} |", flush=True)


class Echo:
    """A worker that has played everything already."""

    pid = None

    def __init__(self, crew: "Echoes", on_line: OnLine) -> None:
        self.on_line, self._crew = on_line, crew

    def send(self, line: bytes) -> None:
        self._crew.asked.put((self, line))

    def end(self) -> None:
        pass

    kill = end

    def close(self, patience: float = 0.0) -> None:
        pass

    def exit_report(self) -> Exit:
        return Exit("it has ended")


class Echoes:
    """So many of them; a thread answers for all."""

    def __init__(self, workers: int, game: GameRow) -> None:
        self.machine = Machine("nowhere", workers)
        self.asked: queue.SimpleQueue[tuple[Echo, bytes] | None] = queue.SimpleQueue()
        self._game = game

    @property
    def capacity(self) -> int:
        return self.machine.capacity

    def open(self, pool: Recruiter, lane: Lane) -> None:
        self._pool, self._lane = pool, lane
        threading.Thread(target=self._answer, daemon=True).start()

    def start(self, count: int) -> None:
        for _ in range(count):
            self._pool.add(self._lane, self.machine, lambda on_line: Echo(self, on_line))

    def give_up(self, machine: Machine, exit: Exit) -> None:
        pass

    def close(self) -> None:
        self.asked.put(None)

    def _answer(self) -> None:
        while (asked := self.asked.get()) is not None:
            worker, line = asked
            order = to_worker.decode(line)
            assert isinstance(order, Order)
            task = decoder(PlayGame).decode(order.task)
            row = replace(
                self._game, meeting=task.meeting, rotation=task.rotation, attempt=task.attempt, bots=task.bots
            )
            worker.on_line(to_line(Result(order.number, to_raw(row), 0.0)))


def writer_alone() -> None:
    """Processor time of the thread that gives out jobs, checks games and writes them, by the number of workers."""
    bots = MATCHES["200 nodes a move"][0]
    with open_store(None) as store:
        event(store, bots)
        game = replace(next(iter(Event(store, fixed_list(2, 1)).play())), duration=1.0)
    print("\n| workers | processor ms a game of the writer | games per second that it could keep |\n|---|---|---|")
    for workers in CROWDS:
        with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "event") as store:
            event(store, bots)
            run = Event(store, fixed_list(2, CROWD_GAMES // 2))
            run.crew = Echoes(workers, game)
            begin = time.thread_time()
            assert sum(1 for _ in run.play()) == CROWD_GAMES
            cost = (time.thread_time() - begin) / CROWD_GAMES
        print(f"| {workers:,} | {1000 * cost:.3g} | {1 / cost:,.0f} |", flush=True)


if __name__ == "__main__":
    print(f"load average {os.getloadavg()[0]:.1f} at the start")
    writer_alone()
    cluster = Cluster(cache.root())
    try:
        cluster.join()
        beside_each_other(cluster)
    finally:
        cluster.close()
    print(f"load average {os.getloadavg()[0]:.1f} at the end")
