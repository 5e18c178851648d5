"""Bots that do not search: `idiot` and `greedy`, for any game and any number of players."""

from palabre.bots.bot import Bot, given_turn
from palabre.core.position import Move, Position
from palabre.core.verbs import evaluate
from palabre.evaluation.score import Score
from palabre.search.clock import Clock


class Idiot(Bot):
    """Plays at random: every other bot must beat it."""

    summary = "plays a random legal move, all equally likely"

    def choose(self, position: Position, clock: Clock) -> Move:
        given_turn(self, "choose", position, clock)
        return self.pick(position.moves())


class Greedy(Bot):
    """Takes what there is to take at once."""

    summary = "plays a winning move, or else the one that gives it the largest lead on the scoreboard"

    def score_moves(self, position: Position) -> list[float]:
        player = position.to_move
        return [evaluate(Score(), position.play(move).state, player) for move in position.moves()]


BOTS: dict[str, type[Bot]] = {"idiot": Idiot, "greedy": Greedy}
ALIASES = {"random": "idiot"}
