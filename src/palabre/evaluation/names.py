"""Evaluations by name: `corrected` of Awalé, `divine` of Avalam, `score` and `montecarlo` of any game."""

import importlib
import importlib.util
from typing import Any

from palabre.core.errors import PalabreError, clip, did_you_mean, listing
from palabre.core.game import Game
from palabre.evaluation import montecarlo, score


def evaluations(game: Game) -> dict[str, Any]:
    """The evaluations of a game by name, with their usual weights; `score` and `montecarlo` work for any game."""
    home = f"palabre.evaluation.{game.facts.name}"
    is_ours = game.module.__name__.startswith("palabre.games.") and importlib.util.find_spec(home) is not None
    own: dict[str, Any] = importlib.import_module(home).EVALUATIONS if is_ours else {}
    return {**own, **score.EVALUATIONS, **montecarlo.EVALUATIONS}


def flagship(game: Game) -> str:
    """The name of our own evaluation of a game, `score` where it has none."""
    return "keen" if "keen" in evaluations(game) else "score"


def evaluation(game: Game, name: str) -> Any:
    """The weights of the evaluation with this name."""
    known = evaluations(game)
    if name not in known:
        raise PalabreError(
            f"{game.facts.name} has no evaluation {clip(name)}{did_you_mean(name, known)}; it has {listing(known)}"
        )
    return known[name]
