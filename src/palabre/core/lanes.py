"""Vectors of 16-bit numbers, which nets are made of: 32 lanes that are added and multiplied together.

In compiled code `Lanes` is a vector of the processor; here it is a tuple. Both give the same integers, sums that
overflow included. A net is read from `Memory`, in which a row is 32 numbers of 16 bits, so 64 bytes; its first word is
the number of all rows.

The last layer of a net squares what it has summed up: a number is clamped to 0..255, squared, and shifted down by 8.
"""

from collections.abc import MutableSequence
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from palabre.core.memory import Memory  # which few programs need

LANES = 32  # of a vector
ROW_BYTES = 2 * LANES
WORDS_IN_ROW = ROW_BYTES // 8
LARGEST = 255  # to which a sum is clamped: its square fits into 16 bits
SHIFT = 8  # by which a square is shifted down

Lanes = tuple[int, ...]  # a vector of 32 numbers of 16 bits


def load_lanes(memory: int, row: int) -> Lanes:
    """The 32 numbers of a row."""
    return tuple(cast("Memory", memory).halves[LANES * row : LANES * (row + 1)])


def add_lanes(lanes: Lanes, others: Lanes) -> Lanes:
    """The sums of the lanes of two vectors, as 16-bit numbers, which wrap around."""
    return tuple((one + other + 0x8000 & 0xFFFF) - 0x8000 for one, other in zip(lanes, others, strict=True))


def squared_dot(lanes: Lanes, weights: Lanes) -> int:
    """The sum of the squares of the clamped lanes, shifted down, each multiplied by its weight."""
    clamped = [min(max(lane, 0), LARGEST) for lane in lanes]
    return sum((lane * lane >> SHIFT) * weight for lane, weight in zip(clamped, weights, strict=True))


def spread(word: int, number: int) -> Lanes:
    """A number in each lane whose bit is set in the lower 32 bits of a word, and 0 in the others."""
    return tuple(number * (word >> lane & 1) for lane in range(LANES))


def store_lanes(lanes: Lanes, words: MutableSequence[int], place: int) -> None:
    """Write the numbers in the lanes to a row of integers, from a place on."""
    for lane, number in enumerate(lanes):
        words[place + lane] = number


def load_word(memory: int, place: int) -> int:
    """A 64-bit number in memory, by how many stand before it."""
    return cast("Memory", memory).words[place]


def load_real(memory: int, place: int) -> float:
    """A floating-point number in memory, by how many stand before it."""
    return cast("Memory", memory).reals[place]
