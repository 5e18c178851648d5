"""The bots of the Penguins course project: its three levels."""

from typing import Any

from palabre.bots.bot import Bot
from palabre.bots.textbook import Searcher
from palabre.core.game import Game
from palabre.core.position import Move, Position
from palabre.evaluation.montecarlo import MonteCarlo
from palabre.evaluation.names import evaluation
from palabre.games.penguins.endgame import harvest_moves
from palabre.games.penguins.rules import is_placing
from palabre.search.clock import Clock


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
    "penguins-easy": PenguinsEasy,
    "penguins-medium": PenguinsMedium,
    "penguins-hard": PenguinsHard,
}
