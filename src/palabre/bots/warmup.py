"""Compiling ahead of time, so that nothing is slow when it is first used."""

from collections.abc import Callable, Iterator
from functools import partial

from palabre.bots.specs import bot, bots_for, named_bots, parameters
from palabre.core.game import Game
from palabre.core.given import given_instance
from palabre.evaluation.names import evaluation_names
from palabre.search.clock import Clock
from palabre.search.speed import prepare_counting

# A bot may run other code from its second move on, such as the reuse of its search tree.
MOVES = 3
CLOCK = Clock(per_move=0.01)


def warmup(game: Game, *, everything: bool = False) -> None:
    """Compile every bot for every preset of a game; with `everything`, also for every evaluation."""
    given_instance("warmup", game, Game, "palabre.game(SPEC) is one")
    for prepare in preparations(game, everything):
        prepare()


def preparations(game: Game, everything: bool) -> list[Callable[[], None]]:
    """The steps of a warmup: the kernels that count, and each bot in each preset."""
    variants = [Game(game.module, game.facts.read_options(preset)) for preset in game.facts.presets]
    steps: list[Callable[[], None]] = [partial(prepare_counting, variant) for variant in variants]
    for variant in [game, *variants]:
        steps += [partial(_play, variant, spec) for spec in bot_specs(variant, everything)]
    return steps


def bot_specs(game: Game, everything: bool) -> Iterator[str]:
    """The bots to prepare: each at its defaults and, if everything is wanted, with each evaluation."""
    for name in bots_for(game):
        if named_bots(game)[name].needs_data:  # it has nothing to learn from
            continue
        yield name
        if everything and "eval" in parameters(named_bots(game)[name], game):
            yield from (f"{name}:eval={evaluation}" for evaluation in evaluation_names(game))


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
