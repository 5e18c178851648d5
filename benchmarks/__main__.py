"""`make bench`: Palabre beside other systems and beside C, in one run, as ratios.

Everything is measured in turn, in several short rounds, so that a noisy minute affects all of it. A figure is the
median of the rounds. The tables, a picture and the numbers as JSON go to benchmarks/results.
"""

import argparse
import json
import math
import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from benchmarks import arena, boards, floor, ours, peers, promise, sandbox
from benchmarks.rate import Rate
from benchmarks.startup import startup_seconds
from palabre.compile.collector import freeze_collector

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Contest:
    """Two rates, ours and another's, and the ratio that we want to reach."""

    title: str
    ours: str
    theirs: str
    at_least: float | None


CONTESTS = (
    Contest("Awélé playouts, OpenSpiel in C++", "awele playouts", "openspiel c++", 10),
    Contest("Awélé playouts, OpenSpiel with rules in Python", "awele playouts", "openspiel python", 200),
    Contest("Awélé tree search, simulations, OpenSpiel in C++", "awele simulations", "openspiel mcts", 10),
    Contest("Awélé moves, easyAI", "awele moves", "easyai moves", 100),
    Contest("Awélé moves, OpenSpiel's own tic-tac-toe in Python", "awele moves", "openspiel tic-tac-toe", None),
    Contest("Awélé alpha-beta to depth 8, OpenSpiel", "awele alpha-beta", "openspiel alpha-beta", 50),
    Contest("Awélé alpha-beta to depth 8, easyAI", "awele alpha-beta", "easyai alpha-beta", 500),
    Contest("Awélé engine, two threads against one", "awele 2 threads", "awele 1 thread", 1.6),
    Contest("Abalone engine, two threads against one", "abalone 2 threads", "abalone 1 thread", 1.6),
    Contest("Awélé perft, C, last ply counted", "awele bulk", "c awele bulk", 0.9),
    Contest("Awélé perft, C, last ply made", "awele make", "c awele make", 0.9),
    Contest("Abalone perft, C, last ply counted", "abalone bulk", "c abalone bulk", 0.9),
    Contest("Abalone perft, C, last ply made", "abalone make", "c abalone make", 0.9),
)
GAMES = {  # rules, plies of perft, plies of the engine, position
    "awele": ("awele", 11, 23, None),
    "awale": ("awale", 4, 15, None),
    "abalone": ("abalone:official", 4, 14, None),
    "avalam": ("avalam:official", 3, 6, None),
    "penguins": ("penguins", 4, 11, ours.MIDDLE_OF_PENGUINS),
}
ENGINE_GOALS = (("Awélé", "awele", 8e6), ("Abalone", "abalone", 4e6))  # nodes a second on one thread


Measurement = Callable[[float], dict[str, Rate]]


def measurements() -> list[Measurement]:
    """Everything that is measured. Each call is one round and gives one or two rates."""
    made: list[Measurement] = []
    for name, (spec, perft_plies, engine_plies, position) in GAMES.items():
        made.append(_double(name, ours.random_games(spec)))
        made.append(_single(f"{name} bulk", ours.leaves(spec, perft_plies, position)))
        made.append(_double(name, ours.engine_to_depth(spec, engine_plies, position)))
    others: dict[str, Callable[[float], Rate]] = {
        "awele make": ours.leaves("awele", 11, make=True),
        "abalone make": ours.leaves("abalone:official", 4, make=True),
        "awele simulations": ours.simulations("awele"),
        "awele alpha-beta": ours.evaluated("awele", peers.PLIES),
        "openspiel c++": peers.openspiel_oware,
        "openspiel alpha-beta": peers.openspiel_alphabeta,
        "easyai alpha-beta": peers.easyai_alphabeta,
        "awele 1 thread": ours.engine_threads("awele", 1),
        "awele 2 threads": ours.engine_threads("awele", 2),
        "abalone 1 thread": ours.engine_threads("abalone:official", 1),
        "abalone 2 threads": ours.engine_threads("abalone:official", 2),
        "openspiel mcts": peers.openspiel_mcts,
        "openspiel python": peers.openspiel_python_awele,
        "openspiel tic-tac-toe": peers.openspiel_python_tic_tac_toe,
        "easyai moves": peers.easyai_awele,
        "c awele bulk": partial(floor.perft, floor.AWELE, "bulk"),
        "c awele make": partial(floor.perft, floor.AWELE, "make"),
        "c abalone bulk": partial(floor.perft, floor.ABALONE, "bulk"),
        "c abalone make": partial(floor.perft, floor.ABALONE, "make"),
    }
    return made + [_single(name, rate) for name, rate in others.items()]


def _single(name: str, rate: Callable[[float], Rate]) -> Measurement:
    return lambda seconds: {name: rate(seconds)}


def _double(name: str, rates: Callable[[float], tuple[Rate, Rate]]) -> Measurement:
    return lambda seconds: {f"{name} {rate.unit}": rate for rate in rates(seconds)}


def take_all(rounds: int, seconds: float) -> dict[str, list[Rate]]:
    """Every rate of every round."""
    rates_of: dict[str, list[Rate]] = {}
    with Progress(console=Console(stderr=True), transient=True) as progress:
        compiling = progress.add_task("compiling", total=None)
        todo = measurements()
        progress.remove_task(compiling)
        bar = progress.add_task("measuring", total=rounds * len(todo))
        for _ in range(rounds):
            for measurement in todo:
                for name, rate in measurement(seconds).items():
                    rates_of.setdefault(name, []).append(rate)
                progress.advance(bar)
    return rates_of


def medians(rates_of: dict[str, list[Rate]]) -> dict[str, float | None]:
    """The median of each rate; None for what could not be measured."""
    rates = {name: [rate.per_second for rate in taken] for name, taken in rates_of.items()}
    return {
        name: statistics.median(rate for rate in taken if rate is not None) if None not in taken else None
        for name, taken in rates.items()
    }


def ratio(contest: Contest, rates: dict[str, float | None]) -> float | None:
    """Ours divided by theirs."""
    mine, theirs = rates[contest.ours], rates[contest.theirs]
    return mine / theirs if mine and theirs else None


def markdown(rates: dict[str, float | None], rates_of: dict[str, list[Rate]], starts: dict[str, float]) -> str:
    """The tables as a document."""
    lines = ["| against | ours, per second | theirs | ratio | at least |", "|---|---|---|---|---|"]
    for contest in CONTESTS:
        value, theirs = ratio(contest, rates), rates[contest.theirs]
        peer = f"{theirs:,.0f}" if theirs else rates_of[contest.theirs][0].note
        times = f"{value:,.2f}" if value else "—"
        row = (contest.title, f"{rates[contest.ours] or 0:,.0f}", peer, times, str(contest.at_least or "—"))
        lines.append(f"| {' | '.join(row)} |")
    lines += ["", "| game | random games/s | moves/s | perft leaves/s | engine nodes/s | to depth |", "|---" * 6 + "|"]
    for name, (_, _, depth, _) in GAMES.items():
        figures = [f"{rates[f'{name} {what}'] or 0:,.0f}" for what in ("playouts", "moves", "bulk", "engine")]
        seconds = 1 / (rates[f"{name} searches"] or math.inf)
        lines.append(f"| {name} | {' | '.join(figures)} | {depth}: {seconds:.2f} s |")
    lines += ["", "| start-up | seconds |", "|---|---|"]
    lines += [f"| {what} | {seconds:.2f} |" for what, seconds in starts.items()]
    return "\n".join([*lines, ""])


def picture(rates: dict[str, float | None], file: Path) -> None:
    """All ratios on one logarithmic axis, each with its goal."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    measured = [(contest, value) for contest in CONTESTS if (value := ratio(contest, rates)) is not None]
    figure, axes = plt.subplots(figsize=(9, 0.55 * len(measured) + 1.4), layout="constrained")
    places = range(len(measured), 0, -1)
    axes.barh(places, [value for _, value in measured], color="#2f5d8a", height=0.6)
    for place, (contest, value) in zip(places, measured, strict=True):
        axes.text(value * 1.06, place, f"{value:,.2f}×" if value < 10 else f"{value:,.0f}×", va="center")
        if contest.at_least:
            axes.plot([contest.at_least] * 2, [place - 0.38, place + 0.38], color="#c8402f", linewidth=2)
    axes.set_yticks(list(places), [contest.title for contest, _ in measured])
    axes.set_xscale("log")
    axes.set_xlim(0.3, max(value for _, value in measured) * 4)
    axes.axvline(1, color="#3a3226", linewidth=0.8)
    axes.set_xlabel("Palabre's speed as a multiple of theirs; red: the goal")
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(file)


def main() -> None:
    freeze_collector()
    options = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--seconds", type=float, default=1.0, help="for each figure in each round")
    chosen = options.parse_args()
    begin = time.time()
    rates_of = take_all(chosen.rounds, chosen.seconds)
    rates = medians(rates_of)
    starts = startup_seconds()
    walls = sandbox.measure_all()
    events = arena.measure()
    answers = promise.measure()
    people = boards.measure()
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "benchmarks.md").write_text(
        "\n".join(
            [
                markdown(rates, rates_of, starts),
                arena.markdown(events),
                sandbox.markdown(walls),
                promise.markdown(answers),
                boards.markdown(people),
            ]
        ),
        encoding="utf-8",
    )
    document = {
        "machine": platform.platform(),
        "rounds": chosen.rounds,
        "medians": rates,
        "startup": starts,
        "arena": events,
        "sandbox": walls,
        "promise": answers,
        "boards": people,
    }
    (RESULTS / "benchmarks.json").write_text(json.dumps(document, indent=2), encoding="utf-8")
    picture(rates, RESULTS / "benchmarks.svg")
    console = Console()
    table = Table("against", "ratio", "at least", box=None)
    for contest in CONTESTS:
        value = ratio(contest, rates)
        missed = value is not None and contest.at_least is not None and value < contest.at_least
        shown = rates_of[contest.theirs][0].note if value is None else f"{value:,.2f}"
        table.add_row(contest.title, shown, str(contest.at_least or ""), style="red" if missed else None)
    for title, name, goal in ENGINE_GOALS:
        speed = rates[f"{name} engine"] or 0
        row = (f"{title} engine, million nodes a second", f"{speed / 1e6:.2f}", f"{goal / 1e6:.0f}")
        table.add_row(*row, style="red" if speed < goal else None)
    for title, value, goal, is_met in [
        *arena.goals(events),
        *sandbox.goals(walls),
        *promise.goals(answers),
        *boards.goals(people),
    ]:
        table.add_row(title, f"{value:.3g}", f"{goal:g}", style=None if is_met else "red")
    console.print(table)
    console.print(f"{time.time() - begin:.0f} s; tables and picture in {RESULTS.relative_to(Path.cwd())}", markup=False)


if __name__ == "__main__":
    main()
