"""What the tests of evaluations share: random games, and evaluations in both worlds."""

import random
from collections.abc import Iterator

import palabre
from palabre.compile.compiler import compiled
from palabre.core.verbs import evaluate, value_for, weight_classes
from palabre.evaluation.names import evaluation


def value(position: palabre.Position, name: str, player: int = 0) -> float:
    """What a position is worth to a player by the usual weights of an evaluation, in plain Python."""
    return float(evaluate(evaluation(position.game, name), position.state, player))


def random_games(spec: str, games: int, seed: int = 0) -> Iterator[palabre.Position]:
    """Every position of some games played at random."""
    dice = random.Random(seed)
    for number in range(games):
        position = palabre.game(spec).start(number)
        yield position
        while not position.is_over:
            position = position.play(dice.choice(position.moves()))
            yield position


def check_both_worlds(spec: str, name: str, games: int) -> None:
    """The same value to the last bit, compiled and in plain Python, for every player all along random games."""
    game = palabre.game(spec)
    weights = evaluation(game, name)
    fast = compiled(value_for, game, *weight_classes(weights))
    for position in random_games(spec, games):
        for player in range(game.players):
            assert fast(position.state, weights, player) == value_for(position.state, weights, player), position
