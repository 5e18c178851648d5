"""Compiled kernels: `compiled(perft, game)` is `perft` as machine code for one game, kept on disk for the next process.

Only the kernel that is asked for is kept, once per game; the kernels and rules that it calls are part of it.
With NUMBA_DISABLE_JIT=1 everything runs as plain Python.
"""

import logging
import os
import re
import shutil
import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from types import FunctionType
from typing import Any, cast

from palabre.compile import cache, collector
from palabre.compile.preparation import reported, seconds_for
from palabre.core.contract import check_state, is_state
from palabre.core.errors import BadSpec
from palabre.core.game import OPTIONAL, Game
from palabre.core.given import given_instance
from palabre.core.words import say

log = logging.getLogger(__name__)

# Machine code is costly to make, and the same for all who ask for it. It is known by its kernel and classes.
_compiled: dict[tuple[FunctionType, type, tuple[type, ...]], "Compiled"] = {}
_lock = threading.RLock()


def compiled(function: Callable[..., Any], game: Game, *others: type) -> Callable[..., Any]:
    """A kernel as machine code for the states of a game; it is compiled, or loaded from disk, when first called.

    `others` are further NamedTuple classes among its arguments, such as the weights of an evaluation: the files they
    come from are part of the digest as well.
    """
    given_instance("compiled", game, Game, "palabre.game(SPEC) is one")
    if is_disabled():
        return function
    kernel = cast(FunctionType, function)
    with _lock:
        wanted = (kernel, game.state_class, others)
        if wanted not in _compiled:
            _compiled[wanted] = Compiled(kernel, game, *others)
        return _compiled[wanted]


def is_disabled() -> bool:
    """Whether kernels are to run as plain Python."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def integers(values: Iterable[int]) -> Any:
    """Integers that a kernel reads or writes: an array, or a list where kernels run as plain Python."""
    if is_disabled():
        return list(values)
    import numpy as np

    return np.array(list(values), dtype=np.int64)


class Compiled:
    """One kernel for one game."""

    def __init__(self, function: FunctionType, game: Game, *others: type) -> None:
        from palabre.compile.internals import qualify
        from palabre.compile.registration import register_all

        register_all()
        self.function = function
        self.game = game
        self.classes = (game.state_class, *others)
        for named_tuple in self.classes:
            qualify(named_tuple)
        self.is_ready = False
        self.folder = self._find_folder()
        self._dispatcher = self._new_dispatcher()

    def _find_folder(self) -> Path | None:
        """The folder for the code, named after a digest of its sources; None if it cannot be kept."""
        import numba

        from palabre.compile.digest import digest, kernel_sources, refuse_edited

        others = (_file_of(sys.modules[kind.__module__]) for kind in self.classes[1:])
        # Numba's files name these classes. Those of a user's file depend on its place, so equal copies are kept apart.
        names = " ".join(f"{kind.__module__}.{kind.__qualname__}" for kind in self.classes)
        sources = [Path(self.function.__code__.co_filename), *others, *_kernel_files(self.game)]
        try:
            files = kernel_sources(sources)
            refuse_edited(files)
            folder = cache.folder(self.game.facts.name, digest(files, f"numba {numba.__version__} {names}"))
        except OSError as error:
            log.info("the compiled code of %s is not kept: %s", self.game.title, error)
            return None
        try:
            cache.use(folder)
        except OSError as error:
            log.warning("cannot keep compiled code in %s: %s; set PALABRE_CACHE to another folder", folder, error)
            return None
        return folder

    def __call__(self, *arguments: Any) -> Any:
        if not self.is_ready:
            self.prepare(*arguments)
        self._refuse_wide_words(*arguments)
        return self._dispatcher(*arguments)

    def prepare(self, *arguments: Any) -> None:
        """Have the code for arguments like these, without running it."""
        from numba import typeof

        self._refuse_wide_words(*arguments)
        try:
            signature = tuple(typeof(argument) for argument in arguments)
        except ValueError as error:
            raise BadSpec(say("contract.no_words", game=self.game.spec, error=error)) from error
        with _lock:
            if self.folder is not None:
                cache.borrow(self.folder)  # a sandbox may have been emptied since this was made
            is_kept = self.is_kept and self._load(signature)
            if not is_kept:
                self._make(signature)
            self.is_ready = True
            collector.leave_alone(has_litter=not is_kept)

    def _refuse_wide_words(self, *arguments: Any) -> None:
        """Say which field of a state does not fit 64 bits: Numba may compile the kernel anew for unsigned words."""
        for argument in arguments:
            if type(argument) is self.game.state_class and not is_state(self.game.rules, argument):
                check_state(self.game.rules, argument, say("contract.origin.search"))

    @property
    def is_kept(self) -> bool:
        """Whether the code is on disk already."""
        from palabre.compile.internals import is_kept

        return self.folder is not None and is_kept(self.function, self.folder)

    def _load(self, signature: tuple[Any, ...]) -> bool:
        """Load the code from disk; False, and the code is gone from there, if it is damaged."""
        try:
            self._compile(signature)
        except BadSpec:
            raise
        except Exception as damage:  # Numba reads its files with pickle, which raises anything on a damaged one
            log.warning("the compiled code of %s was damaged (%s); making it again", self.game.title, damage)
            shutil.rmtree(cast(Path, self.folder), ignore_errors=True)
            self._dispatcher = self._new_dispatcher()
            return False
        return True

    def _make(self, signature: tuple[Any, ...]) -> None:
        """Compile the kernel, unless another process does so now; then wait for it and load what it has made."""
        from palabre.core.system import locked

        if self.folder is None:
            self._compile_anew(signature)
            return
        try:
            with locked(cache.lock(self.folder, self.function.__qualname__), self._report_waiting):
                if self.is_kept and self._load(signature):
                    return
                self._compile_anew(signature)
        except OSError:  # of the lock: nothing can be kept in this folder, which was logged
            self._compile_anew(signature)

    def _compile_anew(self, signature: tuple[Any, ...]) -> None:
        from palabre.compile.internals import on_compiled

        with reported(self.game.title, self.function, *self.classes) as is_made, on_compiled(is_made):
            self._compile(signature)

    def _report_waiting(self) -> None:
        known = {"fraction": 0.0, "seconds": seconds_for(self.function, *self.classes)}
        log.info("another process is compiling %s; waiting for it…", self.game.title, extra=known)

    def _compile(self, signature: tuple[Any, ...]) -> None:
        from numba.core.errors import NumbaError, UnsupportedBytecodeError

        from palabre.compile.internals import patched

        try:
            with collector.paused(), patched():
                self._dispatcher.compile(signature)
        except (NumbaError, UnsupportedBytecodeError) as error:
            raise BadSpec(say("contract.uncompilable", game=self.game.spec, error=_gist(str(error)))) from error
        except OSError as error:
            # The code is there and runs; only keeping it failed (no space, no permission).
            log.warning("cannot keep compiled code in %s: %s", self.folder, error)

    def _new_dispatcher(self) -> Any:
        """A Numba dispatcher that keeps its code in this game's folder, if it has one."""
        from numba import njit

        from palabre.compile.internals import keep_in
        from palabre.compile.registration import OPTIONS, twin

        dispatcher = njit(**OPTIONS)(twin(self.function))
        return dispatcher if self.folder is None else keep_in(dispatcher, self.folder)


def _kernel_files(game: Game) -> list[Path]:
    """The files with a game's answers to verbs."""
    parts = [game.rules, *(game.part(name) for name in OPTIONAL)]
    return [_file_of(part) for part in parts if part is not None]


def _file_of(module: Any) -> Path:
    return Path(str(module.__file__)).resolve()


def _gist(report: str) -> str:
    """What is wrong by a report of Numba, and where: it begins with the kernel and ends with the culprit."""
    lines = [line.strip() for line in report.splitlines() if line.strip()]
    headings = [place for place, line in enumerate(lines) if "Failed in nopython" in line]
    innermost = lines[headings[-1] + 1 :] if headings else lines
    places = [line.rstrip(":") for line in innermost if line.startswith('File "')]
    plain = re.match(r"Untyped global name '(\w+)':.*<class 'function'>", innermost[0])
    mistake = f"{plain[1]} is a plain function; write @kernel above def {plain[1]}" if plain else innermost[0]
    if "'_replace'" in mistake:
        mistake = "_replace is not compiled; write State(…) with all of its fields"
    return mistake + (f" ({places[0]})" if places else "")
