"""Rows of a measurement are measured again if, and only if, the code that found them has changed."""

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from palabre.study.measuring import code_of

SHARED = """
def share(number):
    return number / STEPS


STEPS = 2


def unused():
    return 0
"""
MODULE = '''
from experiments.shared import share

NODES = 100
OTHER = 5


class Bot:
    """Plays."""

    def choose(self):
        return share(NODES)


BOTS = {"bot": Bot}


def measure(name):
    return BOTS[name]().choose()


PROSE = ("A sentence.", measure)
'''


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    made = tmp_path / "experiments"
    made.mkdir()
    (made / "__init__.py").touch()
    sys.path.insert(0, str(tmp_path))
    yield made
    sys.path.remove(str(tmp_path))
    _forget()


def _forget() -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "experiments"]:
        del sys.modules[name]


def code(folder: Path, module: str = MODULE, shared: str = SHARED) -> str:
    (folder / "shared.py").write_text(shared)
    (folder / "trial.py").write_text(module)
    _forget()
    importlib.invalidate_caches()
    return code_of(_imported(folder / "trial.py").measure)


def _imported(file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("experiments.trial", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("old", "new"),
    [("choose()", "choose() + 1"), ("NODES = 100", "NODES = 200"), ("share(NODES)", "share(2)"), ("Bot}", "object}")],
)
def test_other_code_is_told_apart(folder: Path, old: str, new: str) -> None:
    assert code(folder, MODULE.replace(old, new)) != code(folder)


def test_what_is_imported_from_another_experiment_counts(folder: Path) -> None:
    assert code(folder, shared=SHARED.replace("/", "*")) != code(folder)
    assert code(folder, shared=SHARED.replace("STEPS = 2", "STEPS = 3")) != code(folder)


@pytest.mark.parametrize(
    ("old", "new"), [("A sentence.", "Another."), ("OTHER = 5", "OTHER = 6"), ("NODES = 100", "NODES = 100  # nodes")]
)
def test_prose_and_what_is_not_used_do_not_count(folder: Path, old: str, new: str) -> None:
    assert code(folder, MODULE.replace(old, new)) == code(folder)
    assert code(folder, shared=SHARED.replace("return 0", "return 1")) == code(folder)
