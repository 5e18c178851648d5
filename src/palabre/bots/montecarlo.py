"""`mcts` and `montecarlo`: players who know a game by playing it at random; for any game and number of players."""

from collections.abc import Sequence

from palabre.bots.bot import Bot
from palabre.bots.limits import UNLIMITED, tighter_limits, time_parameter
from palabre.core.game import Game
from palabre.core.position import Move, Position
from palabre.core.spec import Decimal, Parameter
from palabre.evaluation.names import EvaluationParameter, default_evaluation, evaluation
from palabre.search import montecarlo
from palabre.search.clock import Clock
from palabre.search.mcts import Mcts
from palabre.search.simulation import TO_THE_END, MctsParameters

SEEDS = 1 << 30  # dice for a search are rolled from so many
YES_NO = ("yes", "no")


class TreeSearch(Bot):
    """Plays the move that it has tried most; its defaults are what won matches (docs/strength.md)."""

    summary = "Monte Carlo tree search: looks where it pays, and plays the move it has looked at most"
    any_seat = True

    @classmethod
    def parameters(cls, game: Game) -> Sequence[Parameter]:
        # The scoreboard alone may say nothing before the end: without a better evaluation, plain UCT plays better.
        usual = (
            MctsParameters(exploration=0.4, heuristic_weight=0.4, cutoff=4)
            if default_evaluation(game) == "standard"
            else MctsParameters(exploration=1.4)
        )
        return (
            time_parameter(),
            Parameter("nodes", UNLIMITED, range(10**9), "simulations for a move, 0 for as many as there is time"),
            EvaluationParameter(game, default_evaluation(game)),
            Decimal(
                "exploration", usual.exploration, 0.0, 100.0, "how often it tries what looks worse; plain UCT has 1.4"
            ),
            Decimal(
                "heuristic_weight",
                usual.heuristic_weight,
                0.0,
                1.0,
                "the part of the evaluation in what a move seems worth, 0 for none",
            ),
            Parameter(
                "playout",
                usual.cutoff,
                range(TO_THE_END + 1),
                f"random moves before the evaluation, {TO_THE_END} for all",
            ),
            Parameter("proofs", "yes", YES_NO, "whether it tells won, lost and drawn positions from promising ones"),
            Parameter("reuse", "yes", YES_NO, "whether what it finds out is kept for the next move"),
            Parameter("threads", 1, range(1, 65), "trees that are grown at the same time"),
            Parameter("memory", 64, range(1, 4097), "megabytes for its trees"),
        )

    def start(self, game: Game, seat: int) -> None:
        options = self.options
        parameters = MctsParameters(
            exploration=options.decimal("exploration"),
            heuristic_weight=options.decimal("heuristic_weight"),
            cutoff=options.number("playout"),
            proofs=1 if options.word("proofs") == "yes" else 0,
        )
        weights = evaluation(game, options.word("eval"))
        memory, threads, reuse = options.number("memory"), options.number("threads"), options.word("reuse") == "yes"
        self.mind = Mcts(game, weights, parameters, memory, threads, reuse=reuse)

    def choose(self, position: Position, clock: Clock) -> Move:
        limits = tighter_limits(clock, self.options.decimal("time"), nodes=self.options.number("nodes"))
        return self.mind.think(position, limits, self.roll(SEEDS)).move

    def stop(self) -> None:
        self.mind.stop()


class FlatMonteCarlo(Bot):
    """Plays the move after which it has won most random games; among equal ones it picks at random."""

    summary = "plays the move after which it wins most random games"

    @classmethod
    def parameters(cls, game: Game) -> Sequence[Parameter]:
        return (
            time_parameter(),
            Parameter(
                "playouts", UNLIMITED, range(10**6), "random games after each move, 0 for as many as there is time"
            ),
        )

    def start(self, game: Game, seat: int) -> None:
        position = game.start()
        if not position.is_over:
            montecarlo.search(position, Clock(nodes=1))  # compiled now, when no clock runs

    def choose(self, position: Position, clock: Clock) -> Move:
        games = self.options.number("playouts") * len(position.moves())
        limits = tighter_limits(clock, self.options.decimal("time"), nodes=games)
        return self.pick(montecarlo.search(position, limits, self.roll(SEEDS)).best)


BOTS: dict[str, type[Bot]] = {"montecarlo": FlatMonteCarlo, "mcts": TreeSearch}
