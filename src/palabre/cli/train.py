"""`palabre train`: the weights of an evaluation, trained by a game's own method."""

import json
from pathlib import Path
from typing import Annotated

import typer

from palabre.cli.output import MOST, NOTHING, Json, Seed, Spec, console, notes, print_json, progress, table
from palabre.cli.paths import output_file, write_file
from palabre.core.words import own_words
from palabre.laws.first_use import checked_game
from palabre.learn.training import Training

say = own_words(__file__)


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
    training = Training.of(checked_game(spec), settings, seed)
    try:
        with progress("preparing…", steps) as advance:
            for step in training.take_steps(steps):
                if step.is_kept:
                    _save(training, out)
                advance(f"{100 * step.share:.1f} % against {step.rival}")
    except KeyboardInterrupt:
        notes.print(f"stopped after {len(training.steps)} of {steps} steps", style="yellow")
    try:
        with progress("checking", None) as advance:
            for each in training.compare(check):
                advance(f"checking {each.first} against {each.second}")
    except KeyboardInterrupt:
        notes.print("stopped the check", style="yellow")
    _save(training, out)
    if as_json:
        print_json(training.document())
    else:
        _report(training)


def _save(training: Training, file: Path | None) -> None:
    if file is not None:
        write_file(file, json.dumps(training.document(), indent=2) + "\n")


def _report(training: Training) -> None:
    kept = [step for step in training.steps if step.is_kept]
    rival = training.steps[0].rival
    how = say("train.beaten", rival=rival, step=kept[0].number) if kept else say("train.not_beaten", rival=rival)
    console.print(str(say("train.steps", steps=len(training.steps), kept=len(kept), how=how)))
    listing = table("weight", ">before", ">trained")
    for name in training.module.TRAINED:
        listing.add_row(name, f"{getattr(training.before, name):.4g}", f"{getattr(training.weights, name):.4g}")
    console.print(listing)
    checked = table("weights", "against", ">boards", ">won", ">±", title="on other boards")
    for each in training.comparisons():
        percents = (NOTHING if part is None else f"{100 * part:.2f} %" for part in (each["share"], each["error"]))
        checked.add_row(each["first"], each["second"], str(each["boards"]), *percents)
    console.print(checked)
