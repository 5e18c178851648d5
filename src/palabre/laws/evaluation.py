"""The law of evaluations: every one of a game's own answers with a finite number, for every position and player."""

import math

from palabre.core.errors import clip
from palabre.core.verbs import State, evaluate
from palabre.evaluation.names import own_evaluations
from palabre.laws.inquiry import Inquiry


def check_evaluations(inquiry: Inquiry, state: State) -> None:
    for name, weights in own_evaluations(inquiry.game).items():
        for player in range(inquiry.game.players):
            value = inquiry.ask(f"evaluation {name}", evaluate, weights, state, player)
            is_number = isinstance(value, int | float) and math.isfinite(value)
            told = f"the evaluation {name} answers {clip(repr(value))} for player {player}"
            inquiry.require(is_number, told, "return a finite float, also where the game is over")
