"""How fast Palabre itself does the same work: one thread, compiled before anything is timed."""

import time
from collections.abc import Callable, MutableSequence
from typing import Any

import palabre
from benchmarks.floor import RUNS
from benchmarks.peers import SIMULATIONS, UCT_EXPLORATION
from benchmarks.rate import Rate, measure
from palabre.compile.compiler import compiled, integers
from palabre.core.bits import popcount
from palabre.core.game import Game
from palabre.core.kernels import kernel
from palabre.core.position import Position
from palabre.core.verbs import legal_moves, move_buffer, play
from palabre.evaluation.names import evaluation
from palabre.evaluation.playout import GAMES, PER_PLAYER, PLIES, WINS, playouts
from palabre.search.alphabeta import AlphaBeta
from palabre.search.clock import Clock
from palabre.search.engine import Engine
from palabre.search.mcts import Mcts
from palabre.search.perft import perft
from palabre.search.simulation import MctsParameters

# A position with all penguins placed, because before that every move is a placement.
MIDDLE_OF_PENGUINS = (
    "1212332/11110113/3121212/12233211/2232102/20213111/1023211/23112111 a4,b3,c6,d7/b4,b6,f8,g1 7,7 6,6 1"
)
SEED = 1


@kernel
def perft_made(state: Any, depth: int) -> int:
    """Perft that also makes the moves of the last ply.

    The compiler must not drop states that are never read. So all words of all last states are folded into `kept`, and
    the count depends on it, although no fold of real positions ever sets all 64 bits.
    """
    moves = move_buffer(state)
    count = legal_moves(state, moves)
    total = 0
    if depth > 1:
        for index in range(count):
            total += perft_made(play(state, moves[index]), depth - 1)
        return total
    kept = 0
    for index in range(count):
        for word in play(state, moves[index]):
            kept ^= word
    return count + (popcount(kept) >> 6)


def random_games(spec: str, batch: int = 500) -> Callable[[float], tuple[Rate, Rate]]:
    """Random games a second, and their moves."""
    game = palabre.game(spec)
    state = game.start(SEED).state
    run = compiled(playouts, game)
    tally: MutableSequence[int] = integers([0] * (WINS + PER_PLAYER * game.players))

    def rates(seconds: float) -> tuple[Rate, Rate]:
        moves_before = 0

        def work() -> int:
            run(state, int(tally[GAMES]), batch, SEED, tally)
            return batch

        work()
        games_before, moves_before = int(tally[GAMES]), int(tally[PLIES])
        _, taken = measure(work, seconds)
        games, moves = int(tally[GAMES]) - games_before, int(tally[PLIES]) - moves_before
        # `measure` plays one batch before it starts timing, which does not count.
        share = (games - batch) / games
        name = f"Palabre, {game.spec}"
        return (
            Rate(name, "playouts", games - batch, taken, "one thread"),
            Rate(name, "moves", round(moves * share), taken, "one thread"),
        )

    return rates


def simulations(spec: str) -> Callable[[float], Rate]:
    """Simulations a second of plain UCT from the start, with a new tree for each search."""
    game = palabre.game(spec)
    mind = Mcts(
        game,
        evaluation(game, "score"),
        MctsParameters(exploration=UCT_EXPLORATION),
        megabytes=100,
        reuse=False,
        seed=SEED,
    )
    limit = Clock(nodes=SIMULATIONS)

    def rate(seconds: float) -> Rate:
        done = measure(lambda: mind.think(game.start(), limit).nodes, seconds)
        return Rate(f"Palabre, {game.spec}", "simulations", *done, "one thread, whole playouts")

    return rate


def evaluated(spec: str, depth: int) -> Callable[[float], Rate]:
    """Positions a second that the textbook alpha-beta evaluates by the score, from the start to a depth."""
    game = palabre.game(spec)
    search = AlphaBeta(game, evaluation(game, "score"))

    def rate(seconds: float) -> Rate:
        done = measure(lambda: search.think(game.start(), Clock(depth=depth)).leaves, seconds)
        return Rate(f"Palabre, {game.spec} alpha-beta {depth}", "positions", *done, "one thread")

    return rate


def engine_to_depth(spec: str, depth: int, position: str | None = None) -> Callable[[float], tuple[Rate, Rate]]:
    """Nodes a second of the engine on its way to a depth, and such searches a second, each with an empty table.

    The search visits the same nodes every time, so a round needs only one, however long it takes.
    """
    game, weights, start = _engine_parts(spec, position)

    def rates(seconds: float) -> tuple[Rate, Rate]:
        engine = Engine(game, weights)
        begin = time.process_time()
        thought = engine.think(start, Clock(depth=depth))
        taken = time.process_time() - begin
        name, note = f"Palabre, {game.spec} engine", f"one thread, depth {depth}"
        return Rate(name, "engine", thought.nodes, taken, note), Rate(name, "searches", 1, taken, note)

    return rates


def engine_threads(spec: str, threads: int) -> Callable[[float], Rate]:
    """Nodes a second of the engine from the start, by the wall clock: CPU time would hide the second thread."""
    game, weights, start = _engine_parts(spec, None)

    def rate(seconds: float) -> Rate:
        thought = Engine(game, weights, threads=threads).think(start, Clock(per_move=seconds))
        return Rate(f"Palabre, {game.spec} engine", "nodes", thought.nodes, thought.seconds, f"{threads} threads")

    return rate


def _engine_parts(spec: str, position: str | None) -> tuple[Game, Any, Position]:
    """The game, weights and position of a search whose code is compiled."""
    game = palabre.game(spec)
    start = game.start(SEED) if position is None else game.position(position)
    weights = evaluation(game, "standard")
    Engine(game, weights, 1).think(start, Clock(depth=1))
    return game, weights, start


def leaves(spec: str, depth: int, position: str | None = None, make: bool = False) -> Callable[[float], Rate]:
    """Perft leaves a second, the last ply counted in bulk or made: the fastest of a few runs, as for C."""
    game = palabre.game(spec)
    start = game.start(SEED) if position is None else game.position(position)
    count = compiled(perft, game)(start.state, depth)
    run = compiled(perft_made if make else perft, game)

    def rate(seconds: float) -> Rate:
        def work() -> int:
            run(start.state, depth)
            return int(count)

        mode = "make" if make else "bulk"
        runs = (measure(work, seconds / RUNS) for _ in range(RUNS))
        best = max(runs, key=lambda run: run[0] / run[1])
        return Rate(f"Palabre, {game.spec} perft {depth}, {mode}", "leaves", *best, f"fastest of {RUNS} runs")

    return rate
