"""`palabre train`: the weights by which penguins are placed, changed at random and kept if they place better."""

import dataclasses
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from palabre.arena.result import standard_error
from palabre.cli.output import NOTHING, Json, Seed, Spec, console, notes, print_json, table, write_file
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.evaluation.names import evaluation
from palabre.games.penguins import training as placement
from palabre.games.penguins.evaluation import Weights
from palabre.games.penguins.training import MONTE_CARLO, TRAINED, Step, Training, check_boards, game_to_train, shares


@dataclass
class Comparison:
    """Two ways to place, and what the first has won on each board that both have placed on so far."""

    first: str
    second: str
    evaluations: tuple[Any, Any]
    shares: list[float] = field(default_factory=list)

    def summary(self) -> dict[str, Any]:
        share = fmean(self.shares) if self.shares else None
        error = standard_error(self.shares)
        return {"first": self.first, "second": self.second, "share": share, "error": error, "boards": len(self.shares)}


@dataclass
class Run:
    """A training, and what has come of it so far."""

    game: Game
    how: Training
    before: Weights
    steps: list[Step] = field(default_factory=list)
    check: list[Comparison] = field(default_factory=list)

    @property
    def weights(self) -> Weights:
        return self.steps[-1].weights if self.steps else self.before

    def document(self) -> dict[str, Any]:
        return {
            "game": self.game.spec,
            "evaluation": "weights",
            "weights": {name: getattr(self.weights, name) for name in TRAINED},
            "before": {name: getattr(self.before, name) for name in TRAINED},
            "steps": len(self.steps),
            "kept": sum(step.is_kept for step in self.steps),
            "check": [comparison.summary() for comparison in self.check],
            **dataclasses.asdict(self.how),
        }

    def save(self, file: Path | None) -> None:
        if file is not None:
            write_file(file, json.dumps(self.document(), indent=2) + "\n")


def train(
    spec: Spec,
    steps: Annotated[int, typer.Option(min=1, help="How many times to change the weights.")] = 200,
    boards: Annotated[
        int, typer.Option(min=1, help="Boards on which a change is tried; the authors took one.")
    ] = Training.boards,
    playouts: Annotated[int, typer.Option(min=1, help="Random games that judge a placement.")] = Training.playouts,
    rival_playouts: Annotated[
        int, typer.Option(min=1, max=10**6, help="Random games of Monte Carlo for each tile it may place on.")
    ] = Training.rival_playouts,
    step_size: Annotated[
        float, typer.Option(metavar="X", help="The most by which a step changes a weight.")
    ] = Training.step_size,
    check: Annotated[int, typer.Option(min=2, help="Boards not trained on, to check the weights at the end.")] = 100,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the weights here, as JSON, also after each kept step.")
    ] = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Train the weights by which penguins are placed. Ctrl-C stops and checks what has been found so far."""
    game = game_to_train(spec)
    run = Run(game, Training(boards, playouts, rival_playouts, step_size, seed), evaluation(game, "weights"))
    if out is not None and not out.exists():
        run.save(out)  # whether it can be written is known before the work
    try:
        _train(run, steps, out)
    except KeyboardInterrupt:
        notes.print(f"stopped after {len(run.steps)} of {steps} steps", style="yellow")
    if not run.steps:
        raise PalabreError("no step has been tried, so there is nothing to check")
    try:
        _check(run, check)
    except KeyboardInterrupt:
        notes.print("stopped the check", style="yellow")
    run.save(out)
    if as_json:
        print_json(run.document())
    else:
        _report(run)


@contextmanager
def _progress(total: int) -> Iterator[Callable[[str], None]]:
    """A bar on standard error; what is yielded is called with a description each time there is one more."""
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=notes, transient=True, disable=not notes.is_terminal) as progress:
        task = progress.add_task("preparing…", total=total)
        yield lambda description: progress.update(task, advance=1, description=description)


def _train(run: Run, steps: int, out: Path | None) -> None:
    """Take the steps."""
    with _progress(steps) as advance:
        for step in placement.train(run.game, run.before, run.how, steps):
            run.steps.append(step)
            if step.is_kept:
                run.save(out)
            advance(f"{100 * step.share:.1f} % against {step.rival}")


def _check(run: Run, boards: int) -> None:
    """Compare the weights found with those before and with Monte Carlo, and those before with Monte Carlo, too."""
    run.check = [
        Comparison("trained", "untrained", (run.weights, run.before)),
        Comparison("trained", MONTE_CARLO, (run.weights, run.how.monte_carlo)),
        Comparison("untrained", MONTE_CARLO, (run.before, run.how.monte_carlo)),
    ]
    with _progress(boards * len(run.check)) as advance:
        for comparison in run.check:
            fresh = check_boards(run.game, boards, run.how.seed)
            for share in shares(*comparison.evaluations, fresh, run.how.playouts):
                comparison.shares.append(share)
                advance(f"checking against {comparison.second}")


def _report(run: Run) -> None:
    kept = [step for step in run.steps if step.is_kept]
    beaten = f"Monte Carlo was beaten in step {kept[0].number}" if kept else "Monte Carlo was not beaten"
    console.print(f"{len(run.steps)} steps, {len(kept)} kept; {beaten}")
    listing = table("weight", ">before", ">trained")
    for name in TRAINED:
        listing.add_row(name, f"{getattr(run.before, name):.4g}", f"{getattr(run.weights, name):.4g}")
    console.print(listing)
    checked = table("placed by", "against", ">boards", ">won", ">±", title="random games after placing on other boards")
    for found in (comparison.summary() for comparison in run.check):
        percents = (NOTHING if part is None else f"{100 * part:.2f} %" for part in (found["share"], found["error"]))
        checked.add_row(found["first"], found["second"], str(found["boards"]), *percents)
    console.print(checked)
