"""Making kernels, verbs and tables known to Numba.

This module is imported when something is compiled, never before. A kernel is compiled from a *twin* of its function:
the same code object over a copy of its module's globals in which each `Table` is an array. Where Numba finds the plain
function of a kernel, or a verb, in a kernel's globals, it looks up here what to call instead.
"""

from types import FunctionType
from typing import Any

import numpy as np
from numba import njit
from numba.extending import overload

from palabre.compile import clock, words  # noqa: F401 (they make themselves known to Numba)
from palabre.compile.instructions import INSTRUCTIONS
from palabre.compile.internals import stand_for, without_literals
from palabre.core.kernels import KERNELS, VERBS, Table, Verb

# Without the interpreter lock two threads can search at once. The author of a kernel answers for division by zero.
OPTIONS: Any = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
# Python calls only the kernel that `compiled` is asked for; the kernels and rules inside it need no wrapper for that.
INNER_OPTIONS: Any = {**OPTIONS, "no_cpython_wrapper": True}
# A state of many words is costly to pass on, so a game's answers to these become part of the kernel that asks.
INLINED = ("play", "legal_moves", "count_moves", "random_move")

_twin_globals: dict[int, dict[str, Any]] = {}
_dispatchers: dict[FunctionType, Any] = {}  # kept here: Numba's types hold only weak references to them
_known_verbs: set[str] = set()


def twin(function: FunctionType) -> FunctionType:
    """A copy of a function over globals in which tables are arrays."""
    home = function.__globals__
    if id(home) not in _twin_globals:
        _twin_globals[id(home)] = {name: _array(value) for name, value in home.items()}
    return FunctionType(
        function.__code__, _twin_globals[id(home)], function.__name__, function.__defaults__, function.__closure__
    )


def _array(value: Any) -> Any:
    if not isinstance(value, Table):
        return value
    array = np.array(value, dtype=np.int64)
    array.setflags(write=False)
    return array


def register_all() -> None:
    """Make every kernel and verb that has been declared known to Numba."""
    for function in KERNELS:
        if function not in _dispatchers and function not in INSTRUCTIONS:
            _dispatchers[function] = without_literals(njit(**INNER_OPTIONS)(twin(function)))
            stand_for(function, _dispatchers[function])
    for verb in VERBS.values():
        if verb.name not in _known_verbs:
            _known_verbs.add(verb.name)
            _register_verb(verb)


def _register_verb(verb: Verb) -> None:
    options: Any = {**INNER_OPTIONS, "forceinline": verb.name in INLINED}

    @overload(verb, strict=False, jit_options=options)
    def choose(state: Any, *arguments: Any) -> Any:
        state_class = getattr(state, "instance_class", None)
        return None if state_class is None else twin(verb.answer(state_class))
