"""How long `palabre.analyse_many` takes for 1,000 positions of 1,000 nodes; the goal is 4 seconds on two cores.

python -m benchmarks.analysing [--workers N] [GAME]
"""

import argparse
import random
import time

import palabre

POSITIONS, NODES = 1000, 1000
GOAL = 4.0  # seconds


def positions(game: palabre.Game) -> list[palabre.Position]:
    """Positions from random games, the same ones each time."""
    dice = random.Random(1)
    positions: list[palabre.Position] = []
    while len(positions) < POSITIONS:
        position = game.start(dice.randrange(1000))
        for _ in range(dice.randrange(2, 30)):
            if not position.is_over:
                position = position.play(dice.choice(position.moves()))
        if not position.is_over:
            positions.append(position)
    return positions


def main() -> None:
    """Print the time, apart from compiling."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="awele")
    parser.add_argument("--workers", type=int, default=None)
    chosen = parser.parse_args()
    given = positions(palabre.game(chosen.game))
    palabre.analyse_many(given[:1], nodes=NODES, workers=1)  # compiled
    begin = time.perf_counter()
    answers = palabre.analyse_many(given, nodes=NODES, workers=chosen.workers)
    seconds = time.perf_counter() - begin
    nodes = sum(thoughts[0].nodes for thoughts in answers)
    print(f"{chosen.game}: {len(given):,} positions, {nodes:,} nodes in {seconds:.2f} s (goal {GOAL:g} s)")


if __name__ == "__main__":
    main()
