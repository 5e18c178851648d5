"""`maxn`, `paranoid` and `bestreply`: searches for any number of players, to a depth or for a time.

They differ in what they expect of the others: that each plays for himself, that all play against the one who searches,
or that one of them does so at a time. With two players they agree.
"""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from palabre.bots.bot import Bot
from palabre.bots.limits import UNLIMITED, tighter_limits, time_parameter
from palabre.bots.textbook import MAX_DEPTH
from palabre.core.game import Game
from palabre.core.position import Move, Position
from palabre.core.spec import Parameter
from palabre.evaluation.names import EvaluationParameter, default_evaluation, evaluation
from palabre.search import alphabeta, bestreply, maxn
from palabre.search.clock import Clock
from palabre.search.deepening import Valued, deepen


class Deepener(Bot):
    """A search that looks deeper and deeper; among equally good moves it picks at random."""

    most_players = maxn.MOST_PLAYERS
    search: ClassVar[Callable[[Position, Any], Valued]]

    @classmethod
    def parameters(cls, game: Game) -> Sequence[Parameter]:
        return (
            time_parameter(),
            Parameter("depth", UNLIMITED, range(MAX_DEPTH + 1), "plies to look ahead, 0 for as many as there is time"),
            EvaluationParameter(game, default_evaluation(game)),
        )

    def start(self, game: Game, seat: int) -> None:
        position = game.start()
        if not position.is_over:
            self.look(position, Clock(), 1)  # compiled now, when no clock runs

    def choose(self, position: Position, clock: Clock) -> Move:
        limits = tighter_limits(clock, self.options.decimal("time"), depth=self.options.number("depth"))
        return self.look(position, limits, min(limits.depth or MAX_DEPTH, MAX_DEPTH))

    def look(self, position: Position, clock: Clock, depth: int) -> Move:
        """One of the best moves that are found so deep, or by the time the clock allows."""
        weights = evaluation(position.game, self.options.word("eval"))
        return self.pick(deepen(type(self).search(position, weights), position, clock, depth).best)


class Maxn(Deepener):
    """Takes the others for people like itself."""

    summary = "expects each player to do what is best for himself, and looks at every line of play"
    search = maxn.valued


class Paranoid(Deepener):
    """Takes the others for a conspiracy, and so sees deeper: alpha-beta works against one opponent."""

    summary = "expects all others to play against it: alpha-beta for any number of players"
    search = alphabeta.valued


class Bestreply(Deepener):
    """Fears one of the others at a time."""

    summary = "expects one of the others at a time to play against it, and looks deeper for that"
    search = bestreply.valued


BOTS: dict[str, type[Bot]] = {"maxn": Maxn, "paranoid": Paranoid, "bestreply": Bestreply}
