"""A bot that learns. It plays already; teach it, and it plays by what it has learnt.

python FILE awele 100                              teach it by 100 games against itself; the weights go into this file
palabre match FILE greedy --game awele             measure it
"""

import math
import random
import re
import sys
from pathlib import Path

import palabre
from palabre import Bot, Clock, Game, Move, Position

# What it has learnt of each game. Teaching writes this line anew, so that one file is all there is to hand in.
LEARNT: dict[str, dict[str, float]] = {}

UNTAUGHT = {"lead": 1.0, "mobility": 0.0, "turn": 0.0}  # the weights of the features before it has learnt anything
RATE = 0.01  # how far a game moves the weights
CURIOSITY = 0.1  # how often it tries any move while it learns
SCALE = 0.1  # of the features, so that all steps are small


def features(position: Position, seat: int) -> dict[str, float]:
    """What it sees of a position. Add what matters in your game, and teach it anew."""
    others = [score for player, score in enumerate(position.scores) if player != seat]
    is_mine = position.to_move == seat
    moves = len(position.moves())
    return {
        "lead": SCALE * (position.scores[seat] - max(others)),
        "mobility": SCALE * (moves if is_mine else -moves),
        "turn": 1.0 if is_mine else -1.0,
    }


def chance(weights: dict[str, float], position: Position, seat: int) -> float:
    """The chance to win that it gives a seat; the result itself once the game is over."""
    if position.result is not None:
        return position.result[seat]
    value = sum(weights[name] * feature for name, feature in features(position, seat).items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, value))))


def best_move(weights: dict[str, float], position: Position) -> Move:
    """The move after which the player to move has the best chance."""
    return max(position.moves(), key=lambda move: chance(weights, position.play(move), position.to_move))


def taught(game: Game, games: int, seed: int = 1) -> dict[str, float]:
    """Weights from games against itself, by temporal differences: each chance is moved towards the next one."""
    weights, dice = dict(UNTAUGHT), random.Random(seed)
    for number in range(games):
        position = game.start(number)
        while not position.is_over:
            seat = position.to_move
            is_curious = dice.random() < CURIOSITY
            move = dice.choice(position.moves()) if is_curious else best_move(weights, position)
            after = position.play(move)
            error = chance(weights, after, seat) - chance(weights, position, seat)
            for name, feature in features(position, seat).items():
                weights[name] += RATE * error * feature
            position = after
    return weights


class MyBot(Bot):
    """Plays the move with the best chance, by the weights that it has learnt."""

    name = "my learner"  # in a championship
    authors = ("me",)
    summary = "learns its weights by playing against itself"

    def start(self, game: Game, seat: int) -> None:
        """Called before each game: recall what it has learnt of this one, if anything."""
        self.weights = UNTAUGHT | LEARNT.get(game.spec, {})

    def choose(self, position: Position, clock: Clock) -> Move:
        """The move with the best chance."""
        return best_move(self.weights, position)


def keep(game: Game, weights: dict[str, float]) -> None:
    """Write what it has learnt into this file."""
    file = Path(__file__)
    line = f"LEARNT: dict[str, dict[str, float]] = {LEARNT | {game.spec: weights}}"
    text = re.sub(r"^LEARNT: .*$", lambda _: line, file.read_text(encoding="utf-8"), count=1, flags=re.MULTILINE)
    file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    taught_game = palabre.game(sys.argv[1])
    weights = {name: round(weight, 4) for name, weight in taught(taught_game, int(sys.argv[2])).items()}
    keep(taught_game, weights)
    print(f"learnt {weights}")
