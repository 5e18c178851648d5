"""Nodes per second of the engine, in the working tree and in another checkout of Palabre.

    python -m benchmarks.nps ../old
    python -m benchmarks.nps ../old --game awele --runs 15

Each checkout searches the same positions (`benchmarks.signature`) in a process of its own, with the Python of its own
`.venv`, which also runs this file. They take turns, position by position. Seconds are CPU
seconds, because machines are shared.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

GAMES = ("awele", "awale", "abalone", "avalam:official", "penguins")
SERVE = "--serve"
MEGABYTES = 64


def serve() -> None:
    """Answer each line on standard input, a position and a node limit, with nodes and CPU seconds.

    This runs in any checkout since commit f59506b, where the standard evaluation was called keen.
    """
    import palabre
    from palabre.evaluation import names
    from palabre.search.clock import Clock
    from palabre.search.engine import Engine

    find_default = getattr(names, "default_evaluation", lambda game: "keen")
    engine: Any = None
    for line in sys.stdin:
        task = json.loads(line)
        game = palabre.game(task["game"])
        if task["is_first"]:
            engine = Engine(game, names.evaluation(game, find_default(game)), MEGABYTES)
        position = game.start() if task["start"] is None else game.position(task["start"])
        for text in task["moves"]:
            position = position.play(text)
        begin = time.process_time()
        nodes = engine.think(position, Clock(nodes=task["nodes"])).nodes
        print(json.dumps([nodes, time.process_time() - begin]), flush=True)


class Checkout:
    """The process that searches with one checkout."""

    def __init__(self, python: Path) -> None:
        self.process = subprocess.Popen(
            [str(python), __file__, SERVE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )

    def search(self, task: dict[str, Any]) -> tuple[int, float]:
        """Nodes and CPU seconds of the search of one position."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps(task), file=self.process.stdin, flush=True)
        nodes, seconds = json.loads(self.process.stdout.readline())
        return nodes, seconds


def run(game: str, nodes: int, checkouts: tuple[Checkout, Checkout]) -> list[float]:
    """Nodes per CPU second of both checkouts, which take turns position by position."""
    import palabre
    from benchmarks.signature import positions

    counts, seconds = [0, 0], [0.0, 0.0]
    for number, position in enumerate(positions(palabre.game(game))):
        moves = [move.text for move in position.played]
        task = {"game": game, "nodes": nodes, "start": position.start_text, "moves": moves, "is_first": number == 0}
        for side, checkout in enumerate(checkouts):
            count, spent = checkout.search(task)
            counts[side] += count
            seconds[side] += spent
    return [count / spent for count, spent in zip(counts, seconds, strict=True)]


def compare(game: str, nodes: int, runs: int, checkouts: tuple[Checkout, Checkout]) -> str:
    """One game's row of the table."""
    run(game, 3_000, checkouts)  # compiles, or loads what was compiled
    rates = [run(game, nodes, checkouts) for _ in range(runs)]
    ours, theirs = (statistics.median(column) for column in zip(*rates, strict=True))
    ratios = sorted(first / second for first, second in rates)
    return (
        f"| {game} | {ours / 1000:,.0f} | {theirs / 1000:,.0f} | {statistics.median(ratios):.3f} "
        f"| {ratios[0]:.3f} to {ratios[-1]:.3f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.nps", description=__doc__.split("\n")[0])
    parser.add_argument("checkout", type=Path, help="the folder of the other checkout, with its .venv")
    parser.add_argument("--game", action="append", dest="chosen", metavar="SPEC", help="repeat for several")
    parser.add_argument("--nodes", type=int, default=300_000, help="for a position")
    parser.add_argument("--runs", type=int, default=7)
    options = parser.parse_args()
    python = options.checkout.absolute() / ".venv" / "bin" / "python"
    if not python.is_file():
        sys.exit(f"there is no {python}; run `make play` in {options.checkout} first")
    checkouts = Checkout(Path(sys.executable)), Checkout(python)
    print("| game | thousand nodes/s | of the other | ratio | all runs |\n|---|---|---|---|---|")
    for game in options.chosen or GAMES:
        print(compare(game, options.nodes, options.runs, checkouts), flush=True)


if __name__ == "__main__":
    if sys.argv[1:] == [SERVE]:
        serve()
    else:
        main()
