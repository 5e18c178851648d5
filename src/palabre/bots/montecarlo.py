"""`mcts` and `montecarlo`: bots that judge a position by random games; for any game and number of players."""

from collections.abc import Sequence
from dataclasses import replace

from palabre.bots import treelevels
from palabre.bots.bot import Bot, LastingBot, SearchBot, TieBreakingBot, given_turn
from palabre.bots.levels import DICE_SIDES, LEVEL, STRONGEST
from palabre.bots.limits import TIME, UNLIMITED, tighter, tighter_limits
from palabre.core.game import Game
from palabre.core.position import Move, Position
from palabre.core.spec import Decimal, Parameter
from palabre.evaluation.names import EvaluationParameter, default_evaluation, evaluation
from palabre.search.clock import Clock
from palabre.search.mcts import Mcts, mcts_parameters
from palabre.search.montecarlo import FlatMonteCarlo
from palabre.search.simulation import FULL_PLAYOUT
from palabre.search.thought import Thought, Watch

SEEDS = 1 << 30  # how many seeds a search can have
YES_NO = ("yes", "no")


class Sampler(SearchBot):
    """A bot whose search plays random games, with a new seed for each move."""

    search: Mcts | FlatMonteCarlo
    counts_depth = False

    def think(self, position: Position, clock: Clock, watch: Watch | None = None, lines: int = 1) -> Thought:
        self.search.seed = self.roll(SEEDS)
        return super().think(position, clock, watch, lines)


class MctsBot(Sampler, LastingBot):
    """Plays the move with most simulations; its defaults are those of `mcts_parameters`."""

    summary = "Monte Carlo tree search: simulates where it pays, and plays the move it has simulated most"
    search: Mcts

    @classmethod
    def parameters(cls, game: Game) -> Sequence[Parameter]:
        usual = mcts_parameters(game)
        return (
            LEVEL,
            TIME,
            Parameter("nodes", UNLIMITED, range(10**9), "simulations per move, 0 for as many as time allows"),
            EvaluationParameter(game, default_evaluation(game)),
            Decimal(
                "exploration",
                usual.exploration,
                0.0,
                100.0,
                "how often it tries moves that look worse; plain UCT uses 1.4",
            ),
            Decimal(
                "heuristic_weight",
                usual.heuristic_weight,
                0.0,
                1.0,
                "the weight of the evaluation in the value of a move, 0 for none",
            ),
            Parameter(
                "playout",
                usual.cutoff,
                range(FULL_PLAYOUT + 1),
                f"random moves before the evaluation, {FULL_PLAYOUT} to the end of the game",
            ),
            Parameter("proofs", "yes" if usual.proofs else "no", YES_NO, "whether it proves wins, losses and draws"),
            Parameter("reuse", "yes", YES_NO, "whether it keeps its tree for the next move"),
            Parameter("threads", 1, range(1, 65), "trees that grow in parallel"),
            Parameter("memory", 64, range(1, 4097), "megabytes for its trees"),
        )

    def new_search(self, game: Game) -> Mcts:
        options = self.options
        parameters = mcts_parameters(game)._replace(
            exploration=options.decimal("exploration"),
            heuristic_weight=options.decimal("heuristic_weight"),
            cutoff=options.number("playout"),
            proofs=1 if options.word("proofs") == "yes" else 0,
        )
        weights = evaluation(game, options.word("eval"))
        memory, threads, reuse = options.number("memory"), options.number("threads"), options.word("reuse") == "yes"
        if options.number("level") < STRONGEST:  # its moves follow from the position alone
            memory, reuse = min(memory, treelevels.MEGABYTES), False
        return Mcts(game, weights, parameters, memory, threads, reuse=reuse)

    def choose(self, position: Position, clock: Clock) -> Move:
        given_turn(self, "choose", position, clock)
        favourite = self.think(position, self.move_limits(position, clock), self.watch)
        level = self.options.number("level")
        if level == STRONGEST:
            return favourite.move
        return treelevels.pick(self.search, favourite, level, self.roll(DICE_SIDES) / DICE_SIDES)

    def move_limits(self, position: Position, clock: Clock) -> Clock:
        own = self.options
        nodes = tighter(own.number("nodes") or None, treelevels.simulations(position, own.number("level")))
        return tighter_limits(replace(clock, depth=None), own.decimal("time"), nodes=nodes)


class FlatMonteCarloBot(Sampler, TieBreakingBot):
    """Plays the move after which it has won most random games."""

    summary = "plays the move after which it wins the most random games"

    @classmethod
    def parameters(cls, game: Game) -> Sequence[Parameter]:
        return (
            TIME,
            Parameter(
                "playouts", UNLIMITED, range(10**6), "random games after each move, 0 for as many as time allows"
            ),
        )

    def new_search(self, game: Game) -> FlatMonteCarlo:
        return FlatMonteCarlo(game)

    def move_limits(self, position: Position, clock: Clock) -> Clock:
        games = self.options.number("playouts") * len(position.moves())
        return tighter_limits(replace(clock, depth=None), self.options.decimal("time"), nodes=games)


BOTS: dict[str, type[Bot]] = {"montecarlo": FlatMonteCarloBot, "mcts": MctsBot}
