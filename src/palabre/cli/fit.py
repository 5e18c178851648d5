"""`palabre fit`: weights of an evaluation from games of the engine against itself."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from palabre.cli.event_options import On
from palabre.cli.output import MOST, Json, Seed, Spec, console, notes, print_json, progress, table
from palabre.cli.paths import appended_file, output_file, write_file
from palabre.core.record import Record
from palabre.core.words import own_words
from palabre.evaluation.names import evaluation
from palabre.evaluation.net import refuse_net
from palabre.learn.selfplay import SelfPlay, game_of_two, self_play_records

if TYPE_CHECKING:
    from palabre.learn.fit import Fit

say = own_words(__file__)


def fit(
    spec: Spec,
    name: Annotated[
        str,
        typer.Option(
            "--eval", metavar="NAME", help="The evaluation to fit, or a file of weights; the engine plays with it."
        ),
    ],
    games: Annotated[int, typer.Option(min=2, max=MOST, help="How many games to learn from.")] = 400,
    nodes: Annotated[int, typer.Option(min=1, max=MOST, help="Nodes that the engine searches per move.")] = 2000,
    record: Annotated[
        Path | None,
        typer.Option(
            callback=appended_file, metavar="FILE", help="Keep the games in this file, and reuse those it already has."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(callback=output_file, metavar="FILE", help="Write the weights here, for eval=FILE.")
    ] = None,
    processes: Annotated[
        int, typer.Option(min=1, max=256, help="How many games to play at once, except on a cluster.")
    ] = 2,
    on: On = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Fit the weights of an evaluation to the results of games. Ctrl-C stops and fits the games played so far."""
    game = game_of_two(spec)
    weights = evaluation(game, name)
    refuse_net(weights)
    records = self_play_with_progress(SelfPlay(game.spec, name, nodes, seed), games, processes, record, on)
    from palabre.learn.fit import fit_records  # it needs NumPy, which takes time to load

    fitted = fit_records(weights, records)
    document = {**fitted.document(game, name), "nodes": nodes, "seed": seed}
    for doubt in fitted.doubts():
        notes.print(f"caution: {doubt}", style="yellow", markup=False)
    if out is not None:
        write_file(out, json.dumps(document, indent=2) + "\n")
    if as_json:
        print_json(document)
    else:
        _report(fitted, len(records))


def self_play_with_progress(
    how: SelfPlay, games: int, processes: int, file: Path | None, on: str | None
) -> list[Record]:
    """The games of a file and those that are missing, with a progress bar; Ctrl-C stops with the games so far."""
    records: list[Record] = []
    try:
        with progress("playing", games) as advance:
            for record in self_play_records(how, games, processes, file, on):
                records.append(record)
                advance(None)
    except KeyboardInterrupt:
        notes.print(str(say("fit.stopped", done=len(records), games=games)), style="yellow")
    return records


def _report(fitted: "Fit", played: int) -> None:
    rest = say("fit.rest", games=played - fitted.games) if played > fitted.games else ""
    console.print(str(say("fit.found", positions=fitted.positions, games=fitted.games, rest=rest)))
    listing = table("weight", ">before", ">fitted", ">±")
    for name, before, now, error in zip(fitted.names, fitted.before, fitted.weights, fitted.errors, strict=True):
        is_unit = name == fitted.names[0]  # it does not change; its error is that of the odds
        listing.add_row(name, f"{before:.4g}", f"{now:.4g}", "unit" if is_unit else f"{error:.2g}")
    console.print(listing)
    odds = f"log-odds of winning per point: {fitted.odds_before:.4g} before, {fitted.odds:.4g} fitted"
    console.print(f"{odds} (both are fitted to these games; the evaluation's own are not used)")
    console.print(f"mean log loss: {fitted.loss_before:.4f} before, {fitted.loss:.4f} fitted (0.6931 for guessing)")
