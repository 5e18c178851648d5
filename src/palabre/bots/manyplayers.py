"""`maxn`, `paranoid` and `bestreply`: searches for any number of players, to a depth or for a time.

They differ in what they expect of the opponents: that each plays for themselves, that all play against the player at
the root, or that one of them does so at a time. With two players they agree.
"""

from collections.abc import Sequence
from typing import ClassVar

from palabre.bots.bot import Bot, TieBreakingBot
from palabre.bots.limits import TIME, UNLIMITED, tighter_limits
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.core.spec import Parameter
from palabre.evaluation.names import EvaluationParameter, default_evaluation, evaluation
from palabre.search.alphabeta import AlphaBeta
from palabre.search.bestreply import BestReply
from palabre.search.clock import Clock
from palabre.search.deepening import MAX_DEPTH, TextbookSearch
from palabre.search.maxn import MAXN_PLAYERS, MaxN
from palabre.search.thought import Search


class Deepener(TieBreakingBot):
    """Iterative deepening with a textbook search."""

    most_players = MAXN_PLAYERS
    kind: ClassVar[type[TextbookSearch]]

    @classmethod
    def parameters(cls, game: Game) -> Sequence[Parameter]:
        return (
            TIME,
            Parameter("depth", UNLIMITED, range(MAX_DEPTH + 1), "plies to search, 0 for as many as time allows"),
            EvaluationParameter(game, default_evaluation(game)),
        )

    def new_search(self, game: Game) -> Search:
        return self.kind(game, evaluation(game, self.options.word("eval")))

    def move_limits(self, position: Position, clock: Clock) -> Clock:
        return tighter_limits(clock, self.options.decimal("time"), depth=self.options.number("depth"))


class MaxNBot(Deepener):
    """Expects the others to play as it does."""

    summary = "max^n: expects each player to play for themselves, and searches every line of play"
    kind = MaxN


class Paranoid(Deepener):
    """Treats all others as one opponent, so that alpha-beta can prune."""

    summary = "expects all others to play against it: alpha-beta for any number of players"
    kind = AlphaBeta


class BestReplyBot(Deepener):
    """Expects one opponent at a time to reply."""

    summary = "best-reply search: expects one of the others at a time to play against it, and so searches deeper"
    kind = BestReply


BOTS: dict[str, type[Bot]] = {"maxn": MaxNBot, "paranoid": Paranoid, "bestreply": BestReplyBot}
