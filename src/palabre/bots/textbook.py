"""`minimax` and `alphabeta`: the textbook searches to a fixed depth, with any evaluation of the game."""

from collections.abc import Sequence

from palabre.bots.bot import Bot, TieBreakingBot
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.core.spec import Parameter
from palabre.core.verbs import Weights
from palabre.evaluation.montecarlo import MonteCarlo
from palabre.evaluation.names import EvaluationParameter, evaluation, textbook_evaluation
from palabre.search.alphabeta import AlphaBeta
from palabre.search.clock import Clock
from palabre.search.deepening import MAX_DEPTH
from palabre.search.minimax import Minimax
from palabre.search.thought import Search


class Searcher(TieBreakingBot):
    """A search to some depth with some evaluation.

    It always searches to its depth, however long that takes, unless the clock limits the depth.
    """

    most_players = 2

    def new_search(self, game: Game) -> Search:
        return AlphaBeta(game, self.evaluation(game))

    def depth(self, position: Position, clock: Clock) -> int:
        """How many plies to search from here."""
        return self.options.number("depth")

    def evaluation(self, game: Game) -> Weights:
        """The weights of its evaluation."""
        weights = evaluation(game, self.options.word("eval"))
        return MonteCarlo(self.options.number("playouts")) if isinstance(weights, MonteCarlo) else weights

    def move_limits(self, position: Position, clock: Clock) -> Clock:
        depth = self.depth(position, clock)
        return Clock(depth=depth if clock.depth is None else max(1, min(depth, clock.depth)))


def depth_parameter(usual: int) -> Parameter:
    return Parameter("depth", usual, range(1, MAX_DEPTH + 1), "plies to search")


def evaluation_parameter(game: Game) -> Parameter:
    return EvaluationParameter(game, textbook_evaluation(game))


def playouts_parameter() -> Parameter:
    return Parameter(
        "playouts", MonteCarlo().playouts, range(1, 10**6), "random games per position, with eval=montecarlo"
    )


class MinimaxBot(Searcher):
    """Searches everything."""

    summary = "minimax: searches every line of play to a depth"

    def new_search(self, game: Game) -> Search:
        return Minimax(game, self.evaluation(game))

    @classmethod
    def parameters(cls, game: Game) -> Sequence[Parameter]:
        return depth_parameter(2), evaluation_parameter(game), playouts_parameter()


class AlphaBetaBot(Searcher):
    """Finds what minimax finds, sooner."""

    summary = "minimax that prunes lines which cannot matter, and so searches deeper in the same time"

    @classmethod
    def parameters(cls, game: Game) -> Sequence[Parameter]:
        return depth_parameter(4), evaluation_parameter(game), playouts_parameter()


BOTS: dict[str, type[Bot]] = {"minimax": MinimaxBot, "alphabeta": AlphaBetaBot}
