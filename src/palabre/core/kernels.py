"""Kernels, verbs, rules and tables: how the same source runs as plain Python and as machine code.

- `@kernel` marks a function that can also be compiled. The function itself is returned unchanged: calling it runs
  plain Python. `palabre.compile.compiler.compiled` gives the fast version.
- `@verb` declares a question that any game's state can be asked (`play`, `legal_moves`, …). A call picks the
  implementation by the class of its first argument; compiled code picks it by the argument's type, at compile time.
- `@rule` gives a game's answer to the verb of the same name, for the state class its first argument is annotated with.
- `Table` is a constant array of integers: nested tuples in plain Python, an array baked into the machine code.

Nothing here imports NumPy or Numba, so a program that only shows or checks a position does not wait for them.
"""

import functools
import inspect
import re
import time
import typing
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

_SHORT = re.compile(r"~|(?:\w+\.)+(?=\w)")  # what a signature has of types besides their names

# What the modules that were imported have declared, once in a process, like the import itself. Kernels are known by
# identity and rules by the class of their states, so that no game sees another's.
KERNELS: dict[FunctionType, float] = {}  # and when each was declared, by the system's clock
VERBS: "dict[str, Verb]" = {}


def kernel(function: Function) -> Function:
    """Mark a function as compilable. Kernels call only kernels, verbs and `bits`; they never raise."""
    KERNELS[typing.cast(FunctionType, function)] = time.time()
    return function


class Verb:
    """A question to a game, answered according to the state's class; `default` answers for games without a rule."""

    def __init__(self, default: FunctionType, required: bool) -> None:
        functools.update_wrapper(self, default)
        self.name = default.__name__
        self.default = default
        self.required = required
        self.is_for_states = default.__code__.co_varnames[:1] == ("state",)  # `evaluate` asks weights instead
        self.answers: dict[type, FunctionType] = {}

    def __call__(self, state: Any, *arguments: Any) -> Any:
        return self.answer(type(state))(state, *arguments)

    def __repr__(self) -> str:
        # This is what `help(palabre.author)` and a notebook show; the docstring is that of the declaration.
        return f"<verb {self.name}{_SHORT.sub('', str(inspect.signature(self.default)))}>"

    def answer(self, state_class: type) -> FunctionType:
        """The function that answers for this class of states."""
        function = self.answers.get(state_class)
        if function is not None:
            return function
        if self.required:
            raise TypeError(f"{state_class.__module__}.{state_class.__qualname__} has no rule '{self.name}'")
        return self.default


def verb(function: Function) -> Function:
    """Declare a verb that every game must answer with a `@rule`."""
    return typing.cast(Function, _declare(function, required=True))


def verb_with_default(function: Function) -> Function:
    """Declare a verb whose body answers for the games that have no rule for it."""
    return typing.cast(Function, _declare(function, required=False))


def _declare(function: Callable[..., Any], required: bool) -> Verb:
    declared = Verb(typing.cast(FunctionType, function), required)
    if declared.name in VERBS:
        raise TypeError(f"@verb {declared.name}: there is such a verb already")
    VERBS[declared.name] = declared
    return declared


def rule(function: Function) -> Function:
    """Answer the verb that has the function's name, for the state class in its first annotation."""
    name = function.__name__
    if name not in VERBS:
        raise TypeError(f"@rule {name}: there is no such verb; the verbs are {', '.join(sorted(VERBS))}")
    return answer(VERBS[name])(function)


def answer(asked: Callable[..., Any]) -> Callable[[Function], Function]:
    """Answer a verb with a function of any name, for the class in its first annotation."""

    def decorate(function: Function) -> Function:
        first = next(iter(inspect.signature(function).parameters), "")
        state_class = typing.get_type_hints(function).get(first)
        if state_class is None:
            raise TypeError(f"{function.__name__}: annotate its first argument with the class it is for")
        answers = typing.cast(Verb, asked).answers
        _refuse_foreign(typing.cast(FunctionType, function), state_class, answers.get(state_class))
        answers[state_class] = typing.cast(FunctionType, function)
        return kernel(function)

    return decorate


def _refuse_foreign(function: FunctionType, kind: type, earlier: FunctionType | None) -> None:
    """Refuse a rule for another game's states: it would change that game for all who have loaded it."""
    package = kind.__module__.rpartition(".")[0]
    is_at_home = function.__module__ == kind.__module__ or not package or function.__module__.startswith(f"{package}.")
    if not is_at_home or (earlier is not None and earlier.__module__ != function.__module__):
        whose = f"{kind.__module__}.{kind.__qualname__}"
        raise TypeError(f"{function.__name__}: {whose} has its rules in its own files; write a class of your own")


class Table(tuple[Any, ...]):
    """A constant array of integers, of one or more dimensions; index it as `TABLE[i][j]`."""

    def __new__(cls, rows: Iterable[Any]) -> "Table":
        made = super().__new__(cls, (row if isinstance(row, int) else Table(row) for row in rows))
        if len({row.shape if isinstance(row, Table) else () for row in made}) > 1:
            raise ValueError("the rows of a Table must have the same length")
        if any(isinstance(row, int) and not -(2**63) <= row < 2**63 for row in made):
            raise ValueError(
                "a Table holds signed 64-bit integers only; write signed(…), from palabre.author, around larger ones"
            )
        return made

    @property
    def shape(self) -> tuple[int, ...]:
        """The length in each dimension."""
        return (len(self), *(self[0].shape if self and isinstance(self[0], Table) else ()))
