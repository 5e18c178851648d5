"""Random numbers without a generator object: a seed is a word that is shaken before every roll.

    seed = shake(seed)
    side = roll(seed, 6)        # 0 … 5

The same seed gives the same rolls in plain Python and compiled, on any machine and in any thread.
"""

from palabre.core.bits import add, mix, shift_right, signed
from palabre.core.kernels import kernel

# The golden-ratio step of splitmix64, which visits all 2**64 words before it repeats one.
_STEP = signed(0x9E3779B97F4A7C15)


@kernel
def shake(seed: int) -> int:
    """The next seed."""
    return add(seed, _STEP)


@kernel
def roll(seed: int, sides: int) -> int:
    """A number from 0 to sides - 1 (sides < 2**31), uniform to within 2**-32."""
    return shift_right(mix(seed), 32) * sides >> 32


@kernel
def chance(seed: int) -> float:
    """A number in [0, 1) with 32 random bits."""
    return shift_right(mix(seed), 32) / 4294967296.0
