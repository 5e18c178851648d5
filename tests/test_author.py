"""The public module for authors of games: it has all they need, costs nothing, and is what they are shown."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import palabre
from palabre import author, study
from palabre.core.kernels import VERBS

ROOT = Path(__file__).parent.parent
PACKAGE = Path(palabre.__file__).parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
# What people copy and begin from.
SOURCES = [
    PACKAGE / "laws" / "template.py",
    *sorted((PACKAGE / "bots" / "templates").glob("*.py")),
    *sorted((ROOT / "examples").rglob("*.py")),
]
PUBLIC = {
    "palabre": {"", "author", "study", *palabre.__all__},
    "palabre.author": {"", *author.__all__},
    "palabre.study": {"", *study.__all__},
}
IMPORT = re.compile(r"^(?:>>> )?(?:from palabre[\w.]* import (?:\([^)]*\)|.*)|import palabre.*)$", re.MULTILINE)


def imported(source: str) -> Iterator[tuple[str, str]]:
    """The modules of Palabre that a source imports, each with a name that it takes from there, or with none."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names if alias.name.split(".")[0] == "palabre")
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "palabre":
            yield from ((str(node.module), alias.name) for alias in node.names)


def is_public(module: str, name: str) -> bool:
    """Whether the API has a name. The parts of our games may be used in a game, with the version noted."""
    return module.startswith("palabre.games.") or name in PUBLIC.get(module, ())


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: file.name)
def test_templates_and_examples_import_only_what_is_public(file: Path) -> None:
    found = list(imported(file.read_text(encoding="utf-8")))
    assert found or file.name == "__init__.py" or "bots" in file.parts
    assert [each for each in found if not is_public(*each)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_documents_import_only_what_is_public(page: Path) -> None:
    for shown in IMPORT.findall(page.read_text(encoding="utf-8")):
        for module, name in imported(shown.removeprefix(">>> ")):
            assert is_public(module, name), f"{module}.{name}"


def test_it_has_every_verb_and_loads_neither_numpy_nor_numba() -> None:
    assert set(VERBS) <= set(author.__all__)
    for name in author.__all__:
        assert getattr(author, name) is not None
    with pytest.raises(AttributeError, match="chess"):
        author.chess  # noqa: B018
    code = (
        "import sys, palabre.author as author; [getattr(author, name) for name in author.__all__];"
        "loaded = {name.split('.')[1] for name in sys.modules if name.startswith('palabre.')};"
        "sys.exit(str(loaded - {'author', 'core', 'games'} or {'numpy', 'numba'} & set(sys.modules) or ''))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == ""
