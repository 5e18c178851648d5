"""What each thing that we do to Numba buys: time to compile, time to load what was compiled, nodes per second.

    python -m benchmarks.patches
    python -m benchmarks.patches --kernel "engine awele" --rounds 9

Each row leaves out one patch (see `palabre.compile.internals`), and the last one all that PALABRE_STOCK_NUMBA=1 leaves
out. A figure is the median of the ratios to the same round without anything left out, so that a noisy minute affects
both. A process compiles with an empty cache, and a second one loads what the first has kept. Seconds are CPU seconds
from the start of a process, because machines are shared.
"""

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

NOTHING = "nothing"
STOCK = "all of these"
SPEED = ("remembered_calls", "remembered_recursion", "without_liveness", "linked_once", "optimised_less")
# Beside the patches of `internals.SPEED`: arrays instead of `Words`; functions inside a kernel that Python could call;
# no rule forced to become part of what asks for it; the garbage collector at work.
OTHERS = ("words", "no_wrappers", "forced_inlining", "collector")
ENGINE_NODES = 1_500_000
KERNELS = {  # and the nodes to search
    "perft awele": 0,
    "engine awele": ENGINE_NODES,
    "engine abalone": ENGINE_NODES,
    "engine penguins": ENGINE_NODES,
}
PERFT_PLIES = 11
MEGABYTES = 16


def leave_out(what: str) -> None:
    """Do without one thing in this process."""
    from palabre.compile import collector, internals

    if what in SPEED:
        internals.SPEED = tuple(patch for patch in internals.SPEED if patch.__name__ != what)
    elif what == "words":  # as with NUMBA_BOUNDSCHECK=1, but without the checks
        internals.bounds_are_checked = lambda: True
    elif what == "collector":
        collector.paused = contextlib.nullcontext  # type: ignore[assignment]
    elif what in ("no_wrappers", "forced_inlining"):
        from palabre.compile import registration

        registration.INLINED = () if what == "forced_inlining" else registration.INLINED
        for option in ("no_cfunc_wrapper", "no_cpython_wrapper") if what == "no_wrappers" else ():
            registration.OPTIONS.pop(option, None)
            registration.INNER_OPTIONS.pop(option)


def run_kernel(kernel: str) -> dict[str, float]:
    """CPU seconds of this process until a kernel is ready, and the nodes that it then searches in one of them."""
    import palabre
    from palabre.evaluation.names import default_evaluation, evaluation
    from palabre.search.clock import Clock
    from palabre.search.engine import Engine
    from palabre.search.perft import count_sequences

    what, _, name = kernel.partition(" ")
    game = palabre.game(name)
    start = game.start()
    search: Callable[[int], int]
    if what == "perft":
        steps = (1, PERFT_PLIES)
        search = lambda depth: count_sequences(start, depth)  # noqa: E731
    else:
        engine = Engine(game, evaluation(game, default_evaluation(game)), MEGABYTES)
        steps = (1, KERNELS[kernel])
        search = lambda nodes: engine.think(start, Clock(nodes=nodes)).nodes  # noqa: E731
    search(steps[0])
    ready = time.process_time()
    nodes = search(steps[1])
    return {"seconds": ready, "nodes": nodes / (time.process_time() - ready)}


def measured(kernel: str, left_out: str) -> dict[str, float]:
    """Seconds to compile and to load, and nodes per second, with one thing left out."""
    with tempfile.TemporaryDirectory() as cache:
        stock = {"PALABRE_STOCK_NUMBA": "1"} if left_out == STOCK else {}
        command = [sys.executable, "-m", "benchmarks.patches", "--run", kernel, "--without", left_out]
        environment = {**os.environ, "PALABRE_CACHE": cache, **stock}
        runs = [_answer(command, environment) for _ in range(2)]
        kept = sum(file.stat().st_size for file in Path(cache).rglob("*.nbc"))
    compiling, loading = runs
    return {
        "compile": compiling["seconds"],
        "load": loading["seconds"],
        "nodes": max(run["nodes"] for run in runs),
        "kB": kept / 1000,
    }


def _answer(command: list[str], environment: dict[str, str]) -> dict[str, float]:
    done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=True)
    answer: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return answer


def compare(kernel: str, rounds: int) -> list[str]:
    """The rows of a table: with everything in figures, then what becomes of them without each thing."""
    variants = (NOTHING, *SPEED, *OTHERS, STOCK)
    runs: dict[str, list[dict[str, float]]] = {variant: [] for variant in variants}
    for number in range(rounds):
        for variant in variants if number % 2 == 0 else reversed(variants):
            runs[variant].append(measured(kernel, variant))
    usual = runs[NOTHING]
    middle = {name: statistics.median(one[name] for one in usual) for name in usual[0]}
    rows = [
        f"| {kernel}: {NOTHING} | {middle['compile']:.2f} s | {middle['load']:.2f} s | {middle['nodes'] / 1e6:.2f} M/s "
        f"| {middle['kB']:.0f} kB |"
    ]
    for variant in variants[1:]:
        cells = [
            _ratios([one[name] / base[name] for one, base in zip(runs[variant], usual, strict=True)]) for name in middle
        ]
        rows.append(f"| {variant} | {' | '.join(cells)} |")
    return rows


def _ratios(values: list[float]) -> str:
    return f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.patches", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--kernel", action="append", choices=list(KERNELS), help="repeat for several")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--run", choices=list(KERNELS), help=argparse.SUPPRESS)
    parser.add_argument("--without", help=argparse.SUPPRESS)
    options: Any = parser.parse_args()
    if options.run:
        leave_out(options.without)
        print(json.dumps(run_kernel(options.run)))
        return
    print("| left out | compile | load | nodes | on disk |\n|---|---|---|---|---|")
    for kernel in options.kernel or KERNELS:
        for row in compare(kernel, options.rounds):
            print(row, flush=True)


if __name__ == "__main__":
    main()
