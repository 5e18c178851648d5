"""Vectors of 16-bit numbers: compiled code and plain Python give the same integers, bit for bit, on any processor."""

import random
from array import array
from collections.abc import MutableSequence
from pathlib import Path

import pytest

import palabre
from palabre.compile.compiler import compiled, integers
from palabre.core.bits import nth
from palabre.core.kernels import kernel
from palabre.core.lanes import (
    LANES,
    WORDS_IN_ROW,
    add_lanes,
    load_lanes,
    load_real,
    load_word,
    spread,
    squared_dot,
    store_lanes,
)
from palabre.core.memory import Memory
from tests.command import python

ROOT = Path(__file__).parents[2]
ROWS = 40


def random_memory(seed: int) -> Memory:
    """Rows of random numbers, whose sums overflow, after one that begins with the number of rows and a real number."""
    dice = random.Random(seed)
    first = array("q", [1 + ROWS]).tobytes() + array("d", [0.1]).tobytes()
    halves = array("h", [dice.randint(-32_768, 32_767) for _ in range(ROWS * LANES)])
    return Memory(first.ljust(8 * WORDS_IN_ROW, b"\0") + halves.tobytes())


@kernel
def work(memory: int, word: int, numbers: MutableSequence[int]) -> int:
    """What all functions of lanes make of a memory and a word."""
    total = load_word(memory, 0)
    lanes = spread(word, 300)
    for row in range(1, load_word(memory, 0) - 1):
        lanes = add_lanes(lanes, load_lanes(memory, row))
        total += squared_dot(lanes, load_lanes(memory, row + 1))
    store_lanes(lanes, numbers, 1)
    return total + nth(word | 3, 1)  # an instruction that not every processor has


@kernel
def real(memory: int) -> float:
    return load_real(memory, 1)


@kernel
def row_after_the_last(memory: int, numbers: MutableSequence[int]) -> int:
    store_lanes(load_lanes(memory, load_word(memory, 0)), numbers, 0)
    return numbers[0]


@pytest.mark.kernels
def test_lanes_are_the_same_in_both_worlds() -> None:
    fast = compiled(work, palabre.game("awele"))
    for seed in range(20):
        memory, word = random_memory(seed), random.Random(seed).getrandbits(63) - (1 << 62)
        numbers, plain = integers([0] * (LANES + 2)), [0] * (LANES + 2)
        assert fast(memory, word, numbers) == work(memory, word, plain)
        assert list(numbers) == plain
        assert min(plain) < 0 < max(plain)
        assert plain[0] == plain[-1] == 0


def test_a_square_is_clamped_and_shifted_down() -> None:
    for lane, square in ((-32_768, 0), (-1, 0), (0, 0), (15, 0), (16, 1), (255, 254), (256, 254), (32_767, 254)):
        assert squared_dot((lane,), (1,)) == square
        assert squared_dot((lane,), (-32_768,)) == -32_768 * square


def test_a_sum_wraps_around() -> None:
    assert add_lanes((32_767, -32_768, -1), (1, -1, 1)) == (-32_768, 32_767, 0)


@pytest.mark.kernels
def test_real_numbers_are_read_as_they_are() -> None:
    assert compiled(real, palabre.game("awele"))(random_memory(0)) == 0.1


def in_another_process(code: str, cache: Path, **settings: str) -> str:
    """What is printed by code that has these tests as `t`."""
    setup = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "import palabre, tests.compile.test_lanes as t\n"
        "from palabre.compile.compiler import compiled, integers\n"
        "awele, numbers = palabre.game('awele'), integers([0] * (t.LANES + 2))\n"
    )
    return python(setup + code, PALABRE_CACHE=str(cache), **settings)


@pytest.mark.processes
def test_bounds_checks_find_a_row_that_is_not_there(tmp_path: Path) -> None:
    code = (
        "try: compiled(t.row_after_the_last, awele)(t.random_memory(0), numbers)\n"
        "except IndexError as error: print(error)\n"
    )
    assert in_another_process(code, tmp_path, NUMBA_BOUNDSCHECK="1") == "there is no such row in memory\n"


@pytest.mark.processes
def test_a_processor_without_wide_vectors_gives_the_same(tmp_path: Path) -> None:
    code = (
        "fast = compiled(t.work, awele)\n"
        "print(*(fast(t.random_memory(seed), 12345 << seed, numbers) for seed in range(5)), *numbers)\n"
    )
    printed = in_another_process(code, tmp_path, NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="")
    numbers = [0] * (LANES + 2)
    totals = [work(random_memory(seed), 12345 << seed, numbers) for seed in range(5)]
    assert [int(word) for word in printed.split()] == totals + numbers
