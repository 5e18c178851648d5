"""The laws of evaluations: every one of a game's own answers with a finite number, for every position and player.

The one that the engine uses must also see both sides alike: the engine asks it for one player and turns the sign.
Others need not, as long as only textbook searches use them.
"""

import math

from palabre.core.errors import shown
from palabre.core.verbs import State, evaluate
from palabre.evaluation.names import default_evaluation, own_evaluations
from palabre.laws.inquiry import Inquiry


def check_evaluations(inquiry: Inquiry, state: State) -> None:
    for name, weights in own_evaluations(inquiry.game).items():
        values = []
        for player in range(inquiry.game.players):
            value = inquiry.ask(f"evaluation {name}", evaluate, weights, state, player)
            is_number = isinstance(value, int | float) and math.isfinite(value)
            told = f"the evaluation {name} answers {shown(value)} for player {player}"
            inquiry.require(is_number, told, "return a finite float, even when the game is over")
            values.append(value)
        if inquiry.game.players == 2 and name == default_evaluation(inquiry.game):
            told = f"the evaluation {name} answers {values[0]:g} for player 0 and {values[1]:g} for player 1"
            remedy = "with two players, what is worth x to one is worth -x to the other; the engine relies on it"
            is_alike = math.isclose(values[0], -values[1], rel_tol=1e-6, abs_tol=1e-6)
            inquiry.require(is_alike, told, remedy)
