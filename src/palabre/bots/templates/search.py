"""A bot that searches: alpha-beta, one ply deeper at a time until its time is up. It plays already.

palabre match FILE greedy --game awele --time 0.2  measure it
palabre match FILE FILE:depth=2 --game awele       what is depth worth?
"""

import time
from collections.abc import Sequence

from palabre import Bot, Clock, Game, Move, Parameter, Position

WIN = 1000.0  # more than any lead
PART = 0.5  # of the time for a move that is used: a late move loses
DEFAULT_SECONDS = 0.2  # for a move, if there is no limit


class TimeIsUp(Exception):
    """The search must end: the best move of the last complete depth counts."""


class MyBot(Bot):
    """Iterative deepening over alpha-beta in plain Python. Good next steps: try captures first, remember positions."""

    name = "my search"  # in a championship
    authors = ("me",)
    summary = "alpha-beta in plain Python"
    most_players = 2  # the opponent's gain is my loss

    @classmethod
    def parameters(cls, game: Game) -> Sequence[Parameter]:
        """What can be chosen in a spec, such as FILE:depth=3."""
        return [Parameter("depth", 20, range(1, 100), "plies to search at most")]

    def choose(self, position: Position, clock: Clock) -> Move:
        """The best move of the deepest search that was finished in time."""
        seconds = clock.per_move if clock.per_move is not None else DEFAULT_SECONDS
        if clock.remaining is not None:  # for the rest of the game: be careful with it
            seconds = min(seconds, clock.remaining / 40 + clock.increment)
        self.deadline = time.monotonic() + PART * seconds
        moves = position.moves()
        best = moves[0]
        try:
            for depth in range(1, self.options.number("depth") + 1):
                best = self.search_root(position, moves, depth)
                moves = [best, *(move for move in moves if move != best)]  # the best first: more is pruned
        except TimeIsUp:
            pass
        return best

    def search_root(self, position: Position, moves: list[Move], depth: int) -> Move:
        """The best of these moves, searched to a depth."""
        best, alpha = moves[0], -2 * WIN
        for move in moves:
            value = self.after(position, move, depth - 1, alpha, 2 * WIN)
            if value > alpha:
                best, alpha = move, value
        return best

    def search(self, position: Position, depth: int, alpha: float, beta: float) -> float:
        """What a position is worth to the player to move, if that is between alpha and beta."""
        if time.monotonic() > self.deadline:
            raise TimeIsUp
        if depth == 0 or position.is_over:
            return self.value(position)
        for move in position.moves():
            alpha = max(alpha, self.after(position, move, depth - 1, alpha, beta))
            if alpha >= beta:  # the opponent would not let it come to this
                break
        return alpha

    def after(self, position: Position, move: Move, depth: int, alpha: float, beta: float) -> float:
        """What a move is worth to the player who makes it; the next turn may be theirs again."""
        child = position.play(move)
        if child.to_move == position.to_move:
            return self.search(child, depth, alpha, beta)
        return -self.search(child, depth, -beta, -alpha)

    def value(self, position: Position) -> float:
        """What a position is worth to the player to move; put your evaluation here."""
        me = position.to_move
        if position.result is not None:
            return WIN * (position.result[me] - position.result[1 - me])
        return position.scores[me] - position.scores[1 - me]
