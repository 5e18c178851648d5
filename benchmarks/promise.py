"""Whether the engine keeps its time: many searches of all games with limits of 5 to 200 ms, on busy processors.

    python -m benchmarks.promise [--searches 2000] [--threads 1] [--stops 200]

As many processes as there are processors do nothing but count meanwhile. Promised: 99.9 % of the searches come back
within their limit and 15 ms, none later than 50 ms after it. Then, with nothing else running, an engine is driven by
UGI and told to stop; promised is an answer within 20 ms.

On a virtual machine the host takes the processors away now and then, and nothing that runs there can help it: how much
it took is told beside each answer that came too late (Linux counts it in steps of 10 ms, all processors together).
"""

import argparse
import contextlib
import multiprocessing
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import palabre
from palabre.core import registry
from palabre.evaluation.names import default_evaluation, evaluation
from palabre.search.clock import Clock
from palabre.search.engine import Engine

SHORTEST, LONGEST = 0.005, 0.2  # seconds
USUAL_LATE, MOST_LATE = 0.015, 0.05
LATE_STOP = 0.02
STEAL = 8  # the number, in the first line of /proc/stat, of the time that the host has taken


class Delay(NamedTuple):
    """How late an answer came, and what the host did meanwhile; in seconds."""

    late: float  # negative for one that came before its limit
    stolen: float  # what the host took from all processors, from the question to the answer


def count_for_ever() -> None:
    """Keep a processor busy."""
    while True:
        pass


@contextlib.contextmanager
def busy_processors() -> Iterator[None]:
    """Have every processor busy with something else."""
    workers = [multiprocessing.Process(target=count_for_ever, daemon=True) for _ in range(os.cpu_count() or 1)]
    for worker in workers:
        worker.start()
    try:
        yield
    finally:
        for worker in workers:
            worker.kill()


def stolen() -> float:
    """Seconds that the host has taken from all processors so far; nothing where that is not known."""
    try:
        fields = Path("/proc/stat").read_text("ascii").split()
    except OSError:
        return 0.0
    return int(fields[STEAL]) / os.sysconf("SC_CLK_TCK")


def lateness(searches: int, threads: int) -> list[Delay]:
    """By how much each search came back after its limit."""
    chance = random.Random(1)
    engines = {name: new_engine(name, threads) for name in registry.names()}
    late = []
    with busy_processors():
        for number in range(searches):
            name = registry.names()[number % len(engines)]
            position = engines[name].game.start(number)
            for _ in range(chance.randrange(20)):
                after = position.play(chance.choice(position.moves()))
                position = position if after.is_over else after
            limit = chance.uniform(SHORTEST, LONGEST)
            stolen_before, begin = stolen(), time.perf_counter()
            engines[name].think(position, Clock(per_move=limit))
            seconds = time.perf_counter() - begin
            late.append(Delay(seconds - limit, stolen() - stolen_before))
    return late


def new_engine(name: str, threads: int) -> Engine:
    """An engine for the usual rules of a game, compiled."""
    game = palabre.game(name)
    engine = Engine(game, evaluation(game, default_evaluation(game)), threads=threads)
    engine.think(game.start(), Clock(depth=1))
    return engine


def stop_delays(stops: int) -> list[Delay]:
    """How long after `stop` each answer came from an engine in a process of its own, game by game."""
    chance = random.Random(1)
    delays = []
    for name in registry.names():
        words = [sys.executable, "-m", "palabre", "ugi", name]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as engine:
            assert engine.stdin is not None
            assert engine.stdout is not None
            for _ in range(-(-stops // len(registry.names()))):
                print("isready\nposition startpos\ngo infinite", file=engine.stdin, flush=True)
                while engine.stdout.readline() != "readyok\n":
                    pass
                time.sleep(chance.uniform(SHORTEST, LONGEST))
                stolen_before, begin = stolen(), time.perf_counter()
                print("stop", file=engine.stdin, flush=True)
                while not engine.stdout.readline().startswith("bestmove"):
                    pass
                seconds = time.perf_counter() - begin
                delays.append(Delay(seconds, stolen() - stolen_before))
            print("quit", file=engine.stdin, flush=True)
    return delays


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.promise", description=__doc__.split("\n")[0])
    parser.add_argument("--searches", type=int, default=2000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--stops", type=int, default=200)
    options = parser.parse_args()
    begin, stolen_before = time.perf_counter(), stolen()
    late = sorted(lateness(options.searches, options.threads))
    kept = sum(delay.late <= USUAL_LATE for delay in late) / len(late)
    print(f"{len(late)} searches, {options.threads} thread(s), all {os.cpu_count()} processors busy")
    print(f"median {in_ms(late[len(late) // 2].late)}, 99.9 % {in_ms(late[int(0.999 * len(late)) - 1].late)},")
    print(f"latest {in_ms(late[-1].late)}; {100 * kept:.2f} % within 15 ms of the limit (promised 99.9),")
    print(f"{sum(delay.late > MOST_LATE for delay in late)} later than 50 ms (promised none)")
    tell_late(late, USUAL_LATE)
    delays = sorted(stop_delays(options.stops))
    print(f"{len(delays)} times stop: median {in_ms(delays[len(delays) // 2].late)}, latest {in_ms(delays[-1].late)},")
    print(f"{sum(delay.late > LATE_STOP for delay in delays)} later than 20 ms (promised none)")
    tell_late(delays, LATE_STOP)
    had = (time.perf_counter() - begin) * (os.cpu_count() or 1)
    print(f"the host took {100 * (stolen() - stolen_before) / had:.1f} % of the processors' time")


def in_ms(seconds: float) -> str:
    return f"{1000 * seconds:+.1f} ms"


def tell_late(delays: list[Delay], limit: float) -> None:
    """Say of each answer that came later than that how much of the processors' time the host took meanwhile."""
    for delay in delays:
        if delay.late > limit:
            print(f"  {in_ms(delay.late)}, while the host took {1000 * delay.stolen:.0f} ms")


if __name__ == "__main__":
    main()
