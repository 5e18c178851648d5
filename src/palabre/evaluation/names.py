"""Evaluations by name: `corrected` of Awalé, `divine` of Avalam, `score` and `montecarlo` of any game.

A name that ends in `.json` is that of a file with other weights for one of them, as `palabre fit --out` and
`palabre train --out` write it. All that is needed in it is
`{"game": "awele", "evaluation": "standard", "weights": {"kept": 0.2}}`; weights that it leaves out are the usual ones.
"""

import json
from pathlib import Path
from typing import Any

from palabre.core.errors import BadSpec, PalabreError, clip, did_you_mean, listing
from palabre.core.game import Game
from palabre.core.registry import LONGEST_SPEC, split
from palabre.core.spec import Parameter, Value
from palabre.evaluation import montecarlo, score

FILE_ENDING = ".json"
LARGEST_WEIGHT = 1e6  # what a search makes of a value must fit into a machine word


def evaluations(game: Game) -> dict[str, Any]:
    """The evaluations of a game by name, with their usual weights; `score` and `montecarlo` work for any game."""
    own: dict[str, Any] = getattr(game.part("evaluation"), "EVALUATIONS", {})
    return {**own, **score.EVALUATIONS, **montecarlo.EVALUATIONS}


def default_evaluation(game: Game) -> str:
    """The name of our own evaluation of a game, `score` where it has none."""
    return "standard" if "standard" in evaluations(game) else "score"


def textbook_evaluation(game: Game) -> str:
    """The name of the evaluation that textbook searches use where none is named; `score` where a game does not say."""
    return str(getattr(game.part("evaluation"), "TEXTBOOK", "score"))


def evaluation(game: Game, name: str) -> Any:
    """The weights of the evaluation with this name, or in this file."""
    if name.endswith(FILE_ENDING):
        meant, changed = _read(game, name)
        return evaluations(game)[meant]._replace(**changed)
    known = evaluations(game)
    if name not in known:
        raise PalabreError(
            f"{game.facts.name} has no evaluation {clip(name)}{did_you_mean(name, known)}; it has {listing(known)}, "
            f"or a file of weights that ends in {FILE_ENDING}"
        )
    return known[name]


def formula(game: Game, name: str) -> str:
    """The name of the evaluation that a file has weights for; any other name is its own."""
    return _read(game, name)[0] if name.endswith(FILE_ENDING) else name


class EvaluationParameter(Parameter):
    """What a position is worth: the name of an evaluation, or of a file, which is read to see whether it will do."""

    def __init__(self, game: Game, usual: str) -> None:
        super().__init__("eval", usual, tuple(evaluations(game)), "what a position is worth")
        self.game = game

    @property
    def valid(self) -> str:
        return f"{super().valid}, or a file of weights that ends in {FILE_ENDING}"

    def read(self, text: str) -> Value | None:
        if text.endswith(FILE_ENDING):
            evaluation(self.game, text)
            return text
        return super().read(text)


def _read(game: Game, path: str) -> tuple[str, dict[str, float]]:
    """The evaluation that a file is for, and the weights in it; a `BadSpec` says what is wrong with them."""
    file = clip(path, LONGEST_SPEC)
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise BadSpec(f"cannot read the weights in {file}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise BadSpec(f"{file} is no file of weights: {error}; palabre fit --out writes one") from error
    found = document if isinstance(document, dict) else {}
    meant, weights = found.get("evaluation"), found.get("weights")
    if not isinstance(found.get("game"), str) or not isinstance(meant, str) or not isinstance(weights, dict):
        raise BadSpec(
            f"{file} is no file of weights: it needs a game, an evaluation and weights; see docs/evaluations.md"
        )
    if split(found["game"])[0] != split(game.spec)[0]:
        raise BadSpec(f"{file} has weights for {clip(found['game'])}, not for {game.facts.name}")
    known = evaluations(game)
    if meant not in known:
        told = f"{file} has weights for {clip(meant)}{did_you_mean(meant[:20], known)}, which {game.facts.name}"
        raise BadSpec(f"{told} does not have; it has {listing(known)}")
    return meant, {name: _weight(file, meant, known[meant], name, weight) for name, weight in weights.items()}


def _weight(file: str, meant: str, usual: Any, name: str, weight: object) -> float:
    """A weight in a file, if the evaluation has it and it is a number that will do."""
    fields = [field for field, value in usual._asdict().items() if isinstance(value, float)]
    if name not in fields:
        told = f"{file}: {meant} has no weight {clip(name)}{did_you_mean(name[:20], fields)}"
        raise BadSpec(f"{told}; it has {listing(fields) or 'none'}")
    if isinstance(weight, int | float) and not isinstance(weight, bool) and abs(weight) <= LARGEST_WEIGHT:
        return float(weight)
    most = f"{LARGEST_WEIGHT:,.0f}"
    raise BadSpec(f"{file}: {name} is {clip(str(weight))}; a weight is a number from -{most} to {most}")
