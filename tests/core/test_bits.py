"""Bits and dice, plain and compiled, each against a definition written another way."""

import itertools
from collections import Counter
from collections.abc import Iterable
from ctypes import c_int64, c_uint64

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import palabre
from palabre.compile.compiler import compiled
from palabre.core.bits import add, combine, lowest, mix, multiply, nth, popcount, shift_right, signed
from palabre.core.dice import chance, roll, shake
from palabre.core.kernels import kernel
from palabre.core.verbs import Moves
from tests.worlds import both

pytestmark = [pytest.mark.kernels, pytest.mark.bounds_elsewhere]
AWELE = palabre.game("awele")
MASK = 2**64 - 1
WORDS = st.integers(-(2**63), 2**63 - 1)
EDGES = [0, 1, 2, 3, -1, -2, 2**31 - 1, 2**31, -(2**31), 2**32, 2**62, 2**63 - 1, -(2**63), -(2**63) + 1]
ROLLS = 48_000
# Chi-square exceeds these with a chance of 1 in 1000, by the number of cells (degrees of freedom: one less).
LIMITS = {2: 10.83, 3: 13.82, 6: 20.52, 7: 22.46, 36: 66.62, 48: 82.72}


@kernel
def all_bits(left: int, right: int, count: int, answers: Moves) -> None:
    answers[0] = signed(left)
    answers[1] = popcount(left)
    answers[2] = lowest(left)
    answers[3] = shift_right(left, count)
    answers[4] = multiply(left, right)
    answers[5] = add(left, right)
    answers[6] = mix(left)
    answers[7] = combine(left, right)


def all_bits_defined(left: int, right: int, count: int) -> list[int]:
    digits = f"{left & MASK:064b}"
    return [
        left,
        digits.count("1"),
        (digits[::-1] + "1").index("1"),
        c_int64(c_uint64(left).value >> count).value,
        c_int64(left * right).value,
        c_int64(left + right).value,
        mixed(left),
        mixed(left ^ right),
    ]


def mixed(word: int) -> int:
    """The finaliser of splitmix64 as its authors print it, on unsigned words."""
    word &= MASK
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & MASK
    word = (word ^ word >> 27) * 0x94D049BB133111EB & MASK
    return c_int64(word ^ word >> 31).value


def unmixed(word: int) -> int:
    """The word that `mix` turns into this one."""
    word &= MASK
    word = (word ^ word >> 31 ^ word >> 62) * pow(0x94D049BB133111EB, -1, 2**64) & MASK
    word = (word ^ word >> 27 ^ word >> 54) * pow(0xBF58476D1CE4E5B9, -1, 2**64) & MASK
    return c_int64(word ^ word >> 30 ^ word >> 60).value


@settings(deadline=None)
@given(left=WORDS, right=WORDS, count=st.integers(0, 63))
def test_bits_are_the_same_in_both_worlds(left: int, right: int, count: int) -> None:
    defined = all_bits_defined(left, right, count)
    assert both(all_bits, AWELE, left, right, count, size=8) == [defined, defined]


def test_bits_hold_at_the_edges_of_a_word() -> None:
    for left, right, count in itertools.product(EDGES, EDGES, (0, 1, 31, 32, 63)):
        defined = all_bits_defined(left, right, count)
        assert both(all_bits, AWELE, left, right, count, size=8) == [defined, defined], (left, right, count)


@kernel
def every_bit(word: int, places: Moves) -> None:
    for index in range(popcount(word)):
        places[index] = nth(word, index)


@settings(deadline=None)
@given(WORDS | st.sampled_from(EDGES))
def test_nth_names_every_set_bit_in_turn(word: int) -> None:
    places = [place for place in range(64) if word >> place & 1]
    padded = places + [0] * (64 - len(places))
    assert both(every_bit, AWELE, word, size=64) == [padded, padded]


@pytest.mark.parametrize("word", [2**63, 2**64 - 1, 2**64, -(2**63) - 1, 3**100])
def test_signed_folds_integers_of_any_size(word: int) -> None:
    assert signed(word) == c_int64(word & MASK).value


@settings(deadline=None)
@given(WORDS)
def test_mix_can_be_undone_so_no_two_words_meet(word: int) -> None:
    assert unmixed(mix(word)) == word == mix(unmixed(word))


def test_shaken_and_mixed_seeds_are_splitmix64() -> None:
    """Numbers from https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64"""
    seed, drawn = 1234567, []
    for _ in range(5):
        seed = shake(seed)
        drawn.append(mix(seed) & MASK)
    assert drawn == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@kernel
def rolls(seed: int, sides: int, count: int, drawn: Moves) -> None:
    for index in range(count):
        seed = shake(seed)
        drawn[index] = roll(seed, sides)


@settings(deadline=None)
@given(seed=WORDS, sides=st.integers(1, 2**31 - 1))
def test_rolls_are_the_same_in_both_worlds_and_below_sides(seed: int, sides: int) -> None:
    plain, fast = both(rolls, AWELE, seed, sides, 20, size=20)
    assert plain == fast
    assert all(0 <= number < sides for number in plain)


def chi_square(drawn: Iterable[object], cells: int) -> float:
    counts = Counter(drawn)
    assert len(counts) <= cells
    expected = counts.total() / cells
    return sum((count - expected) ** 2 / expected for count in counts.values()) + (cells - len(counts)) * expected


@pytest.mark.parametrize("sides", [2, 3, 6, 7, 48])
@pytest.mark.parametrize("seed", [0, 1, -1])
def test_rolls_are_uniform(sides: int, seed: int) -> None:
    drawn, _ = both(rolls, AWELE, seed, sides, ROLLS, size=ROLLS)
    assert chi_square(drawn, sides) < LIMITS[sides]


def test_neighbouring_rolls_and_neighbouring_seeds_are_independent() -> None:
    drawn, _ = both(rolls, AWELE, 5, 6, ROLLS, size=ROLLS)
    assert chi_square(zip(drawn[::2], drawn[1::2], strict=True), 36) < LIMITS[36]
    assert chi_square(((roll(seed, 6), roll(seed + 1, 6)) for seed in range(0, ROLLS, 2)), 36) < LIMITS[36]


@pytest.mark.parametrize("sides", [1, 2, 6, 2**31 - 1])
def test_the_smallest_and_the_largest_word_give_the_first_and_the_last_side(sides: int) -> None:
    assert roll(unmixed(0), sides) == 0
    assert roll(unmixed(-1), sides) == sides - 1
    assert chance(unmixed(0)) == 0.0
    assert chance(unmixed(-1)) == 1 - 2**-32


@settings(deadline=None)
@given(WORDS)
def test_chance_is_the_same_in_both_worlds_and_below_one(seed: int) -> None:
    assert 0 <= chance(seed) < 1
    assert chance(seed) == compiled(chance, AWELE)(seed)
