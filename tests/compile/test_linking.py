"""Kernels as wholes: right when they are loaded, too, and no trouble for what is compiled elsewhere."""

from typing import Any

import pytest

from palabre.compile.compiler import is_disabled
from tests.command import python

pytestmark = pytest.mark.skipif(is_disabled(), reason="kernels run as plain Python")

INNER: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


@pytest.fixture
def wholes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the functions that machine code is made for meanwhile, inside and outside `linked_once`."""
    from numba.core.codegen import JITCodeLibrary

    made: list[str] = []
    finish: Any = JITCodeLibrary._finalize_specific

    def count(library: Any) -> None:
        if library.name != "nrt":  # Numba's own, made once in a process: by whichever test comes first
            made.append(library.name)
        finish(library)

    monkeypatch.setattr(JITCodeLibrary, "_finalize_specific", count)
    return made


def test_machine_code_is_made_for_the_kernel_alone(wholes: list[str]) -> None:
    from numba import njit, types

    from palabre.compile.linking import linked_once

    double: Any = njit(**INNER)(twice)
    quadruple: Any = njit(**INNER)(lambda number: double(double(number)))
    kernel: Any = njit(lambda number: quadruple(number) + double(number))
    with linked_once():
        kernel.compile((types.int64,))
    assert kernel(5) == 30
    assert len(wholes) == 1
    functions = [name for name in kernel.inspect_llvm(kernel.signatures[0]).splitlines() if name.startswith("define")]
    assert not [line for line in functions if "twice" in line], "it has become part of the kernel"


def test_numba_compiles_as_before_once_that_is_done(wholes: list[str]) -> None:
    from numba import njit, types
    from numba.core import config
    from numba.core.codegen import JITCodeLibrary
    from numba.core.registry import cpu_target

    from palabre.compile.linking import OPTIMISATION, linked_once, optimised_less

    settings: Any = config
    before = settings.OPT
    double: Any = njit(**INNER)(twice)
    kernel: Any = njit(lambda number: max(double(number), 7))
    with linked_once(), optimised_less():
        assert settings.OPT == OPTIMISATION != before
        kernel.compile((types.int64,))
    codegen: Any = cpu_target.target_context.codegen()
    assert codegen._library_class is JITCodeLibrary
    assert "set_env" not in vars(codegen)
    assert before == settings.OPT
    # `double` and Numba's own `max` are parts now, and must be whole in a function that somebody else compiles.
    elsewhere: Any = njit(lambda number: max(double(number), 3) + 1)
    assert [kernel(1), kernel(50), elsewhere(1), elsewhere(50)] == [7, 100, 4, 101]


def test_a_part_can_print() -> None:
    """For that it needs an environment of Python objects, which only a function in memory has."""
    code = """
from numba import njit, types
from palabre.compile.linking import linked_once
@njit(no_cpython_wrapper=True, no_cfunc_wrapper=True)
def tell(number):
    print("the number is", number)
@njit
def kernel(number):
    tell(number)
with linked_once():
    kernel.compile((types.int64,))
kernel(8)
"""
    assert python(code) == "the number is 8\n"


RECURSION = """
import sys
import palabre
from palabre.compile.compiler import compiled
from palabre.core.kernels import kernel
sys.path.insert(0, sys.argv[1])
from recursion import is_even
game = palabre.game("awele")
kernel = compiled(is_even, game)
print(kernel.is_kept, kernel(game.start().state, 10), kernel(game.start().state, 7))
"""
MODULE = """
from palabre.core.kernels import kernel
@kernel
def is_even(state, number):
    if number == 0:
        return True
    return is_odd(state, number - 1)
@kernel
def is_odd(state, number):
    if number == 0:
        return False
    return is_even(state, number - 1)
"""


PARITY = """
from numba import njit
@njit
def even(number):
    if number == 0:
        return True
    return odd(number - 1)
@njit
def odd(number):
    if number == 0:
        return False
    return even(number - 1)
"""


@pytest.mark.parametrize("is_stock", [False, True])
def test_kernels_that_call_each_other_can_be_kept(is_stock: bool, tmp_path: Any) -> None:
    """Numba calls the first through a pointer that only the process which has compiled it could fill in."""
    (tmp_path / "recursion.py").write_text(MODULE, encoding="utf-8")
    settings = {"PALABRE_CACHE": str(tmp_path / "cache"), "PALABRE_STOCK_NUMBA": "1" if is_stock else "0"}
    runs = [python(RECURSION, str(tmp_path), **settings) for _ in range(2)]
    assert runs == ["False True False\n", f"{not is_stock} True False\n"]


def test_afterwards_numba_compiles_functions_that_call_each_other(tmp_path: Any) -> None:
    """They need Numba's runtime, which the first compilation in a process sets up."""
    (tmp_path / "recursion.py").write_text(MODULE, encoding="utf-8")
    code = f"{RECURSION}\n{PARITY}\nprint(even(10), even(7))\n"
    assert python(code, str(tmp_path), PALABRE_CACHE=str(tmp_path / "cache")).splitlines()[1] == "True False"


def twice(number: int) -> int:
    return 2 * number
