"""A bot in one file. It plays already; make it play better.

palabre play awele --players person,FILE           play against it
palabre match FILE greedy --game awele             measure it
palabre bots awele                                 what else it can be measured against
"""

from palabre import Bot, Clock, Game, Move, Position

WIN = 1000.0  # more than any lead on the scoreboard


class MyBot(Bot):
    """Plays the move that leaves it best off, one move ahead. A good first step: look at the answers to it, too."""

    summary = "my own bot"

    def start(self, game: Game, seat: int) -> None:
        """Called before each game; leave it out if there is nothing to do. Compile and load things here."""
        self.seat = seat  # which player I am: 0, 1, …

    def choose(self, position: Position, clock: Clock) -> Move:
        """Called when it is my turn: return one of `position.moves()`.

        `clock.per_move` tells how many seconds I have, or None. Chance comes from `self.roll(6)` and `self.pick(list)`:
        then the same seed gives the same game.
        """
        values = {move: self.value(position.play(move)) for move in position.moves()}
        best = max(values.values())
        return self.pick([move for move, value in values.items() if value == best])

    def value(self, position: Position) -> float:
        """What a position is worth to me. `print(position)` shows it, `position.text` has all of it in one line."""
        if position.result is not None:  # the game is over: 1 if I have won, 0 if I have lost
            return WIN * (position.result[self.seat] - 0.5)
        others = [score for player, score in enumerate(position.scores) if player != self.seat]
        return position.scores[self.seat] - max(others)

    # What else a bot can have; docs/bots.md has the whole story.
    #
    # def learn(self, data, budget):           once, before the first game, in `budget` seconds
    # def score_moves(self, position):         instead of choose: a number for each legal move, the best is played
    # @classmethod
    # def parameters(cls, game):               what can be chosen about it: return [Parameter("depth", 2, range(1, 9),
    #                                          "plies")], play FILE:depth=4, and read self.options.number("depth")
