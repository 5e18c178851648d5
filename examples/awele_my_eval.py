"""Awélé with an evaluation of one's own: all else is imported from the game that comes with Palabre.

palabre match palabre:nodes=2000,eval=mine palabre:nodes=2000 --game examples/awele_my_eval.py --games 40
"""

# ruff: noqa: F401 (Palabre finds these names in this file)

from typing import NamedTuple

from palabre.author import final_score, is_over, rule, score
from palabre.games.awele import GAME, evaluation
from palabre.games.awele.notation import explain, move_to_text, state_to_text, text_to_state, why_over
from palabre.games.awele.rules import MOST_MOVES, MOVE_CODES, State, start
from palabre.games.awele.view import BOARD, cells, clicks, pieces, story, tell


class Mine(NamedTuple):
    seeds: float = 1.0  # for each seed more than the opponent has taken
    win: float = 1000.0  # for the game
    odds: float = 0.4  # log-odds of winning for each point


@rule
def evaluate(weights: Mine, state: State, player: int) -> float:
    value = weights.seeds * (score(state, player) - score(state, 1 - player))
    if is_over(state):
        margin = final_score(state, player) - final_score(state, 1 - player)
        value += weights.win if margin > 0 else -weights.win if margin < 0 else 0.0
    return value


EVALUATIONS = {**evaluation.EVALUATIONS, "mine": Mine()}
