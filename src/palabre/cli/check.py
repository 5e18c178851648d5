"""`palabre check`: whether a game obeys the laws that everything else relies on.

The game runs in a process of its own with bounds checks, so that even a crash or an endless loop becomes a sentence.
"""

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from typing import Annotated, Any

import typer

from palabre.cli.output import Json, Seed, Spec, console, notes, print_json, table
from palabre.core.errors import PalabreError
from palabre.core.registry import split

CODE = "from palabre.laws.check import main; main()"
COMPILING = 600.0  # seconds that compiling may take on a busy machine
LAST_WORDS = 5.0  # seconds for the process to end after its last line

Games = Annotated[int, typer.Option("--games", min=1, max=100_000, help="How many random games to play.")]
Patience = Annotated[float, typer.Option("--patience", min=1.0, help="Seconds that a rule may take to answer.")]


def check(spec: Spec, games: Games = 50, seed: Seed = 0, patience: Patience = 30.0, as_json: Json = False) -> int:
    """Check a game's rules: random games, in plain Python and compiled, with bounds checks. Run it after every edit.

    Exit code 0: all laws hold. 1: a law is broken, and the message says which, where and what to do. 2: the game cannot
    be loaded.
    """
    with notes.status(f"checking {split(spec)[0]}…") as status:
        told = _told(_Child(spec, games, seed), patience, lambda text: status.update(text))
    if "refused" in told:
        raise PalabreError(told["refused"])
    broken = told.get("broken")
    if as_json:
        print_json({"game": spec, "holds": broken is None, "broken": broken, **_counts(told)})
    elif broken is not None:
        console.print(broken)
    else:
        _print_summary(told)
    return 1 if broken is not None else 0


def _counts(told: dict[str, Any]) -> dict[str, Any]:
    return {name: told.get(name) for name in ("games", "positions", "compiled")}


def _print_summary(told: dict[str, Any]) -> None:
    listing = table("what was checked", ">how often")
    listing.add_row("random games, played to the end", f"{told['games']:,}")
    listing.add_row("positions: moves, texts, keys, scores, views, evaluations", f"{told['positions']:,}")
    if told["compiled"]:
        listing.add_row("positions asked again of the compiled rules", f"{told['positions']:,}")
    console.print(listing)
    agree = "compiled and plain agree" if told["compiled"] else "nothing was compiled (NUMBA_DISABLE_JIT is set)"
    console.print(f"{told['games']:,} games, {told['positions']:,} positions: no law is broken, {agree}")


class _Child:
    """The process that checks a game, and the lines that it prints."""

    def __init__(self, spec: str, games: int, seed: int) -> None:
        environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "PYTHONIOENCODING": "utf-8"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", CODE, spec, str(games), str(seed)],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            errors="replace",
        )
        self.lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self.process.stdout or ():
            self.lines.put(line)
        self.lines.put(None)

    def end(self) -> int:
        """Wait for the process, kill it if it does not end, and return its exit code."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.process.wait(LAST_WORDS)
        self.process.kill()
        return self.process.wait()


def _told(child: _Child, patience: float, show: Any) -> dict[str, Any]:
    """The last document that the process prints; if it crashes or is stuck, a sentence about that."""
    last: dict[str, Any] = {"doing": "starting Python", "where": ""}
    seen = 0
    try:
        while True:
            try:
                line = child.lines.get(timeout=COMPILING if last["doing"].startswith("compiling") else patience)
            except queue.Empty:
                remedy = "look for a loop that does not end; --patience waits longer"
                return {"broken": f"{_place(last)} has given no answer for {patience:g} seconds; {remedy}."}
            if line is None:
                return {"broken": f"{_place(last)} {_death(child.end())}"}
            with contextlib.suppress(ValueError):  # the game's own file may print anything
                document = json.loads(line)
                if isinstance(document, dict) and "doing" in document:
                    last = document
            if not last["doing"]:
                return last
            seen += 1
            show(f"{last['doing']}: {seen:,} positions")
    finally:
        child.process.kill()


def _place(last: dict[str, Any]) -> str:
    return f"{last['doing']}, in {last['where']}," if last["where"] else last["doing"]


def _death(code: int) -> str:
    """How a process died, and what that usually means."""
    if code >= 0:
        return f"has ended the process with the exit code {code}; rules must not call exit."
    names = {each.value: each.name for each in signal.Signals}
    remedy = "look for a recursion without end, or an index beyond a Table or a move buffer"
    return f"has crashed the process ({names.get(-code, f'signal {-code}')}); {remedy}."
