"""`palabre`: the engine as a player, for any game of two."""

from collections.abc import Sequence

from palabre.bots import levels
from palabre.bots.bot import Bot, LastingBot, given_turn
from palabre.bots.limits import TIME, UNLIMITED, tighter, tighter_limits
from palabre.core.game import Game
from palabre.core.position import Move, Position
from palabre.core.spec import Parameter
from palabre.evaluation.names import EvaluationParameter, default_evaluation, evaluation
from palabre.search.clock import Clock
from palabre.search.engine import Engine
from palabre.search.engine_parameters import EngineParameters
from palabre.search.parameters import parameters_for
from palabre.search.values import MAX_PLY
from palabre.search.worker import TECHNIQUES

# Techniques that a game may do without, and the parameter that turns each off.
OPTIONAL = {"reductions": "late_move_reductions", "aspiration": "aspiration"}


class Palabre(LastingBot):
    """The strongest bot. It obeys the tighter of its own limits and the clock's, and at level 10 nothing is random."""

    summary = "the engine: principal variation search, as deep as time allows"
    most_players = 2
    search: Engine

    @classmethod
    def parameters(cls, game: Game) -> Sequence[Parameter]:
        return (
            levels.LEVEL,
            TIME,
            Parameter("depth", UNLIMITED, range(MAX_PLY + 1), "plies to search, 0 for as many as time allows"),
            Parameter("nodes", UNLIMITED, range(10**9), "positions to search per move, 0 for as many as time allows"),
            EvaluationParameter(game, default_evaluation(game)),
            Parameter("memory", 64, range(1, 4097), "megabytes for the transposition table"),
            Parameter("threads", 1, range(1, 65), "number of search threads"),
            Parameter(
                "disable", "nothing", ("nothing", *TECHNIQUES), "a technique to switch off, to measure what it is worth"
            ),
            Parameter(
                "enable", "nothing", ("nothing", *OPTIONAL), "a technique to switch on that this game does without"
            ),
        )

    def new_search(self, game: Game) -> Engine:
        disabled, enabled = self.options.word("disable"), self.options.word("enable")
        parameters = parameters_for(game, "palabre", EngineParameters())
        if enabled in OPTIONAL:
            parameters = parameters._replace(**{OPTIONAL[enabled]: 1})
        memory = self.options.number("memory")
        if self.options.number("level") < levels.STRONGEST:
            memory = min(memory, levels.MEGABYTES)
        return Engine(
            game,
            evaluation(game, self.options.word("eval")),
            memory,
            self.options.number("threads"),
            1 << TECHNIQUES.index(disabled) if disabled in TECHNIQUES else 0,
            parameters,
        )

    def choose(self, position: Position, clock: Clock) -> Move:
        given_turn(self, "choose", position, clock)
        level = self.options.number("level")
        if level == levels.STRONGEST:
            return super().choose(position, clock)
        luck = self.roll(levels.DICE_SIDES) / levels.DICE_SIDES
        move, self.thought = levels.choose(self.search, position, self.limits(clock), level, luck)
        return move

    def move_limits(self, position: Position, clock: Clock) -> Clock:
        return self.limits(clock)

    def limits(self, clock: Clock) -> Clock:
        """The tightest of its own limits, those of its level and those of the clock."""
        level = levels.LEVELS.get(self.options.number("level"))
        depth = tighter(self.options.number("depth") or None, level.depth if level else None)
        nodes = tighter(self.options.number("nodes") or None, level.nodes if level else None)
        return tighter_limits(clock, self.options.decimal("time"), nodes=nodes, depth=depth)


BOTS: dict[str, type[Bot]] = {"palabre": Palabre}
