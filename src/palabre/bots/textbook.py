"""`minimax` and `alphabeta`: the textbook searches to a fixed depth, with any evaluation of the game."""

from collections.abc import Sequence
from typing import Any

from palabre.bots.bot import Bot
from palabre.core.game import Game
from palabre.core.position import Move, Position
from palabre.core.spec import Parameter
from palabre.evaluation.montecarlo import MonteCarlo
from palabre.evaluation.names import EvaluationParameter, evaluation, textbook_evaluation
from palabre.search import alphabeta, minimax
from palabre.search.clock import Clock
from palabre.search.report import Report

MAX_DEPTH = 30  # plies; no textbook search sees the end of more


class Searcher(Bot):
    """A search to some depth with some evaluation; among equally good moves it picks at random.

    Its depth is a promise to look so far, whatever the time: only a clock that limits the depth makes it less.
    """

    most_players = 2

    def search(self, position: Position, weights: Any, depth: int) -> Report:
        """Look so many plies ahead."""
        return alphabeta.search(position, weights, depth)

    def depth(self, position: Position, clock: Clock) -> int:
        """How many plies to look ahead from here."""
        return self.options.number("depth")

    def evaluation(self, game: Game) -> Any:
        """The weights that say what a position is worth."""
        weights = evaluation(game, self.options.word("eval"))
        return MonteCarlo(self.options.number("playouts")) if isinstance(weights, MonteCarlo) else weights

    def start(self, game: Game, seat: int) -> None:
        position = game.start()
        if not position.is_over:
            self.search(position, self.evaluation(game), 1)  # compiled now, when no clock runs

    def choose(self, position: Position, clock: Clock) -> Move:
        depth = self.depth(position, clock)
        if clock.depth is not None:
            depth = max(1, min(depth, clock.depth))
        return self.pick(self.search(position, self.evaluation(position.game), depth).best)


def depth_parameter(usual: int) -> Parameter:
    return Parameter("depth", usual, range(1, MAX_DEPTH + 1), "plies to look ahead")


def evaluation_parameter(game: Game) -> Parameter:
    return EvaluationParameter(game, textbook_evaluation(game))


def playouts_parameter() -> Parameter:
    return Parameter("playouts", MonteCarlo().playouts, range(1, 10**6), "random games a position, of eval=montecarlo")


class Minimax(Searcher):
    """Looks at everything."""

    summary = "looks at every line of play so many plies deep"

    def search(self, position: Position, weights: Any, depth: int) -> Report:
        return minimax.search(position, weights, depth)

    @classmethod
    def parameters(cls, game: Game) -> Sequence[Parameter]:
        return depth_parameter(2), evaluation_parameter(game), playouts_parameter()


class Alphabeta(Searcher):
    """Finds what minimax finds, sooner."""

    summary = "minimax that leaves out what cannot matter, and so sees deeper in the same time"

    @classmethod
    def parameters(cls, game: Game) -> Sequence[Parameter]:
        return depth_parameter(4), evaluation_parameter(game), playouts_parameter()


BOTS: dict[str, type[Bot]] = {"minimax": Minimax, "alphabeta": Alphabeta}
