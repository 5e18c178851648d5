"""Whether the engine keeps its time: many searches of all games with limits of 5 to 200 ms, on busy processors.

    python -m benchmarks.promise [--searches 2000] [--threads 1] [--stops 200]

As many processes as there are processors do nothing but count meanwhile. Promised: 99.9 % of the searches come back
within their limit and 15 ms, none later than 50 ms after it. Then, with nothing else running, an engine is driven by
UGI and told to stop; promised is an answer within 20 ms.
"""

import argparse
import contextlib
import multiprocessing
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator

import palabre
from palabre.core import registry
from palabre.evaluation.names import evaluation, flagship
from palabre.search.clock import Clock
from palabre.search.engine import Engine

SHORTEST, LONGEST = 0.005, 0.2  # seconds
USUAL_LATE, MOST_LATE = 0.015, 0.05
LATE_STOP = 0.02


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


def lateness(searches: int, threads: int) -> list[float]:
    """By how many seconds each search came back after its limit; negative for those that came before."""
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
            begin = time.perf_counter()
            engines[name].think(position, Clock(per_move=limit))
            late.append(time.perf_counter() - begin - limit)
    return late


def new_engine(name: str, threads: int) -> Engine:
    """An engine for the usual rules of a game, compiled."""
    game = palabre.game(name)
    engine = Engine(game, evaluation(game, flagship(game)), threads=threads)
    engine.think(game.start(), Clock(depth=1))
    return engine


def stop_delays(stops: int) -> list[float]:
    """How many seconds after `stop` each answer came from an engine in a process of its own, game by game."""
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
                begin = time.perf_counter()
                print("stop", file=engine.stdin, flush=True)
                while not engine.stdout.readline().startswith("bestmove"):
                    pass
                delays.append(time.perf_counter() - begin)
            print("quit", file=engine.stdin, flush=True)
    return delays


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.promise", description=__doc__.split("\n")[0])
    parser.add_argument("--searches", type=int, default=2000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--stops", type=int, default=200)
    options = parser.parse_args()
    late = sorted(lateness(options.searches, options.threads))
    kept = sum(seconds <= USUAL_LATE for seconds in late) / len(late)
    print(f"{len(late)} searches, {options.threads} thread(s), all {os.cpu_count()} processors busy")
    print(f"median {1000 * statistics.median(late):+.1f} ms, 99.9 % {1000 * late[int(0.999 * len(late)) - 1]:+.1f} ms,")
    print(f"latest {1000 * late[-1]:+.1f} ms; {100 * kept:.2f} % within 15 ms of the limit (promised 99.9),")
    print(f"{sum(seconds > MOST_LATE for seconds in late)} later than 50 ms (promised none)")
    delays = stop_delays(options.stops)
    print(
        f"{len(delays)} times stop: median {1000 * statistics.median(delays):.1f} ms, latest {1000 * max(delays):.1f},"
    )
    print(f"{sum(seconds > LATE_STOP for seconds in delays)} later than 20 ms (promised none)")


if __name__ == "__main__":
    main()
