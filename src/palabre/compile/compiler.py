"""Compiled kernels: `compiled(perft, game)` is `perft` as machine code for one game, kept on disk for the next process.

Only the kernel that is asked for is kept, once per game; the kernels and rules that it calls are part of it.
With NUMBA_DISABLE_JIT=1 everything runs as plain Python.
"""

import gc
import logging
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from types import FunctionType
from typing import Any, cast

from palabre.compile import cache
from palabre.core.errors import BadSpec
from palabre.core.game import Game

log = logging.getLogger(__name__)

_compiled: dict[tuple[FunctionType, type, tuple[type, ...]], "Compiled"] = {}
_lock = threading.RLock()


def compiled(function: Callable[..., Any], game: Game, *others: type) -> Callable[..., Any]:
    """A kernel as machine code for the states of a game; it is compiled, or found on disk, when first called.

    `others` are further NamedTuple classes among its arguments, such as the weights of an evaluation: where they come
    from is part of the digest, too.
    """
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


def words(values: Iterable[int]) -> Any:
    """Integers that a kernel reads or writes: an array, or a list where kernels run as plain Python."""
    if is_disabled():
        return list(values)
    import numpy as np

    return np.array(list(values), dtype=np.int64)


class Compiled:
    """One kernel for one game."""

    def __init__(self, function: FunctionType, game: Game, *others: type) -> None:
        import numba

        from palabre.compile import native

        native.register_all()
        for named_tuple in (game.state_class, *others):
            native.qualify(named_tuple)
        self.function = function
        self.game = game
        self.is_ready = False
        homes = [function.__code__.co_filename, *(str(sys.modules[other.__module__].__file__) for other in others)]
        sources = [*game.sources(), *(Path(home).resolve() for home in homes)]
        # Numba's files name these modules; those of a user's file depend on its place, so equal copies are kept apart.
        modules = " ".join(kind.__module__ for kind in (game.state_class, *others))
        self.folder = cache.folder(game.facts.name, sources, f"numba {numba.__version__} {modules}")
        self._dispatcher = self._new_dispatcher()

    def __call__(self, *arguments: Any) -> Any:
        if not self.is_ready:
            self.prepare(*arguments)
        return self._dispatcher(*arguments)

    def prepare(self, *arguments: Any) -> None:
        """Have the code for arguments like these, without running it."""
        from numba import typeof

        try:
            signature = tuple(typeof(argument) for argument in arguments)
        except ValueError as error:
            raise BadSpec(f"{self.game.spec}: a state must be a tuple of 64-bit integers: {error}") from error
        with _lock:
            is_kept = self.is_kept
            if not is_kept:
                log.info("preparing %s (%s) for this processor, once…", self.game.title, self.function.__name__)
            try:
                self._compile(signature)
            except BadSpec:
                raise
            except Exception as damage:
                # Numba reads its files back with pickle, which raises anything on a damaged one.
                if not is_kept:
                    raise
                log.warning("the compiled code of %s was damaged (%s); making it again", self.game.title, damage)
                shutil.rmtree(self.folder, ignore_errors=True)
                self._dispatcher = self._new_dispatcher()
                self._compile(signature)
            self.is_ready = True
            freeze_collector(has_litter=not is_kept)

    @property
    def is_kept(self) -> bool:
        """Whether the code is on disk already."""
        return any(self.folder.rglob(f"*.{self.function.__qualname__}-*.nbi"))

    def _compile(self, signature: tuple[Any, ...]) -> None:
        from numba.core.errors import NumbaError, UnsupportedBytecodeError

        try:
            self._dispatcher.compile(signature)
        except (NumbaError, UnsupportedBytecodeError) as error:
            raise BadSpec(f"{self.game.spec}: its rules cannot be compiled: {_gist(str(error))}") from error
        except OSError as error:
            # The code is there and runs; only keeping it failed (no space, no permission).
            log.warning("cannot keep compiled code in %s: %s", self.folder, error)

    def _new_dispatcher(self) -> Any:
        """A Numba dispatcher that keeps its code in this game's folder, or nowhere if that cannot be written to."""
        from numba import njit
        from numba.core import config

        from palabre.compile import native
        from palabre.compile.sealed import seal

        twin = native.twin(self.function)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            os.utime(self.folder)  # used today
            probe = self.folder / f"probe-{os.getpid()}"
            probe.touch()
            probe.unlink()
            cache.forget_unused(self.folder.parent)
        except OSError as error:
            log.warning("cannot keep compiled code in %s: %s; set PALABRE_CACHE to another folder", self.folder, error)
            return njit(**native.OPTIONS)(twin)
        settings: Any = config  # Numba's settings are not declared to type checkers
        before, settings.CACHE_DIR = settings.CACHE_DIR, str(self.folder)
        try:
            return seal(njit(cache=True, **native.OPTIONS)(twin))
        finally:
            settings.CACHE_DIR = before


def freeze_collector(has_litter: bool) -> None:
    """Have Python's garbage collector leave all objects there are now alone, after it has swept up among them.

    Numba lives on with hundreds of thousands of objects. To look through them takes a fifth of a second, which may fall
    into any search and make it as late.
    """
    if has_litter:
        gc.collect()
    gc.freeze()


def _gist(report: str) -> str:
    """What a Numba report says is wrong, and where: it begins with the kernel and ends its way down in the culprit."""
    lines = [line.strip() for line in report.splitlines() if line.strip()]
    headings = [place for place, line in enumerate(lines) if "Failed in nopython" in line]
    innermost = lines[headings[-1] + 1 :] if headings else lines
    places = [line.rstrip(":") for line in innermost if line.startswith('File "')]
    return innermost[0] + (f" ({places[0]})" if places else "")
