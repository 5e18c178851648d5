"""Finding experiments: those of the games that come with Palabre by name, anybody else's by the path of their game."""

from dataclasses import dataclass
from pathlib import Path

from palabre.core import registry
from palabre.core.errors import PalabreError, did_you_mean, listing
from palabre.core.game import Game
from palabre.core.words import say
from palabre.experiments.experiment import Experiment


@dataclass(frozen=True)
class Found:
    """An experiment and the game that it belongs to."""

    game: Game
    experiment: Experiment

    @property
    def name(self) -> str:
        """What it is called in commands, and its page."""
        return f"{self.game.facts.name}-{self.experiment.name}"


def all_experiments() -> list[Found]:
    """The experiments of all games that come with Palabre."""
    return [found for name in registry.names() for found in experiments_of(registry.game(name))]


def experiments_of(game: Game) -> list[Found]:
    """The experiments of a game."""
    part = game.part("experiments")
    return [Found(game, experiment) for experiment in getattr(part, "EXPERIMENTS", ())]


def find(name: str) -> list[Found]:
    """The experiments that a name means: one of them, all of a game, or all in the file of somebody's game."""
    if registry.is_path(name):
        found = experiments_of(registry.game(name))
        if not found:
            raise PalabreError(say("experiment.none", name=name))
        return found
    known = all_experiments()
    found = [one for one in known if name in (one.name, one.game.facts.name)]
    if not found:
        names = [one.name for one in known]
        hint = did_you_mean(name, names)
        raise PalabreError(say("experiment.unknown", name=name, hint=hint, experiments=listing(names)))
    return found


def usual_folder() -> Path:
    """Where games and measurements of experiments are kept if nothing else is said."""
    from platformdirs import user_data_path  # here, for it takes longer to import than some commands to run

    return user_data_path("palabre", appauthor=False) / "experiments"


def folder_of(found: Found, folder: Path, *, quick: bool = False) -> Path:
    """The folder of its steps: that of its game, for experiments on a game share steps."""
    return folder / f"{found.game.facts.name}{'-quick' if quick else ''}"
