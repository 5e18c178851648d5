"""How fast a game is: perft and random games, on one thread."""

import time
from typing import NamedTuple

from palabre.compile.compiler import compiled, integers
from palabre.core.game import Game
from palabre.core.given import given_instance, given_seconds
from palabre.core.position import Position
from palabre.evaluation.playout import PER_PLAYER, WINS, play_randomly, playouts
from palabre.search.perft import count_sequences

MAX_PERFT_DEPTH = 60  # plies, more than any perft can finish
MEASURED_SECONDS = 0.3  # how long a perft must take to be measured well


class Speed(NamedTuple):
    """The speed of a game on one thread, as `measure_speed` finds it."""

    game: str  # its spec
    perft_depth: int  # plies
    bulk_counted_leaves_per_second: float  # of perft, which counts the moves of the last ply and does not play them
    games_per_second: float  # of random games
    moves_per_second: float  # of random games


def measure_speed(game: Game, seconds: float = 1.0) -> Speed:
    """Measure perft, and random games for so many seconds; nothing is compiled meanwhile."""
    given_instance("measure_speed", game, Game, "palabre.game(SPEC) is one")
    given_seconds("measure_speed", "seconds", seconds)
    prepare_counting(game)
    depth, leaves = _measure_perft(game.start())
    random_games = play_randomly(game.start(), seconds=seconds)
    spent = random_games.seconds
    return Speed(game.spec, depth, leaves, random_games.games / spent, random_games.plies / spent)


def prepare_counting(game: Game) -> None:
    """Compile, or load from disk, the kernels that count positions and play random games."""
    start = game.start()
    count_sequences(start, 0)
    compiled(playouts, game)(start.state, 0, 0, 0, integers([0] * (WINS + PER_PLAYER * game.players)))


def _measure_perft(start: Position) -> tuple[int, float]:
    """The first depth whose perft takes long enough to measure well, and the leaves that it counts a second."""
    for depth in range(1, MAX_PERFT_DEPTH + 1):
        begin = time.perf_counter()
        nodes = count_sequences(start, depth)
        spent = time.perf_counter() - begin
        if spent >= MEASURED_SECONDS or nodes == 0:
            break
    return depth, nodes / spent
