"""Whether the engine keeps its time: many searches of all games with limits of 5 to 200 ms, on busy processors.

    python -m benchmarks.promise [--searches 2000] [--threads 1]

As many processes as there are processors do nothing but count meanwhile. Promised: 99.9 % of the searches come back
within their limit and 15 ms, none later than 50 ms after it.
"""

import argparse
import contextlib
import multiprocessing
import os
import random
import statistics
import time
from collections.abc import Iterator

import palabre
from palabre.core import registry
from palabre.evaluation.names import evaluation, flagship
from palabre.search.clock import Clock
from palabre.search.engine import Engine

SHORTEST, LONGEST = 0.005, 0.2  # seconds
USUAL_LATE, MOST_LATE = 0.015, 0.05


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


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.promise", description=__doc__.split("\n")[0])
    parser.add_argument("--searches", type=int, default=2000)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    late = sorted(lateness(options.searches, options.threads))
    kept = sum(seconds <= USUAL_LATE for seconds in late) / len(late)
    print(f"{len(late)} searches, {options.threads} thread(s), all {os.cpu_count()} processors busy")
    print(f"median {1000 * statistics.median(late):+.1f} ms, 99.9 % {1000 * late[int(0.999 * len(late)) - 1]:+.1f} ms,")
    print(f"latest {1000 * late[-1]:+.1f} ms; {100 * kept:.2f} % within 15 ms of the limit (promised 99.9),")
    print(f"{sum(seconds > MOST_LATE for seconds in late)} later than 50 ms (promised none)")


if __name__ == "__main__":
    main()
