"""The working tree against another checkout of Palabre: one match a game, both sides limited in nodes.

    python -m benchmarks.against ../old --games 400 --nodes 20000 --seed 11
    python -m benchmarks.against ../old --game awele --game avalam:official

This process plays for the working tree. The other checkout must be installed in its own `.venv` (`make play` does that)
and plays through UGI, so the two need not share a line of code. Each worker keeps both engines alive from game to game.

Openings, seats and luck follow from the seed alone, whatever the number of workers. Every finished pair of games is one
line of a file in benchmarks/results/against. Run the same command again after an interruption and it continues there.
"""

import argparse
import json
import multiprocessing
import shlex
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import palabre
from palabre.arena.openings import OPENING_PLIES, OPENINGS, random_opening
from palabre.arena.referee import play_game
from palabre.arena.result import interval_95, standard_error
from palabre.arena.worker import LUCK
from palabre.bots.bot import Bot
from palabre.bots.specs import bot
from palabre.core.bits import combine
from palabre.search.clock import Clock

RESULTS = Path(__file__).parent / "results" / "against"
GAMES = ("awele", "awale", "abalone", "avalam:official", "penguins")
OWN_COMMAND = Path(sys.executable).with_name("palabre")


@dataclass(frozen=True)
class Task:
    """A pair of games to play: one opening, each side once in each seat."""

    command: str  # the program of the other checkout
    game: str
    nodes: int
    seed: int
    pair: int


@dataclass(frozen=True)
class Row:
    """A pair that was played, seen from the working tree."""

    game: str
    pair: int
    points: tuple[float, float]  # of the first and of the second game
    plies: tuple[int, int]
    seconds: tuple[float, float]  # thinking time of the working tree and of the other, both games together
    forfeits: tuple[str, ...]  # why a side lost a game before its end

    @property
    def score(self) -> float:
        return statistics.fmean(self.points)


_bots: dict[str, tuple[Bot, Bot]] = {}  # of this worker: its engines for the game it played last


def play_pair(task: Task) -> Row:
    """Play the two games of a pair."""
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
        plies.append(len(played.record.moves))
        seconds[0] += sum(played.seconds[seat])
        seconds[1] += sum(played.seconds[1 - seat])
        if played.reason is not None:
            forfeits.append(played.reason)
    return Row(
        task.game,
        task.pair,
        (points[0], points[1]),
        (plies[0], plies[1]),
        (round(seconds[0], 3), round(seconds[1], 3)),
        tuple(forfeits),
    )


def read_rows(file: Path) -> list[Row]:
    """The pairs in a file. A line that an interruption cut short is left out, and its pair is played again."""
    rows = []
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        try:
            found: dict[str, Any] = json.loads(line)
        except json.JSONDecodeError:
            continue
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in found.items()
        }
        rows.append(Row(**values))
    return rows


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


def play_all(tasks: Sequence[Task], file: Path, workers: int) -> None:
    """Play these pairs and append each to the file as it ends."""
    begin = time.monotonic()
    pool = ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))
    try:
        for count, done in enumerate(as_completed([pool.submit(play_pair, task) for task in tasks]), 1):
            row = done.result()
            append_row(file, row)
            minutes = (time.monotonic() - begin) / 60
            left = minutes / count * (len(tasks) - count)
            told = f"{row.game} {row.pair}: {row.points[0]:g} {row.points[1]:g} {'; '.join(row.forfeits)}".rstrip()
            print(
                f"{count} of {len(tasks)} pairs, {minutes:.1f} min, about {left:.0f} left; {told}",
                file=sys.stderr,
                flush=True,
            )
    finally:
        pool.shutdown(cancel_futures=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.against", description=__doc__.split("\n")[0])
    parser.add_argument("checkout", type=Path, help="the folder of the other checkout, with its .venv")
    parser.add_argument("--game", action="append", dest="chosen", metavar="SPEC", help="repeat for several")
    parser.add_argument("--games", type=int, default=400, help="of each match, an even number")
    parser.add_argument("--nodes", type=int, default=20_000, help="for a move")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2, help="pairs played at the same time")
    parser.add_argument("--file", type=Path, help="where the pairs are kept; its name says the settings by default")
    options = parser.parse_args()
    program = options.checkout.resolve() / ".venv" / "bin" / "palabre"
    if not program.is_file():
        sys.exit(f"there is no {program}; run `make play` in {options.checkout} first")
    if options.games < 2 or options.games % 2:
        sys.exit(f"{options.games} games cannot be played in pairs; give an even number")
    games = tuple(palabre.game(spec).spec for spec in options.chosen or GAMES)
    command = shlex.quote(str(program))
    file = options.file or RESULTS / f"{options.checkout.resolve().name}-nodes{options.nodes}-seed{options.seed}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    played = {(row.game, row.pair) for row in read_rows(file)}
    tasks = [
        Task(command, game, options.nodes, options.seed, pair)
        for game in games
        for pair in range(options.games // 2)
        if (game, pair) not in played
    ]
    prepare((shlex.quote(str(OWN_COMMAND)), command), dict.fromkeys(task.game for task in tasks))
    play_all(tasks, file, options.workers)
    wanted = [row for row in read_rows(file) if row.pair < options.games // 2]
    print("\n".join(report(wanted, games)))


if __name__ == "__main__":
    main()
