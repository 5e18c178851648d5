"""How fast other systems play the same games: `python -m benchmarks.peers [SECONDS]`.

Each function runs for about `seconds` and returns a Rate. A system that cannot be imported gives a Rate that was not
measured and says why. Nothing is imported before it is needed, and nothing here is needed by Palabre itself.
"""

import math
import random
import sys
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from importlib.metadata import version
from typing import Any

from benchmarks.rate import Rate, measure, not_measured

SEED = 1
SIMULATIONS = 10_000  # in one tree search
UCT_EXPLORATION = math.sqrt(2)
PLIES = 8  # of an alpha-beta search
Peer = Callable[[float], Rate]


def _peer(name: str, unit: str, package: str, how: str) -> Callable[[Callable[[float], tuple[int, float]]], Peer]:
    """Make a function that returns (count, seconds) return a Rate, also when its package is missing."""

    def decorate(function: Callable[[float], tuple[int, float]]) -> Peer:
        @wraps(function)
        def rate(seconds: float) -> Rate:
            try:
                count, taken = function(seconds)
            except ImportError as error:
                return not_measured(name, unit, f"{package} is not installed, or broken: {error}")
            return Rate(name, unit, count, taken, f"{package} {version(package)}, {how}")

        return rate

    return decorate


@_peer("OpenSpiel, Oware in C++", "playouts", "open_spiel", "rules and loop in C++")
def openspiel_oware(seconds: float) -> tuple[int, float]:
    """Random playouts of OpenSpiel's own Oware.

    Its rules are ours but for the end: no `stop`, and a repeated position ends the game.
    """
    return measure(_rollouts("oware", batch=200), seconds)


@_peer("OpenSpiel, MCTS of Oware in C++", "simulations", "open_spiel", "rules and search in C++")
def openspiel_mcts(seconds: float) -> tuple[int, float]:
    """Simulations of OpenSpiel's tree search with one random game for each, from the start of its own Oware."""
    pyspiel = import_module("pyspiel")
    game = pyspiel.load_game("oware")
    bot = pyspiel.MCTSBot(
        game,
        pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=SEED),
        uct_c=UCT_EXPLORATION,
        max_simulations=SIMULATIONS,
        max_memory_mb=100,
        solve=True,
        seed=SEED,
        verbose=False,
    )
    start = game.new_initial_state()
    return measure(lambda: int(bot.mcts_search(start).explore_count), seconds)


@_peer("OpenSpiel, alpha-beta of Oware", "positions", "open_spiel", "rules in C++, search in Python")
def openspiel_alphabeta(seconds: float) -> tuple[int, float]:
    """Positions that OpenSpiel's alpha-beta evaluates by the lead in seeds, from the start of its own Oware."""
    game = import_module("pyspiel").load_game("oware")
    search = import_module("open_spiel.python.algorithms.minimax").alpha_beta_search
    evaluated = 0

    def lead(state: Any) -> float:
        nonlocal evaluated
        evaluated += 1
        observed = state.observation_tensor(0)
        return float(observed[-2] - observed[-1])

    def work() -> int:
        before = evaluated
        search(game, value_function=lead, maximum_depth=PLIES)
        return evaluated - before

    return measure(work, seconds)


@_peer("OpenSpiel, Awélé in Python", "playouts", "open_spiel", "rules in Python, loop in C++")
def openspiel_python_awele(seconds: float) -> tuple[int, float]:
    """Random playouts of an Awélé written in Python for OpenSpiel."""
    import_module("benchmarks.openspiel_awele")
    return measure(_rollouts("palabre_list_awele", batch=1), seconds)


@_peer("OpenSpiel, Awélé in Python", "moves", "open_spiel", "rules in Python, loop in C++")
def openspiel_python_awele_moves(seconds: float) -> tuple[int, float]:
    """The moves of the same playouts."""
    state_class = import_module("benchmarks.openspiel_awele").AweleState
    return _count_moves("palabre_list_awele", state_class, seconds)


@_peer("OpenSpiel, its tic-tac-toe in Python", "moves", "open_spiel", "rules in Python, loop in C++")
def openspiel_python_tic_tac_toe(seconds: float) -> tuple[int, float]:
    """The moves of random playouts of the tic-tac-toe that OpenSpiel ships as its example of a game in Python."""
    state_class = import_module("open_spiel.python.games.tic_tac_toe").TicTacToeState
    return _count_moves("python_tic_tac_toe", state_class, seconds)


@_peer("easyAI, Awélé in Python", "moves", "easyAI", "one random move after another")
def easyai_awele(seconds: float) -> tuple[int, float]:
    """Random moves of an Awélé written for easyAI, through its own methods."""
    new_game = import_module("benchmarks.easyai_awele").EasyAwele
    choose = random.Random(SEED).choice

    def one_game() -> int:
        game, moves = new_game([None, None]), 0
        while not game.is_over():
            game.play_move(choose(game.possible_moves()))
            moves += 1
        return moves

    return measure(one_game, seconds)


@_peer("easyAI, alpha-beta of Awélé in Python", "positions", "easyAI", "rules and search in Python")
def easyai_alphabeta(seconds: float) -> tuple[int, float]:
    """Positions that easyAI's alpha-beta (Negamax) evaluates by the lead in seeds, from the start."""
    new_game = import_module("benchmarks.easyai_awele").EasyAwele
    think = import_module("easyAI").Negamax(PLIES)

    def work() -> int:
        before = new_game.evaluated
        think(new_game([None, None]))
        return int(new_game.evaluated) - int(before)

    return measure(work, seconds)


PEERS: tuple[Peer, ...] = (
    openspiel_oware,
    openspiel_mcts,
    openspiel_alphabeta,
    openspiel_python_awele,
    openspiel_python_awele_moves,
    openspiel_python_tic_tac_toe,
    easyai_awele,
    easyai_alphabeta,
)


def _rollouts(game_name: str, batch: int) -> Callable[[], int]:
    """A function that plays `batch` random games from the start inside OpenSpiel's C++ and returns `batch`.

    pyspiel does not expose the evaluator's `evaluate`, but a tree search limited to one simulation does nothing but
    evaluate the root, which is `batch` random games (open_spiel/algorithms/mcts.cc, MCTSearch and ApplyTreePolicy).
    """
    pyspiel = import_module("pyspiel")
    game = pyspiel.load_game(game_name)
    bot = pyspiel.MCTSBot(
        game,
        pyspiel.RandomRolloutEvaluator(n_rollouts=batch, seed=SEED),
        uct_c=1.0,
        max_simulations=1,
        max_memory_mb=1,
        solve=False,
        seed=SEED,
        verbose=False,
    )
    start = game.new_initial_state()

    def play() -> int:
        root = bot.mcts_search(start)
        if root.explore_count != 1 or root.children:
            raise RuntimeError("this OpenSpiel's search does more than evaluate the root: the count would be wrong")
        return batch

    return play


def _count_moves(game_name: str, state_class: Any, seconds: float) -> tuple[int, float]:
    """Moves of random playouts of a Python game, counted in its `_apply_action`; this costs it less than 1 %."""
    apply_action, moves = state_class._apply_action, 0

    def counting(state: object, action: int) -> None:
        nonlocal moves
        moves += 1
        apply_action(state, action)

    playout = _rollouts(game_name, batch=1)

    def work() -> int:
        before = moves
        playout()
        return moves - before

    state_class._apply_action = counting
    try:
        return measure(work, seconds)
    finally:
        state_class._apply_action = apply_action


def main() -> None:
    """Print every rate, one a line."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    for peer in PEERS:
        print(peer(seconds), flush=True)


if __name__ == "__main__":
    main()
