"""What a net costs: nanoseconds for an evaluation, and nodes per second of the engine beside those with `standard`.

    python -m benchmarks.nets
    python -m benchmarks.nets --game avalam:official --lanes 32 --rounds 9

The net has features and lanes like any other, but its rows are zero and its base counts in full, so that the engine
searches the same tree with it and without. Evaluations are asked for in random games; what the games cost without them
is taken off. Nets and `standard` take turns, and a figure is the median of the rounds. Seconds are CPU seconds, because
machines are shared.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from benchmarks.signature import DEPTHS, positions
from palabre.author import State, answer, evaluate, is_over, kernel, play, random_move, shake, to_move
from palabre.compile.compiler import compiled
from palabre.core.game import Game
from palabre.core.registry import game as find_game
from palabre.core.verbs import feature_limits, weight_classes
from palabre.evaluation.names import default_evaluation, evaluation, net_for
from palabre.evaluation.net import features_fingerprint
from palabre.evaluation.net_file import NetHeader, Quantised
from palabre.search.clock import Clock
from palabre.search.engine import Engine

GAMES = {"awele": 64, "awele:abapa": 64, "avalam:official": 32, "avalam": 32}  # and usual lanes
RANDOM_GAMES = 2_000
MOST_PLIES = 200  # of a random game
SEED = 2026


class Nothing(NamedTuple):
    """Weights of an evaluation that costs nothing."""

    value: float = 0.0


@answer(evaluate)
def nothing(weights: Nothing, state: State, player: int) -> float:
    return weights.value


@kernel
def evaluated_games(state: State, weights: Any, games: int, dice: int) -> tuple[int, float]:
    """Play random games and evaluate each position before the end: how many, and the sum of their values."""
    count = 0
    total = 0.0
    for _ in range(games):
        now = state
        for _ in range(MOST_PLIES):  # seeds may go round for ever
            if is_over(now):
                break
            total += evaluate(weights, now, to_move(now))
            count += 1
            dice = shake(dice)
            now = play(now, random_move(now, dice))
    return count, total


def idle_net(game: Game, lanes: int) -> Quantised:
    """A net that adds nothing to the default evaluation of a game."""
    limits, name = feature_limits(game.state_class), default_evaluation(game)
    base = dict(evaluation(game, name)._asdict())
    header = NetHeader(
        game.spec, features_fingerprint(game), lanes, limits.features, limits.phases, name, base, 1.0, 1.0, 0.5
    )
    zeros = [0] * lanes
    return Quantised.of_rows(header, zeros, [zeros] * limits.features, [zeros] * limits.phases, [0] * limits.phases)


def nanoseconds(game: Game, weights: Any) -> float:
    """What a random game with an evaluation of each position costs for each position."""
    run: Callable[..., Any] = compiled(evaluated_games, game, *weight_classes(weights))
    state = game.start().state
    run(state, weights, 1, SEED)
    begin = time.process_time()
    count: int = run(state, weights, RANDOM_GAMES, SEED)[0]
    return (time.process_time() - begin) * 1e9 / count


def speed(game: Game, engine: Engine) -> tuple[int, float]:
    """Nodes of a search of each position, and nodes per second."""
    nodes = seconds = 0.0
    for position in positions(game):
        engine.new_game()
        begin = time.process_time()
        nodes += engine.think(position, Clock(depth=DEPTHS[game.spec])).nodes
        seconds += time.process_time() - begin
    return int(nodes), nodes / seconds


def measure(spec: str, lanes: int, rounds: int) -> str:
    """A line with what a net of so many lanes costs in a game."""
    game = find_game(spec)
    standard = evaluation(game, default_evaluation(game))
    net = net_for(game, idle_net(game, lanes))
    engines = [Engine(game, weights, 16) for weights in (standard, net)]
    for engine in engines:
        speed(game, engine)
    costs, speeds = [], []
    for weights in (Nothing(), standard, net):
        nanoseconds(game, weights)
    for _ in range(rounds):
        bare, *full = (nanoseconds(game, weights) for weights in (Nothing(), standard, net))
        costs.append([each - bare for each in full])
        (nodes, usual), (same, learned) = (speed(game, engine) for engine in engines)
        assert nodes == same, "the net changes what is searched"
        speeds.append((usual, learned))
    standard_cost, net_cost = (statistics.median(each[place] for each in costs) for place in (0, 1))
    usual, learned = (statistics.median(each[place] for each in speeds) / 1e6 for place in (0, 1))
    ratio = statistics.median(slow / fast for fast, slow in speeds)
    return (
        f"{spec:16} {lanes:5} lanes  standard {standard_cost:5.1f} ns  net {net_cost:5.1f} ns"
        f"  {usual:5.1f} → {learned:5.1f} M nodes/s  ratio {ratio:.2f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=GAMES)
    parser.add_argument("--lanes", type=int, choices=(32, 64, 128))
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    for spec, lanes in GAMES.items():
        if options.game in (None, spec):
            print(measure(spec, options.lanes or lanes, options.rounds), flush=True)


if __name__ == "__main__":
    main()
