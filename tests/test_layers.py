"""The shape of the source: imports go one way, kernels live in the layers whose sources name the cache."""

import ast
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import palabre
from palabre.core import cache, registry
from palabre.core.kernels import KERNELS

PACKAGE = Path(palabre.__file__).parent
# A layer may import itself and what stands before it. `core.registry` finds the games, by name, in their folder.
LAYERS = ("core", "games", "endgame", "evaluation", "search", "bots", "arena", "learn", "web", "cli")
GAME_FILES = {"__init__.py", "rules.py", "notation.py", "view.py"}


def modules() -> list[Path]:
    return sorted(file for file in PACKAGE.rglob("*.py") if file.parent != PACKAGE)


def imported_layers(file: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
    return {name.split(".")[1] for name in names if name.startswith("palabre.")} & set(LAYERS)


@pytest.mark.parametrize("file", modules(), ids=lambda file: str(file.relative_to(PACKAGE)))
def test_imports_go_one_way(file: Path) -> None:
    layer = file.relative_to(PACKAGE).parts[0]
    assert layer in LAYERS, f"{layer} is not a layer; say in tests/test_layers.py and docs/map.md where it stands"
    allowed = set(LAYERS[: LAYERS.index(layer) + 1])
    if file.name == "registry.py":
        allowed.add("games")
    assert imported_layers(file) <= allowed


def test_games_do_not_import_each_other() -> None:
    for name in registry.names():
        for file in (PACKAGE / "games" / name).glob("*.py"):
            others = [other for other in registry.names() if f"palabre.games.{other}" in file.read_text("utf-8")]
            assert others in ([], [name])


def test_every_game_has_the_same_files() -> None:
    for name in registry.names():
        assert {file.name for file in (PACKAGE / "games" / name).glob("*.py")} == GAME_FILES


def test_kernels_live_where_the_digest_looks() -> None:
    for found in pkgutil.walk_packages(palabre.__path__, "palabre."):
        importlib.import_module(found.name)
    homes = {Path(function.__code__.co_filename) for function in KERNELS}
    inside = {home.relative_to(PACKAGE).parts[0] for home in homes if home.is_relative_to(PACKAGE)}
    assert inside <= {*cache.KERNEL_LAYERS, "games"}


@pytest.mark.parametrize("name", registry.names())
def test_rules_need_neither_numpy_nor_numba(name: str) -> None:
    code = (
        f"import sys, palabre; position = palabre.game({name!r}).start(); str(position.play(position.moves()[0]));"
        "sys.exit(bool({'numpy', 'numba'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
