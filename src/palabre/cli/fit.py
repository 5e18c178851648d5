"""`palabre fit`: weights of an evaluation from games of the engine against itself."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from palabre.cli.match import On
from palabre.cli.output import MOST, Json, Seed, Spec, console, notes, print_json, progress, table
from palabre.cli.paths import appended_file, output_file, write_file
from palabre.core.errors import PalabreError
from palabre.core.record import Record, append, load, read_records
from palabre.core.words import own_words
from palabre.evaluation.names import evaluation, formula
from palabre.laws.first_use import checked_game
from palabre.learn.selfplay import SelfPlay, game_of_two, play_games

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
    how = SelfPlay(game.spec, name, nodes, seed)
    played: list[Record] = []
    play_missing_games(how, played, games, processes, record, on)
    from palabre.learn.fit import fit_records  # it needs NumPy, which takes time to load

    found = fit_records(weights, played)
    document = {
        "game": game.spec,
        "evaluation": formula(game, name),
        "weights": found.changed(weights)._asdict(),
        "errors": dict(zip(found.names, found.errors, strict=True)),
        "odds": [found.odds_before, found.odds],
        "loss": [found.loss_before, found.loss],
        "doubts": found.doubts(),
        "games": found.games,
        "positions": found.positions,
        "nodes": nodes,
        "seed": seed,
    }
    for doubt in found.doubts():
        notes.print(f"caution: {doubt}", style="yellow", markup=False)
    if out is not None:
        write_file(out, json.dumps(document, indent=2) + "\n")
    if as_json:
        print_json(document)
    else:
        _report(found, len(played))


def play_missing_games(
    how: SelfPlay, played: list[Record], games: int, processes: int, file: Path | None, on: str | None = None
) -> None:
    """Fill `played` with the games of a file and those that are missing; Ctrl-C stops with the games so far."""
    game = checked_game(how.spec)
    if file is not None and file.exists():
        played += load(file, trusted=game.spec)[:games]
    strangers = [kept.game.spec for kept in played if kept.game.state_class is not game.state_class]
    if strangers:
        raise PalabreError(say("fit.other_game", file=file, found=strangers[0], game=game.spec))
    try:
        with progress("playing", games, len(played)) as advance:
            for text in play_games(how, range(len(played), games), processes, on):
                record = read_records(text, trusted=True)[0]
                if file is not None:
                    append(record, file)
                played.append(record)
                advance(None)
    except KeyboardInterrupt:
        notes.print(str(say("fit.stopped", done=len(played), games=games)), style="yellow")


def _report(found: "Fit", played: int) -> None:
    rest = say("fit.rest", games=played - found.games) if played > found.games else ""
    console.print(str(say("fit.found", positions=found.positions, games=found.games, rest=rest)))
    listing = table("weight", ">before", ">fitted", ">±")
    for name, before, now, error in zip(found.names, found.before, found.weights, found.errors, strict=True):
        is_unit = name == found.names[0]  # it does not change; its error is that of the odds
        listing.add_row(name, f"{before:.4g}", f"{now:.4g}", "unit" if is_unit else f"{error:.2g}")
    console.print(listing)
    odds = f"log-odds of winning per point: {found.odds_before:.4g} before, {found.odds:.4g} fitted"
    console.print(f"{odds} (both are fitted to these games; the evaluation's own are not used)")
    console.print(f"mean log loss: {found.loss_before:.4f} before, {found.loss:.4f} fitted (0.6931 for guessing)")
