"""Two bots against each other from an opening, for measurements whose bots have no spec."""

from palabre.arena.openings import OPENING_PLIES, draw_openings, play_opening
from palabre.bots.bot import Bot
from palabre.bots.textbook import Searcher
from palabre.core import registry
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.core.verbs import Weights
from palabre.play.referee import play_game
from palabre.search.clock import Clock


class WithWeights(Searcher):
    """Alpha-beta to a depth with these weights."""

    def __init__(self, weights: Weights, depth: int) -> None:
        self._weights, self._depth = weights, depth

    def evaluation(self, game: Game) -> Weights:
        return self._weights

    def depth(self, position: Position, clock: Clock) -> int:
        return self._depth


def opening(spec: str, number: int) -> Position:
    """The position after the opening with this number: random moves, which are not balanced."""
    game = registry.game(spec)
    [drawn] = draw_openings(game, 1, OPENING_PLIES, seed=0, first=number)
    return play_opening(game, drawn)


def duel(one: Bot, other: Bot, start: Position, seed: int) -> float:
    """The mean share of one bot against another in two games from a position, one from either seat."""
    first = play_game([one, other], start, seed=seed).shares[0]
    second = play_game([other, one], start, seed=seed).shares[1]
    return (first + second) / 2
