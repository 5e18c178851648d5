"""`palabre`: the engine as a player, for any game of two; it looks as deep as the time allows."""

from collections.abc import Sequence

from palabre.bots import levels
from palabre.bots.bot import Bot, SearchBot
from palabre.bots.limits import UNLIMITED, tighter, tighter_limits, time_parameter
from palabre.core.game import Game
from palabre.core.position import Move, Position
from palabre.core.spec import Parameter
from palabre.evaluation.names import EvaluationParameter, default_evaluation, evaluation
from palabre.search.clock import Clock
from palabre.search.engine import Engine
from palabre.search.values import MAX_PLY
from palabre.search.worker import TECHNIQUES

FINE = 1 << 30  # sides of the dice that a level throws


class Palabre(SearchBot):
    """The strongest we have. By its own limits or by the clock's, whichever are tighter; nothing is left to chance."""

    summary = "the engine: alpha-beta as strong programs write it, as deep as its time allows"
    most_players = 2
    _new_for: Game | None = None  # the game its engine was made for, as long as it has not thought about a move

    @classmethod
    def parameters(cls, game: Game) -> Sequence[Parameter]:
        return (
            Parameter(
                "level", levels.STRONGEST, range(1, levels.STRONGEST + 1), "how strong, from a beginner to all it can"
            ),
            time_parameter(),
            Parameter("depth", UNLIMITED, range(MAX_PLY + 1), "plies to look ahead, 0 for as many as there is time"),
            Parameter("nodes", UNLIMITED, range(10**9), "positions to look at for a move, 0 for as many"),
            EvaluationParameter(game, default_evaluation(game)),
            Parameter("memory", 64, range(1, 4097), "megabytes for what it remembers of positions"),
            Parameter("threads", 1, range(1, 65), "how many processors it thinks with"),
            Parameter("without", "nothing", ("nothing", *TECHNIQUES), "a technique to leave out, to see its worth"),
        )

    def start(self, game: Game, seat: int) -> None:
        if self._new_for == game:
            return  # it is seated anew before its first move, and all seats are alike to it
        self.search = self.engine = self.new_search(game)
        position = game.start()
        if not position.is_over:
            self.engine.think(position, Clock(depth=1))  # compiled now, when no clock runs
        self._new_for = game

    def new_search(self, game: Game) -> Engine:
        without = self.options.word("without")
        return Engine(
            game,
            evaluation(game, self.options.word("eval")),
            self.options.number("memory"),
            self.options.number("threads"),
            1 << TECHNIQUES.index(without) if without in TECHNIQUES else 0,
        )

    def choose(self, position: Position, clock: Clock) -> Move:
        self._new_for = None
        level = self.options.number("level")
        if level == levels.STRONGEST:
            return super().choose(position, clock)
        return levels.choose(self.engine, position, self.limits(clock), level, self.roll(FINE) / FINE)

    def move_limits(self, position: Position, clock: Clock) -> Clock:
        return self.limits(clock)

    def limits(self, clock: Clock) -> Clock:
        """The tightest of its own limits, its level's and the clock's."""
        level = levels.LEVELS.get(self.options.number("level"))
        depth = tighter(self.options.number("depth") or None, level.depth if level else None)
        nodes = tighter(self.options.number("nodes") or None, level.nodes if level else None)
        return tighter_limits(clock, self.options.decimal("time"), nodes=nodes, depth=depth)


BOTS: dict[str, type[Bot]] = {"palabre": Palabre}
