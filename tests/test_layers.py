"""The shape of the source: imports go one way, and a game is whole in its folder."""

import ast
import io
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest

import palabre
from palabre.bots.templates import TEMPLATES
from palabre.core import registry
from palabre.core.words import LANGUAGES

PACKAGE = Path(palabre.__file__).parent
# A layer may import itself and what stands before it.
LAYERS = (
    "core",
    "compile",
    "draw",
    "endgame",
    "evaluation",
    "search",
    "bots",
    "play",
    "workers",
    "sandbox",
    "arena",
    "learn",
    "web",
    "cli",
)
# Files beside the folders, each with its layer.
TOP = {"author.py": "core"}
# Folders that are no layer of their own, and the layer that they belong to.
FOLDERS = {"laws": "evaluation", "environments": "arena", "study": "arena"}
# Files that belong to another layer than their name or their folder says.
FILES = {
    "games": {
        "__init__.py": "core",
        "rules.py": "core",
        "notation.py": "core",
        "view.py": "core",
        "observations.py": "core",
        "features.py": "evaluation",
        "training.py": "learn",
    },
    "ugi": {"__init__.py": "core", "protocol.py": "bots", "client.py": "bots", "engine.py": "play"},
    "laws": {"apart.py": "workers", "first_use.py": "workers"},
}
# Where core looks up, each for a reason that the file states.
LOOKS_UP = {"core/registry.py": {"games"}, "core/position.py": {"draw"}, "bots/specs.py": {"workers"}}
NEEDED_FILES = {
    *("__init__.py", "rules.py", "notation.py", "view.py"),
    *(name.format(language) for name in ("words/{}.toml", "rules.{}.md", "lessons.{}.md") for language in LANGUAGES),
}
OPTIONAL_FILES = {
    "endgame.py",
    "evaluation.py",
    "features.py",
    "calibration.json",
    "observations.py",
    "bots.py",
    "training.py",
}


def modules() -> list[Path]:
    return sorted(file for file in PACKAGE.rglob("*.py") if file.parent != PACKAGE or file.name in TOP)


def layer_of(file: Path) -> str:
    """The layer that a file belongs to."""
    if file.parent == PACKAGE:
        return TOP[file.name]
    folder, *_, name = file.relative_to(PACKAGE).parts
    if name in FILES.get(folder, {}):
        return FILES[folder][name]
    return name.removesuffix(".py") if folder == "games" else FOLDERS.get(folder, folder)


def imported_modules(file: Path) -> set[str]:
    """The modules of Palabre that a file imports, by full name."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
    return {name for name in names if name.startswith("palabre.")}


def imported_layers(file: Path) -> set[str]:
    found = set()
    for name in imported_modules(file):
        name = palabre._HOMES.get(name.removeprefix("palabre."), name)  # what is imported by the front door
        path = PACKAGE.joinpath(*name.split(".")[1:]).with_suffix(".py")
        if path.is_file():
            found.add(layer_of(path))
        elif name.split(".")[1] in LAYERS:
            found.add(name.split(".")[1])
    return found


@pytest.mark.parametrize("file", modules(), ids=lambda file: str(file.relative_to(PACKAGE)))
def test_imports_go_one_way(file: Path) -> None:
    layer = layer_of(file)
    if file == PACKAGE / "games" / "__init__.py":
        return
    assert layer in LAYERS, f"{layer} is not a layer; say in tests/test_layers.py and docs/map.md where it stands"
    allowed = set(LAYERS[: LAYERS.index(layer) + 1]) | LOOKS_UP.get(file.relative_to(PACKAGE).as_posix(), set())
    assert imported_layers(file) <= allowed


def test_games_do_not_import_each_other() -> None:
    for name in registry.names():
        for file in (PACKAGE / "games" / name).rglob("*.py"):
            others = {module.split(".")[2] for module in imported_modules(file) if module.startswith("palabre.games.")}
            assert others <= {name}


def test_games_take_what_is_in_core_from_the_module_for_authors() -> None:
    for name in registry.names():
        for file in (PACKAGE / "games" / name).rglob("*.py"):
            if layer_of(file) in ("core", "endgame", "evaluation"):
                own, known = f"palabre.games.{name}", {f"palabre.{public}" for public in palabre.__all__}
                others = {module for module in imported_modules(file) if not module.startswith(own)} - known
                assert {".".join(module.split(".")[:2]) for module in others} <= {"palabre.author"}, file


def test_every_game_has_the_same_files() -> None:
    for name in registry.names():
        folder = PACKAGE / "games" / name
        files = [file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts]
        found = {file.relative_to(folder).as_posix() for file in files}
        assert found >= NEEDED_FILES
        nets = {f"{preset}.net" for preset in registry.facts(name).presets}
        assert found <= NEEDED_FILES | OPTIONAL_FILES | nets


def words_of(file: Path) -> set[str]:
    """The identifiers of a file, and the words in its strings; neither comments nor docstrings."""
    source = file.read_text(encoding="utf-8")
    tree = ast.parse(source)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    docstrings = {
        node.body[0].lineno
        for node in ast.walk(tree)
        if isinstance(node, documented) and ast.get_docstring(node, clean=False) is not None
    }
    words: set[str] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NAME or (token.type == tokenize.STRING and token.start[0] not in docstrings):
            words.update("".join(sign if sign.isalnum() else " " for sign in token.string.lower()).split())
    return words


# Examples in help texts, which name a game so that people see what a spec looks like.
EXAMPLES = {"cli/check.py", "cli/output.py", "cli/bots.py", "core/registry.py", "cli/match.py", "cli/play.py"}
EXAMPLES |= {f"bots/templates/{name}.py" for name in TEMPLATES}


@pytest.mark.parametrize(
    "file",
    [file for file in modules() if "games" not in file.relative_to(PACKAGE).parts],
    ids=lambda file: str(file.relative_to(PACKAGE)),
)
def test_outside_their_folders_nothing_names_a_game(file: Path) -> None:
    if file.relative_to(PACKAGE).as_posix() not in EXAMPLES:
        assert not words_of(file) & set(registry.names())


@pytest.mark.parametrize("name", registry.names())
def test_rules_need_neither_numpy_nor_numba(name: str) -> None:
    code = (
        f"import sys, palabre; position = palabre.game({name!r}).start(); str(position.play(position.moves()[0]));"
        "sys.exit(bool({'numpy', 'numba'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
