"""The page's modules that need no browser: Node runs their tests, which lie beside this file."""

import os
import subprocess
from pathlib import Path

import pytest

import palabre
from tests.programs import cannot_run
from tools.page import Missing, find

FILES = sorted(Path(__file__).parent.glob("*.test.js"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.removesuffix(".test.js"))
def test_modules_do_what_their_tests_say(file: Path) -> None:
    try:
        node = find("node")
    except Missing as missing:
        cannot_run(str(missing))
    settings = {name: value for name, value in os.environ.items() if not name.startswith("NODE_")}
    command = [node, "--test", "--test-reporter=spec", str(file)]
    done = subprocess.run(command, env=settings, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout
    assert "\nℹ fail 0\n" in done.stdout


def test_every_pure_module_is_tested() -> None:
    tested = {file.name.removesuffix(".test.js") for file in FILES}
    assert {"geometry", "line", "motion", "paths", "place", "tree"} <= tested


def test_every_module_asks_editors_for_its_types() -> None:
    modules = sorted((Path(palabre.__file__).parent / "web" / "static").glob("*.js"))
    assert len(modules) > 30
    assert [file.name for file in modules if not file.read_text(encoding="utf-8").startswith("// @ts-check\n")] == []
