"""A starter kit: a bot for any game that takes what it can get."""

from palabre import Bot, Clock, Move, Position


class Starter(Bot):
    """Plays the move after which it leads by most on the scoreboard."""

    name = "starter in Python"
    authors = ("nobody yet",)

    def choose(self, position: Position, clock: Clock) -> Move:
        own = position.to_move

        def lead(move: Move) -> int:
            scores = position.play(move).scores
            return scores[own] - max(score for player, score in enumerate(scores) if player != own)

        return max(position.moves(), key=lead)
