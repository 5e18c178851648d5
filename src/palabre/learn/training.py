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

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple, Protocol, cast

from palabre.arena.result import standard_error
from palabre.core import registry
from palabre.core.errors import PalabreError, listing
from palabre.core.game import Game
from palabre.core.given import given_count, given_function, given_integer
from palabre.core.spec import Options, Parameter, read_values, split_items
from palabre.core.verbs import Weights
from palabre.core.words import say
from palabre.evaluation.names import evaluation
from palabre.laws.first_use import given_game

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


@dataclass
class Training:
    """Weights of an evaluation that a game's own method trains, and the steps so far; `train` makes a whole one."""

    game: Game
    module: TrainingModule
    how: Any  # the settings, a dataclass of the module
    before: Weights
    steps: list[TrainingStep] = field(default_factory=list)
    shares: dict[tuple[str, str], list[float]] = field(default_factory=dict)  # what the first won, on each board

    @classmethod
    def of(cls, game: Game, settings: str = "", seed: int = 0) -> "Training":
        """A training that has not begun, with settings such as `boards=4,playouts=16000`."""
        module = training_of(game)
        return cls(game, module, read_settings(game, settings, seed), evaluation(game, module.EVALUATION))

    @property
    def weights(self) -> Weights:
        """The weights so far."""
        return self.steps[-1].weights if self.steps else self.before

    def take_steps(self, count: int) -> Iterator[TrainingStep]:
        """Try so many changes of the weights, and yield each step as it ends."""
        for step in self.module.train(self.game, self.before, self.how, count):
            self.steps.append(step)
            yield step

    def compare(self, boards: int) -> Iterator[Comparison]:
        """Compare the weights with those before, on boards that the training has not seen, and yield each result."""
        if not self.steps:
            raise PalabreError(say("training.no_step"))
        for comparison in self.module.check(self.game, self.weights, self.before, self.how, boards):
            self.shares.setdefault((comparison.first, comparison.second), []).append(comparison.share)
            yield comparison

    def comparisons(self) -> list[dict[str, Any]]:
        """What each comparison has shown: the share of the first, and its standard error."""
        return [
            {"first": pair[0], "second": pair[1], "share": fmean(won), "error": standard_error(won), "boards": len(won)}
            for pair, won in self.shares.items()
        ]

    def document(self) -> dict[str, Any]:
        """The whole training as JSON has it; a file with it can be named as an evaluation, `eval=FILE`."""
        return {
            "game": self.game.spec,
            "evaluation": self.module.EVALUATION,
            "weights": {name: getattr(self.weights, name) for name in self.module.TRAINED},
            "before": {name: getattr(self.before, name) for name in self.module.TRAINED},
            "steps": len(self.steps),
            "kept": sum(step.is_kept for step in self.steps),
            "check": self.comparisons(),
            **asdict(self.how),
        }


def train(
    game: Game | str | Path,
    steps: int = 200,
    *,
    settings: str = "",
    check: int = 100,
    seed: int = 0,
    on_step: Callable[[TrainingStep], None] | None = None,
) -> Training:
    """Train the weights of an evaluation by the game's own method, and compare them on `check` unseen boards.

    `settings` are those of the game, such as `boards=4,playouts=16000`; an unknown name lists them. `on_step` is called
    after each step.
    """
    for name, number in (("steps", steps), ("check", check)):
        given_count("train", name, number)
    given_integer("train", "seed", seed)
    given_function("train", "on_step", on_step)
    training = Training.of(given_game(game), settings, seed)
    for step in training.take_steps(steps):
        if on_step is not None:
            on_step(step)
    for _ in training.compare(check):
        pass
    return training


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
