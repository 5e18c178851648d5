"""Bots that do not look ahead: `idiot` and `greedy`, for any game and any number of players."""

from palabre.bots.bot import Bot
from palabre.core.position import Move, Position
from palabre.core.verbs import evaluate
from palabre.evaluation.score import Score
from palabre.search.clock import Clock


class Idiot(Bot):
    """Plays anything: what every other bot must beat."""

    summary = "plays any legal move, each as likely as the others"

    def choose(self, position: Position, clock: Clock) -> Move:
        return self.pick(position.moves())


class Greedy(Bot):
    """Takes what there is to take now."""

    summary = "plays the move after which its lead on the scoreboard is largest; a win above all"

    def score_moves(self, position: Position) -> list[float]:
        player = position.to_move
        return [evaluate(Score(), position.play(move).state, player) for move in position.moves()]


BOTS: dict[str, type[Bot]] = {"idiot": Idiot, "greedy": Greedy}
ALIASES = {"random": "idiot"}
