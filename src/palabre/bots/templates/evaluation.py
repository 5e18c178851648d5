"""A bot with an evaluation: what a position is worth, as a sum of features with weights. It plays already.

palabre match FILE FILE:mobility=0 --game awele    is a feature worth anything?
palabre match FILE greedy --game awele             measure the whole
"""

from collections.abc import Sequence

from palabre import Bot, Clock, Decimal, Game, Move, Parameter, Position

WIN = 1000.0  # more than any sum of features


class MyBot(Bot):
    """Plays the move after which the evaluation is best for it."""

    name = "my evaluation"  # in a championship
    authors = ("me",)
    summary = "one move ahead, by its own evaluation"

    @classmethod
    def parameters(cls, game: Game) -> Sequence[Parameter]:
        """The weights, so that a match can compare two values: FILE:mobility=0.5."""
        return [
            Decimal("lead", 1.0, -10, 10, "a point more than the best opponent"),
            Decimal("mobility", -0.1, -10, 10, "a move that the next player has"),
        ]

    def start(self, game: Game, seat: int) -> None:
        """Called before each game."""
        self.seat = seat

    def choose(self, position: Position, clock: Clock) -> Move:
        """The best move; among equals, any."""
        values = {move: self.value(position.play(move)) for move in position.moves()}
        best = max(values.values())
        return self.pick([move for move, value in values.items() if value == best])

    def value(self, position: Position) -> float:
        """What a position is worth to me: each feature times its weight. Add features of your game here."""
        if position.result is not None:
            return WIN * (position.result[self.seat] - 0.5)
        features = {"lead": self.lead(position), "mobility": self.mobility(position)}
        return sum(self.options.decimal(name) * feature for name, feature in features.items())

    def lead(self, position: Position) -> float:
        """My points less those of the best opponent."""
        others = [score for player, score in enumerate(position.scores) if player != self.seat]
        return position.scores[self.seat] - max(others)

    def mobility(self, position: Position) -> float:
        """How many moves the next player has; counted for me if that is me again, else against me by the weight."""
        moves = len(position.moves())
        return -moves if position.to_move == self.seat else moves
