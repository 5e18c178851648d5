"""`palabre warmup`: compile everything ahead of time, so that nothing is slow when it is first used."""

import time
from typing import Annotated

import typer

from palabre.bots.warmup import preparations
from palabre.cli.output import Json, Specs, console, interruptible, print_json, progress
from palabre.core import registry
from palabre.laws.first_use import checked_game


def warmup(
    specs: Specs = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Compile every evaluation, not only the default ones.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Compile every bot for every preset of the games, so that nothing is slow on first use."""
    games = [checked_game(spec) for spec in specs or registry.names()]
    steps = [(game, step) for game in games for step in preparations(game, everything)]
    ready: dict[str, float] = {}
    with progress(steps[0][0].title, len(steps)) as advance:
        for number, (game, step) in enumerate(steps, start=1):
            begin = time.perf_counter()
            interruptible(step)
            ready[game.spec] = ready.get(game.spec, 0.0) + time.perf_counter() - begin
            coming = steps[number][0] if number < len(steps) else None
            if coming is not game and not as_json:
                console.print(f"{game.title}: ready ({ready[game.spec]:.1f} s)")
            advance(None if coming is None else coming.title)
    if as_json:
        print_json({"ready": ready})
