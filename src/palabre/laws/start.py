"""The laws of `start`: the same options and seed make the same position, whenever and in whatever process."""

import json
import os
import subprocess
import sys

from palabre.core import registry
from palabre.core.game import Game
from palabre.core.system import end_with_parent
from palabre.laws.inquiry import Inquiry
from palabre.laws.purity import check_source

SEEDS = range(4)
CODE = "from palabre.laws.start import main; main()"
OTHER_HASHES = "20011"  # for PYTHONHASHSEED: sets and hashes of texts are in another order than here


def check_start(inquiry: Inquiry) -> None:
    """`start` draws its luck from the seed, and answers the same when it is called again."""
    start = inquiry.game.rules.start
    inquiry.where = f"{start.__code__.co_filename}, line {start.__code__.co_firstlineno}"
    check_source(inquiry, start, may_seed=True)
    for seed in SEEDS:
        first, again = (inquiry.ask("start", start, inquiry.game.options, seed) for _ in range(2))
        inquiry.expect(first == again, "start.again", seed=seed, first=repr(first), again=repr(again))


def check_start_elsewhere(inquiry: Inquiry) -> None:
    """`start` answers the same in another process, where sets are in another order."""
    start = inquiry.game.rules.start
    inquiry.where = f"{start.__code__.co_filename}, line {start.__code__.co_firstlineno}"
    inquiry.on_step("step.elsewhere", "")
    done = subprocess.run(
        [sys.executable, "-P", "-c", CODE, inquiry.game.spec],
        env={**os.environ, "PYTHONHASHSEED": OTHER_HASHES},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    lines = done.stdout.splitlines()
    inquiry.expect(done.returncode == 0 and bool(lines), "start.failed", code=done.returncode)
    for seed, first, again in zip(SEEDS, _starts(inquiry.game), json.loads(lines[-1]), strict=True):
        inquiry.expect(first == again, "start.elsewhere", seed=seed, first=str(first), again=str(again))


def _starts(game: Game) -> list[list[int]]:
    return [list(game.rules.start(game.options, seed)) for seed in SEEDS]


def main() -> None:
    """Print the first positions of the game of a spec as one line of JSON, after whatever its file prints."""
    end_with_parent()
    print(json.dumps(_starts(registry.game(sys.argv[1]))), flush=True)
