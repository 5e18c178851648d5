"""`palabre warmup`: compile everything ahead of time, so that nothing is slow when it is first used."""

import time
from collections.abc import Callable, Iterator
from typing import Annotated

import typer

from palabre.bots.specs import bot, bots_for, named_bots, parameters
from palabre.cli.measure import prepare_counting
from palabre.cli.output import Json, Specs, console, interruptible, print_json, progress
from palabre.core import registry
from palabre.core.game import Game
from palabre.evaluation.names import evaluations
from palabre.laws.first_use import checked_game
from palabre.search.clock import Clock

# A bot may run other code from its second move on, such as the reuse of its search tree.
MOVES = 3
CLOCK = Clock(per_move=0.01)
Step = tuple[Game, Callable[[], None]]


def warmup(
    specs: Specs = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Compile every evaluation, not only the default ones.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Compile every bot for every preset of the games, so that nothing is slow on first use."""
    steps = [step for spec in specs or registry.names() for step in _steps(checked_game(spec), everything)]
    ready: dict[str, float] = {}
    with progress(steps[0][0].title, len(steps)) as advance:
        for number, (game, run) in enumerate(steps):
            begin = time.perf_counter()
            interruptible(run)
            ready[game.spec] = ready.get(game.spec, 0.0) + time.perf_counter() - begin
            is_last = number + 1 == len(steps) or steps[number + 1][0] is not game
            if is_last and not as_json:
                console.print(f"{game.title}: ready ({ready[game.spec]:.1f} s)")
            advance(None if number + 1 == len(steps) else steps[number + 1][0].title)
    if as_json:
        print_json({"ready": ready})


def _steps(game: Game, everything: bool) -> Iterator[Step]:
    """What there is to do for a game: the kernels that count, and each bot in each preset."""
    variants = [Game(game.module, game.facts.read_options(preset)) for preset in game.facts.presets]
    for variant in variants:
        yield game, lambda variant=variant: prepare_counting(variant)  # type: ignore[misc]
    for variant in [game, *variants]:
        for spec in bot_specs(variant, everything):
            yield game, lambda variant=variant, spec=spec: _play(variant, spec)  # type: ignore[misc]


def bot_specs(game: Game, everything: bool) -> Iterator[str]:
    """The bots to prepare: each at its defaults and, if everything is wanted, with each evaluation."""
    for name in bots_for(game):
        if named_bots(game)[name].needs_data:  # it has nothing to learn from
            continue
        yield name
        if everything and "eval" in parameters(named_bots(game)[name], game):
            yield from (f"{name}:eval={evaluation}" for evaluation in evaluations(game))


def _play(game: Game, spec: str) -> None:
    """Let a bot choose a few moves; the other players play the first legal move."""
    player = bot(spec, game)
    player.sit_down(game, 0)
    position, chosen = game.start(), 0
    while chosen < MOVES and not position.is_over:
        if position.to_move == 0:
            position = position.play(player.choose(position, CLOCK))
            chosen += 1
        else:
            position = position.play(position.moves()[0])
