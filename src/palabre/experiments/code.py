"""The code that decides what a measurement finds, so that rows of other code are not taken for its own."""

import ast
import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any


def code_of(function: Callable[..., Any]) -> str:
    """A function and all that it uses of the modules of experiments, as text without comments and layout.

    The prose of an experiment is not part of it: whoever mends a sentence need not measure again.
    """
    found: dict[str, str] = {}
    _gather(function, found)
    return "\n".join(f"{name} {found[name]}" for name in sorted(found))


def _gather(thing: Any, found: dict[str, str]) -> None:
    """Add a function or class, and whatever of its module it names, to what was found."""
    module = inspect.getmodule(thing)
    if module is None:
        return
    defined = _definitions(module)
    waiting = [thing.__name__]
    while waiting:
        name = waiting.pop()
        place = f"{module.__name__}.{name}"
        if place in found:
            continue
        if name in defined:
            found[place] = ast.dump(defined[name])
            waiting += [node.id for node in ast.walk(defined[name]) if isinstance(node, ast.Name)]
        elif _is_of_experiments(used := vars(module).get(name)) and used is not thing:
            _gather(used, found)


def _definitions(module: ModuleType) -> dict[str, ast.stmt]:
    """The statements of a module that define functions, classes and constants, by name."""
    found: dict[str, ast.stmt] = {}
    for statement in ast.parse(inspect.getsource(module)).body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            found[statement.name] = statement
        elif isinstance(statement, ast.Assign):
            found |= {target.id: statement for target in statement.targets if isinstance(target, ast.Name)}
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            found[statement.target.id] = statement
    return found


def _is_of_experiments(thing: Any) -> bool:
    """Whether a function or class is defined in a module of experiments; other sources have digests of their own."""
    return inspect.isroutine(thing) | inspect.isclass(thing) and "experiments" in str(thing.__module__).split(".")
