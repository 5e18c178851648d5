"""The bench signature: how many positions the engine searches from fixed positions to fixed depths, in all games.

    python -m benchmarks.signature

A change that must not change what the engine does leaves every row as it is; a commit that changes the search on
purpose ends with the line `Bench: TOTAL`. The rows of `mcts` add up results of the tree search in the same positions.
"""

from palabre.core.bits import combine
from palabre.core.dice import roll, shake
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.core.registry import game as find_game
from palabre.evaluation.names import default_evaluation, evaluation
from palabre.search.clock import Clock
from palabre.search.engine import Engine
from palabre.search.mcts import Mcts
from palabre.search.simulation import MctsParameters

# Depths that take the engine some tenths of a second from each position.
DEPTHS = {
    "awele": 14,
    "awele:abapa": 14,
    "awale": 8,
    "abalone": 7,
    "abalone:official": 6,
    "avalam": 6,
    "avalam:official": 4,
    "penguins": 8,
}
PLIES = (0, 5, 10, 20, 26, 45, 70)  # random moves before each position
SIMULATIONS = 500
SEED = 2026


def positions(game: Game) -> list[Position]:
    """The first position, and others some random moves later; those in which the game is over are left out."""
    positions = []
    for number, plies in enumerate(PLIES):
        luck = combine(combine(1, SEED + len(game.spec)), number)
        position = game.start(luck)
        for _ in range(plies):
            choices = position.moves()
            luck = shake(luck)
            position = position.play(choices[roll(luck, len(choices))]) if choices else position
        positions.append(position)
    return [position for position in positions if not position.is_over]


def engine_nodes(spec: str) -> int:
    """Positions searched by the engine in one game."""
    game = find_game(spec)
    engine = Engine(game, evaluation(game, default_evaluation(game)), 4)
    return sum(engine.think(position, Clock(depth=DEPTHS[spec])).nodes for position in positions(game))


def mcts_visits(spec: str) -> int:
    """The result of the tree search: visits of the best moves, weighted so that another move is seen, too."""
    game = find_game(spec)
    search = Mcts(
        game,
        evaluation(game, default_evaluation(game)),
        MctsParameters(exploration=0.4, heuristic_weight=0.4, cutoff=4),
        4,
        seed=SEED,
    )
    thoughts = [search.think(position, Clock(nodes=SIMULATIONS)) for position in positions(game)]
    return sum(thought.visits * (1 + thought.move.code) for thought in thoughts)


def signature() -> dict[str, int]:
    """All rows by name."""
    rows = {spec: engine_nodes(spec) for spec in DEPTHS}
    return rows | {f"mcts {spec}": mcts_visits(spec) for spec in DEPTHS}


if __name__ == "__main__":
    counts = signature()
    for name, count in counts.items():
        print(f"{name:24} {count:12,}")
    print(f"Bench: {sum(counts.values())}")
