"""How long commands take to start: processes timed by the wall clock, with an empty cache and with a warm one."""

import os
import statistics
import subprocess
import sys
import tempfile
import time

REPEATS = 5


def startup_seconds() -> dict[str, float]:
    """Seconds that a person waits for a command: the first compiled use with an empty cache, later uses as medians."""
    with tempfile.TemporaryDirectory() as cache:
        seconds = {
            "`palabre games`": _median(cache, "games"),
            "`palabre show abalone`": _median(cache, "show", "abalone"),
        }
        for game in ("awele", "abalone", "avalam"):
            seconds[f"`palabre perft {game} 1`, first time"] = _once(cache, "perft", game, "1")
            seconds[f"`palabre perft {game} 1`, later"] = _median(cache, "perft", game, "1")
    return seconds


def _median(cache: str, *words: str) -> float:
    return statistics.median(_once(cache, *words) for _ in range(REPEATS))


def _once(cache: str, *words: str) -> float:
    begin = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "palabre", *words],
        env={**os.environ, "PALABRE_CACHE": cache},
        capture_output=True,
        check=True,
    )
    return time.perf_counter() - begin
