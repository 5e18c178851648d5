"""How strong the engine and its parts are: paired matches, and the tables of docs/reports made from them.

    python -m benchmarks.strength sources            play the matches of one table
    python -m benchmarks.strength --games 20         play all tables with fewer games
    python -m benchmarks.strength --write            write the results to the reports

Two matches are played at a time, those of two threads against one alone. Each match is a `palabre match … --json`; its
result is kept in benchmarks/results/strength. Matches with a result are not played again, so an interrupted run
continues.
"""

import argparse
import json
import re
import shlex
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from palabre.bots.levels import STRONGEST
from palabre.search.worker import TECHNIQUES

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results" / "strength"
REPORTS = ROOT / "docs" / "reports"
SOURCE_TIME, TECHNIQUE_TIME, MCTS_TIME = 0.05, 0.01, 0.02  # seconds a move
TREE = f"mcts:time={MCTS_TIME}"
# The opponents of `mcts`: itself with one switch off, plain UCT (all of them off), and the engine.
MCTS_RIVALS = (
    *(f"{TREE},{off}" for off in ("heuristic_weight=0", "playout=10000", "proofs=no", "reuse=no")),
    f"{TREE},heuristic_weight=0,playout=10000,exploration=1.4",
    f"palabre:time={MCTS_TIME}",
)
HEADING = "| game | against | result | score | 95 % | ms a move |\n|---|---|---|---|---|---|"
GAMES = ("awele", "awale", "abalone", "avalam:official", "penguins")
STEP_GAMES = ("awele", "penguins", "penguins:players=3", "penguins:players=4", "examples/connect_four.py")
STEP = 2  # levels so far apart must differ clearly
LEVEL_TABLES = ("levels", "scale", "steps")


@dataclass(frozen=True)
class Contest:
    """A match to play."""

    table: str
    game: str
    first: str
    second: str
    games: int

    @property
    def command(self) -> str:
        words = ("match", self.first, self.second, "--game", self.game, "--games", str(self.games))
        return f"palabre {shlex.join(words)}"

    @property
    def file(self) -> Path:
        return RESULTS / (
            re.sub(r"[^\w.=-]+", "_", f"{self.table} {self.game} {self.first} {self.second} {self.games}") + ".json"
        )


def contests(games: int | None) -> list[Contest]:
    """All matches, table by table."""
    engine = f"palabre:time={SOURCE_TIME}"
    contests = [
        Contest("sources", game, engine, other, games or 100)
        for game, other in (
            *(("awale", f"adaptive:eval={name}") for name in ("raw", "corrected", "defence")),
            ("abalone", "frabalon"),
            ("abalone:official", "frabalon"),
            ("avalam", "divine:depth=4"),
            ("avalam:official", "divine:depth=4"),
            ("awele", "alphabeta:depth=8"),
            ("awele:abapa", "alphabeta:depth=8"),
            ("penguins", "penguins-hard"),
        )
    ]
    plain = f"palabre:time={TECHNIQUE_TIME}"
    contests += [
        Contest("techniques", game, plain, f"{plain},disable={technique}", games or 60)
        for technique in TECHNIQUES
        for game in GAMES
        if is_used(technique, game)
    ]
    contests += [
        Contest("mcts", game, TREE, rival, games or 40)
        for rival in MCTS_RIVALS
        for game in ("awele", "avalam:official", "penguins")
    ]
    contests += [
        Contest("threads", game, f"{one},threads=2", one, games or 40)
        for one in (engine, TREE)
        for game in ("awele", "abalone", "penguins")
    ]
    contests += [
        Contest("levels", game, level(number + 1), level(number), games or 40)
        for game in GAMES
        for number in range(1, STRONGEST)
    ]
    contests += [
        Contest("scale", game, f"mcts:level={number}", f"palabre:level={number}", games or 40)
        for number in range(1, STRONGEST)
        for game in GAMES
    ]
    contests += [
        Contest("steps", game, f"mcts:level={number + STEP}", f"mcts:level={number}", games or 48)
        for number in range(1, STRONGEST - STEP)
        for game in STEP_GAMES
    ]
    return contests


def level(number: int) -> str:
    """The engine at a level. The last level has no limit of its own and gets a time."""
    return f"palabre:level={number}" + (f",time={SOURCE_TIME}" if number == STRONGEST else "")


def is_used(technique: str, game: str) -> bool:
    """Whether a technique does anything in a game."""
    only = {
        "gains": ("awele",),
        "quiescence": ("abalone", "awele"),
        "reductions": ("awele", "awale", "abalone", "penguins"),
    }
    return game in only.get(technique, (game,))


def play(contest: Contest) -> str:
    """Play a match, keep its result and return it in one line."""
    # A match alone would use all processors, and matches played side by side would take each other's time.
    words = [sys.executable, "-m", "palabre", *shlex.split(contest.command)[1:], "--workers", "0", "--json"]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", check=False)
    if done.returncode != 0:
        return f"{contest.command}: {done.stderr.strip().splitlines()[-1:]}"
    RESULTS.mkdir(parents=True, exist_ok=True)
    part = contest.file.with_suffix(".part")
    part.write_text(json.dumps({"command": contest.command, **json.loads(done.stdout)}), encoding="utf-8")
    part.rename(contest.file)
    return f"{contest.command}: {result_words(result_of(contest))}"


def result_of(contest: Contest) -> dict[str, Any]:
    """The result of the first bot of a match that was played; with more than two seats, each bot has one of its own."""
    document: dict[str, Any] = json.loads(contest.file.read_text(encoding="utf-8"))
    standings = document.get("standings", ())
    return next((one for one in standings if one["side"]["bot"] == contest.first), document)


def result_words(result: dict[str, Any]) -> str:
    """The cells of a result: wins, draws and losses; the score with its standard error; the interval."""
    low, high = result["score_95"]
    error = "–" if result["standard_error"] is None else f"{100 * result['standard_error']:.1f}"
    counts = f"{result['wins']}–{result['draws']}–{result['losses']}"
    return f"{counts} | {100 * result['score']:.1f} % ± {error} | {100 * low:.0f} to {100 * high:.0f} %"


def row(contest: Contest) -> str:
    """A row of a table in a report."""
    result = result_of(contest)
    times = [result[side]["seconds_per_move"] for side in ("first", "second")]
    spent = " against ".join("–" if seconds is None else f"{1000 * seconds:.0f}" for seconds in times)
    opponent = contest.second.removeprefix(f"{contest.first},")  # only the switch, if it plays itself
    return f"| `{contest.game}` | `{opponent}` | {result_words(result)} | {spent} |"


def level_table(played: list[Contest]) -> list[str]:
    """A table of levels: a row for each game, a column for each pair of levels."""
    columns = sorted({level_numbers(contest) for contest in played})
    lines = [
        "| game " + "".join(f"| {high} v {low} " for low, high in columns) + "|",
        "|---" * (len(columns) + 1) + "|",
    ]
    for game in dict.fromkeys(contest.game for contest in played):
        cells = {level_numbers(contest): score_words(contest) for contest in played if contest.game == game}
        lines.append(f"| `{game}` | {' | '.join(cells.get(column, '–') for column in columns)} |")
    return lines


def level_numbers(contest: Contest) -> tuple[int, int]:
    """The level of the second bot and of the first."""
    low, high = (int(re.findall(r"level=(\d+)", spec)[0]) for spec in (contest.second, contest.first))
    return low, high


def score_words(contest: Contest) -> str:
    """The score of a match in per cent, with its standard error."""
    result = result_of(contest)
    error = "" if result["standard_error"] is None else f" ± {100 * result['standard_error']:.0f}"
    return f"{100 * result['score']:.0f}{error}"


def write(games: int | None) -> None:
    """Write the tables of the matches that have been played between their marks, in the report that has them."""
    for name in dict.fromkeys(contest.table for contest in contests(games)):
        played = [contest for contest in contests(games) if contest.table == name and contest.file.exists()]
        if not played:
            continue
        lines = level_table(played) if name in LEVEL_TABLES else [HEADING, *map(row, played)]
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        [report] = [page for page in REPORTS.glob("*.md") if begin in page.read_text(encoding="utf-8")]
        before, rest = report.read_text(encoding="utf-8").split(begin)
        after = rest.split(end)[1]
        report.write_text(before + begin + "\n".join(lines) + "\n" + end + after, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength", description=__doc__.split("\n")[0])
    parser.add_argument(
        "tables", nargs="*", help="sources, techniques, mcts, threads, levels, scale, steps; default: all"
    )
    parser.add_argument("--games", type=int, help="of each match, an even number")
    parser.add_argument("--game", help="only the matches of this game")
    parser.add_argument("--processes", type=int, default=2, help="matches played at the same time")
    parser.add_argument("--write", action="store_true", help="only write the tables to docs/reports")
    options = parser.parse_args()
    if options.write:
        write(options.games)
        return
    left = [
        contest
        for contest in contests(options.games)
        if contest.table in (options.tables or [contest.table])
        and contest.game == (options.game or contest.game)
        and not contest.file.exists()
    ]
    begin = time.monotonic()
    count = 0
    for processes, alone in ((options.processes, False), (1, True)):
        matches = [contest for contest in left if (contest.table == "threads") == alone]
        with ThreadPoolExecutor(processes) as pool:
            for done in as_completed([pool.submit(play, contest) for contest in matches]):
                count += 1
                minutes = (time.monotonic() - begin) / 60
                estimate = minutes / count * (len(left) - count)
                print(
                    f"{count} of {len(left)}, {minutes:.1f} min, some {estimate:.0f} left: {done.result()}", flush=True
                )


if __name__ == "__main__":
    main()
