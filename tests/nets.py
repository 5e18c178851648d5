"""Nets for tests: of random numbers, which no training would give, so that every number counts."""

import random
from pathlib import Path

import msgspec

from palabre.core.game import Game
from palabre.core.verbs import feature_limits
from palabre.evaluation.names import default_evaluation, evaluation
from palabre.evaluation.net import features_fingerprint
from palabre.evaluation.net_file import NetHeader, Quantised, write_net


def header(game: Game, lanes: int = 32) -> NetHeader:
    """The header of a net that adds to the default evaluation of a game."""
    limits, base = feature_limits(game.state_class), default_evaluation(game)
    return NetHeader(
        game=game.spec,
        fingerprint=features_fingerprint(game),
        lanes=lanes,
        features=limits.features,
        phases=limits.phases,
        base=base,
        base_weights=dict(evaluation(game, base)._asdict()),
        skip=0.75,
        out_scale=1 / 4096,
        odds=0.3,
        provenance={"command": "a test", "seed": 1},
    )


def random_net(game: Game, /, lanes: int = 32, seed: int = 0, **changes: object) -> Quantised:
    """A net of random numbers whose sums are below 0, from 0 to 255, and above."""
    dice = random.Random(seed)
    made = msgspec.structs.replace(header(game, lanes), **changes)

    def row(most: int) -> list[int]:
        return [dice.randint(-most, most) for _ in range(lanes)]

    rows = [row(60) for _ in range(made.features)]
    out = [row(32_767) for _ in range(made.phases)]
    return Quantised.of_rows(made, row(200), rows, out, [dice.randint(-(10**6), 10**6) for _ in range(made.phases)])


def write_random_net(file: Path, game: Game, /, lanes: int = 32, seed: int = 0, **changes: object) -> str:
    """The name of a file with such a net."""
    write_net(file, random_net(game, lanes, seed, **changes))
    return str(file)
