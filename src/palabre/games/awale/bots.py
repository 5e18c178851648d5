"""The bot of the Awalé course project: `adaptive`."""

from collections.abc import Sequence

from palabre.author import Game, Move, Parameter, Position
from palabre.bots.bot import Bot
from palabre.bots.textbook import Searcher, evaluation_parameter, playouts_parameter
from palabre.search.clock import Clock
from palabre.search.deepening import MAX_DEPTH
from palabre.search.engine import Engine
from palabre.search.worker import MARGIN_BOUNDS, QUIESCENCE, REDUCTIONS

BY_SEEDS = 0  # as a depth: what the share of captured seeds says


class Adaptive(Searcher):
    """Awalé: the fewer seeds are left on the board, the fewer moves there are, and the deeper it searches.

    Like the authors' bot, its alpha-beta searches promising moves first and evaluates no position twice. It is the
    engine without the techniques that search further than a fixed depth. Among equally good moves it plays the first.
    With `depth=6` it is the bot of their first experiments, which always searches as deep.
    """

    summary = "Awalé: alpha-beta 6 to 10 plies deep, depending on the share of the seeds captured so far"
    games = ("awale",)
    DEPTHS = ((15, 6), (30, 7), (70, 8), (80, 9))  # below this percentage of all seeds captured, this many plies
    LAST_DEPTH = 10  # plies from there on
    MEMORY = 16  # megabytes

    @classmethod
    def parameters(cls, game: Game) -> Sequence[Parameter]:
        fixed = Parameter(
            "depth", BY_SEEDS, range(MAX_DEPTH + 1), "plies to search, always; 0 for 6 to 10 by the seeds"
        )
        return fixed, evaluation_parameter(game), playouts_parameter()

    def new_search(self, game: Game) -> Engine:
        return Engine(game, self.evaluation(game), self.MEMORY, disable=REDUCTIONS | QUIESCENCE | MARGIN_BOUNDS)

    def choose(self, position: Position, clock: Clock) -> Move:
        return self.think(position, self.move_limits(position, clock), self.watch).move

    def depth(self, position: Position, clock: Clock) -> int:
        if self.options.number("depth") != BY_SEEDS:
            return self.options.number("depth")
        captured = 100 * sum(position.scores) / position.game.rules.SEEDS
        return next((depth for percent, depth in self.DEPTHS if captured < percent), self.LAST_DEPTH)


BOTS: dict[str, type[Bot]] = {"adaptive": Adaptive}
