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

from palabre.compile import buffers, clock, lanes, packing  # noqa: F401 (they make themselves known to Numba)
from palabre.compile.instructions import INSTRUCTIONS
from palabre.compile.internals import stand_for, without_literals
from palabre.core.kernels import KERNELS, VERBS, Table, Verb

# Without the interpreter lock two threads can search at once. The author of a kernel answers for division by zero.
OPTIONS: Any = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
# Python calls only the kernel that `compiled` is asked for; the kernels and rules inside it need no wrapper for that.
INNER_OPTIONS: Any = {**OPTIONS, "no_cpython_wrapper": True}
# A state of many words is costly to pass on, so a game's answers to these become part of the kernel that asks.
INLINED: tuple[str, ...] = ("play", "legal_moves", "count_moves", "random_move", "features", "phase")

# What Numba knows in this process, once and for all, as Numba itself keeps it: of each kernel and verb by
# identity, so that games and kernels that share a name do not get in each other's way.
_mirrors: "dict[int, Mirror]" = {}  # by the identity of the globals, which the mirror keeps alive
_dispatchers: dict[FunctionType, Any] = {}  # kept here: Numba's types hold only weak references to them
_known_verbs: set[Verb] = set()


class Mirror:
    """A copy of a module's globals in which each table is an array."""

    def __init__(self, home: dict[str, Any]) -> None:
        self.globals: dict[str, Any] = {}
        self._home = home
        self._seen: dict[str, Any] = {}

    def update(self) -> None:
        """Take over what has been defined since the last time, as in a notebook."""
        for name, value in self._home.items():
            if name not in self._seen or self._seen[name] is not value:
                self._seen[name] = value
                self.globals[name] = _array(value)


def twin(function: FunctionType) -> FunctionType:
    """A copy of a function over globals in which tables are arrays."""
    home = function.__globals__
    if id(home) not in _mirrors:
        _mirrors[id(home)] = Mirror(home)
        _mirrors[id(home)].update()
    copied = _mirrors[id(home)].globals
    return FunctionType(function.__code__, copied, function.__name__, function.__defaults__, function.__closure__)


def _array(value: Any) -> Any:
    if not isinstance(value, Table):
        return value
    array = np.array(value, dtype=np.int64)
    array.setflags(write=False)
    return array


def register_all() -> None:
    """Make every kernel and verb that has been declared known to Numba."""
    for mirror in _mirrors.values():
        mirror.update()
    for function in KERNELS:
        if function not in _dispatchers and function not in INSTRUCTIONS:
            _dispatchers[function] = without_literals(njit(**INNER_OPTIONS)(twin(function)))
            stand_for(function, _dispatchers[function])
    for verb in VERBS.values():
        if verb not in _known_verbs:
            _known_verbs.add(verb)
            _register_verb(verb)


def _register_verb(verb: Verb) -> None:
    options: Any = {**INNER_OPTIONS, "forceinline": verb.name in INLINED}

    @overload(verb, strict=False, jit_options=options)
    def choose(state: Any, *arguments: Any) -> Any:
        state_class = getattr(state, "instance_class", None)
        return None if state_class is None else twin(verb.answer(state_class))
