"""The transposition table: the results of earlier searches of a position, in two words an entry.

Word 0 is the position's key xor word 1. An entry that another thread has half written is therefore not recognised
(lockless hashing: Hyatt and Mann, "A Lock-less Transposition Table Implementation for Parallel Search", 2002).
Word 1 holds the rest:

    bits 0-15 move   16-17 bound   18-25 depth   26-31 age   32-63 value, signed

Two entries share a bucket: the first keeps the deeper search, the second the latest.
"""

from collections.abc import MutableSequence
from typing import Any

from palabre.compile.compiler import is_disabled
from palabre.core.bits import shift_right
from palabre.core.kernels import kernel

EXACT, LOWER_BOUND, UPPER_BOUND = 1, 2, 3
AGES = 64  # the search after the one of age 63 has age 0 again
ENTRY = 2  # words
BUCKET = 2 * ENTRY
NO_ENTRY = 0  # no entry has this word 1, because no bound is 0

CACHE_LINE = 8  # words
MOST_PLAIN_WORDS = 1 << 12  # where kernels run as plain Python


def new_table(megabytes: int) -> Any:
    """An empty table; its length is a power of two."""
    length = 1 << (megabytes * 1024 * 1024 // 8).bit_length() - 1
    if is_disabled():
        return [0] * min(length, MOST_PLAIN_WORDS)
    import numpy as np

    room = np.empty(length + CACHE_LINE, dtype=np.int64)
    first = -(room.ctypes.data // 8) % CACHE_LINE  # no bucket may straddle two lines of the processor's cache
    table = room[first : first + length]
    clear(table)
    return table


def clear(table: Any) -> None:
    """Empty a table. It is written to as a whole: the system would hand out its pages on the clock of a search."""
    if isinstance(table, list):
        table[:] = [0] * len(table)
    else:
        table.fill(0)


@kernel
def packed(move: int, bound: int, depth: int, age: int, value: int) -> int:
    """Word 1 of an entry."""
    return move | bound << 16 | depth << 18 | age << 26 | value << 32


@kernel
def move_in(entry: int) -> int:
    return entry & 0xFFFF


@kernel
def bound_in(entry: int) -> int:
    return entry >> 16 & 3


@kernel
def depth_in(entry: int) -> int:
    return entry >> 18 & 0xFF


@kernel
def age_in(entry: int) -> int:
    return entry >> 26 & 0x3F


@kernel
def value_in(entry: int) -> int:
    return entry >> 32


@kernel
def bucket_of(key: int, table: MutableSequence[int]) -> int:
    """The index of the first word of a position's bucket."""
    return shift_right(key, 8) & len(table) - 1 & ~(BUCKET - 1)


@kernel
def probe(key: int, table: MutableSequence[int]) -> int:
    """Word 1 of a position's entry, or NO_ENTRY."""
    place = bucket_of(key, table)
    if table[place] ^ table[place + 1] == key:
        return table[place + 1]
    if table[place + ENTRY] ^ table[place + ENTRY + 1] == key:
        return table[place + ENTRY + 1]
    return NO_ENTRY


@kernel
def store(key: int, entry: int, table: MutableSequence[int]) -> None:
    """Keep an entry: in the first place, unless a deeper one of another position and the same age is there."""
    place = bucket_of(key, table)
    old = table[place + 1]
    is_same = table[place] ^ old == key
    if not is_same and age_in(old) == age_in(entry) and depth_in(old) > depth_in(entry):
        place += ENTRY
    table[place] = key ^ entry
    table[place + 1] = entry
