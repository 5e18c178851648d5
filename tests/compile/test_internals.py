"""Canaries for the private parts of Numba that we use, one test each: its name says what broke."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import palabre
from palabre.compile.compiler import is_disabled

PACKAGE = Path(palabre.__file__).parent
needs_numba = pytest.mark.skipif(is_disabled(), reason="kernels run as plain Python")


class Pair(NamedTuple):
    left: int
    right: int


def imports_of(file: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return {name for name in found if name.split(".")[0] in ("numba", "llvmlite")}


def test_only_the_compile_package_imports_numba() -> None:
    users = {file.relative_to(PACKAGE).parts[0] for file in PACKAGE.rglob("*.py") if imports_of(file)}
    assert users == {"compile"}


def test_only_internals_and_linking_import_what_numba_does_not_document() -> None:
    documented = {"numba", "numba.extending", "numba.core.errors", "llvmlite"}
    for file in (PACKAGE / "compile").glob("*.py"):
        assert file.name in ("internals.py", "linking.py") or imports_of(file) <= documented, file


@needs_numba
def test_code_is_kept_in_a_folder_of_our_choice_and_sealed(tmp_path: Path) -> None:
    from numba import njit
    from numba.core import config

    from palabre.compile.internals import is_kept, keep_in

    settings = dict(vars(config))
    dispatcher: Any = keep_in(njit(plus), tmp_path)
    assert not is_kept(PLUS, tmp_path)
    assert dispatcher(3) == 4
    assert is_kept(PLUS, tmp_path)
    assert vars(config) == settings
    again: Any = keep_in(njit(plus), tmp_path)
    assert (again(3), again.stats.cache_hits) == (4, dispatcher.stats.cache_misses)
    [kept] = tmp_path.glob("*.nbc")
    content = kept.read_bytes()
    kept.write_bytes(content[:-40] + bytes([content[-40] ^ 1]) + content[-39:])
    damaged: Any = keep_in(njit(plus), tmp_path)
    with pytest.raises(Exception, match=r"digest|pickle|unpickl"):
        damaged(3)


@needs_numba
def test_without_the_patches_code_that_numba_cannot_keep_is_not_kept(tmp_path: Path) -> None:
    """Numba keeps it, and the next process that loads it jumps to nowhere."""
    from numba import types

    from palabre.compile.internals import is_kept, keep_in

    module: dict[str, Any] = {}
    exec(PARITY, module)
    is_even = keep_in(module["is_even"], tmp_path)
    with pytest.raises(OSError, match="memory of this process"):
        is_even.compile((types.int64,))
    assert not is_kept(is_even.py_func, tmp_path)
    assert (is_even(10), is_even(7)) == (True, False)


@needs_numba
@pytest.mark.parametrize("is_stock", [False, True])
def test_the_patches_for_speed_can_be_left_out(is_stock: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    from numba.core import config, postproc, typeinfer
    from numba.core import types as kinds
    from numba.core.registry import cpu_target

    from palabre.compile.internals import SPEED, patched

    monkeypatch.setenv("PALABRE_STOCK_NUMBA", "1" if is_stock else "")

    def parts() -> list[Any]:
        codegen: Any = cpu_target.target_context.codegen()
        ours = [kinds.Function.get_call_type, typeinfer.TypeInferer.return_types_from_partial]
        return [*ours, postproc.PostProcessor.run, codegen._library_class, vars(config)["OPT"]]

    before = parts()
    with patched():
        changed = [one for one, other in zip(before, parts(), strict=True) if one is not other]
    assert len(changed) == (0 if is_stock else len(SPEED))
    assert parts() == before


@needs_numba
def test_each_function_that_was_compiled_is_reported() -> None:
    from numba import njit

    from palabre.compile.internals import on_compiled

    reported: list[str] = []
    inner: Any = njit(plus)
    outer: Any = njit(lambda number: inner(number) + 1)
    with on_compiled(reported.append):
        assert outer(1) == 3
    assert reported[0] == "plus"
    assert len(reported) == 2
    assert outer(1.5) == 3.5
    assert len(reported) == 2


@needs_numba
def test_a_kernel_is_not_compiled_once_more_for_a_constant() -> None:
    from numba import njit

    from palabre.compile.internals import without_literals

    inner: Any = without_literals(njit(plus))
    outer: Any = njit(lambda number: inner(8) + inner(number))
    assert outer(1) == 11
    assert [str(argument) for (argument,) in inner.signatures] == ["int64"]


@needs_numba
def test_what_a_call_means_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from numba import njit, types

    from palabre.compile.internals import remembered_calls

    asked: list[Any] = []
    ask = types.Function.get_call_type

    def count(function: Any, context: Any, given: Any, named: Any) -> Any:
        asked.append((function, given))
        return ask(function, context, given, named)

    monkeypatch.setattr(types.Function, "get_call_type", count)
    dispatcher: Any = njit(lambda left, right: left * right + left * right + left * right)
    with remembered_calls():
        dispatcher.compile((types.int64, types.int64))
    assert dispatcher(2, 5) == 30
    assert 0 < len(asked) == len(set(asked))
    assert types.Function.get_call_type is count


@needs_numba
def test_what_a_recursive_function_returns_is_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from numba import types
    from numba.core.typeinfer import TypeInferer

    from palabre.compile.internals import remembered_recursion

    found: list[Any] = []
    infer: Any = TypeInferer.return_types_from_partial

    def count(inferer: Any) -> Any:
        found.append(infer(inferer))
        return found[-1]

    monkeypatch.setattr(TypeInferer, "return_types_from_partial", count)
    dispatcher = new_fibonacci()
    with remembered_recursion():
        dispatcher.compile((types.int64,))
    once = len(found)
    assert dispatcher(10) == 55
    assert TypeInferer.return_types_from_partial is count
    again = new_fibonacci()
    again.compile((types.int64,))
    assert 0 < once < len(found) - once


@needs_numba
def test_what_a_recursive_function_returns_may_turn_out_wider() -> None:
    from numba import types

    from palabre.compile.internals import remembered_recursion

    dispatcher = new_halves()
    with remembered_recursion():
        dispatcher.compile((types.int64,))
    assert dispatcher(3) == 2.5


@needs_numba
def test_liveness_is_left_out_but_not_of_generators(monkeypatch: pytest.MonkeyPatch) -> None:
    from numba import njit, types
    from numba.core import analysis
    from numba.core.postproc import PostProcessor

    from palabre.compile.internals import without_liveness

    asked: list[Any] = []
    ask: Any = analysis.compute_live_variables

    def note(*given: Any) -> Any:
        asked.append(given)
        return ask(*given)

    monkeypatch.setattr(analysis, "compute_live_variables", note)
    before = PostProcessor.run
    plain = new_fibonacci()
    with without_liveness():
        plain.compile((types.int64,))
    assert (plain(10), asked) == (55, [])
    generator: Any = njit(countdown)
    with without_liveness():
        generator.compile((types.int64,))
    assert list(generator(3)) == [3, 2, 1]
    assert asked
    assert PostProcessor.run is before


@needs_numba
def test_a_plain_function_can_stand_for_a_dispatcher() -> None:
    from numba import njit

    from palabre.compile.internals import stand_for

    dispatcher: Any = njit(plus)
    stand_for(minus, dispatcher)
    compiled: Any = njit(lambda number: minus(number))
    assert (minus(5), compiled(5)) == (4, 6)


@needs_numba
def test_a_class_is_known_by_its_module_and_keeps_its_name() -> None:
    from numba import typeof, types

    from palabre.compile.internals import qualify

    qualify(Pair)
    for value in (Pair(1, 2), Pair(1, 2.5)):  # type: ignore[arg-type]
        kind: Any = typeof(value)  # type: ignore[no-untyped-call]
        assert isinstance(kind, types.BaseNamedTuple)
        assert kind.name.startswith(f"Pair_of_{__name__.replace('.', '_')}_Pair(")
        assert kind.mangling_args[0] == kind.name
    assert (Pair.__name__, repr(Pair(1, 2))) == ("Pair", "Pair(left=1, right=2)")


@needs_numba
def test_settings_are_where_we_look_for_them() -> None:
    from numba.core import config

    from palabre.compile.internals import bounds_are_checked

    assert {"CACHE_DIR", "BOUNDSCHECK"} <= set(vars(config))
    assert isinstance(bounds_are_checked(), bool)


def plus(number: int) -> int:
    return number + 1


def minus(number: int) -> int:
    return number - 1


PLUS: Any = plus


# Two functions that call each other.
PARITY = """
from numba import njit


@njit
def is_even(number):
    if number == 0:
        return True
    return is_odd(number - 1)


@njit
def is_odd(number):
    if number == 0:
        return False
    return is_even(number - 1)
"""


def new_fibonacci() -> Any:
    from numba import njit

    @njit
    def fibonacci(number: Any) -> Any:
        if number < 2:
            return number
        return fibonacci(number - 1) + fibonacci(number - 2)

    return fibonacci


def new_halves() -> Any:
    from numba import njit

    @njit
    def halves(number: Any) -> Any:
        if number == 0:
            return 1
        return halves(number - 1) + 0.5

    return halves


def countdown(number: int) -> Iterator[int]:
    while number > 0:
        yield number
        number -= 1
