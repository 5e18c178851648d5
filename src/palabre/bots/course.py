"""The bots of the course projects that play one game: `adaptive`, `frabalon` and `divine`, all of them alpha-beta.

What sets them apart is how deep they look, and when.
"""

from collections.abc import Sequence
from typing import Any

from palabre.bots.bot import Bot
from palabre.bots.textbook import Searcher, depth_parameter, evaluation_parameter
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.core.spec import Parameter
from palabre.evaluation.names import evaluation
from palabre.search.clock import Clock


class Adaptive(Searcher):
    """Awalé: the fewer seeds are left on the board, the fewer moves there are, and the deeper it looks."""

    summary = "Awalé: alpha-beta 6 to 10 plies deep, by the share of the seeds captured so far"
    games = ("awale",)
    DEPTHS = ((15, 6), (30, 7), (70, 8), (80, 9))  # below so many per cent of all seeds captured, so many plies
    DEEPEST = 10  # from there on

    @classmethod
    def parameters(cls, game: Game) -> Sequence[Parameter]:
        return (evaluation_parameter(game),)

    def depth(self, position: Position, clock: Clock) -> int:
        captured = 100 * sum(position.scores) / position.game.rules.SEEDS
        return next((depth for percent, depth in self.DEPTHS if captured < percent), self.DEEPEST)


class Frabalon(Searcher):
    """Abalone: the opening is cheap, the middle game is worth a ply more, and nobody looks past the end.

    A turn is a ply, as in the course's program, and the first one is turn 0.
    """

    summary = "Abalone: alpha-beta 3 or 4 plies deep, by the turn and the time left"
    games = ("abalone",)
    LAST_OPENING_TURN = 19
    LAST_TURNS = 3  # from here it looks exactly to the end
    HURRY = 150.0  # seconds left below which it looks less deep

    def evaluation(self, game: Game) -> Any:
        return evaluation(game, "frabalon")

    def depth(self, position: Position, clock: Clock) -> int:
        turns_left = position.game.options.number("turns") - position.ply
        if turns_left <= self.LAST_TURNS:
            return turns_left
        is_hurried = clock.remaining is not None and clock.remaining < self.HURRY
        return 3 if position.ply <= self.LAST_OPENING_TURN or is_hurried else 4


class Divine(Searcher):
    """Avalam: knows which towers are safe for ever and which will fall."""

    summary = "Avalam: alpha-beta that knows safe and vulnerable towers"
    games = ("avalam",)

    @classmethod
    def parameters(cls, game: Game) -> Sequence[Parameter]:
        return (depth_parameter(4),)

    def evaluation(self, game: Game) -> Any:
        return evaluation(game, "divine")


BOTS: dict[str, type[Bot]] = {"adaptive": Adaptive, "frabalon": Frabalon, "divine": Divine}
