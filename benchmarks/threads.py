"""What a second thread is worth: how much sooner the engine reaches a depth.

    python -m benchmarks.threads [--positions 30]

One thread and two threads search the same positions in turn, each time with an empty table. Nodes a second would not
tell: two threads search many positions that one thread would have cut off.
"""

import argparse
import statistics
import time

import palabre
from palabre.arena.openings import random_opening
from palabre.evaluation.names import evaluation
from palabre.search.clock import Clock
from palabre.search.engine import Engine

DEPTHS = {"awele": 19, "awale": 11, "abalone": 10, "abalone:official": 10, "avalam:official": 6, "penguins": 8}
OPENING = range(6, 18)  # random plies before a position, each number in turn


def seconds_and_nodes(position: palabre.Position, depth: int, threads: int) -> tuple[float, int]:
    """What it costs to reach a depth."""
    engine = Engine(position.game, evaluation(position.game, "standard"), threads=threads)
    begin = time.perf_counter()
    thought = engine.think(position, Clock(depth=depth))
    return time.perf_counter() - begin, thought.nodes


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.threads", description=__doc__.split("\n")[0])
    parser.add_argument("--positions", type=int, default=30, help="of each game")
    options = parser.parse_args()
    print(
        "| game | depth | one thread, median | speed-up with two, median (quartiles) | nodes |\n|---|---|---|---|---|"
    )
    for spec, depth in DEPTHS.items():
        start = palabre.game(spec).start()
        seconds_and_nodes(start, 1, 1)  # compiles, before anything is timed
        pairs = []
        for number in range(options.positions):
            position = start
            for move in random_opening(start, OPENING[number % len(OPENING)], number + 1):
                position = position.play(move)
            pairs.append([seconds_and_nodes(position, depth, threads) for threads in (1, 2)])
        sooner = [one[0] / two[0] for one, two in pairs]
        low, middle, high = statistics.quantiles(sooner, n=4)
        usual = statistics.median(one[0] for one, _ in pairs)
        more = statistics.median(two[1] / one[1] for one, two in pairs)
        row = (f"`{spec}`", str(depth), f"{usual:.3f} s", f"{middle:.2f} ({low:.2f} to {high:.2f})", f"{more:.2f}")
        print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
