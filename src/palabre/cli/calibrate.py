"""`palabre calibrate`: fits and checks the curve behind the winning chances of an analysis."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from palabre.cli.option_groups import with_option_groups
from palabre.cli.output import MOST, Json, Spec, console, interruptible, notes, print_json, progress, table
from palabre.cli.paths import output_file, write_file
from palabre.cli.self_play import SelfPlayOptions
from palabre.evaluation.chances import calibration_file
from palabre.evaluation.names import default_evaluation
from palabre.learn.selfplay import game_of_two

if TYPE_CHECKING:
    from palabre.learn.calibration import Calibration


@with_option_groups
def calibrate(
    spec: Spec,
    games: Annotated[int, typer.Option(min=40, max=MOST, help="How many games to learn from.")] = 300,
    short: Annotated[int, typer.Option(min=100, max=MOST, help="Nodes of the short searches.")] = 1_000,
    long: Annotated[int, typer.Option(min=100, max=MOST, help="Nodes of the long searches.")] = 30_000,
    plot: Annotated[
        Path | None, typer.Option(callback=output_file, metavar="FILE", help="Draw the reliability diagram (SVG, PNG).")
    ] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Save the curve with the game, for all analyses.")] = False,
    *,
    options: SelfPlayOptions,
    as_json: Json = False,
) -> None:
    """Check how well the engine's winning chances match the results of games, and fit the curve behind them."""
    from palabre.learn import calibration  # it needs NumPy, which takes time to load

    game = game_of_two(spec)
    if keep:
        output_file(calibration_file(game))
    records = options.play(game, default_evaluation(game), games)
    with progress("searching positions", len(records)) as advance:
        result = interruptible(
            lambda: calibration.calibrate(records, short=short, long=long, on_game=lambda: advance(None))
        )
    if plot is not None:
        result.plot(str(plot))
    if keep:
        file = calibration_file(game)
        write_file(file, result.kept_text(nodes=options.nodes, seed=options.seed))
        notes.print(f"wrote the curve of {game.spec} to {file}", style="dim", markup=False)
    if as_json:
        print_json(result.document())
    else:
        _report(result)


def _report(result: "Calibration") -> None:
    console.print(f"{result.positions:,} searched positions from {result.games} games of {result.game.spec}")
    console.print("reliability on the half of the games that the curve was not fitted to:\n")
    for which, ranges in result.reliability.items():
        listing = table(which, ">predicted", ">won", ">±", ">positions")
        for each in ranges:
            percents = (f"{100 * each.predicted:.0f} %", f"{100 * each.won:.0f} %", f"{100 * each.error:.0f}")
            listing.add_row("", *percents, f"{each.positions:,}")
        console.print(listing)
        console.print()
    for which, error in result.miscalibration.items():
        console.print(f"predicted chances are off by {100 * error:.1f} % on average ({which})")
