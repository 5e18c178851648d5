"""A bot in one file. It plays already; make it play better.

palabre play awele --players person,FILE           play against it
palabre match FILE greedy --game awele             measure it
palabre bots awele                                 what else it can be measured against
"""

from collections.abc import Sequence

from palabre import Bot, Clock, Game, Move, Parameter, Position


class MyBot(Bot):
    """Plays the move that leaves it best off, one move ahead. A good first step: consider the replies, too."""

    name = "my bot"  # in a championship
    authors = ("me",)
    summary = "my own bot"

    @classmethod
    def parameters(cls, game: Game) -> Sequence[Parameter]:
        """What can be chosen in a spec, such as FILE:win=50; leave this out if there is nothing to choose."""
        return [Parameter("win", 1000, range(10_000), "what a won game is worth, in points of the scoreboard")]

    def start(self, game: Game, seat: int) -> None:
        """Called before each game; leave this out if there is nothing to do. Compile and load things here."""
        self.seat = seat  # which player I am: 0, 1, …

    def choose(self, position: Position, clock: Clock) -> Move:
        """Called when it is my turn: return one of `position.moves()`.

        `clock.per_move` is how many seconds I have, or None. Chance comes from `self.roll(6)` and `self.pick(list)`:
        then the same seed gives the same game.
        """
        values = {move: self.value(position.play(move)) for move in position.moves()}
        best = max(values.values())
        return self.pick([move for move, value in values.items() if value == best])

    def value(self, position: Position) -> float:
        """What a position is worth to me. `print(position)` shows it, `position.text` has all of it in one line."""
        if position.result is not None:  # the game is over: 1 if I have won, 0 if I have lost
            return self.options.number("win") * (position.result[self.seat] - 0.5)
        others = [score for player, score in enumerate(position.scores) if player != self.seat]
        return position.scores[self.seat] - max(others)
