"""`palabre calibrate`: fits and checks the curve behind the winning chances that an analysis tells."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from palabre.cli.fit import play_missing_games
from palabre.cli.match import On
from palabre.cli.output import MOST, Json, Seed, Spec, console, interruptible, notes, print_json, progress, table
from palabre.cli.paths import appended_file, output_file, write_file
from palabre.core.game import Game
from palabre.core.record import Record
from palabre.evaluation.chances import ChanceCurve, calibration_file, chance_curve, fingerprint, read_calibration
from palabre.evaluation.names import default_evaluation, evaluation
from palabre.learn.selfplay import SelfPlay, game_of_two

if TYPE_CHECKING:
    from palabre.learn.calibration import Range, Sample

PHASES = {"opening": (0.0, 1 / 3), "middle": (1 / 3, 2 / 3), "end": (2 / 3, 1.01)}


def calibrate(
    spec: Spec,
    games: Annotated[int, typer.Option(min=40, max=MOST, help="How many games to learn from.")] = 300,
    nodes: Annotated[int, typer.Option(min=1, max=MOST, help="Nodes per move in these games.")] = 2_000,
    short: Annotated[int, typer.Option(min=100, max=MOST, help="Nodes of the short searches.")] = 1_000,
    long: Annotated[int, typer.Option(min=100, max=MOST, help="Nodes of the long searches.")] = 30_000,
    record: Annotated[
        Path | None,
        typer.Option(
            callback=appended_file, metavar="FILE", help="Keep the games in this file, and reuse those it already has."
        ),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(callback=output_file, metavar="FILE", help="Draw the reliability diagram (SVG, PNG).")
    ] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Save the curve with the game, for all analyses.")] = False,
    processes: Annotated[
        int, typer.Option(min=1, max=256, help="How many games to play at once, except on a cluster.")
    ] = 2,
    on: On = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Check how well the engine's winning chances match the results of games, and fit the curve behind them."""
    from palabre.learn import calibration

    game = game_of_two(spec)
    name = default_evaluation(game)
    if keep:
        output_file(calibration_file(game))
    played: list[Record] = []
    play_missing_games(SelfPlay(game.spec, name, nodes, seed), played, games, processes, record, on)
    with progress("searching positions", len(played)) as advance:
        samples = interruptible(
            lambda: calibration.sample_positions(played, name, (short, long), lambda: advance(None))
        )
    fitted = calibration.fit_curve([one for one in samples if one.game % 2 == 0])
    held_out = [one for one in samples if one.game % 2 == 1]
    checked = _checked(fitted, held_out, short, long)
    document = {
        "game": game.spec,
        "evaluation": name,
        "games": len(played),
        "positions": len(samples),
        "surprise": {
            "before": _surprise_before(game, name, held_out),
            "calibrated": calibration.surprise(calibration.predicted_chances(fitted, held_out), held_out),
        },
        "miscalibration": {which: calibration.miscalibration(ranges) for which, ranges in checked.items()},
        "reliability": {which: [one._asdict() for one in ranges] for which, ranges in checked.items()},
        "curve": {name: round(value, 4) for name, value in calibration.fit_curve(samples)._asdict().items()},
    }
    if plot is not None:
        calibration.plot_reliability(
            str(plot), game.spec, {which: checked[which] for which in ("short searches", "long searches")}
        )
    if keep:
        _keep(game, name, document, {"nodes": nodes, "short": short, "long": long, "seed": seed})
    if as_json:
        print_json(document)
    else:
        _report(document, checked)


def _checked(curve: ChanceCurve, samples: "list[Sample]", short: int, long: int) -> "dict[str, list[Range]]":
    """The reliability of a curve on positions it has not seen: by thinking time, and by phase."""
    from palabre.learn.calibration import predicted_chances, reliability

    groups = {
        "short searches": [one for one in samples if one.nodes == short],
        "long searches": [one for one in samples if one.nodes == long],
        **{which: [one for one in samples if low <= one.phase < high] for which, (low, high) in PHASES.items()},
    }
    return {which: reliability(predicted_chances(curve, group), group) for which, group in groups.items() if group}


def _surprise_before(game: Game, name: str, samples: "list[Sample]") -> float | None:
    """How surprising the results are for the curve that is kept now, or for the evaluation's odds."""
    import numpy as np

    from palabre.learn.calibration import predicted_chances, surprise

    weights = evaluation(game, name)
    curve = chance_curve(game, weights)
    if curve is not None:
        return surprise(predicted_chances(curve, samples), samples)
    odds = getattr(weights, "odds", None)
    if odds is None:
        return None
    values = np.clip([odds * one.points for one in samples], -7, 7)
    return surprise(1 / (1 + np.exp(-values)), samples)


def _keep(game: Game, name: str, document: dict[str, object], how: dict[str, int]) -> None:
    """Write the curve of this preset beside the game; those of other presets stay."""
    file = calibration_file(game)
    kept = read_calibration(game)
    kept[game.options.preset] = {
        "fingerprint": fingerprint(game, evaluation(game, name)),
        "curve": document["curve"],
        "games": document["games"],
        **how,
    }
    write_file(file, json.dumps(kept, indent=2, sort_keys=True) + "\n")
    notes.print(f"wrote the curve of {game.spec} to {file}", style="dim", markup=False)


def _report(document: dict[str, object], checked: "dict[str, list[Range]]") -> None:
    console.print(f"{document['positions']:,} searched positions from {document['games']} games of {document['game']}")
    console.print("reliability on the half of the games that the curve was not fitted to:\n")
    for which, ranges in checked.items():
        listing = table(which, ">predicted", ">won", ">±", ">positions")
        for one in ranges:
            listing.add_row(
                "",
                f"{100 * one.predicted:.0f} %",
                f"{100 * one.won:.0f} %",
                f"{100 * one.error:.0f}",
                f"{one.positions:,}",
            )
        console.print(listing)
        console.print()
    errors = document["miscalibration"]
    assert isinstance(errors, dict)
    for which, error in errors.items():
        console.print(f"predicted chances are off by {100 * error:.1f} % on average ({which})")
