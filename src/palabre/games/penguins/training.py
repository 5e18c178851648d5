"""Weights from placements: the training of Penguins' evaluation `weights` that its authors describe.

Each step adds a random number to every weight and places penguins by the result against a rival. The rival is Monte
Carlo until it is beaten; from then on it is the weights kept last. A step that wins is kept, any other is taken back.

16,000 random games from there decide who has placed better. A penguin is placed where its player's evaluation is
highest. Monte Carlo is an evaluation like any other, so a rival is weights, too. What we have added:

- The authors do not speak of seats. Here each board is placed twice, with the seats exchanged, and the random games
  after both are counted together, with the same dice. So the seat does not decide, and weights that place as their
  rival does win exactly one half.
- One board is luck. A step is tried on several boards, new ones each time; with one it is as the authors did it.
- What a step adds to each weight is drawn uniformly from an interval round 0; a weight stops at the ends of its range.
- The authors do not say how many random games Monte Carlo plays for each tile; here that can be chosen.

Nothing promises that steps add up: what wins by luck is kept, too. So `check` compares the weights at the end with
those at the beginning, on boards that the training has not seen. `palabre.learn.training` says what is asked of this
module.
"""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import fmean

from palabre import author
from palabre.author import (
    Decimal,
    Game,
    Move,
    Options,
    PalabreError,
    Parameter,
    Position,
    chance,
    combine,
    key,
    roll,
    shake,
)
from palabre.core.words import say
from palabre.evaluation.montecarlo import MonteCarlo
from palabre.evaluation.playout import play_randomly
from palabre.games.penguins.evaluation import Weights
from palabre.games.penguins.rules import is_placing
from palabre.learn.training import Comparison, TrainingStep
from palabre.search.alphabeta import AlphaBeta
from palabre.search.clock import Clock

EVALUATION = "weights"
LEAST, MOST = 0.0, 5.0  # the range of a weight, the authors'
TRAINED = tuple(name for name in Weights._fields if name != "win")  # no game ends while penguins are placed
MONTE_CARLO, OWN_PAST = "montecarlo", "own past"
TRAINING, CHECK = 21, 23  # families of seeds: no board is used for both


@dataclass(frozen=True)
class Training:
    """How weights are trained; equal settings give equal results."""

    boards: int = 4
    playouts: int = 16000
    rival_playouts: int = 100
    step_size: float = 0.5
    seed: int = 0

    @property
    def monte_carlo(self) -> MonteCarlo:
        """The first rival, as an evaluation."""
        return MonteCarlo(self.rival_playouts)


PARAMETERS = (
    Parameter("boards", Training.boards, range(1, 10**6), "boards for each step, placed from both seats"),
    Parameter("playouts", Training.playouts, range(1, 10**9), "random games after each placement"),
    Parameter("rival_playouts", Training.rival_playouts, range(1, 10**6), "random games of Monte Carlo for each tile"),
    Decimal("step_size", Training.step_size, 0.001, MOST, "the most by which a step changes a weight"),
)


def settings(game: Game, options: Options, seed: int) -> Training:
    """How to train; a `PalabreError` if there are more than two players."""
    if game.players != 2:
        raise PalabreError(say("training.two_players", game=game.spec, players=game.players))
    return Training(
        options.number("boards"),
        options.number("playouts"),
        options.number("rival_playouts"),
        options.decimal("step_size"),
        seed,
    )


def train(game: Game, weights: Weights, how: Training, steps: int) -> Iterator[TrainingStep]:
    """Change the weights in each step, and keep the change if it wins."""
    is_beaten = False
    for number in range(1, steps + 1):
        luck = combine(combine(TRAINING, how.seed), number)
        changed = one_step(weights, how.step_size, luck)
        rival = weights if is_beaten else how.monte_carlo
        share = fmean(shares(changed, rival, boards(game, how.boards, luck), how.playouts))
        is_kept = share > 0.5
        if is_kept:
            weights = changed
        yield TrainingStep(number, OWN_PAST if is_beaten else MONTE_CARLO, share, is_kept, weights)
        is_beaten = is_beaten or is_kept


def check(game: Game, weights: Weights, before: Weights, how: Training, count: int) -> Iterator[Comparison]:
    """Compare the trained weights with those before and with Monte Carlo, and those before with Monte Carlo, too."""
    evaluations: dict[str, author.Weights] = {"trained": weights, "untrained": before, MONTE_CARLO: how.monte_carlo}
    for first, second in itertools.combinations(evaluations, 2):
        fresh = check_boards(game, count, how.seed)
        for share in shares(evaluations[first], evaluations[second], fresh, how.playouts):
            yield Comparison(first, second, share)


def one_step(weights: Weights, size: float, luck: int) -> Weights:
    """The weights after a random number from -size to size is added to each trained one, within its range."""
    changed: dict[str, float] = {}
    for name in TRAINED:
        luck = shake(luck)
        moved = getattr(weights, name) + size * (2 * chance(luck) - 1)
        changed[name] = min(MOST, max(LEAST, moved))
    return weights._replace(**changed)


def boards(game: Game, count: int, seed: int) -> Iterator[Position]:
    """So many random first positions."""
    for number in range(count):
        yield game.start(combine(combine(1, seed), number))


def check_boards(game: Game, count: int, seed: int) -> Iterator[Position]:
    """Boards that a training with this seed does not see."""
    return boards(game, count, combine(CHECK, seed))


def shares(first: author.Weights, second: author.Weights, starts: Iterable[Position], playouts: int) -> Iterator[float]:
    """For each board the share of the random games that the first of two evaluations wins, over both seats.

    A shared game is half a win.
    """
    for start in starts:
        points = 0.0
        for seat, seated in enumerate(((first, second), (second, first))):
            ends = play_randomly(placed(start, seated), games=playouts, seed=key(start.state))
            points += ends.wins[seat] + ends.shared[seat] / 2
        yield points / (2 * playouts)


def placed(position: Position, seated: tuple[author.Weights, author.Weights]) -> Position:
    """The position with all penguins placed, by the evaluation of each player."""
    while is_placing(position.state):
        position = position.play(placing_move(position, seated[position.to_move]))
    return position


def placing_move(position: Position, weights: author.Weights) -> Move:
    """Where an evaluation places the next penguin.

    Among equally good tiles the position itself decides, so that equal evaluations place equally.
    """
    best = AlphaBeta(position.game, weights).think(position, Clock(depth=1)).best
    return best[roll(key(position.state), len(best))]
