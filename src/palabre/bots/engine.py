"""`palabre`: the engine as a player, for any game of two; it looks as deep as the time allows."""

from collections.abc import Sequence
from typing import TypeVar

from palabre.bots.bot import Bot
from palabre.core.game import Game
from palabre.core.position import Move, Position
from palabre.core.spec import Decimal, Parameter
from palabre.evaluation.names import evaluation, evaluations
from palabre.search.clock import Clock
from palabre.search.engine import Engine
from palabre.search.notebook import TECHNIQUES
from palabre.search.values import DEEPEST

UNLIMITED = 0  # as a depth or a number of nodes
USUAL_TIME = 0.5  # seconds for a move, where nothing else limits it
Limit = TypeVar("Limit", int, float)


class Palabre(Bot):
    """The strongest we have. By its own limits or by the clock's, whichever are tighter; nothing is left to chance."""

    summary = "the engine: alpha-beta as strong programs write it, as deep as its time allows"
    most_players = 2

    @classmethod
    def parameters(cls, game: Game) -> Sequence[Parameter]:
        known = evaluations(game)
        return (
            Decimal(
                "time", USUAL_TIME, 0.001, 3600.0, "seconds for a move; the usual ones give way to depth and nodes"
            ),
            Parameter("depth", UNLIMITED, range(DEEPEST + 1), "plies to look ahead, 0 for as many as there is time"),
            Parameter("nodes", UNLIMITED, range(10**9), "positions to look at for a move, 0 for as many"),
            Parameter("eval", "keen" if "keen" in known else "score", tuple(known), "what a position is worth"),
            Parameter("memory", 64, range(1, 4097), "megabytes for what it remembers of positions"),
            Parameter("threads", 1, range(1, 65), "how many processors it thinks with"),
            Parameter("without", "nothing", ("nothing", *TECHNIQUES), "a technique to leave out, to see its worth"),
        )

    def start(self, game: Game, seat: int) -> None:
        without = self.options.word("without")
        self.engine = Engine(
            game,
            evaluation(game, self.options.word("eval")),
            self.options.number("memory"),
            self.options.number("threads"),
            1 << TECHNIQUES.index(without) if without in TECHNIQUES else 0,
        )
        position = game.start()
        if not position.is_over:
            self.engine.think(position, Clock(depth=1))  # compiled now, when no clock runs

    def choose(self, position: Position, clock: Clock) -> Move:
        return self.engine.think(position, self.limits(clock)).move

    def limits(self, clock: Clock) -> Clock:
        """The tighter of its own limits and the clock's."""
        depth, nodes = self.options.number("depth"), self.options.number("nodes")
        seconds = self.options.decimal("time")
        is_timed = seconds != USUAL_TIME or (depth == UNLIMITED and nodes == UNLIMITED)
        return Clock(
            per_move=_tighter(seconds if is_timed else None, clock.per_move),
            remaining=clock.remaining,
            increment=clock.increment,
            depth=_tighter(depth or None, clock.depth),
            nodes=_tighter(nodes or None, clock.nodes),
        )


def _tighter(own: Limit | None, other: Limit | None) -> Limit | None:
    """The lower of two limits, None being none."""
    if own is None or other is None:
        return other if own is None else own
    return min(own, other)


BOTS: dict[str, type[Bot]] = {"palabre": Palabre}
