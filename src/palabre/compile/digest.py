"""A digest of every source file that decides what a compiled kernel does.

These are the files of the kernel, of the game's rules, endgame and evaluation, and of this package, and all files of
ours or beside a user's file that those import, directly or not. When in doubt a file is in. A file counts as its syntax
tree without docstrings: editing a comment changes nothing, and editing anything else changes the digest.
"""

import ast
import contextlib
import hashlib
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from palabre.compile import cache
from palabre.core.kernels import KERNELS
from palabre.core.source import parse

PACKAGE = Path(__file__).resolve().parent.parent
OURS = sorted((PACKAGE / "compile").glob("*.py"))
# Settings that change the code which is made.
SETTINGS = ("NUMBA_", "PALABRE_CLOCK", "PALABRE_STOCK_NUMBA")
MOST_SUMMARIES = 2000  # that are kept on disk; then we begin anew

Summary = tuple[str, list[tuple[int, str]]]  # the digest of a syntax tree, and imports: leading dots and a name


class Summaries:
    """The summaries of files by their content, kept on disk: parsing takes longer than all else at the start."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.is_changed = False
        self._known: dict[str, Any] = {}
        with contextlib.suppress(OSError, ValueError):  # there is none yet, or it is damaged
            checksum, _, body = file.read_bytes().partition(b"\n")
            if hashlib.sha256(body).hexdigest().encode() == checksum:
                self._known = json.loads(body)

    def of(self, content: bytes, make: Callable[[], Summary] | None = None) -> Summary:
        """The summary of a content, made here or by `make` if it is not known yet."""
        key = f"{platform.python_version()} {hashlib.sha256(content).hexdigest()}"
        if key not in self._known:
            self._known[key] = summary(content) if make is None else make()
            self.is_changed = True
        tree, imports = self._known[key]
        return tree, [(level, name) for level, name in imports]

    def save(self) -> None:
        """Write them to disk if there are new ones; it is no harm if that fails."""
        if not self.is_changed:
            return
        self.is_changed = False
        if len(self._known) > MOST_SUMMARIES:
            self._known = {}
        body = json.dumps(self._known).encode()
        draft = self.file.with_name(f"{self.file.name}-{os.getpid()}")
        with contextlib.suppress(OSError):
            draft.write_bytes(hashlib.sha256(body).hexdigest().encode() + b"\n" + body)
            draft.replace(self.file)


_summaries: dict[Path, Summaries] = {}  # of each cache that was used; a summary depends on the content of a file alone


def kernel_sources(sources: Iterable[Path]) -> set[Path]:
    """All files that decide what kernels in these sources are compiled to."""
    return closure([*sources, *OURS])


def digest(files: set[Path], toolchain: str) -> str:
    """A name for what this toolchain compiles these files to; they are those of `kernel_sources`."""
    settings = sorted(f"{name}={value}" for name, value in os.environ.items() if name.startswith(SETTINGS))
    python = platform.python_version() + getattr(sys, "abiflags", "")
    return _name_of(files, "\n".join([toolchain, python, *settings]))


def source_digest(sources: Iterable[Path], words: str) -> str:
    """A name for these words and for what these sources, and all that they import, say."""
    return _name_of(closure(sources), words)


def _name_of(files: set[Path], words: str) -> str:
    total = hashlib.sha256(words.encode())
    summaries = _current_summaries()
    for file in sorted(files):
        name = file.relative_to(PACKAGE).as_posix() if file.is_relative_to(PACKAGE) else file.name
        total.update(f"\n{name} {summaries.of(file.read_bytes())[0]}".encode())
    summaries.save()
    return total.hexdigest()[:16]


def refuse_edited(files: set[Path]) -> None:
    """Raise an `OSError` if a file was edited since it was loaded: the code that runs here is not in it.

    A file with kernels was loaded when they were declared, any other no later than the kernels that use it.
    """
    names = {str(file): file.is_relative_to(PACKAGE) for file in files}
    loaded = {kernel.__code__.co_filename: moment for kernel, moment in KERNELS.items()}
    ours, now = min(KERNELS.values()), time.time()
    theirs = max((moment for name, moment in loaded.items() if names.get(name) is False), default=ours)
    for name, is_ours in names.items():
        moment = loaded.get(name, ours if is_ours else theirs)
        if moment < Path(name).stat().st_mtime <= now:
            raise OSError(f"{name} was edited after this program had loaded it")


def closure(sources: Iterable[Path], summary_of: Callable[[Path], Summary] | None = None) -> set[Path]:
    """The sources, the files that they import, and so on: those of Palabre, and those beside a source.

    `summary_of` reads the files of an untrusted author, such as that of a bot.

    What `palabre/__init__.py` imports is left out. It is the library's front door: every import passes it, and no
    kernel is behind it that its caller does not import from its own module.
    """
    waiting = list(sources)
    folders = {file.parent for file in waiting if not file.is_relative_to(PACKAGE)}
    summaries = _current_summaries()
    ours: dict[str, list[Path]] = {}  # most of our files import the same
    files_so_far: set[Path] = set()
    while waiting:
        file = waiting.pop()
        if file in files_so_far:
            continue
        files_so_far.add(file)
        if file != PACKAGE / "__init__.py":
            make = None if summary_of is None or file.is_relative_to(PACKAGE) else partial(summary_of, file)
            for level, name in summaries.of(file.read_bytes(), make)[1]:
                is_ours = level == 0 and name.partition(".")[0] == PACKAGE.name
                waiting += _our_files(name, ours) if is_ours else _files(level, name, file, folders)
    return files_so_far


def _our_files(name: str, known: dict[str, list[Path]]) -> list[Path]:
    """The files of ours that an import of this name may run: those of packages on the way, and that of the module."""
    if name not in known:
        parent = name.rpartition(".")[0]
        known[name] = before = _our_files(parent, known) if parent else []
        if not before or before[-1].name == "__init__.py":  # not a name in a module
            place = PACKAGE.parent.joinpath(*name.split("."))
            known[name] = before + [
                each for each in (place.with_suffix(".py"), place / "__init__.py") if each.is_file()
            ]
    return known[name]


def _files(level: int, name: str, file: Path, folders: set[Path]) -> Iterator[Path]:
    """The files, but for ours, that may be run by an import of this name, with so many leading dots, in this file."""
    first, *rest = name.split(".")
    if level > 0:
        yield from _along(file.parents[level - 1], [first, *rest])
    elif not file.is_relative_to(PACKAGE):
        for folder in {file.parent, *folders}:
            yield from _along(folder, [first, *rest])
            if folder / first != file.parent:
                yield from (folder / first).rglob("*.py")  # none unless it is a folder


def _along(folder: Path, names: list[str]) -> Iterator[Path]:
    """The files of the packages and the module on the way to a module."""
    for place in [folder, *(folder.joinpath(*names[:length]) for length in range(1, len(names) + 1))]:
        if (place != folder or folder.is_relative_to(PACKAGE)) and (place / "__init__.py").is_file():
            yield place / "__init__.py"
        if place.with_suffix(".py").is_file() and place != folder:
            yield place.with_suffix(".py")


def _current_summaries() -> Summaries:
    file = cache.root() / "sources.json"
    if file not in _summaries:
        cache.borrow(file)
        _summaries[file] = Summaries(file)
    return _summaries[file]


def summary(content: bytes) -> Summary:
    """The digest of a file's syntax tree without docstrings, and what the file imports."""
    try:
        tree = parse(content)
    except (SyntaxError, ValueError):  # a neighbour that is not Python, which its importer gets along without
        return hashlib.sha256(content).hexdigest(), []
    imports: set[tuple[int, str]] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imports.update((0, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = f"{node.module}." if node.module else ""
            imports.update((node.level, f"{module}{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node, clean=False):
            del node.body[0]
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest(), sorted(imports)
