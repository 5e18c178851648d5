"""The laws of evaluations: every one of a game's own answers with a finite number, for every position and player.

The one that the engine uses must also see both sides alike: the engine asks it for one player and turns the sign.
Others need not, as long as only textbook searches use them.
"""

import math
from contextlib import suppress

from palabre.core.errors import BadSpec, shown
from palabre.core.game import Game
from palabre.core.verbs import State, Weights, evaluate
from palabre.evaluation.names import NET, default_evaluation, evaluation, evaluation_names, own_evaluations
from palabre.laws.inquiry import Inquiry


def own_and_net(game: Game) -> dict[str, Weights]:
    """The evaluations that a game brings along, and its net, unless that is out of date: no law is broken then."""
    found = dict(own_evaluations(game))
    with suppress(BadSpec):  # Bots that name the net report why it cannot be used.
        if NET in evaluation_names(game):
            found[NET] = evaluation(game, NET)
    return found


def check_evaluations(inquiry: Inquiry, state: State) -> None:
    for name, weights in own_and_net(inquiry.game).items():
        values = []
        for player in range(inquiry.game.players):
            value = inquiry.ask(f"evaluation {name}", evaluate, weights, state, player)
            is_number = isinstance(value, int | float) and math.isfinite(value)
            inquiry.expect(is_number, "evaluation.no_number", name=name, answer=shown(value), player=player)
            values.append(value)
        if inquiry.game.players == 2 and name == default_evaluation(inquiry.game):
            params = {"name": name, "first": values[0], "second": values[1]}
            is_alike = math.isclose(values[0], -values[1], rel_tol=1e-6, abs_tol=1e-6)
            inquiry.expect(is_alike, "evaluation.one_sided", **params)
