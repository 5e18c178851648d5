"""The bots of the course projects that play one game, all of them alpha-beta: `adaptive`, `frabalon`, `divine`, and the
three levels of Penguins.

What sets them apart is how deep they look, and when.
"""

from collections.abc import Sequence
from typing import Any

from palabre.bots.bot import Bot
from palabre.bots.textbook import Searcher, depth_parameter, evaluation_parameter, playouts_parameter
from palabre.core.game import Game
from palabre.core.position import Move, Position
from palabre.core.spec import Parameter
from palabre.endgame.penguins import harvest_moves
from palabre.evaluation.montecarlo import MonteCarlo
from palabre.evaluation.names import evaluation
from palabre.games.penguins.rules import is_placing
from palabre.search.clock import Clock
from palabre.search.engine import Engine
from palabre.search.notebook import LOUD, OUTLOOK, REDUCTIONS


class Adaptive(Searcher):
    """Awalé: the fewer seeds are left on the board, the fewer moves there are, and the deeper it looks.

    As the authors' does, its alpha-beta looks at promising moves first and evaluates no position twice: it is the
    engine without all that would make it see further than so many plies. Of equally good moves it plays the first.
    """

    summary = "Awalé: alpha-beta 6 to 10 plies deep, by the share of the seeds captured so far"
    games = ("awale",)
    DEPTHS = ((15, 6), (30, 7), (70, 8), (80, 9))  # below so many per cent of all seeds captured, so many plies
    DEEPEST = 10  # from there on
    MEMORY = 16  # megabytes

    @classmethod
    def parameters(cls, game: Game) -> Sequence[Parameter]:
        return evaluation_parameter(game), playouts_parameter()

    def start(self, game: Game, seat: int) -> None:
        without = REDUCTIONS | LOUD | OUTLOOK
        self.engine = Engine(game, self.evaluation(game), self.MEMORY, without=without)
        self.engine.think(game.start(), Clock(depth=1))  # compiled now, when no clock runs

    def choose(self, position: Position, clock: Clock) -> Move:
        return self.engine.think(
            position, Clock(depth=min(self.depth(position, clock), clock.depth or self.DEEPEST))
        ).move

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


class PenguinsEasy(Searcher):
    """Penguins in three phases: placement, battle, and harvest, when others can no longer come where its penguins are.

    Only the battle sets the levels apart: alpha-beta, which with more than two players expects all others to play
    against it. Placement is by the evaluation `weights`, which was made for it, one penguin at a time; on its islands
    it eats all that can be eaten there.
    """

    summary = "Penguins: alpha-beta 5 plies deep with the evaluation weights"
    games = ("penguins",)
    most_players = 4
    DEPTH = 5

    def evaluation(self, game: Game) -> Any:
        return evaluation(game, "weights")

    def depth(self, position: Position, clock: Clock) -> int:
        return self.DEPTH

    def start(self, game: Game, seat: int) -> None:
        position = game.start()
        self.search(position, evaluation(game, "weights"), 1)  # compiled now, when no clock runs
        harvest_moves(position)
        super().start(game, seat)

    def choose(self, position: Position, clock: Clock) -> Move:
        if is_placing(position.state):
            return self.pick(self.search(position, evaluation(position.game, "weights"), 1).best)
        harvest = harvest_moves(position)
        return self.pick(harvest) if harvest else super().choose(position, clock)


class PenguinsMedium(PenguinsEasy):
    """In battle it plays random games to their end rather than look far."""

    summary = "Penguins: alpha-beta 2 plies deep, then 250 random games"
    DEPTH = 2
    PLAYOUTS = 250

    def evaluation(self, game: Game) -> Any:
        return MonteCarlo(self.PLAYOUTS)


class PenguinsHard(PenguinsMedium):
    """Looks further and plays fewer random games; its authors call it the more aggressive one."""

    summary = "Penguins: alpha-beta 3 plies deep, then 5 random games"
    DEPTH = 3
    PLAYOUTS = 5


BOTS: dict[str, type[Bot]] = {
    "adaptive": Adaptive,
    "frabalon": Frabalon,
    "divine": Divine,
    "penguins-easy": PenguinsEasy,
    "penguins-medium": PenguinsMedium,
    "penguins-hard": PenguinsHard,
}
