"""What counts as called."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools.walks import TRACED, Tracing, walked

TOY = {
    "__init__.py": "",
    "base.py": (
        "def kernel(function):\n    return function\n\n\n"
        "@kernel\ndef fast():\n    pass\n\n\n"
        "class Result:\n    pass\n\n\n"
        "def before():\n    pass\n\n\n"
        "def begin(result):\n    fast()\n    return [inner() for _ in range(2)]\n\n\n"
        "def inner():\n    import palabre.late\n\n\n"
        "def while_importing():\n    pass\n"
    ),
    "late.py": "from palabre.base import while_importing\nwhile_importing()\n",
    "games/__init__.py": "def rule():\n    pass\n",
}
PROGRAM = (
    "from palabre import base, games; base.before(); base.begin(base.Result()); games.rule(); import os; os._exit(0)"
)


def test_functions_count_once_from_the_first_one_on(tmp_path: Path) -> None:
    package = tmp_path / "checkout" / "src" / "palabre"
    for name, source in TOY.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(source, encoding="utf-8")
    (tmp_path / "traces").mkdir()
    tracing = Tracing(tmp_path / "checkout", tmp_path / "traces")
    search = os.pathsep.join([str(TRACED), str(package.parent)])
    environment = {**tracing.environment("begin"), "PYTHONPATH": search}
    subprocess.run([sys.executable, "-c", PROGRAM], env=environment, check=True)
    walk = tracing.walk()
    assert walk.functions == [("base.py", "begin"), ("base.py", "inner")]
    assert walk.processes == [[("base.py", "begin"), ("base.py", "inner")]]
    assert walk.classes == [("palabre.base", "Result")]


@pytest.mark.processes
def test_an_analysis_passes_from_the_command_to_the_search() -> None:
    walk = walked("analyse")
    assert ("cli/analyse.py", "analyse") in walk.functions
    assert ("search/engine.py", "Engine.think") in walk.functions


@pytest.mark.processes
def test_a_move_passes_from_the_server_to_a_worker_and_back() -> None:
    server, *others = walked("move").processes
    assert any(file.startswith("web/") for file, _ in server)
    assert any(("search/engine.py", "Engine.think") in process for process in others)
