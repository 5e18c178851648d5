"""Records which functions of a package a process calls. Python imports this as it starts, if its path has this folder.

Settings, in the environment, which the processes that it starts inherit:

    TRACED_PACKAGE    the folder of the package whose functions count
    TRACED_SINCE      functions are recorded while this file exists,
    TRACED_FROM       which is created when a function of this name is called, if there is such a setting
    TRACED_CALLS      a folder, where each process writes what it has called to a file of its own

Each function is written once: `f`, its file and its qualified name. A class of the package whose objects are passed or
returned is written as `c`, its module and its qualified name.
"""

import ast
import os
import sys
import threading
import time
from inspect import CO_NEWLOCALS
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

KERNELS = {"kernel", "verb", "verb_with_default", "rule", "answer"}  # decorators
# The rules of games, and what stands for instructions when kernels run as plain Python.
LEFT_OUT = ("games/", "core/kernels.py", "core/verbs.py", "core/bits.py", "core/dice.py")
IMPORTS = "<frozen importlib._bootstrap>"


class Recorder:
    """What `sys.setprofile` calls."""

    def __init__(self, package: str, since: str, first: str, calls: str) -> None:
        self._package, self._since, self._first = package, since, first
        # By their names, the files are in the order in which the processes have started.
        self._calls = Path(calls, f"{time.monotonic_ns():020}-{os.getpid()}")
        self._name = Path(package).name
        self._seen: set[CodeType] = set()
        self._seen_classes: set[type] = set()
        self._kernels: dict[str, set[int]] = {}  # the lines where they begin, by file

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        if event == "call":
            code = frame.f_code
            if code not in self._seen:
                self._call(frame, code)
        elif event == "return" and type(argument) not in self._seen_classes:
            self._value(argument)

    def _call(self, frame: FrameType, code: CodeType) -> None:
        if not self._counts(code):
            self._seen.add(code)
            return
        if code.co_name == self._first and not os.path.exists(self._since):  # noqa: PTH110 (a path would take longer)
            Path(self._since).touch()
        if not os.path.exists(self._since) or _is_importing(frame):  # noqa: PTH110
            return
        self._seen.add(code)
        self._write("f", str(Path(code.co_filename).relative_to(self._package)), code.co_qualname)
        for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
            self._value(frame.f_locals.get(name))

    def _counts(self, code: CodeType) -> bool:
        """Whether this is a function of the package: no comprehension, no body of a class or module, no kernel.

        The flag CO_NEWLOCALS tells functions from the bodies of classes.
        """
        file = code.co_filename
        if code.co_name.startswith("<") or not file.startswith(self._package + os.sep):
            return False
        if Path(file).relative_to(self._package).as_posix().startswith(LEFT_OUT):
            return False
        if file not in self._kernels:
            self._kernels[file] = _kernel_lines(file)
        return bool(code.co_flags & CO_NEWLOCALS) and code.co_firstlineno not in self._kernels[file]

    def _value(self, value: object) -> None:
        kind = type(value)
        if kind in self._seen_classes or not os.path.exists(self._since):  # noqa: PTH110
            return
        self._seen_classes.add(kind)
        module = str(kind.__module__)
        if module.split(".")[0] == self._name and f"{self._name}.games" not in module:
            self._write("c", module, kind.__qualname__)

    def _write(self, *words: str) -> None:
        with self._calls.open("a", encoding="utf-8") as file:
            file.write("\t".join(words) + "\n")


def _kernel_lines(file: str) -> set[int]:
    """The lines where kernels begin, which are those of their first decorators."""
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.decorator_list]
    return {node.decorator_list[0].lineno for node in functions if any(map(_is_kernel, node.decorator_list))}


def _is_kernel(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(called, ast.Name) and called.id in KERNELS


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename == IMPORTS:
            return True
        frame = frame.f_back
    return False


if "TRACED_PACKAGE" in os.environ:
    recorder = Recorder(
        os.environ["TRACED_PACKAGE"],
        os.environ["TRACED_SINCE"],
        os.environ.get("TRACED_FROM", ""),
        os.environ["TRACED_CALLS"],
    )
    threading.setprofile(recorder)
    sys.setprofile(recorder)
