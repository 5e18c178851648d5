"""`score`: the lead on the scoreboard, for any game: own score minus the best other score; a win is worth more."""

from typing import NamedTuple

from palabre.core.kernels import answer
from palabre.core.verbs import State, evaluate, is_over, players, score, win_draw_loss


class Score(NamedTuple):
    """The weights of the evaluation `score`."""

    lead: float = 1.0  # for each point ahead of the best other player
    win: float = 1000.0  # for a won game: more than any lead


@answer(evaluate)
def lead(weights: Score, state: State, player: int) -> float:
    best_other = -(1 << 30)
    for other in range(players(state)):
        if other != player:
            best_other = max(best_other, score(state, other))
    value = weights.lead * (score(state, player) - best_other)
    return value + weights.win * win_draw_loss(state, player) if is_over(state) else value


EVALUATIONS = {"score": Score()}
