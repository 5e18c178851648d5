"""Names of cache folders: they change with everything that decides what compiled code does, and with nothing else."""

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from palabre.compile import cache
from palabre.compile import digest as digests

pytestmark = pytest.mark.processes

RULES = "import helper\nfrom . import near\nfrom .parts import tables\nfrom lonely.deep import thing\n"
TOOLS = "numba 1.2"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A game's folder: rules, what they import from beside them, and a file that nobody imports."""
    sources = {
        "rules.py": RULES,
        "helper.py": "import second\n",
        "second.py": "import helper\n",
        "near.py": "",
        "parts/__init__.py": "",
        "parts/tables.py": "TABLE = 1\n",
        "lonely/deep.py": "thing = 1\n",
        "notes.py": "",
        "numbers.py": "",
    }
    for name, text in sources.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def digest(folder: Path) -> str:
    return digests.digest(digests.kernel_sources([folder / "rules.py"]), TOOLS)


@pytest.mark.parametrize(
    "name", ["rules.py", "helper.py", "second.py", "near.py", "parts/__init__.py", "parts/tables.py", "lonely/deep.py"]
)
def test_an_edit_of_what_takes_part_gives_a_new_digest(name: str, folder: Path) -> None:
    before = digest(folder)
    with (folder / name).open("a") as out:
        out.write("edited = 1\n")
    assert digest(folder) != before


@pytest.mark.parametrize("name", ["notes.py", "numbers.py", "other.txt", "new.py", "deeper/new.py"])
def test_what_nobody_imports_leaves_the_digest(name: str, folder: Path) -> None:
    before = digest(folder)
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text("edited = True\n")
    assert digest(folder) == before


def test_a_neighbour_that_appears_or_goes_gives_a_new_digest(folder: Path) -> None:
    seen = {digest(folder)}
    (folder / "near.py").unlink()
    seen.add(digest(folder))
    (folder / "rules.py").write_text(RULES + "import notes\n")
    seen.add(digest(folder))
    assert len(seen) == 3


def test_two_files_that_change_places_give_a_new_digest(folder: Path) -> None:
    (folder / "near.py").write_text("first = 1\n")
    before = digest(folder)
    (folder / "near.py").write_text("import second\n")
    (folder / "helper.py").write_text("first = 1\n")
    assert digest(folder) != before


def test_numba_settings_and_the_toolchain_take_part(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NUMBA_BOUNDSCHECK", raising=False)
    seen = {digest(folder), digests.digest(digests.kernel_sources([folder / "rules.py"]), "numba 1.3")}
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    seen.add(digest(folder))
    monkeypatch.setenv("NUMBA_OPT", "0")
    seen.add(digest(folder))
    assert len(seen) == 4
    monkeypatch.setenv("UNRELATED", "1")
    assert digest(folder) in seen


def test_a_source_that_imports_itself_or_something_broken_takes_part(folder: Path) -> None:
    """A broken file beside a game may never be imported: `try: import fancy`."""
    (folder / "rules.py").write_text("import rules, broken, binary\n")
    (folder / "broken.py").write_text("print 'Python 2'\n")
    (folder / "binary.py").write_bytes(b"\0\xff")
    expected = {folder / name for name in ("rules.py", "broken.py", "binary.py")}
    assert digests.closure([folder / "rules.py"]) == expected


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"PALABRE_CACHE": "/else/where"}, lambda home: Path("/else/where")),
        ({"PALABRE_CACHE": "~/mine"}, lambda home: home / "mine"),
        ({"PALABRE_CACHE": "", "XDG_CACHE_HOME": "/caches"}, lambda home: Path("/caches/palabre")),
        ({}, lambda home: home / ".cache" / "palabre"),
    ],
)
def test_the_cache_is_where_the_user_wants_it(
    settings: dict[str, str], expected: Callable[[Path], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("PALABRE_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"HOME": str(tmp_path), **settings}.items():
        monkeypatch.setenv(name, value)
    assert cache.root() == expected(tmp_path)


def test_code_that_nobody_used_for_a_month_is_forgotten(tmp_path: Path) -> None:
    old, fresh = tmp_path / "old", tmp_path / "fresh"
    for place in (old, fresh):
        place.mkdir()
        (place / "code.nbc").touch()
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    month, hour = cache.UNUSED_DAYS * 24 * 3600, 3600
    os.utime(old, (time.time() - month - hour,) * 2)
    os.utime(fresh, (time.time() - month + hour,) * 2)
    cache.forget_unused(tmp_path)
    assert not old.exists()
    assert (fresh / "code.nbc").exists()


def kernel_digest(file: str, name: str, package: Path) -> str:
    """The digest of a kernel in this file of ours for a game of ours, with the package at another place."""
    parts = [package / "games" / name / f"{part}.py" for part in ("rules", "endgame", "evaluation")]
    sources = [package / file, *(part for part in parts if part.is_file())]
    return digests.digest(digests.kernel_sources(sources), TOOLS)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of Palabre's sources, to edit."""
    copied = shutil.copytree(digests.PACKAGE, tmp_path / "palabre", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(digests, "PACKAGE", copied)
    return copied


PVS, PERFT = "search/pvs.py", "search/perft.py"


@pytest.mark.parametrize(
    ("edited", "kernel"),
    [
        ("search/pvs.py", PVS),  # a constant or a table of the kernel's own module
        ("search/worker.py", PVS),  # constants that it imports
        ("search/ordering.py", PVS),
        ("core/verbs.py", PERFT),  # defaults of verbs
        ("core/bits.py", PERFT),
        ("core/dice.py", PERFT),
        ("compile/instructions.py", PERFT),
        ("compile/registration.py", PERFT),
        ("games/penguins/rules.py", PERFT),
        ("games/penguins/endgame.py", PVS),  # what an evaluation imports
        ("games/penguins/evaluation.py", PVS),  # hints and evaluations, which verbs find by class
    ],
)
def test_an_edit_of_what_a_kernel_uses_changes_its_digest(edited: str, kernel: str, package: Path) -> None:
    before = kernel_digest(kernel, "penguins", package)
    with (package / edited).open("a", encoding="utf-8") as out:
        out.write("\nEDITED = 1\n")
    assert kernel_digest(kernel, "penguins", package) != before


@pytest.mark.parametrize(
    "edited", ["search/mcts.py", "search/pvs.py", "games/penguins/view.py", "games/awele/rules.py"]
)
def test_an_edit_of_something_else_does_not_change_the_digest_of_perft(edited: str, package: Path) -> None:
    before = kernel_digest(PERFT, "penguins", package)
    with (package / edited).open("a", encoding="utf-8") as out:
        out.write("\nEDITED = 1\n")
    assert kernel_digest(PERFT, "penguins", package) == before


def test_comments_docstrings_and_empty_lines_do_not_count() -> None:
    tree = digests.summary(b'"""Doc."""\nA = 1\ndef f():\n    """Doc."""\n    return A\n')
    assert digests.summary(b"# Comment\n\n\nA = 1  # why\n\n\ndef f():\n    return A\n") == tree
    for other in (b"A = 2\ndef f():\n    return A\n", b"A = 1\ndef f():\n    return A + 0\n"):
        assert digests.summary(other)[0] != tree[0]


def test_summaries_are_read_back_and_a_damaged_file_of_them_is_no_harm(tmp_path: Path) -> None:
    content, file = b"import helper\n", tmp_path / "sources.json"
    first = digests.Summaries(file)
    expected = first.of(content)
    first.save()
    again = digests.Summaries(file)
    assert (again.of(content), again.is_changed) == (expected, False)
    file.write_bytes(file.read_bytes().replace(b"helper", b"helpes"))
    damaged = digests.Summaries(file)
    assert (damaged.of(content), damaged.is_changed) == (expected, True)
