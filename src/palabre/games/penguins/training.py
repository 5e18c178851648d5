"""Weights from placements: the training of Penguins' evaluation `weights` that its authors describe.

Each step adds a random number to every weight and places penguins by the result against a rival, which is Monte Carlo
until it is beaten and the weights kept last from then on. A step that wins is kept, any other is taken back.

Who has placed better is judged by 16,000 random games from there. A penguin is placed where the evaluation of
its player likes it most, and Monte Carlo is an evaluation like any other: so a rival is weights, too. What is ours:

- the authors do not speak of seats. Here each board is placed twice, with the seats exchanged, and the random games
  after both are counted together with the same dice. The seat does not decide, and weights that place as their rival
  does win exactly one half;
- one board is luck. A step is tried on several boards, new ones each time; with one it is as the authors did it;
- what a step adds to each weight is drawn evenly from both sides of 0; a weight stops at the bounds of their range;
- how many random games Monte Carlo plays for each tile: they do not say.

Nothing promises that steps add up: what wins by luck is kept, too. So compare the weights at the end with those at the
beginning, by `shares` on `check_boards`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from palabre.core import registry
from palabre.core.bits import combine
from palabre.core.dice import chance, roll, shake
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.core.verbs import key
from palabre.evaluation.montecarlo import MonteCarlo
from palabre.evaluation.playout import play_randomly
from palabre.games.penguins.evaluation import Weights
from palabre.games.penguins.rules import State, is_placing
from palabre.search.alphabeta import AlphaBeta
from palabre.search.clock import Clock

LEAST, MOST = 0.0, 5.0  # the range of a weight, the authors'
TRAINED = tuple(name for name in Weights._fields if name != "win")  # no game ends while penguins are placed
MONTE_CARLO, OWN_PAST = "montecarlo", "own past"
TRAINING, CHECK = 21, 23  # where the seeds of boards come from: none is used for both


@dataclass(frozen=True)
class Training:
    """How weights are trained; two equal ones train equal weights equally."""

    boards: int = 4  # for each step, each of them placed from both seats
    playouts: int = 16000  # random games after each placement
    rival_playouts: int = 100  # random games for each tile on which Monte Carlo may place
    step_size: float = 0.5  # the most by which a step changes a weight
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.step_size <= MOST:  # nan is refused, too
            raise PalabreError(f"a step size of {self.step_size:g} is not between 0 and 5, the range of the weights")

    @property
    def monte_carlo(self) -> MonteCarlo:
        """The first rival, as an evaluation."""
        return MonteCarlo(self.rival_playouts)


@dataclass(frozen=True)
class Step:
    """A change of the weights, and what came of it."""

    number: int  # from 1
    rival: str  # MONTE_CARLO until it is beaten, then OWN_PAST, the weights that were kept last
    share: float  # of the random games, won by the changed weights
    is_kept: bool  # they have won more than half
    weights: Weights  # the changed ones if they are kept, else those before


def game_to_train(spec: str) -> Game:
    """The game of a spec; a `PalabreError` if it is not Penguins for two."""
    game = registry.game(spec)
    if game.state_class is not State:
        raise PalabreError(f"training is for placing penguins, and {game.spec} has none; give penguins")
    if game.players != 2:
        raise PalabreError(f"training is for two players, and {game.spec} has {game.players}; give penguins")
    return game


def train(game: Game, weights: Weights, how: Training, steps: int) -> Iterator[Step]:
    """Change weights so many times, and keep what wins."""
    is_beaten = False
    for number in range(1, steps + 1):
        luck = combine(combine(TRAINING, how.seed), number)
        changed = one_step(weights, how.step_size, luck)
        rival = weights if is_beaten else how.monte_carlo
        share = fmean(shares(changed, rival, boards(game, how.boards, luck), how.playouts))
        is_kept = share > 0.5
        if is_kept:
            weights = changed
        yield Step(number, OWN_PAST if is_beaten else MONTE_CARLO, share, is_kept, weights)
        is_beaten = is_beaten or is_kept


def one_step(weights: Weights, size: float, luck: int) -> Weights:
    """The weights with a random number from -size to size added to each that is trained, none out of its range."""
    changed: dict[str, float] = {}
    for name in TRAINED:
        luck = shake(luck)
        moved = getattr(weights, name) + size * (2 * chance(luck) - 1)
        changed[name] = min(MOST, max(LEAST, moved))
    return weights._replace(**changed)


def boards(game: Game, count: int, seed: int) -> Iterator[Position]:
    """So many first positions, by lot."""
    for number in range(count):
        yield game.start(combine(combine(1, seed), number))


def check_boards(game: Game, count: int, seed: int) -> Iterator[Position]:
    """Boards that a training with this seed does not see."""
    return boards(game, count, combine(CHECK, seed))


def shares(first: Any, second: Any, starts: Iterable[Position], playouts: int) -> Iterator[float]:
    """For each board the share of the random games that the first of two evaluations wins, over both seats.

    A shared game is half a win.
    """
    for start in starts:
        points = 0.0
        for seat, seated in enumerate(((first, second), (second, first))):
            ends = play_randomly(placed(start, seated), games=playouts, seed=key(start.state))
            points += ends.wins[seat] + ends.shared[seat] / 2
        yield points / (2 * playouts)


def placed(position: Position, seated: tuple[Any, Any]) -> Position:
    """The position with all penguins placed, by the evaluation of each player.

    Of equally good tiles one is taken that follows from the position: equal evaluations place equally.
    """
    while is_placing(position.state):
        search = AlphaBeta(position.game, seated[position.to_move])
        best = search.think(position, Clock(depth=1)).best
        position = position.play(best[roll(key(position.state), len(best))])
    return position
