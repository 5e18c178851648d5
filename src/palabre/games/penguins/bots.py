"""The bots of the Penguins course project: its three levels."""

from palabre.author import Game, Position, Weights
from palabre.bots.bot import Bot
from palabre.bots.textbook import Searcher
from palabre.evaluation.montecarlo import MonteCarlo
from palabre.evaluation.names import evaluation
from palabre.games.penguins.endgame import harvest_moves
from palabre.games.penguins.rules import is_placing
from palabre.search.alphabeta import AlphaBeta
from palabre.search.clock import Clock
from palabre.search.thought import Thought, Watch, report_lines


class PenguinsEasy(Searcher):
    """Penguins in three phases: placement, battle, and harvest, when no opponent can reach its penguins any more.

    The levels differ only in battle: alpha-beta, which is the paranoid search with more than two players. A penguin is
    placed by a search of one ply with the evaluation `weights`, which was made for that. On its islands the bot eats
    all that can be eaten there.
    """

    summary = "Penguins: alpha-beta 5 plies deep with the evaluation weights"
    games = ("penguins",)
    most_players = 4
    DEPTH = 5

    def evaluation(self, game: Game) -> Weights:
        return evaluation(game, "weights")

    def depth(self, position: Position, clock: Clock) -> int:
        return self.DEPTH

    def start(self, game: Game, seat: int) -> None:
        super().start(game, seat)
        self.placement = AlphaBeta(game, evaluation(game, "weights"))
        self.placement.think(game.start(), Clock(depth=1))  # compiled now, while no clock runs
        harvest_moves(game.start())

    def think(self, position: Position, clock: Clock, watch: Watch | None = None, lines: int = 1) -> Thought:
        if is_placing(position.state):
            return self.placement.think(position, Clock(depth=1), watch, lines)
        harvest = [move.code for move in harvest_moves(position)]
        if not harvest:
            return super().think(position, clock, watch, lines)
        thoughts = [Thought(position, (code,), rank=n, ties=tuple(harvest)) for n, code in enumerate(harvest, start=1)]
        report_lines(thoughts[:lines], watch)
        return thoughts[0]


class PenguinsMedium(PenguinsEasy):
    """In battle it evaluates by random games instead of searching deep."""

    summary = "Penguins: alpha-beta 2 plies deep, then 250 random games"
    DEPTH = 2
    PLAYOUTS = 250

    def evaluation(self, game: Game) -> Weights:
        return MonteCarlo(self.PLAYOUTS)


class PenguinsHard(PenguinsMedium):
    """Searches a ply deeper with fewer random games; its authors call it more aggressive."""

    summary = "Penguins: alpha-beta 3 plies deep, then 5 random games"
    DEPTH = 3
    PLAYOUTS = 5


BOTS: dict[str, type[Bot]] = {
    "penguins-easy": PenguinsEasy,
    "penguins-medium": PenguinsMedium,
    "penguins-hard": PenguinsHard,
}
