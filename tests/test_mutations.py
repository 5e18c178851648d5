"""The deliberate mistakes in tools/mutations: `make mutations` runs them, here they are only looked at."""

import ast
from collections import Counter
from pathlib import Path

import pytest

from tests.test_layers import FOLDERS, LAYERS
from tools.mutations import __main__ as command
from tools.mutations.patches import BadPatch, Mutation, all_mutations, apply, read_patch
from tools.mutations.tree import NEVER_ENDS, ROOT, Outcome

MUTATIONS = all_mutations()
HEADER = "Breaks: nothing\nLayer: core\nCaught-by: tests/test_mutations.py\nRun: plain\n"
PATCH = "\ndiff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n"


def mutation(folder: Path, text: str = HEADER + PATCH) -> Mutation:
    (folder / "mine.patch").write_text(text, encoding="utf-8")
    return read_patch(folder / "mine.patch")


@pytest.mark.parametrize("one", MUTATIONS, ids=lambda one: one.name)
def test_every_patch_still_applies(one: Mutation) -> None:
    apply(one, ROOT, "--check")


@pytest.mark.parametrize("one", MUTATIONS, ids=lambda one: one.name)
def test_the_tests_that_a_patch_names_exist(one: Mutation) -> None:
    for named in one.caught_by:
        file, _, function = named.partition("::")
        assert (ROOT / file).exists(), file
        if function:
            tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
            functions = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
            assert function.partition("[")[0] in functions, named


def test_every_layer_is_broken_somewhere() -> None:
    counts = Counter(one.layer for one in MUTATIONS)
    assert counts.keys() == {*LAYERS, *FOLDERS, "ugi", "games"}
    assert counts.total() >= 40
    broken_games = {Path(file).parts[3] for one in MUTATIONS for file in one.changed if one.layer == "games"}
    assert broken_games == {folder.name for folder in (ROOT / "src/palabre/games").iterdir() if folder.is_dir()} - {
        "__pycache__"
    }


@pytest.mark.parametrize(
    "text", [PATCH, HEADER, HEADER.replace("Run: plain", "Run: fast") + PATCH, HEADER.replace("core", "") + PATCH]
)
def test_a_patch_without_a_header_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(BadPatch, match=r"mine\.patch"):
        mutation(tmp_path, text)


def test_a_patch_changes_the_tree_and_back_or_is_named(tmp_path: Path) -> None:
    one, file = mutation(tmp_path), tmp_path / "a.txt"
    file.write_text("one\n", encoding="utf-8")
    apply(one, tmp_path, "--check")
    assert file.read_text(encoding="utf-8") == "one\n"
    apply(one, tmp_path)
    assert file.read_text(encoding="utf-8") == "two\n"
    with pytest.raises(BadPatch, match=r"mine\.patch does not apply"):
        apply(one, tmp_path)
    apply(one, tmp_path, "--reverse")
    assert file.read_text(encoding="utf-8") == "one\n"


class Scripted:
    """A tree in which the tests do as the script says."""

    def __init__(self, folder: Path, failures: list[str | None]) -> None:
        self.folder, self.failures = folder, failures
        self.asked: list[list[str]] = []

    def test(self, tests: list[str], run: str) -> Outcome:
        self.asked.append(list(tests))
        return Outcome(self.failures.pop(0), "")


@pytest.mark.parametrize(
    ("failures", "noticed"),
    [
        (["t.py::a"], "t.py::a"),
        ([None, "t.py::b"], "t.py::b (not among those named)"),
        ([None, None], command.SURVIVES),
        ([NEVER_ENDS], NEVER_ENDS),
        ([None, NEVER_ENDS], command.SURVIVES),
    ],
)
def test_the_tests_named_are_asked_first_and_then_their_folder(
    failures: list[str | None], noticed: str, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("one\n", encoding="utf-8")
    tree = Scripted(tmp_path, list(failures))
    assert command.notice(tree, mutation(tmp_path)) == noticed  # type: ignore[arg-type]
    assert tree.asked == [["tests/test_mutations.py"], ["tests"]][: len(failures)]
    assert (tmp_path / "a.txt").read_text(encoding="utf-8") == "one\n"


def test_tests_that_fail_without_a_mistake_catch_nothing(tmp_path: Path) -> None:
    tree = Scripted(tmp_path, ["t.py::a"])
    with pytest.raises(BadPatch, match=r"t\.py::a fails without any patch"):
        command.check_baseline(tree, [mutation(tmp_path)])  # type: ignore[arg-type]
