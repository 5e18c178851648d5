"""`palabre fit`: weights of an evaluation from games of the engine against itself."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from palabre.cli.option_groups import with_option_groups
from palabre.cli.output import MOST, Json, Spec, console, notes, print_json, table
from palabre.cli.paths import output_file, write_file
from palabre.cli.self_play import SelfPlayOptions
from palabre.core.words import own_words
from palabre.evaluation.names import evaluation
from palabre.evaluation.net import refuse_net
from palabre.learn.selfplay import game_of_two

if TYPE_CHECKING:
    from palabre.learn.fit import Fit

say = own_words(__file__)


@with_option_groups
def fit(
    spec: Spec,
    name: Annotated[
        str,
        typer.Option(
            "--eval", metavar="NAME", help="The evaluation to fit, or a file of weights; the engine plays with it."
        ),
    ],
    games: Annotated[int, typer.Option(min=2, max=MOST, help="How many games to learn from.")] = 400,
    out: Annotated[
        Path | None, typer.Option(callback=output_file, metavar="FILE", help="Write the weights here, for eval=FILE.")
    ] = None,
    *,
    options: SelfPlayOptions,
    as_json: Json = False,
) -> None:
    """Fit the weights of an evaluation to the results of games. Ctrl-C stops and fits the games played so far."""
    game = game_of_two(spec)
    weights = evaluation(game, name)
    refuse_net(weights)
    records = options.play(game, name, games)
    from palabre.learn.fit import fit_records  # it needs NumPy, which takes time to load

    fitted = fit_records(weights, records)
    document = {**fitted.document(game, name), "nodes": options.nodes, "seed": options.seed}
    for doubt in fitted.doubts():
        notes.print(f"caution: {doubt}", style="yellow", markup=False)
    if out is not None:
        write_file(out, json.dumps(document, indent=2) + "\n")
    if as_json:
        print_json(document)
    else:
        _report(fitted, len(records))


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
