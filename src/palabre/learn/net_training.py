"""Training of a net in NumPy: dense batches of row counts, one hidden layer, squared clipped ReLU, Adam.

    value = skip · base + Σ_lanes out[phase][lane] · clamp(bias + Σ rows, 0, 1)² + out_bias[phase]

`base` is what the game's own evaluation says; it has a weight of its own, so a net begins as strong as that and learns
what it misses. The target of a position mixes the winning chance by the search's value with the result of the game. The
loss is the cross-entropy above the entropy of the targets, so that 0 is the best that can be. It is watched on games
that the net is not trained on, and the net of the epoch with the lowest one is kept.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

SEARCHED = 0.75  # the part of a target that comes from the search; the rest is the game's result
VALIDATION = 10  # every tenth game is kept from training
MOST_IN_BATCH, FEWEST_IN_BATCH = 2048, 32
STEPS_IN_EPOCH = 64  # at least, as long as that leaves enough in a batch
MOST_EPOCHS = 30
PATIENCE = 3  # epochs without a lower loss on the other games, after which training stops
LEARNING_RATE, DECAY = 5e-3, 0.85  # at first, and from epoch to epoch
FIRST_MOMENT, SECOND_MOMENT, TINY = 0.9, 0.999, 1e-8  # Adam (Kingma and Ba 2015)
WEIGHT_DECAY = 0.3  # of the rows, times the learning rate (AdamW, Loshchilov and Hutter 2019)
FIRST_BIAS = 0.3  # in the lower half of the range where a lane answers
SPREAD = 0.25  # of a lane's sum over the positions, before training
LARGEST_ODDS = 30.0  # beyond which a chance is 0 or 1


class FloatNet(NamedTuple):
    """The parameters of a net while it is trained."""

    rows: Floats  # a lane's number for each row
    bias: Floats  # for each lane
    out: Floats  # for each phase and lane
    out_bias: Floats  # for each phase
    skip: Floats  # one number: the weight of the base


@dataclass(frozen=True)
class Examples:
    """What a net is trained on, one entry for each position."""

    counts: NDArray[np.uint8]  # how often each row is on
    phases: NDArray[np.int64]
    base: Floats  # the base's value for the player to move
    targets: Floats  # the chance to learn
    games: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.games)

    def at(self, places: NDArray[Any]) -> "Examples":
        """The examples at these places."""
        return Examples(
            self.counts[places], self.phases[places], self.base[places], self.targets[places], self.games[places]
        )


class Epoch(NamedTuple):
    """One pass over the examples."""

    number: int  # from 1
    loss: float  # on the examples trained on, while they were
    validation: float  # on the games kept from training
    is_best: bool


def targets(values: Floats, proofs: NDArray[Any], results: Floats, odds: float) -> Floats:
    """The chances to learn: a proof counts as certain; where the result is unknown, the search's value counts alone."""
    searched = np.where(proofs <= 1, (proofs + 1) / 2, chances(odds * values))
    known = np.isfinite(results)
    mixed = np.where(known, SEARCHED * searched + (1 - SEARCHED) * np.where(known, results, 0.0), searched)
    return mixed.astype(np.float32)


def chances(log_odds: Floats) -> Floats:
    """Winning chances from their log-odds."""
    return np.asarray(1 / (1 + np.exp(-np.clip(log_odds, -LARGEST_ODDS, LARGEST_ODDS))), dtype=np.float32)


def surplus(predicted: Floats, wanted: Floats) -> float:
    """The mean cross-entropy of chances, less what the best prediction would have."""
    return float((_cross_entropy(wanted, predicted) - _cross_entropy(wanted, wanted)).mean())


def _cross_entropy(wanted: Floats, predicted: Floats) -> Floats:
    sure = np.clip(predicted, 1e-7, 1 - 1e-7)
    made: Floats = -(wanted * np.log(sure) + (1 - wanted) * np.log(1 - sure))
    return made


def base_loss(examples: Examples, odds: float) -> float:
    """The loss of the base alone, with the weight that suits these examples best."""
    weights = np.geomspace(0.25, 4.0, 33)
    return min(surplus(chances(odds * weight * examples.base), examples.targets) for weight in weights.tolist())


def split(examples: Examples) -> tuple[Examples, Examples]:
    """The examples to train on, and those of other games to check with."""
    is_kept_back = examples.games % VALIDATION == VALIDATION - 1
    return examples.at(np.flatnonzero(~is_kept_back)), examples.at(np.flatnonzero(is_kept_back))


def new_net(examples: Examples, phases: int, lanes: int, random: np.random.Generator) -> FloatNet:
    """A net before training: small random rows, and no say beside the base."""
    features = examples.counts.shape[1]
    on = max(1.0, float(examples.counts[:10_000].sum(axis=1, dtype=np.int64).mean()))  # rows of a position
    return FloatNet(
        random.normal(0.0, SPREAD / np.sqrt(on), (features, lanes)).astype(np.float32),
        np.full(lanes, FIRST_BIAS, dtype=np.float32),
        np.zeros((phases, lanes), dtype=np.float32),
        np.zeros(phases, dtype=np.float32),
        np.ones(1, dtype=np.float32),
    )


def values_of(net: FloatNet, examples: Examples) -> Floats:
    """What a net says of each example, in points."""
    batches = _batches(np.arange(len(examples)), MOST_IN_BATCH)
    made = [_forward(net, examples.at(batch)).values for batch in batches]
    return np.concatenate(made) if made else np.zeros(0, dtype=np.float32)


def train_net(
    examples: Examples,
    *,
    odds: float,
    phases: int,
    lanes: int,
    largest_row: float,
    seed: int,
    on_epoch: Callable[[Epoch], None] = lambda epoch: None,
) -> tuple[FloatNet, list[Epoch]]:
    """Train a net, and return it with what each epoch has shown; no number of a row becomes larger than `largest_row`.

    The same examples and seed give the same net on the same machine.
    """
    random = np.random.default_rng(seed)
    training, checking = split(examples)
    net = new_net(training, phases, lanes, random)
    size = min(MOST_IN_BATCH, max(FEWEST_IN_BATCH, len(training) // STEPS_IN_EPOCH))
    moments = [(np.zeros_like(part), np.zeros_like(part)) for part in net]
    best, epochs, steps = net, list[Epoch](), 0
    for number in range(1, MOST_EPOCHS + 1):
        rate, loss = LEARNING_RATE * DECAY ** (number - 1), 0.0
        for batch in _batches(random.permutation(len(training)), size):
            slopes, batch_loss = _slopes(net, training.at(batch), odds)
            steps += 1
            net = _step(net, slopes, moments, rate, steps)
            np.multiply(net.rows, 1 - rate * WEIGHT_DECAY, out=net.rows)
            np.clip(net.rows, -largest_row, largest_row, out=net.rows)
            np.clip(net.bias, -largest_row, largest_row, out=net.bias)
            loss += batch_loss * len(batch)
        checked = surplus(chances(odds * values_of(net, checking)), checking.targets)
        is_best = all(checked < epoch.validation for epoch in epochs)
        best = net if is_best else best
        epochs.append(Epoch(number, loss / max(1, len(training)), checked, is_best))
        on_epoch(epochs[-1])
        if not any(epoch.is_best for epoch in epochs[-PATIENCE:]):
            break
    return best, epochs


class _Forward(NamedTuple):
    counts: Floats
    lanes: Floats  # clamped
    is_inside: NDArray[np.bool_]  # where the clamp has changed nothing
    out: Floats  # the row of the phase
    values: Floats


def _forward(net: FloatNet, examples: Examples) -> _Forward:
    counts = examples.counts.astype(np.float32)
    sums = counts @ net.rows + net.bias
    lanes = np.clip(sums, 0, 1)
    out = net.out[examples.phases]
    values = net.skip * examples.base + (lanes * lanes * out).sum(axis=1) + net.out_bias[examples.phases]
    return _Forward(counts, lanes, lanes == sums, out, values)


def _slopes(net: FloatNet, examples: Examples, odds: float) -> tuple[FloatNet, float]:
    """The gradient of the loss by each parameter, and the loss."""
    seen = _forward(net, examples)
    predicted = chances(odds * seen.values)
    errors = (odds / len(examples) * (predicted - examples.targets)).astype(np.float32)
    in_phase = (examples.phases[:, None] == np.arange(len(net.out_bias))).astype(np.float32) * errors[:, None]
    into_sums = errors[:, None] * seen.out * 2 * seen.lanes * seen.is_inside
    slopes = FloatNet(
        seen.counts.T @ into_sums,
        into_sums.sum(axis=0),
        in_phase.T @ (seen.lanes * seen.lanes),
        in_phase.sum(axis=0),
        (errors @ examples.base)[None],
    )
    return slopes, surplus(predicted, examples.targets)


def _step(net: FloatNet, slopes: FloatNet, moments: list[tuple[Floats, Floats]], rate: float, steps: int) -> FloatNet:
    """One step of Adam; the moments are changed in place."""
    size = rate * np.sqrt(1 - SECOND_MOMENT**steps) / (1 - FIRST_MOMENT**steps)
    parts = []
    for part, slope, (first, second) in zip(net, slopes, moments, strict=True):
        first += (1 - FIRST_MOMENT) * (slope - first)
        second += (1 - SECOND_MOMENT) * (slope * slope - second)
        parts.append((part - size * first / (np.sqrt(second) + TINY)).astype(np.float32))
    return FloatNet(*parts)


def _batches(order: NDArray[Any], size: int) -> Iterator[NDArray[Any]]:
    for first in range(0, len(order), size):
        yield order[first : first + size]
