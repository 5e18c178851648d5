"""`palabre learn`: a net for a game, in generations of self-play, training and a match that decides."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from palabre.cli.event_options import On
from palabre.cli.output import MOST, Json, Seed, Spec, a_number, console, notes, print_json, print_table, table
from palabre.cli.paths import output_folder
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.system import usable_cores
from palabre.core.words import own_words
from palabre.evaluation.net_file import SIZES
from palabre.laws.first_use import checked_game
from palabre.workers.cluster.connection import check_cluster

if TYPE_CHECKING:
    from palabre.learn.generations import Generation, Learning, LearningStage

say = own_words(__file__)

LINE_SECONDS = 15.0  # between two lines about the same phase, where there is no terminal


def learn(
    spec: Spec,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--out",
            callback=output_folder,
            metavar="FOLDER",
            help="Keep everything here; the same command then resumes. By default learn-GAME.",
        ),
    ] = None,
    generations: Annotated[int, typer.Option(min=1, max=1000, help="How many nets to train, one after another.")] = 4,
    hours: Annotated[
        float | None,
        typer.Option(callback=a_number, min=0.0, max=10_000.0, help="Begin no generation that would end later."),
    ] = None,
    positions: Annotated[int, typer.Option(min=100, max=MOST, help="Labelled positions in a generation.")] = 500_000,
    nodes: Annotated[int, typer.Option(min=1, max=MOST, help="Nodes of the search of each position.")] = 1_000,
    lanes: Annotated[int, typer.Option(help="Width of the net: 32, 64 or 128.")] = 64,
    gate_seconds: Annotated[
        float,
        typer.Option(callback=a_number, min=0.001, max=3600.0, help="Seconds per move in the match that decides."),
    ] = 0.05,
    gate_nodes: Annotated[
        int, typer.Option(min=0, max=MOST, help="Nodes per move instead of seconds: the same seed gives the same nets.")
    ] = 0,
    gate_games: Annotated[int, typer.Option(min=2, max=MOST, help="Most games of that match.")] = 400,
    processes: Annotated[
        int | None, typer.Option(min=1, max=256, help="How many games to play at once, by default one per core.")
    ] = None,
    on: On = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Learn an evaluation of a game by self-play. Ctrl-C stops, and the same command goes on."""
    # Before NumPy is imported: on a busy machine its threads wait for each other, and their number changes the sums.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if lanes not in SIZES:
        raise PalabreError(say("learn.lanes", lanes=lanes))
    if gate_games % 2:
        raise PalabreError(say("learn.odd_games", games=gate_games, better=gate_games + 1))
    if on is not None:
        check_cluster(on)
    from palabre.learn.generations import Learning, LearningSettings, open_learning
    from palabre.learn.labels import Workers

    game = checked_game(spec)
    settings = LearningSettings(game.spec, positions, nodes, lanes, seed, gate_seconds, gate_nodes, gate_games)
    workers = Workers(processes or usable_cores(), on)
    with shown_progress() as on_stage:
        place = folder or Path(f"learn-{Path(game.facts.name).stem}")
        with open_learning(Learning(place, settings, workers, on_stage)) as learning:
            _tell_before(learning, generations)
            for generation in learning.generations():
                _note(game, generation)
                if generation.number >= generations or _is_over_time(learning, hours):
                    break
            _report(learning, as_json)


def _is_over_time(learning: "Learning", hours: float | None) -> bool:
    """Whether one more generation like the last would end after so many hours in all."""
    if hours is None:
        return False
    seconds = [generation.gate.seconds for generation in learning.done()]
    return sum(seconds) + seconds[-1] > 3600 * hours


def _tell_before(learning: "Learning", generations: int) -> None:
    """Say what it will take, before it begins."""
    if learning.done():
        notes.print(str(say("learn.resumed", generations=len(learning.done()))), style="dim")
        return
    from palabre.learn.estimate import estimated

    estimate = estimated(learning)
    notes.print(
        str(
            say(
                "learn.estimate",
                rate=estimate.rate,
                minutes=estimate.seconds / 60,
                disk=generations * estimate.disk_bytes / 1e6,
                memory=estimate.memory_bytes / 1e6,
            )
        ),
        style="dim",
    )


@contextmanager
def shown_progress() -> "Iterator[Callable[[LearningStage], None]]":
    """A bar for the phase under way on standard error, or a line now and then if that is no terminal."""
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=notes, transient=True, disable=not notes.is_terminal) as bar:
        task = bar.add_task("preparing…", total=None)
        last: list[object] = [None, 0.0]

        def show(stage: "LearningStage") -> None:
            phase = (stage.generation, stage.phase)
            text = str(say(f"learn.{stage.phase}", generation=stage.generation, done=stage.done, note=stage.note))
            if notes.is_terminal:
                bar.update(task, description=text, completed=stage.done, total=stage.total or None)
            elif phase != last[0] or time.monotonic() - float(str(last[1])) > LINE_SECONDS:
                last[:] = phase, time.monotonic()
                notes.print(text, style="dim")

        yield show


def _note(game: Game, generation: "Generation") -> None:
    word = "learn.kept" if generation.gate.is_kept else "learn.dropped"
    notes.print(str(say(word, generation=generation.number, game=game.spec)), style="dim")


def _report(learning: "Learning", as_json: bool) -> None:
    from palabre.learn.learning_report import HEADINGS, cells, document, write_report

    page = write_report(learning)
    if as_json:
        print_json(document(learning))
        return
    made = table(*(f">{heading}" for heading in HEADINGS))
    for generation in learning.done():
        made.add_row(*cells(generation))
    print_table(console, made)
    best = learning.best_net()
    console.print(str(say("learn.none_kept") if best is None else say("learn.best", file=best)))
    console.print(str(say("learn.page", file=page)))
