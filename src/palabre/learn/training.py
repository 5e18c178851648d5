"""Training by a game's own method: what `palabre train` asks of the `training.py` in a game's folder.

Such a module defines

    EVALUATION                                   the name of the evaluation whose weights it trains
    TRAINED                                      the names of those weights
    PARAMETERS                                   the `Parameter`s that can be chosen, as in `boards=4,playouts=16000`
    settings(game, options, seed)                how to train, as a dataclass; a `PalabreError` if these options
                                                 do not suit the game
    train(game, weights, settings, steps)        take this many steps, and yield each as a `TrainingStep`
    check(game, weights, before, settings, n)    compare the weights with those before on n fresh boards, and yield a
                                                 `Comparison` for each
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, cast

from palabre.core import registry
from palabre.core.errors import PalabreError, listing
from palabre.core.game import Game
from palabre.core.spec import Options, Parameter, read_values, split_items
from palabre.core.verbs import Weights
from palabre.core.words import say

NEEDED = ("EVALUATION", "TRAINED", "PARAMETERS", "settings", "train", "check")


@dataclass(frozen=True)
class TrainingStep:
    """A change of the weights, and what came of it."""

    number: int  # from 1
    rival: str  # which weights or bot the changed ones had to beat
    share: float  # of the points, won by the changed weights
    is_kept: bool  # whether they won more than half
    weights: Weights  # the changed ones if they are kept, else those before


class Comparison(NamedTuple):
    """The result of two players' weights on one board."""

    first: str
    second: str
    share: float  # of the points, won by the first


class TrainingModule(Protocol):
    """The `training.py` of a game."""

    EVALUATION: str
    TRAINED: Sequence[str]
    PARAMETERS: Sequence[Parameter]

    def settings(self, game: Game, options: Options, seed: int) -> Any: ...

    def train(self, game: Game, weights: Weights, how: Any, steps: int) -> Iterator[TrainingStep]: ...

    def check(self, game: Game, weights: Weights, before: Weights, how: Any, boards: int) -> Iterator[Comparison]: ...


def training_of(game: Game) -> TrainingModule:
    """The training of a game; raises `PalabreError` with the games that have one."""
    if not _has_training(game):
        able = [name for name in registry.names() if _has_training(registry.game(name))]
        raise PalabreError(say("training.none", game=game.spec, games=listing(able)))
    return cast(TrainingModule, game.part("training"))


def read_settings(game: Game, text: str, seed: int) -> Any:
    """How to train a game, from a text such as `boards=4,playouts=16000`."""
    module = training_of(game)
    known = {parameter.name: parameter for parameter in module.PARAMETERS}
    return module.settings(
        game, Options("", read_values(f"the training of {game.facts.name}", split_items(text), known)), seed
    )


def _has_training(game: Game) -> bool:
    part = game.part("training")
    return part is not None and all(hasattr(part, name) for name in NEEDED)
