"""The parts of Numba that it does not promise to keep, and all that we do with them.

Whatever else we use is in Numba's documentation. `tests/compile/test_internals.py` and `test_linking.py` have a canary
for each part: if a new version of Numba breaks one, that test names it. `pyproject.toml` allows the versions that
were tested.

Compiled code would be wrong, or could not be kept on disk, without these:

- `FolderCache`: `numba.core.caching` and `dispatcher._cache`, to keep code in a folder of our choice, sealed.
- `stand_for`: `infer_global` and `types.Dispatcher`, what a plain function means in compiled code.
- `without_literals`: `dispatcher.fold_argument_types` and `get_call_template`, for which types a kernel is compiled.
  Without it, Awélé's engine crashes.
- `qualify`: `types.NamedTuple.__init__` and `types.NamedUniTuple.__init__`, the name that code is known by.
- `numba.core.cgutils`, `make_array` and `populate_array`, how arrays and structures look in memory: for `buffers.py`.
- `config.BOUNDSCHECK`, `CPU_NAME` and `CPU_FEATURES`, settings; `rtsys`, Numba's runtime, in `linking.py`.

`SPEED` lists the patches that change nothing but speed. PALABRE_STOCK_NUMBA=1 leaves them out. This is what becomes of
the processor seconds until an engine is compiled (0.5 of them are the start of the process) and of its nodes a second
if one is left out; two figures are two series. Time to load compiled code changes by less than can be measured.

    left out               Awélé            Abalone                      Penguins
    nothing                2.5 s; 19 M/s    3 s; 16 M/s                  3.3 s; 11 M/s
    remembered_calls       +11 %            +25 %, +18 %                 +24 %
    remembered_recursion   0                +21 %, +4 %                  +10 %
    without_liveness       +3 %             +15 %, +5 %                  +11 %
    linked_once            +23 %; -8 %      +42 %, +30 %; -18 %, -16 %   +65 %; -11 %
    optimised_less         0                0; -26 %, -23 %              +7 %; 0
    all of these           +71 %; 0         +102 %, +69 %; -32 %, -31 %  +126 %; -9 %

    beside `SPEED`
    `Words`, not arrays    0; -3 %          +12 %, 0; -21 %, -15 %       +12 %; -15 %
    no wrappers inside     not measured     +69 %; 0                     +111 %; 0
    collector paused       +2 %             +18 %, -4 %                  +10 %

Medians of three (the second series: four) interleaved rounds of `python -m benchmarks.patches`, by Numba 0.68.1 on two
cores that did other work as well: single rounds differ by up to 10 %, so less than 5 % means little.
"""

import functools
import hashlib
import os
import pickle
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from types import FunctionType
from typing import Any
from weakref import WeakKeyDictionary

from llvmlite import binding
from numba import types
from numba.core import cgutils, config, event, postproc, transforms
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _CacheLocator
from numba.core.compiler_lock import global_compiler_lock
from numba.core.typeinfer import TypeInferer
from numba.core.typing.templates import infer_global
from numba.np.arrayobj import make_array, populate_array

from palabre.compile.linking import UNRESOLVED, linked_once, optimised_less

__all__ = ["cgutils", "make_array", "populate_array"]  # and what is defined below

# Classes of states and weights with the names that Numba knows them by. What a class is called depends on it alone.
_qualified_names: WeakKeyDictionary[type, str] = WeakKeyDictionary()


# ------------------------------------------------------------------------------------------------------ the disk cache


class FolderCache(FunctionCache):
    """The compiled code of one kernel in a folder, with a digest in each file.

    Numba notices a file that was cut short, for it cannot be read. But it would run code in which a bit has changed.
    """

    def __init__(self, function: FunctionType, folder: Path) -> None:
        self._impl_class: Any = functools.partial(_InFolder, folder)
        super().__init__(function)
        place = self._impl.locator
        self._cache_file = SealedFiles(place.get_cache_path(), self._impl.filename_base, place.get_source_stamp())


class _InFolder(CompileResultCacheImpl):
    """What is kept of a kernel, and under which name. Numba's own constructor looks for a folder by its settings."""

    def __init__(self, folder: Path, function: FunctionType) -> None:
        self._locator = _Place(folder)
        self._filename_base = file_name(function)

    def check_cachable(self, result: Any) -> bool:
        """Refuse to keep code with addresses of this process in it; it runs nevertheless."""
        unresolved = any(
            variable.is_declaration and variable.name.startswith(UNRESOLVED)
            for variable in result.library._final_module.global_variables
        )
        if unresolved or result.library.has_dynamic_globals:
            raise OSError("it refers to the memory of this process")
        return True


class _Place(_CacheLocator):
    """A folder whose name is a digest of all sources: what is in it is fresh, wherever in which file the kernel is."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return ""

    def get_disambiguator(self) -> str:
        return ""


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


def keep_in(dispatcher: Any, folder: Path) -> Any:
    """Have a dispatcher keep its code in a folder."""
    dispatcher._cache = FolderCache(dispatcher.py_func, folder)
    return dispatcher


def file_name(function: FunctionType) -> str:
    """How the names of the files of a kernel begin."""
    return re.sub(r"[<>]", "", f"{Path(function.__code__.co_filename).stem}.{function.__qualname__}")


def is_kept(function: FunctionType, folder: Path) -> bool:
    """Whether there is code of a kernel in a folder."""
    return (folder / f"{file_name(function)}.nbi").is_file() and any(folder.glob(f"{file_name(function)}.*.nbc"))


# --------------------------------------------------------------------------------------------------------------- typing


def bounds_are_checked() -> bool:
    """Whether compiled code checks the indices of arrays (NUMBA_BOUNDSCHECK=1)."""
    return bool(vars(config)["BOUNDSCHECK"])


def target_processor() -> tuple[str, frozenset[str]]:
    """The name and the features of the processor that is compiled for: this one, or that of NUMBA_CPU_NAME."""
    settings = vars(config)
    name, features = settings["CPU_NAME"], settings["CPU_FEATURES"]
    if features is None:
        known = frozenset(name for name, is_there in binding.get_host_cpu_features().items() if is_there)
    else:
        known = frozenset(word[1:] for word in features.split(",") if word.startswith("+"))
    return name or binding.get_host_cpu_name(), known


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


# ---------------------------------------------------------------------------------------------------------------- speed


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


# The patches that change nothing but speed.
SPEED: tuple[Callable[[], AbstractContextManager[None]], ...] = (
    remembered_calls,
    remembered_recursion,
    without_liveness,
    linked_once,
    optimised_less,
)


def is_stock() -> bool:
    """Whether to do without the patches that only buy speed."""
    return os.environ.get("PALABRE_STOCK_NUMBA", "0") not in ("", "0")


@contextmanager
def patched() -> Iterator[None]:
    """Compile with the patches that only buy speed, unless PALABRE_STOCK_NUMBA is set."""
    with ExitStack() as stack:
        for patch in () if is_stock() else SPEED:
            stack.enter_context(patch())
        yield


# ------------------------------------------------------------------------------------------------------------- progress


class _WhenCompiled(event.Listener):
    def __init__(self, callback: Callable[[str], None]) -> None:
        self._callback = callback

    def on_start(self, begun: Any) -> None:
        pass

    def on_end(self, ended: Any) -> None:
        self._callback(ended.data["dispatcher"].py_func.__qualname__)


@contextmanager
def on_compiled(callback: Callable[[str], None]) -> Iterator[None]:
    """Call back with the qualified name of each function once it has been compiled."""
    with event.install_listener("numba:compile", _WhenCompiled(callback)):
        yield
