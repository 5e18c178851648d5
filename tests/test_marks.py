"""The marks by which `make` chooses tests, and that the fast ones touch every layer."""

import ast
import asyncio
import itertools
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import conftest
from tests.conftest import (
    no_running_loop,
    pytest_collection_modifyitems,
    pytest_ignore_collect,
    pytest_xdist_auto_num_workers,
)
from tests.test_layers import FOLDERS, LAYERS

TESTS = Path(__file__).parent
MAKEFILE = (TESTS.parent / "Makefile").read_text(encoding="utf-8")
# What is tested elsewhere than in the folder of its name.
ELSEWHERE = {"endgame": "games/penguins/test_endgame.py"}
MARK = re.compile(r"mark\.(\w+)")


def chosen(name: str) -> str:
    """An expression of marks in the Makefile."""
    found = re.search(rf'^{name} := -m "(.*)"$', MAKEFILE, re.MULTILINE)
    assert found is not None
    return found[1]


def marks_of(node: ast.AST) -> set[str]:
    """The marks that stand in a piece of source."""
    return set(MARK.findall(ast.unparse(node)))


def quick_tests(file: Path) -> list[str]:
    """The tests of a file that `make quick` runs, by their marks alone."""
    excluded = set(re.findall(r"not (\w+)", chosen("QUICK"))) | {"skipif"}
    tree = ast.parse(file.read_text(encoding="utf-8"))
    of_file = {
        mark
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark"
        for mark in marks_of(node.value)
    }
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    return [
        each.name
        for each in functions
        if not excluded & of_file.union(*(marks_of(decorator) for decorator in each.decorator_list))
    ]


@pytest.mark.parametrize("layer", [*LAYERS, *FOLDERS, "ugi", "games"])
def test_every_layer_has_fast_tests(layer: str) -> None:
    place = TESTS / ELSEWHERE.get(layer, layer)
    assert any(quick_tests(file) for file in ([place] if place.is_file() else place.rglob("test_*.py")))


def test_slow_tests_are_not_counted_as_fast() -> None:
    assert not quick_tests(TESTS / "cli" / "test_match.py")
    assert quick_tests(TESTS / "cli" / "test_clocks.py")


def test_the_makefile_names_marks_that_exist(pytestconfig: pytest.Config) -> None:
    known = {re.split(r"[:(]", line)[0] for line in pytestconfig.getini("markers")}
    for name in ("QUICK", "AS_PLAIN_PYTHON", "WITH_BOUNDS_CHECKS"):
        assert set(re.findall(r"\w+", chosen(name))) - {"not", "and"} <= known


def test_no_list_of_tests_is_kept_by_hand() -> None:
    """The marks choose them; a list would forget the next test."""
    assert not re.search(r"--(ignore|deselect)|\s-k\s", MAKEFILE)


@pytest.mark.parametrize(
    ("expression", "workers"),
    [("not ray", 3), *((chosen(name), 2) for name in ("QUICK", "AS_PLAIN_PYTHON", "WITH_BOUNDS_CHECKS"))],
)
def test_there_are_more_workers_than_processors_where_tests_wait(
    monkeypatch: pytest.MonkeyPatch, expression: str, workers: int
) -> None:
    monkeypatch.setattr(conftest, "usable_cores", lambda: 2)
    config = SimpleNamespace(option=SimpleNamespace(markexpr=expression))
    assert pytest_xdist_auto_num_workers(config) == workers  # type: ignore[arg-type]


def is_ignored(path: Path, expression: str) -> bool:
    config = SimpleNamespace(option=SimpleNamespace(markexpr=expression))
    return bool(pytest_ignore_collect(path, config))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("expression", "ignored"),
    [
        ("", []),
        ("not ray", []),
        ("kernels and not slow", ["plain.py", "slow.py"]),
        ("not slow", ["slow.py"]),
        ("not browser and not slow", ["browser", "slow.py"]),
        ("kernels or not slow", []),
    ],
)
def test_only_files_without_any_test_to_run_are_left_unread(
    expression: str, ignored: list[str], tmp_path: Path
) -> None:
    (tmp_path / "browser").mkdir()
    (tmp_path / "plain.py").write_text("def test(): ...\n", encoding="utf-8")
    (tmp_path / "kernels.py").write_text("@pytest.mark.kernels\n@pytest.mark.slow\ndef test(): ...\n", encoding="utf-8")
    (tmp_path / "slow.py").write_text("pytestmark = [pytest.mark.slow, other]\n", encoding="utf-8")
    assert [path.name for path in sorted(tmp_path.iterdir()) if is_ignored(path, expression)] == ignored


def test_the_order_of_tests_is_drawn_from_a_seed_and_files_stay_together() -> None:
    items = [SimpleNamespace(path=Path(f"{file}.py"), number=number) for file in "abcdef" for number in range(9)]

    def order(seed: int | None) -> list[tuple[str, int]]:
        shuffled = list(items)
        config = SimpleNamespace(option=SimpleNamespace(order_seed=seed))
        pytest_collection_modifyitems(config, shuffled)  # type: ignore[arg-type]
        return [(item.path.stem, item.number) for item in shuffled]

    usual = order(None)
    assert usual == [(item.path.stem, item.number) for item in items]
    assert order(1) == order(1) != order(2)
    assert sorted(order(1)) == sorted(usual)
    files = [file for file, _ in order(1)]
    assert sum(one != other for one, other in itertools.pairwise(files)) == 5
    assert files != [file for file, _ in usual]
    assert [number for file, number in order(1) if file == "a"] != list(range(9))


def test_the_event_loop_of_a_browser_is_in_no_other_test_s_way() -> None:
    async def answer() -> int:
        with no_running_loop():
            return asyncio.run(asyncio.sleep(0, 7))

    assert asyncio.run(answer()) == 7
