"""The parts of Numba that it does not promise to keep, and all that we do with them.

Whatever else we use is in Numba's documentation. `tests/compile/test_internals.py` has a canary for each part here: if
a new version of Numba breaks one, that test says which. `pyproject.toml` allows the versions that were tested.

- `numba.core.caching.IndexDataCacheFile`, `dispatcher._cache`: the files of compiled code, which we seal.
- `numba.core.config.CACHE_DIR` and `BOUNDSCHECK`: settings that are read when a dispatcher is made.
- `dispatcher.fold_argument_types`, `dispatcher.get_call_template`, `types.Function.get_call_type`: how a call is typed.
- `numba.core.compiler_lock.global_compiler_lock`: one thread compiles at a time.
- `numba.core.typing.templates.infer_global`, `types.Dispatcher`: what a plain function means in compiled code.
- `types.NamedTuple.__init__`, `types.NamedUniTuple.__init__`: where a type gets the name that its code is known by.
- `numba.core.typeinfer.TypeInferer.return_types_from_partial`: how the type of a recursive call is found.
- `numba.core.postproc.PostProcessor.run`: what Numba works out about a function between its passes.
- `numba.core.cgutils`, `numba.np.arrayobj`: how arrays and structures look in memory.
"""

import functools
import hashlib
import pickle
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from numba import types
from numba.core import cgutils, config, postproc, transforms
from numba.core.caching import IndexDataCacheFile
from numba.core.compiler_lock import global_compiler_lock
from numba.core.typeinfer import TypeInferer
from numba.core.typing.templates import infer_global
from numba.np.arrayobj import make_array, populate_array

__all__ = ["cgutils", "make_array", "populate_array"]  # and what is defined below

_qualified_names: dict[type, str] = {}


# ------------------------------------------------------------------------------------------------------ the disk cache


@contextmanager
def cache_folder(folder: Path) -> Iterator[None]:
    """Have the dispatchers that are made meanwhile keep their code in this folder."""
    settings: Any = config  # Numba's settings are not declared to type checkers
    before, settings.CACHE_DIR = settings.CACHE_DIR, str(folder)
    try:
        yield
    finally:
        settings.CACHE_DIR = before


def seal(dispatcher: Any) -> Any:
    """Have a dispatcher keep a digest with its code, and refuse code that does not match its digest.

    Numba notices a file that was cut short, for it cannot be read. But it would run code in which a bit has changed.
    """
    cache = dispatcher._cache
    locator = cache._impl.locator
    cache._cache_file = SealedFiles(locator.get_cache_path(), cache._impl.filename_base, locator.get_source_stamp())
    return dispatcher


class SealedFiles(IndexDataCacheFile):
    """The files of one kernel."""

    def _save_data(self, name: str, data: Any) -> None:
        content = self._dump(data)
        super()._save_data(name, (hashlib.sha256(content).digest(), content))

    def _load_data(self, name: str) -> Any:
        digest, content = super()._load_data(name)
        if hashlib.sha256(content).digest() != digest:
            raise ValueError("it does not match its digest")
        return pickle.loads(content)


# --------------------------------------------------------------------------------------------------------------- typing


def bounds_are_checked() -> bool:
    """Whether compiled code checks the indices of arrays (NUMBA_BOUNDSCHECK=1)."""
    return bool(vars(config)["BOUNDSCHECK"])


def stand_for(function: Any, dispatcher: Any) -> None:
    """Have compiled code call a dispatcher wherever its source calls a plain function."""
    infer_global(function, types.Dispatcher(dispatcher))


def without_literals(dispatcher: Any) -> Any:
    """Have a kernel compiled for integers, and not once more for the constant 8.

    That would take time. Besides, a recursive kernel that begins with a constant ends up in code that is not kept on
    disk: the next process would jump to nowhere.
    """
    fold, template = dispatcher.fold_argument_types, dispatcher.get_call_template
    dispatcher.fold_argument_types = lambda given, named: fold(tuple(map(types.unliteral, given)), named)
    dispatcher.get_call_template = lambda given, named: template(tuple(map(types.unliteral, given)), named)
    return dispatcher


@contextmanager
def remembered_calls() -> Iterator[None]:
    """While something is compiled, remember what a call of a function with arguments of given types means.

    Numba tries every candidate for every call anew, and again each time it goes through a function: thousands of times
    for the addition of two integers. For the answer to a verb it also compiles a copy for each set of options that a
    caller has. Ours do not depend on the caller's options.
    """
    ask = types.Function.get_call_type
    known: dict[Any, Any] = {}

    def ask_once(function: Any, context: Any, given: Any, named: Any) -> Any:
        if named:
            return ask(function, context, given, named)
        question = (function, given)
        if question not in known:
            known[question] = ask(function, context, given, named)
        return known[question]

    with _replaced(types.Function, "get_call_type", ask_once):
        yield


@contextmanager
def remembered_recursion() -> Iterator[None]:
    """While something is compiled, remember what a function that calls itself returns.

    Numba goes through the whole function for each such call, and again each time it comes by. The answer can change
    only when the types of what the function returns have become better known.
    """
    infer = TypeInferer.return_types_from_partial

    def infer_once(inferer: Any) -> Any:
        known = tuple(_type_so_far(inferer, variable.name) for variable in inferer._get_return_vars())
        answers = vars(inferer).setdefault("palabre_answers", {})
        if known not in answers:
            answers[known] = infer(inferer)
        return answers[known]

    with _replaced(TypeInferer, "return_types_from_partial", infer_once):
        yield


def _type_so_far(inferer: Any, name: str) -> Any:
    """The type of a variable as far as it is known, or None."""
    variable = inferer.typevars.get(name)
    return variable.type if variable is not None and variable.defined else None


@contextmanager
def without_liveness() -> Iterator[None]:
    """While something is compiled, leave out what is only of use to generators and to code that Python interprets.

    Numba works out after each of a dozen passes which variables are alive at the start of each block.
    """
    run = postproc.PostProcessor.run

    def run_without(processor: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        code = processor.func_ir
        if code.is_generator:
            run(processor, emit_dels, extend_lifetimes)
            return
        code.blocks = transforms.canonicalize_cfg(code.blocks)
        code.variable_lifetime = postproc.VariableLifetime(code.blocks)
        code.generator_info = None
        if emit_dels:
            processor._insert_var_dels(extend_lifetimes=extend_lifetimes)

    with _replaced(postproc.PostProcessor, "run", run_without):
        yield


@contextmanager
def _replaced(kind: Any, name: str, replacement: Any) -> Iterator[None]:
    """Replace a method of one of Numba's classes meanwhile; no other thread compiles then."""
    with global_compiler_lock:
        first = getattr(kind, name)
        setattr(kind, name, replacement)
        try:
            yield
        finally:
            setattr(kind, name, first)


def qualify(named_tuple: type) -> None:
    """Have Numba know a class of states or weights by a name that includes its module.

    Numba names machine code after the bare names of the classes it is for. Without this, the code of two games whose
    `State` has the same number of words would have the same name if two processes made it, and a third one that loads
    both would run one for the other. The class itself keeps its name.
    """
    home = re.sub(r"\W", "_", f"{named_tuple.__module__}.{named_tuple.__qualname__}")
    _qualified_names[named_tuple] = f"{named_tuple.__name__}_of_{home}"


def _name_qualified(kind: Any) -> None:
    """Have a class of Numba types name its instances after `_qualified_names`."""
    first = kind.__init__

    @functools.wraps(first)
    def initialise(self: Any, *arguments: Any) -> None:
        first(self, *arguments)
        bare = self.instance_class.__name__
        self.name = _qualified_names.get(self.instance_class, bare) + self.name.removeprefix(bare)

    kind.__init__ = initialise


_name_qualified(types.NamedTuple)
_name_qualified(types.NamedUniTuple)
