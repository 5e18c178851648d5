"""The parameters of a search: a commented NamedTuple beside each search, with other values where a game has them."""

from typing import TypeVar

from palabre.core.errors import BadSpec, listing
from palabre.core.game import Game
from palabre.core.words import say

Parameters = TypeVar("Parameters", bound="tuple[float, ...]")


def parameters_for(game: Game, search: str, defaults: Parameters) -> Parameters:
    """The parameters of a search in a game: the defaults, except what the game's `SEARCH_PARAMETERS` say.

    A game has them beside its evaluations: `SEARCH_PARAMETERS = {"mcts": {"exploration": 0.3}}`.
    """
    part = game.part("evaluation")
    own = getattr(part, "SEARCH_PARAMETERS", {}).get(search, {})
    fields: tuple[str, ...] = getattr(defaults, "_fields", ())
    unknown = [name for name in own if name not in fields]
    if unknown:
        file = getattr(part, "__file__", game.spec)
        raise BadSpec(
            say("contract.no_parameter", file=file, search=search, unknown=listing(unknown), known=listing(fields))
        )
    return type(defaults)(*(own.get(name, value) for name, value in zip(fields, defaults, strict=True)))
