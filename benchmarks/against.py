"""The working tree against another checkout of Palabre: one match a game, both sides limited in nodes.

    python -m benchmarks.against ../old --games 400 --nodes 20000 --seed 11
    python -m benchmarks.against ../old --game awele --game avalam:official

This process plays for the working tree. The other checkout must be installed in its own `.venv` (`make play` does that)
and plays through UGI, so the two need not share a line of code. Each worker keeps both engines alive from game to game.

Openings, seats and luck follow from the seed alone, whatever the number of workers. Every finished pair of games is one
line of a file in benchmarks/results/against. Run the same command again after an interruption and it continues there,
as long as neither engine has been edited. A second run on the same file is refused while the first is under way.

A pair in which a user, or the system, ended an engine shows nothing about strength: it is played again, and left out
of the table and named below it if that happens every time. An engine that crashes, hangs or cheats forfeits its game.
"""

import argparse
import hashlib
import json
import multiprocessing
import os
import re
import shlex
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

import palabre
from palabre.arena.openings import OPENING_PLIES, OPENINGS, random_opening
from palabre.arena.playing import LUCK
from palabre.arena.result import interval_95, standard_error
from palabre.bots.bot import Bot
from palabre.bots.specs import bot
from palabre.core.bits import combine
from palabre.core.system import locked
from palabre.play.referee import play_game
from palabre.search.clock import Clock

RESULTS = Path(__file__).parent / "results" / "against"
GAMES = ("awele", "awale", "abalone", "avalam:official", "penguins")
OWN_COMMAND = Path(sys.executable).with_name("palabre")
ATTEMPTS = 3  # to play a pair, or to keep workers, that are ended from outside
# How the failure of a foreign engine reports an end from outside; a shell between us and it adds 128 to the
# signal's number. Other signals, such as SIGSEGV, are an engine's own fault.
ENDED_FROM_OUTSIDE = re.compile(
    r"was ended by SIG(HUP|INT|KILL|TERM)\b|ended with exit code (129|130|137|143)\b|closed its (in|out)put"
)


@dataclass(frozen=True)
class Task:
    """A pair of games to play: one opening, each side once in each seat."""

    command: str  # the program of the other checkout
    game: str
    nodes: int
    seed: int
    pair: int
    engines: tuple[str, str]  # digests of the sources of the working tree and of the other


@dataclass(frozen=True)
class Row:
    """A pair that was played, seen from the working tree."""

    game: str
    pair: int
    nodes: int
    seed: int
    engines: tuple[str, str]
    points: tuple[float, float]  # of the first and of the second game
    plies: tuple[int, int]
    seconds: tuple[float, float]  # thinking time of the working tree and of the other, both games together
    forfeits: tuple[str, ...]  # why a side lost a game before its end

    @property
    def score(self) -> float:
        return statistics.fmean(self.points)


@dataclass(frozen=True)
class LeftOut:
    """A pair that was never played to its end."""

    game: str
    pair: int
    reason: str


class Spoiled(Exception):
    """A game has ended because an engine was ended from outside."""


_bots: dict[str, tuple[Bot, Bot]] = {}  # of this worker: its engines for the game it played last


def play_pair(task: Task) -> Row | LeftOut:
    """Play the two games of a pair, and again if an engine was ended from outside."""
    reason = ""
    for _ in range(ATTEMPTS):
        try:
            return _play_once(task)
        except Spoiled as spoiled:
            reason = str(spoiled)
    return LeftOut(task.game, task.pair, reason)


def _play_once(task: Task) -> Row:
    game = palabre.game(task.game)
    if task.game not in _bots:
        _bots.clear()  # which ends the other side's process
        _bots[task.game] = (
            bot("palabre", game),
            bot(f"ugi:{task.command} ugi {shlex.quote(task.game)} --bot palabre", game),
        )
    sides = _bots[task.game]
    luck = combine(combine(OPENINGS, task.seed), task.pair)
    start = game.start(luck)
    opening = random_opening(start, OPENING_PLIES, luck)
    points, plies, forfeits = [], [], []
    seconds = [0.0, 0.0]
    for seat in (0, 1):
        played = play_game(
            sides if seat == 0 else sides[::-1],
            start,
            opening=opening,
            clock=Clock(nodes=task.nodes),
            seed=combine(combine(LUCK, task.seed), 2 * task.pair + seat),
        )
        points.append(played.shares[seat])
        plies.append(len(played.moves))
        seconds[0] += sum(played.seconds_of(seat))
        seconds[1] += sum(played.seconds_of(1 - seat))
        if played.reason is not None:
            if ENDED_FROM_OUTSIDE.search(played.reason):
                raise Spoiled(played.reason)
            forfeits.append(played.reason)
    return Row(
        task.game,
        task.pair,
        task.nodes,
        task.seed,
        task.engines,
        (points[0], points[1]),
        (plies[0], plies[1]),
        (round(seconds[0], 3), round(seconds[1], 3)),
        tuple(forfeits),
    )


def read_rows(file: Path) -> list[Row]:
    """The pairs in a file, each once. A line that an interruption cut short is left out: its pair is played again."""
    rows: dict[tuple[str, int], Row] = {}
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines() if file.exists() else (), 1):
        try:
            fields: dict[str, Any] = json.loads(line)
        except json.JSONDecodeError:
            continue
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()
        }
        try:
            row = Row(**values)
        except TypeError:
            sys.exit(f"line {number} of {file} is no pair of games as this version writes it; give another --file")
        rows.setdefault((row.game, row.pair), row)
    return list(rows.values())


def tasks_left(asked: Sequence[Task], rows: Iterable[Row]) -> list[Task]:
    """The pairs that are not among those played; the program ends if those were played with anything else."""
    settings = {(task.nodes, task.seed, task.engines) for task in asked}
    for row in rows:
        if (row.nodes, row.seed, row.engines) not in settings:
            played = f"{row.nodes} nodes, seed {row.seed}, engines {' and '.join(row.engines)}"
            sys.exit(f"the file has pairs of other matches ({played}); give another --file")
    played_pairs = {(row.game, row.pair) for row in rows}
    return [task for task in asked if (task.game, task.pair) not in played_pairs]


def digest(package: Path) -> str:
    """A few digits that change with any source of an engine."""
    digits = hashlib.sha256()
    for file in sorted(package.rglob("*.py")):
        digits.update(str(file.relative_to(package)).encode() + b"\0" + file.read_bytes() + b"\0")
    return digits.hexdigest()[:12]


def append_row(file: Path, row: Row) -> None:
    """Add a pair to a file, on a line of its own even if the last one was cut short."""
    text = json.dumps(asdict(row)) + "\n"
    with file.open("a+b") as stream:
        end = stream.seek(0, 2)
        if end:
            stream.seek(end - 1)
            text = text if stream.read(1) == b"\n" else "\n" + text
        stream.write(text.encode())


def report(rows: Iterable[Row], games: Sequence[str]) -> list[str]:
    """The scores of the working tree as a Markdown table, the pooled score in the last line."""
    rows = list(rows)
    lines = [
        "| game | games | result | score | 95 % | plies a game | ms a move | forfeits |",
        "|---|---|---|---|---|---|---|---|",
    ]
    groups = {f"`{game}`": [row for row in rows if row.game == game] for game in games}
    if len(games) > 1:
        groups["all"] = [row for row in rows if row.game in games]
    for title, chosen in groups.items():
        if chosen:
            lines.append(_report_line(title, chosen))
    return lines


def _report_line(title: str, rows: Sequence[Row]) -> str:
    points = [point for row in rows for point in row.points]
    pairs = [row.score for row in rows]
    score = statistics.fmean(pairs)
    low, high = interval_95(score, pairs)
    error = standard_error(pairs)
    plies = sum(sum(row.plies) for row in rows)
    # Each side makes about half of the moves.
    spent = " against ".join(f"{2000 * sum(row.seconds[side] for row in rows) / plies:.0f}" for side in (0, 1))
    cells = (
        title,
        str(len(points)),
        "–".join(str(points.count(value)) for value in (1.0, 0.5, 0.0)),
        f"{100 * score:.2f} %" + ("" if error is None else f" ± {100 * error:.2f}"),
        f"{100 * low:.1f} to {100 * high:.1f} %",
        f"{plies / len(points):.0f}",
        spent,
        str(sum(len(row.forfeits) for row in rows)),
    )
    return f"| {' | '.join(cells)} |"


def prepare(commands: Iterable[str], games: Iterable[str]) -> None:
    """Have every engine compiled before the first game, so that no worker waits for another's compiler."""
    for game in games:
        for command in commands:
            words = [*shlex.split(command), "match", "palabre:nodes=1", "palabre:nodes=1", "--game", game]
            done = subprocess.run([*words, "--games", "2"], capture_output=True, encoding="utf-8", check=False)
            if done.returncode != 0:
                sys.exit(f"{shlex.join(words)} failed: {done.stderr.strip()}")


def play_all(tasks: Sequence[Task], file: Path, workers: int) -> list[LeftOut]:
    """Play these pairs and append each to the file as it ends; those that had to be left out."""
    begin = time.monotonic()
    waiting = {(task.game, task.pair): task for task in tasks}
    left_out: list[LeftOut] = []
    for _ in range(ATTEMPTS):
        pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _begin_worker)
        try:
            for done in as_completed([pool.submit(play_pair, task) for task in waiting.values()]):
                played = done.result()
                if isinstance(played, Row):
                    append_row(file, played)
                else:
                    left_out.append(played)
                del waiting[played.game, played.pair]
                _print_pair(played, len(tasks) - len(waiting), len(tasks), time.monotonic() - begin)
            return left_out
        except BrokenProcessPool:
            print("a worker was ended from outside; what it played is played again", file=sys.stderr, flush=True)
        finally:
            pool.shutdown(cancel_futures=True)
    sys.exit(f"workers were ended from outside {ATTEMPTS} times; the same command plays the {len(waiting)} pairs left")


def _begin_worker() -> None:
    """Leave Ctrl-C to the main process, and end when that has ended, however it did."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)


def _print_pair(played: Row | LeftOut, count: int, total: int, seconds: float) -> None:
    """One line of progress."""
    text = (
        f"{played.points[0]:g} {played.points[1]:g} {'; '.join(played.forfeits)}"
        if isinstance(played, Row)
        else f"left out, {played.reason}"
    )
    minutes = seconds / 60
    left = minutes / count * (total - count)
    progress = f"{count} of {total} pairs, {minutes:.1f} min, about {left:.0f} left"
    print(f"{progress}; {played.game} {played.pair}: {text}".rstrip(), file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.against", description=__doc__.split("\n")[0])
    parser.add_argument("checkout", type=Path, help="the folder of the other checkout, with its .venv")
    parser.add_argument("--game", action="append", dest="chosen", metavar="SPEC", help="repeat for several")
    parser.add_argument("--games", type=int, default=400, help="of each match, an even number")
    parser.add_argument("--nodes", type=int, default=20_000, help="for a move")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2, help="pairs played at the same time")
    parser.add_argument("--file", type=Path, help="where the pairs are kept; its name has the settings by default")
    options = parser.parse_args()
    program = options.checkout.resolve() / ".venv" / "bin" / "palabre"
    if not program.is_file():
        sys.exit(f"there is no {program}; run `make play` in {options.checkout} first")
    if options.games < 2 or options.games % 2:
        sys.exit(f"{options.games} games cannot be played in pairs; give an even number")
    games = tuple(palabre.game(spec).spec for spec in options.chosen or GAMES)
    command = shlex.quote(str(program))
    engines = digest(Path(palabre.__file__).parent), digest(options.checkout / "src" / "palabre")
    file = options.file or RESULTS / f"{options.checkout.resolve().name}-nodes{options.nodes}-seed{options.seed}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    asked = [
        Task(command, game, options.nodes, options.seed, pair, engines)
        for game in games
        for pair in range(options.games // 2)
    ]
    with locked(file.with_name(f"{file.name}.lock"), lambda: sys.exit(f"another run plays for {file}; wait for it")):
        tasks = tasks_left(asked, read_rows(file))
        try:
            prepare((shlex.quote(str(OWN_COMMAND)), command), dict.fromkeys(task.game for task in tasks))
            left_out = play_all(tasks, file, options.workers)
        except KeyboardInterrupt:
            sys.exit("stopped; the same command goes on from here")
        wanted = [row for row in read_rows(file) if row.pair < options.games // 2]
    print("\n".join(report(wanted, games)))
    for pair in left_out:
        print(f"left out: pair {pair.pair} of {pair.game}, {ATTEMPTS} times: {pair.reason}")
    sys.exit(1 if left_out else 0)


if __name__ == "__main__":
    main()
