"""The bot of the Abalone course project: `frabalon`."""

from palabre.author import Game, Position, Weights
from palabre.bots.bot import Bot
from palabre.bots.textbook import Searcher
from palabre.evaluation.names import evaluation
from palabre.search.clock import Clock


class Frabalon(Searcher):
    """Abalone: searches the middle game a ply deeper than the opening, and never past the end.

    A turn is a ply, as in the course's program, and the first one is turn 0.
    """

    summary = "Abalone: alpha-beta 3 or 4 plies deep, depending on the turn and the time left"
    games = ("abalone",)
    LAST_OPENING_TURN = 19
    LAST_TURNS = 3  # with this many turns left, it searches exactly to the end
    HURRY = 150.0  # with fewer seconds left it searches a ply less

    def evaluation(self, game: Game) -> Weights:
        return evaluation(game, "frabalon")

    def depth(self, position: Position, clock: Clock) -> int:
        turns_left = position.game.options.number("turns") - position.ply
        if turns_left <= self.LAST_TURNS:
            return turns_left
        is_hurried = clock.remaining is not None and clock.remaining < self.HURRY
        return 3 if position.ply <= self.LAST_OPENING_TURN or is_hurried else 4


BOTS: dict[str, type[Bot]] = {"frabalon": Frabalon}
