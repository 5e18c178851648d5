"""What the documents show, runs: Python examples, commands, links, and the game in docs/adding_a_game.md."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import palabre
from palabre.core import registry
from palabre.draw import svg

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
GAME_HEADINGS = ["Rules", "Specs", "Moves", "Positions", "End and result", "Inside"]


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of a page in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_examples_run(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    examples = "\n".join(block for block in blocks(page, "python") if ">>>" in block)
    test = doctest.DocTestParser().get_doctest(examples, {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    complaints: list[str] = []
    runner.run(test, out=complaints.append)
    assert runner.failures == 0, "".join(complaints)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_print_what_is_shown(page: Path) -> None:
    for block in blocks(page, "console"):
        for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            words = shlex.split(command)
            assert words[0] == "palabre", f"{page.name}: {command}"
            environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "200"}
            done = subprocess.run(
                [sys.executable, "-m", "palabre", *words[1:]],
                cwd=ROOT,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            said = done.stdout if done.returncode == 0 else done.stderr
            assert doctest.OutputChecker().check_output(shown, said, FLAGS), f"$ {command}\n{said}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        if not target.startswith(("http://", "https://")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_document_builds_the_example_game() -> None:
    """The code of the first six sections is the whole of one example, and the rest is taken from the other."""
    page = ROOT / "docs" / "adding_a_game.md"
    shown = [block.strip() for block in blocks(page, "python") if ">>>" not in block]
    first = page.read_text(encoding="utf-8").partition("\n## 7. ")[0]
    whole, excerpts = [block for block in shown if block in first], [block for block in shown if block not in first]
    example = (ROOT / "examples" / "connect_four.py").read_text(encoding="utf-8")
    assert re.sub(r"\n+", "\n", "\n".join(whole)).strip() == re.sub(r"\n+", "\n", example).strip()
    assert len(example.splitlines()) <= 120
    assert len(excerpts) >= 4
    assert all(excerpt in (ROOT / "examples" / "othello.py").read_text(encoding="utf-8") for excerpt in excerpts)


@pytest.mark.parametrize("name", registry.names())
def test_pictures_are_drawn_by_this_version(name: str) -> None:
    """A picture says what it shows, so it can be drawn again."""
    picture = (ROOT / "docs" / "images" / f"{name}.svg").read_text(encoding="utf-8")
    description = re.search(r"<desc>(\S+) (.*)</desc>", picture)
    assert description
    assert svg.draw(palabre.game(description[1]).position(description[2])) == picture


@pytest.mark.parametrize("name", registry.names())
def test_every_game_has_a_page_with_the_same_headings(name: str) -> None:
    page = ROOT / "docs" / "games" / f"{name}.md"
    assert re.findall(r"^## (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE) == GAME_HEADINGS
    assert all(f"`{name}:{preset}" in page.read_text("utf-8") for preset in list(registry.facts(name).presets)[1:])
