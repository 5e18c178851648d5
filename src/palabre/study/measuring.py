"""Measurements: a function called case by case, here, in other processes or on a cluster, whose rows are kept.

A file of rows has a digest of what decides them: the function and all that it uses of its own package, the game, the
observations that it learns from. Rows of another digest are measured again.
"""

import ast
import contextlib
import hashlib
import importlib
import inspect
import json
import sys
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import as_completed
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from palabre import __version__
from palabre.arena.parcels import Parcels
from palabre.core import registry
from palabre.core.database import lock_file
from palabre.core.files import replace_file
from palabre.core.game import Game
from palabre.core.observations import Cells, Observation, from_cells
from palabre.core.system import usable_cores
from palabre.core.words import say
from palabre.study.experiment import Measurement
from palabre.study.results import read_rows
from palabre.workers.calls import calls
from palabre.workers.cluster.archives import SENT, files_below, pack

Case = Mapping[str, Any]
Report = Callable[[int, int, float | None], None]  # gets what is done, what is scheduled, and the seconds left
Lessons = Sequence[Cells] | None  # the rows of the observations for a measurement that learns


def measure(
    step: Measurement,
    game: Game,
    file: Path,
    workers: int | None = 0,
    on: str | None = None,
    report: Report = lambda done, cases, seconds_left: None,
    *,
    quick: bool = False,
    observations: Sequence[Observation] = (),
) -> None:
    """Measure the cases that are missing in a file: all of them if the sources have changed since."""
    cases = list((step.quick or step.cases[:1]) if quick else step.cases)
    with lock_file(file, say("experiment.in_use", file=file)):
        lessons = [one.cells for one in observations] if step.learns else None
        kept, digest = read_rows(file), _digest(step, game, lessons or ())
        known = {_key(one["case"]): one for one in kept["rows"] if kept["digest"] == digest}
        missing = [case for case in cases if _key(case) not in known]

        def keep() -> None:
            done = [known[_key(case)] for case in cases if _key(case) in known]
            replace_file(file, json.dumps({"digest": digest, "rows": done}, indent=1) + "\n")

        keep()  # without cases that the step no longer has
        begin: float | None = None  # when the first case was done, which may have been compiled
        with contextlib.closing(_measured(step, game, missing, workers, lessons, on)) as measured:
            for number, (case, row) in enumerate(measured):
                known[_key(case)] = {"case": dict(case), "found": dict(row)}
                keep()
                left, now = len(missing) - number - 1, time.monotonic()
                report(len(cases) - left, len(cases), None if begin is None else (now - begin) / number * left)
                begin = begin or now


def _measured(
    step: Measurement, game: Game, cases: Sequence[Case], workers: int | None, lessons: Lessons, on: str | None
) -> Generator[tuple[Case, Case]]:
    """Each case with its row, as it is measured."""
    if not cases:
        return
    yield cases[0], call(step.measure, cases[0], game.spec, lessons)  # compiles, for the other processes
    processes = usable_cores() if workers is None else workers
    if step.is_timed or len(cases) < 3 or (processes <= 1 and on is None):
        for case in cases[1:]:
            yield case, call(step.measure, case, game.spec, lessons)
        return
    module, folder, package = _package(step.measure)
    place, spec, parcels = str(folder), game.spec, Parcels()
    if on is not None:
        archive = pack(package)
        digest = hashlib.sha256(archive).hexdigest()
        place, spec, parcels.archives[digest] = f"{SENT}/{digest}", parcels.game(spec), archive
    with calls(processes, on, parcels.archives) as submit:
        function = (place, module, step.measure.__name__)
        running = {submit(call_there, *function, dict(case), spec, lessons): case for case in cases[1:]}
        for done in as_completed(running):
            yield running[done], done.result()


def call(function: Callable[..., Case], case: Case, spec: str, lessons: Lessons) -> Case:
    """Measure a case; a function that learns also gets the observations."""
    if lessons is None:
        return function(**case)
    return function(**case, observations=from_cells(registry.game(spec), lessons))


def call_there(folder: str, module: str, name: str, case: Case, spec: str, lessons: Lessons) -> Case:
    """Measure a case in another process, or on another machine; the module of the function is below the folder."""
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return call(getattr(importlib.import_module(module), name), case, spec, lessons)


def _package(function: Callable[..., Any]) -> tuple[str, Path, dict[str, Path]]:
    """The module of a function, the folder that it is imported from, and the files of its package or single file."""
    source = Path(inspect.getfile(function)).resolve()
    module = source.stem if function.__module__ == "__main__" else function.__module__
    package, *inner = module.split(".")
    if not inner and source.name != "__init__.py":
        return module, source.parent, {source.name: source}
    folder = Path(inspect.getfile(sys.modules[package])).resolve().parent
    return module, folder.parent, files_below(folder, f"{package}/")


def _digest(step: Measurement, game: Game, rows: Sequence[Cells]) -> str:
    """A digest of what decides the rows: the code that measures, what it learns from, the game and our version."""
    from palabre.compile.digest import source_digest  # slow to import, and not needed to list experiments

    return source_digest(game.sources(), json.dumps([__version__, game.spec, code_of(step.measure), *rows]))


def _key(case: Case) -> str:
    return json.dumps(dict(case), sort_keys=True)


def code_of(function: Callable[..., Any]) -> str:
    """A function and all that it names of its own package, as text without comments and layout.

    The prose beside it is not part of it: a corrected sentence is no reason to measure again.
    """
    package = function.__module__.partition(".")[0]
    parts: dict[str, str] = {}
    waiting, seen = [(function.__module__, function.__name__)], set[tuple[str, str]]()
    while waiting:
        place = module, name = waiting.pop()
        if place in seen:
            continue
        seen.add(place)
        statement, used = _definitions(sys.modules[module]).get(name), vars(sys.modules[module]).get(name)
        if statement is not None:
            parts[f"{module}.{name}"] = ast.dump(statement)
            waiting += [(module, node.id) for node in ast.walk(statement) if isinstance(node, ast.Name)]
        elif (inspect.isroutine(used) or inspect.isclass(used)) and str(used.__module__).partition(".")[0] == package:
            waiting.append((used.__module__, used.__name__))
    return "\n".join(f"{name} {parts[name]}" for name in sorted(parts))


@cache
def _definitions(module: ModuleType) -> dict[str, ast.stmt]:
    """The statements of a module that define functions, classes and constants, by name."""
    defined: dict[str, ast.stmt] = {}
    for statement in ast.parse(inspect.getsource(module)).body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            defined[statement.name] = statement
        elif isinstance(statement, ast.Assign):
            defined |= {target.id: statement for target in statement.targets if isinstance(target, ast.Name)}
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            defined[statement.target.id] = statement
    return defined
