"""Bit operations on signed 64-bit words that give the same answer in plain Python and compiled.

Python's integers have no width; a compiled word has 64 bits and a sign. Only these helpers see the difference:
whatever they return is a signed 64-bit value in both worlds. When a kernel is compiled, `compile.instructions` replaces
those marked *one instruction* by exactly that.
"""

from palabre.core.kernels import kernel

WORD_MASK = (1 << 64) - 1
SIGN_BIT = 1 << 63


def signed(word: int) -> int:
    """Fold a Python integer of any size into a signed 64-bit value (compiled: it already is one)."""
    return ((word + SIGN_BIT) & WORD_MASK) - SIGN_BIT


def popcount(word: int) -> int:
    """How many bits are set (one instruction)."""
    return (word & WORD_MASK).bit_count()


def lowest(word: int) -> int:
    """Index of the lowest set bit, 64 for an empty word (one instruction)."""
    return (word & -word).bit_length() - 1 if word else 64


def shift_right(word: int, count: int) -> int:
    """Shift right and fill with zeros, whatever the sign (one instruction)."""
    return signed((word & WORD_MASK) >> count)


def multiply(left: int, right: int) -> int:
    """Product modulo 2**64, as a signed word (one instruction)."""
    return signed(left * right)


def add(left: int, right: int) -> int:
    """Sum modulo 2**64, as a signed word (one instruction)."""
    return signed(left + right)


@kernel
def nth(word: int, index: int) -> int:
    """Position of the set bit number `index`, counted from the lowest (0); the word has more bits than that."""
    for _ in range(index):
        word &= word - 1
    return lowest(word)


# The odd multipliers of splitmix64's finaliser (Steele, Lea & Flood, "Fast splittable pseudorandom number
# generators", 2014), as signed words.
_MIX_1 = signed(0xBF58476D1CE4E5B9)
_MIX_2 = signed(0x94D049BB133111EB)


@kernel
def mix(word: int) -> int:
    """Scramble a word so that every input bit reaches every output bit; a bijection, and mix(0) = 0."""
    word = multiply(word ^ shift_right(word, 30), _MIX_1)
    word = multiply(word ^ shift_right(word, 27), _MIX_2)
    return word ^ shift_right(word, 31)


@kernel
def combine(fingerprint: int, word: int) -> int:
    """Add one more word to a 64-bit fingerprint (start from any odd constant, not from 0)."""
    return mix(fingerprint ^ word)
