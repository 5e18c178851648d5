"""The transposition table: what earlier visits to a position found out, in two words an entry.

Word 0 is the position's key xor word 1, so that an entry half-written by another thread is not recognised (Hyatt's
way to do without locks). Word 1 holds the rest:

    bits 0-15 move   16-17 kind of bound   18-25 depth   26-31 age   32-63 value, signed

Two entries share a bucket: the first keeps what cost most to find out, the second whatever came last.
"""

from collections.abc import MutableSequence

from palabre.core.bits import shift_right
from palabre.core.kernels import kernel

EXACT, LOWER_BOUND, UPPER_BOUND = 1, 2, 3
AGES = 64  # the search after the last of them has age 0 again
ENTRY = 2  # words
BUCKET = 2 * ENTRY
NO_ENTRY = 0  # no entry has this word 1: its kind of bound is never 0


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
    """Where a position's bucket begins; the table's length is a power of two."""
    return shift_right(key, 8) & len(table) - 1 & ~(BUCKET - 1)


@kernel
def probe(key: int, table: MutableSequence[int]) -> int:
    """What is known of a position, or NO_ENTRY."""
    place = bucket_of(key, table)
    if table[place] ^ table[place + 1] == key:
        return table[place + 1]
    if table[place + ENTRY] ^ table[place + ENTRY + 1] == key:
        return table[place + ENTRY + 1]
    return NO_ENTRY


@kernel
def store(key: int, entry: int, table: MutableSequence[int]) -> None:
    """Remember an entry: in the first place if it goes deeper than what is there or that is of another age."""
    place = bucket_of(key, table)
    old = table[place + 1]
    is_same = table[place] ^ old == key
    if not is_same and age_in(old) == age_in(entry) and depth_in(old) > depth_in(entry):
        place += ENTRY
    table[place] = key ^ entry
    table[place + 1] = entry
