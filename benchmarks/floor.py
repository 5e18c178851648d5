"""How fast plain C counts the same trees: `python -m benchmarks.floor [SECONDS]`.

The programs in `floor/` have the representation and the algorithms of Palabre's kernels. So the comparison is between
the code that Numba generates and the code that the C compiler generates.
"""

import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from benchmarks.rate import Rate, not_measured

SOURCES = Path(__file__).with_suffix("")
FLAGS = ("-O3", "-march=native")
RUNS = 3

Mode = Literal["bulk", "make"]


@dataclass(frozen=True)
class Tree:
    """A tree to count from a game's start, and its known number of leaves."""

    game: str
    depth: int
    leaves: int


AWELE = Tree("awele", 11, 91_558_687)
ABALONE = Tree("abalone", 4, 5_045_110)


def perft(tree: Tree, mode: Mode, seconds: float) -> Rate:
    """The leaves that C counts in about `seconds`. With `bulk` the moves of the last ply are counted, not made.

    This is the fastest of a few runs, because anything else on the machine can only slow one down.
    """
    name, unit = f"C, {tree.game} perft {tree.depth}, {mode}", "leaves"
    compiler = shutil.which("cc")
    if compiler is None:
        return not_measured(name, unit, "there is no C compiler `cc` here")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / tree.game
        source = SOURCES / f"{tree.game}_perft.c"
        command = [compiler, *FLAGS, str(source), "-o", str(program)]
        built = subprocess.run(command, check=False, capture_output=True, text=True)
        if built.returncode != 0:
            return not_measured(name, unit, f"cc failed: {built.stderr.strip()[-200:]}")
        _, once = _run(program, tree, mode, 1)
        repeat = max(1, round(seconds / RUNS / max(once, 1e-6)))
        count, taken = min((_run(program, tree, mode, repeat) for _ in range(RUNS)), key=lambda run: run[1])
    return Rate(name, unit, count, taken, f"cc {' '.join(FLAGS)}, fastest of {RUNS} runs")


def _run(program: Path, tree: Tree, mode: Mode, repeat: int) -> tuple[int, float]:
    """Leaves and CPU seconds of one run; a wrong number of leaves is an error."""
    command = [str(program), str(tree.depth), str(repeat), mode]
    words = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    leaves, taken = int(words[1]), float(words[3])
    if leaves != repeat * tree.leaves:
        raise RuntimeError(f"{' '.join(command)} counted {leaves} leaves, not {repeat} times {tree.leaves}")
    return leaves, taken


def main() -> None:
    """Print every rate, one a line."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    for tree in (AWELE, ABALONE):
        for mode in ("bulk", "make"):
            print(perft(tree, mode, seconds), flush=True)


if __name__ == "__main__":
    main()
