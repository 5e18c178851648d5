"""From a trained net to one of integers, which kernels evaluate: rounded, proven not to overflow, and compared.

A lane's sum of 1.0 becomes 255, so a squared lane of 1.0 becomes 254. The output's scale is chosen so that its largest
number uses all 16 bits; only the rounding of the rows is felt.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from palabre.core.errors import PalabreError
from palabre.core.lanes import LARGEST, SHIFT
from palabre.core.words import say
from palabre.evaluation.net_file import NetHeader, Quantised
from palabre.learn.net_training import Examples, FloatNet, Floats, values_of

LARGEST_HALF = 2**15 - 1  # of a 16-bit integer
SQUARE = LARGEST * LARGEST / (1 << SHIFT)  # what a clamped lane of 1.0 contributes to the output
BATCH = 4096


class Integers(NamedTuple):
    """The parameters of a quantised net as arrays; see `FloatNet`."""

    rows: NDArray[np.int64]
    bias: NDArray[np.int64]
    out: NDArray[np.int64]
    out_bias: NDArray[np.int64]
    out_scale: float  # points for one unit of the output
    skip: float


class RoundingError(NamedTuple):
    """How far the values of the integer net are from those of the float one, in points."""

    mean: float
    most: float


def largest_row(most_features: int) -> float:
    """The largest number in a row or a bias with which no sum of so many rows can overflow 16 bits."""
    return (LARGEST_HALF - 1) / LARGEST / (most_features + 1) - 1 / LARGEST


def in_integers(net: FloatNet, most_features: int) -> Integers:
    """A net in integers; a `PalabreError` if a sum of `most_features` rows might overflow."""
    peak = float(np.abs(net.out).max())
    out_scale = max(peak, 1e-6) / SQUARE / LARGEST_HALF
    made = Integers(
        np.rint(net.rows.astype(np.float64) * LARGEST).astype(np.int64),
        np.rint(net.bias.astype(np.float64) * LARGEST).astype(np.int64),
        np.rint(net.out.astype(np.float64) / SQUARE / out_scale).astype(np.int64),
        np.rint(net.out_bias.astype(np.float64) / out_scale).astype(np.int64),
        out_scale,
        float(net.skip[0]),
    )
    least, most = sum_bounds(made, most_features)
    if least < -LARGEST_HALF or most > LARGEST_HALF:
        raise PalabreError(say("learn.overflow", least=least, most=most))
    return made


def sum_bounds(net: Integers, most_features: int) -> tuple[int, int]:
    """The least and the most that a lane's sum can be, at any step of adding up at most so many rows."""
    least = net.bias + most_features * np.minimum(net.rows.min(axis=0), 0)
    most = net.bias + most_features * np.maximum(net.rows.max(axis=0), 0)
    return int(least.min()), int(most.max())


def quantised(net: Integers, header: NetHeader) -> Quantised:
    """The net as a file has it."""
    return Quantised.of_rows(header, net.bias.tolist(), net.rows.tolist(), net.out.tolist(), net.out_bias.tolist())


def integer_values(net: Integers, examples: Examples) -> Floats:
    """What the integer net says of each example, in points: the twin in NumPy of `evaluation.net`."""
    rows = net.rows.astype(np.float64)  # in which all these integers are exact, and products fast
    values = np.empty(len(examples), dtype=np.float64)
    for first in range(0, len(examples), BATCH):
        part = slice(first, first + BATCH)
        sums = examples.counts[part].astype(np.float64) @ rows + net.bias
        lanes = np.clip(sums, 0, LARGEST).astype(np.int64)
        phases = examples.phases[part]
        output = ((lanes * lanes >> SHIFT) * net.out[phases]).sum(axis=1) + net.out_bias[phases]
        values[part] = net.skip * examples.base[part].astype(np.float64) + net.out_scale * output
    return values.astype(np.float32)


def rounding_error(net: FloatNet, rounded: Integers, examples: Examples) -> RoundingError:
    """How far the integer net is from the float one on these examples."""
    errors = np.abs(integer_values(rounded, examples) - values_of(net, examples))
    return RoundingError(float(errors.mean()), float(errors.max()))
