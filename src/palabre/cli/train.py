"""`palabre train`: the weights of an evaluation, trained by a game's own method."""

import dataclasses
import json
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any

import typer

from palabre.arena.result import standard_error
from palabre.cli.output import MOST, NOTHING, Json, Seed, Spec, console, notes, print_json, progress, table
from palabre.cli.paths import output_file, write_file
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.verbs import Weights
from palabre.core.words import own_words
from palabre.evaluation.names import evaluation
from palabre.laws.first_use import checked_game
from palabre.learn.training import TrainingModule, TrainingStep, read_settings, training_of

say = own_words(__file__)


@dataclass
class Run:
    """A training, and what has come of it so far."""

    game: Game
    module: TrainingModule
    how: Any
    before: Weights
    steps: list[TrainingStep] = field(default_factory=list)
    shares: dict[tuple[str, str], list[float]] = field(default_factory=dict)  # what the first won, on each board

    @property
    def weights(self) -> Weights:
        return self.steps[-1].weights if self.steps else self.before

    def check(self) -> list[dict[str, Any]]:
        """What each comparison has shown."""
        return [
            {"first": pair[0], "second": pair[1], "share": fmean(won), "error": standard_error(won), "boards": len(won)}
            for pair, won in self.shares.items()
        ]

    def document(self) -> dict[str, Any]:
        return {
            "game": self.game.spec,
            "evaluation": self.module.EVALUATION,
            "weights": {name: getattr(self.weights, name) for name in self.module.TRAINED},
            "before": {name: getattr(self.before, name) for name in self.module.TRAINED},
            "steps": len(self.steps),
            "kept": sum(step.is_kept for step in self.steps),
            "check": self.check(),
            **dataclasses.asdict(self.how),
        }

    def save(self, file: Path | None) -> None:
        if file is not None:
            write_file(file, json.dumps(self.document(), indent=2) + "\n")


def train(
    spec: Spec,
    steps: Annotated[int, typer.Option(min=1, max=MOST, help="How many changes of the weights to try.")] = 200,
    settings: Annotated[
        str,
        typer.Option(
            "--with", metavar="NAME=VALUE,…", help="Training settings; an unknown name lists the ones the game has."
        ),
    ] = "",
    check: Annotated[
        int, typer.Option(min=2, max=MOST, help="Number of unseen boards on which to check the weights at the end.")
    ] = 100,
    out: Annotated[
        Path | None,
        typer.Option(
            callback=output_file, metavar="FILE", help="Write the weights to this JSON file, also after each kept step."
        ),
    ] = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Train the weights of an evaluation with the game's own method. Ctrl-C stops and checks the weights so far."""
    game = checked_game(spec)
    module = training_of(game)
    run = Run(game, module, read_settings(game, settings, seed), evaluation(game, module.EVALUATION))
    try:
        _train(run, steps, out)
    except KeyboardInterrupt:
        notes.print(f"stopped after {len(run.steps)} of {steps} steps", style="yellow")
    if not run.steps:
        raise PalabreError(say("train.no_step"))
    try:
        _check(run, check)
    except KeyboardInterrupt:
        notes.print("stopped the check", style="yellow")
    run.save(out)
    if as_json:
        print_json(run.document())
    else:
        _report(run)


def _train(run: Run, steps: int, out: Path | None) -> None:
    """Take the steps."""
    with progress("preparing…", steps) as advance:
        for step in run.module.train(run.game, run.before, run.how, steps):
            run.steps.append(step)
            if step.is_kept:
                run.save(out)
            advance(f"{100 * step.share:.1f} % against {step.rival}")


def _check(run: Run, boards: int) -> None:
    """Compare the weights found on boards that the training has not seen."""
    with progress("checking", None) as advance:
        for first, second, share in run.module.check(run.game, run.weights, run.before, run.how, boards):
            run.shares.setdefault((first, second), []).append(share)
            advance(f"checking {first} against {second}")


def _report(run: Run) -> None:
    kept = [step for step in run.steps if step.is_kept]
    rival = run.steps[0].rival
    how = say("train.beaten", rival=rival, step=kept[0].number) if kept else say("train.not_beaten", rival=rival)
    console.print(str(say("train.steps", steps=len(run.steps), kept=len(kept), how=how)))
    listing = table("weight", ">before", ">trained")
    for name in run.module.TRAINED:
        listing.add_row(name, f"{getattr(run.before, name):.4g}", f"{getattr(run.weights, name):.4g}")
    console.print(listing)
    checked = table("weights", "against", ">boards", ">won", ">±", title="on other boards")
    for found in run.check():
        percents = (NOTHING if part is None else f"{100 * part:.2f} %" for part in (found["share"], found["error"]))
        checked.add_row(found["first"], found["second"], str(found["boards"]), *percents)
    console.print(checked)
