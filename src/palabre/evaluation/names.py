"""Evaluations by name: `corrected` of one game, `divine` of another, `score` and `montecarlo` of any.

A game's own evaluations are the dictionary EVALUATIONS in its `evaluation.py`, or in its one file. A name that ends in
`.json` is a file with other weights for one of them, as `palabre fit --out` and `palabre train --out` write it. A file
needs only `{"game": "awele", "evaluation": "standard", "weights": {"kept": 0.2}}`; weights that it leaves out
have their default values.

A name that ends in `.net` is a file with a net. `net` is the one that a game brings along for a preset: the file
`PRESET.net` in its folder, or `NAME.PRESET.net` beside a game that is the one file `NAME.py`.
"""

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from palabre.core.errors import BadSpec, PalabreError, did_you_mean, listing
from palabre.core.game import Game
from palabre.core.registry import is_path, split
from palabre.core.spec import Parameter, Value
from palabre.core.verbs import Weights
from palabre.core.words import Message, say
from palabre.evaluation import montecarlo, score
from palabre.evaluation.net import Net, features_fingerprint, net_weights

if TYPE_CHECKING:
    from palabre.evaluation.net_file import Quantised

FILE_ENDING = ".json"
NET_ENDING = ".net"
FILE_ENDINGS = (FILE_ENDING, NET_ENDING)  # of the names that are files
NETS_KEPT = 16
NET = "net"  # the net that a game brings along
LARGEST_WEIGHT = 1e6  # what a search makes of a value must fit into a machine word
STANDARD = "standard"  # the evaluation that the engine uses by default
# Names of former versions, which stand in people's weight files and specs.
RENAMED = {"keen": STANDARD}


def own_evaluations(game: Game) -> dict[str, Weights]:
    """The evaluations that a game brings along."""
    own: dict[str, Weights] = getattr(game.part("evaluation"), "EVALUATIONS", {})
    return own


def evaluations(game: Game) -> dict[str, Weights]:
    """The evaluations of a game by name, with their default weights; `score` and `montecarlo` work for any game."""
    return {**own_evaluations(game), **score.EVALUATIONS, **montecarlo.EVALUATIONS}


def evaluation_names(game: Game) -> list[str]:
    """The names of all evaluations of a game: of `evaluations`, and of its net, which is not read for this."""
    return [*evaluations(game), *([NET] if net_file(game).is_file() else [])]


def net_file(game: Game) -> Path:
    """The file of the net that a game brings along, or would."""
    source = Path(str(game.module.__file__))
    name = f"{game.options.preset}{NET_ENDING}"
    return source.with_name(name if source.name == "__init__.py" else f"{source.stem}.{name}")


def file_of(game: Game, name: str) -> Path | None:
    """The file that the name of an evaluation stands for, if it does."""
    return net_file(game) if name == NET else Path(name) if name.endswith(FILE_ENDINGS) else None


def read_net_weights(game: Game, file: Path) -> Net:
    """The net in a file, as weights; a `BadSpec` says why this game cannot use it."""
    try:
        state = file.stat()
    except OSError as error:
        raise BadSpec(say("net.unreadable", file=file, error=error.strerror)) from error
    return _read_once(game, file, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=NETS_KEPT)
def _read_once(game: Game, file: Path, changed: int, size: int) -> Net:
    """The net in a file that was last changed at a moment: a spec is read more often than the file changes."""
    from palabre.evaluation.net_file import read_net  # loaded only where there is a net to read

    return net_for(game, read_net(file), str(file))


def net_for(game: Game, net: "Quantised", origin: str = "") -> Net:
    """A net as weights for a game; a `BadSpec` names its origin, a file, and says why the game cannot use it."""
    header, title = net.header, game.facts.name
    if game.players != 2:
        raise BadSpec(say("net.players", file=origin, game=title, players=game.players))
    if (_name(header.game), _preset(header.game)) != (_name(game.spec), _preset(game.spec)):
        raise BadSpec(say("net.other_game", file=origin, found=header.game, game=game.spec))
    if header.fingerprint != features_fingerprint(game):
        raise BadSpec(say("net.other_features", file=origin, game=title))
    known = evaluations(game)
    if header.base not in known:
        raise BadSpec(say("net.no_base", file=origin, base=header.base, game=title))
    weights = {
        name: _weight(origin, header.base, known[header.base], name, weight)
        for name, weight in header.base_weights.items()
    }
    return net_weights(net, with_values(known[header.base], weights))


def default_evaluation(game: Game) -> str:
    """`standard` if a game has an evaluation of that name, else the first that it has, else `score`."""
    own = own_evaluations(game)
    return STANDARD if STANDARD in own else next(iter(own), "score")


def textbook_evaluation(game: Game) -> str:
    """The default evaluation of the textbook searches: the game's TEXTBOOK, or `score` if it does not say."""
    return str(getattr(game.part("evaluation"), "TEXTBOOK", "score"))


def current_name(game: Game, name: str) -> str:
    """The name that an evaluation has now, if this is what it was called in a former version."""
    known = evaluations(game)
    return RENAMED[name] if name not in known and RENAMED.get(name) in known else name


def evaluation(game: Game, name: str) -> Weights:
    """The weights of the evaluation with this name, or in this file."""
    if name.endswith(NET_ENDING):
        return read_net_weights(game, Path(name))
    if name == NET and net_file(game).is_file():
        return read_net_weights(game, net_file(game))
    known = evaluations(game)
    if name.endswith(FILE_ENDING):
        meant, changed = _read(game, name)
        return with_values(known[meant], changed)
    name = current_name(game, name)
    if name not in known:
        raise PalabreError(
            say(
                "spec.no_evaluation",
                game=game.facts.name,
                name=name,
                hint=did_you_mean(name, evaluation_names(game)),
                evaluations=listing(evaluation_names(game)),
                ending=FILE_ENDING,
                net=NET_ENDING,
            )
        )
    return known[name]


def with_values(weights: Weights, values: Mapping[str, float]) -> Weights:
    """The weights with other values for some of them."""
    changed: Weights = type(weights)(**{**weights._asdict(), **values})
    return changed


def formula(game: Game, name: str) -> str:
    """The name of the evaluation that a name or a file stands for."""
    if name.endswith(NET_ENDING):
        return NET
    return _read(game, name)[0] if name.endswith(FILE_ENDING) else current_name(game, name)


def unit(game: Game, name: str | None) -> str:
    """What the points of an evaluation are: what the scoreboard counts, or points on a scale of their own."""
    is_in_units = name is not None and formula(game, name) in (STANDARD, "score")
    return game.facts.unit if is_in_units else "points"


class EvaluationParameter(Parameter):
    """What a position is worth: the name of an evaluation, or a file, which is read to check it."""

    def __init__(self, game: Game, default: str) -> None:
        super().__init__("eval", default, tuple(evaluation_names(game)), "what a position is worth")
        self.game = game

    @property
    def valid(self) -> Message | str:
        return say("spec.or_weights", valid=super().valid, ending=FILE_ENDING, net=NET_ENDING)

    def read(self, text: str) -> Value | None:
        if text.endswith(FILE_ENDINGS) or (text == NET and NET in self.choices):
            evaluation(self.game, text)
            return text
        return super().read(current_name(self.game, text))


def _read(game: Game, path: str) -> tuple[str, dict[str, float]]:
    """The evaluation that a file is for, and the weights in it; raises `BadSpec` if something is wrong."""
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise BadSpec(say("weights.unreadable", file=path, error=error.strerror)) from error
    except (ValueError, RecursionError) as error:
        raise BadSpec(say("weights.no_json", file=path, error=error)) from error
    entries = document if isinstance(document, dict) else {}
    meant, weights = entries.get("evaluation"), entries.get("weights")
    if not isinstance(entries.get("game"), str) or not isinstance(meant, str) or not isinstance(weights, dict):
        raise BadSpec(say("weights.incomplete", file=path))
    if _name(entries["game"]) != _name(game.spec):
        raise BadSpec(say("weights.other_game", file=path, found=entries["game"], game=game.facts.name))
    known = evaluations(game)
    meant = current_name(game, meant)
    if meant not in known:
        hint, game_name = did_you_mean(meant[:20], known), game.facts.name
        message = say(
            "weights.no_evaluation", file=path, found=meant, hint=hint, game=game_name, evaluations=listing(known)
        )
        raise BadSpec(message)
    return meant, {name: _weight(path, meant, known[meant], name, weight) for name, weight in weights.items()}


def _name(spec: str) -> str:
    """What a game is called, by whatever variant and, if it is a user's file, wherever that lies."""
    name = split(spec)[0]
    return Path(name).name if is_path(name) else name


def _preset(spec: str) -> str:
    """The name of a preset in a spec, or nothing if it is the default."""
    first = split(spec)[1].partition(",")[0]
    return "" if "=" in first else first


def _weight(file: str, meant: str, defaults: Weights, name: str, weight: object) -> float:
    """A weight from a file, if the evaluation has it and it is a number in range."""
    fields = [field for field, value in defaults._asdict().items() if isinstance(value, float)]
    if name not in fields:
        hint, known = did_you_mean(name[:20], fields), listing(fields) or say("weights.none")
        raise BadSpec(say("weights.no_weight", file=file, evaluation=meant, name=name, hint=hint, weights=known))
    if isinstance(weight, int | float) and not isinstance(weight, bool) and abs(weight) <= LARGEST_WEIGHT:
        return float(weight)
    raise BadSpec(say("weights.bad_weight", file=file, name=name, value=str(weight), most=LARGEST_WEIGHT))
