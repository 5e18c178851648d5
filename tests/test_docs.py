"""What the documents show, runs: Python examples, commands, links, and the game in docs/adding_a_game.md."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from palabre.core import board, registry
from palabre.core.contract import ARGUMENTS
from palabre.core.kernels import VERBS
from tools.experiments import rewritten
from tools.images import redrawn
from tools.site import laid_out

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
WRITING = {"first_bot.md", "premier_bot.md", "learning.md"}
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
def test_commands_print_what_is_shown(page: Path, tmp_path: Path) -> None:
    folder = ROOT
    if page.name in WRITING:  # its commands write files, and use those that the page has the reader write
        folder = tmp_path
        for name, code in re.findall(r"^```python\n# (\w+\.py)\n(.*?)^```$", page.read_text("utf-8"), re.M | re.S):
            (folder / name).write_text(code, encoding="utf-8")
    for block in blocks(page, "console"):
        for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            words = shlex.split(command)
            assert words[0] == "palabre", f"{page.name}: {command}"
            environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "200"}
            done = subprocess.run(
                [sys.executable, "-m", "palabre", *words[1:]],
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            said = done.stdout if done.returncode == 0 else done.stderr
            assert doctest.OutputChecker().check_output(shown, said, FLAGS), f"$ {command}\n{said}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)]*))?\)", page.read_text(encoding="utf-8")):
        if not target.startswith(("http://", "https://")):
            goal = page.parent / target if target else page
            assert goal.exists(), f"{page.name} links to {target}"
            assert not anchor or anchor in anchors(goal), f"{page.name} links to {target}#{anchor}"


def anchors(page: Path) -> set[str]:
    """What links to the headings of a page end in, on GitHub and on the site."""
    prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", prose, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def test_pages_that_sources_name_exist() -> None:
    folders = (ROOT / folder for folder in ("src", "studies", "tests", "benchmarks", "tools", "examples"))
    sources = [file for folder in folders for file in folder.rglob("*") if file.suffix in (".py", ".toml")]
    named = {name for file in sources for name in re.findall(r"\bdocs/[\w/]+\.md\b", file.read_text(encoding="utf-8"))}
    assert "docs/map.md" in named
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


def test_every_page_is_on_the_site() -> None:
    listed = re.findall(r'"([^"]+\.md)"', (ROOT / "zensical.toml").read_text(encoding="utf-8"))
    pages = laid_out()
    assert sorted(listed) == sorted(pages)
    for place, text in pages.items():
        for target in re.findall(r"(?<!!)\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
            if target.endswith(".md") and not target.startswith("http"):
                assert os.path.normpath(Path(place).parent / target).replace(os.sep, "/") in pages, f"{place}: {target}"


def test_the_study_of_the_tutorial_runs_in_several_processes(tmp_path: Path) -> None:
    [study] = [block for block in blocks(ROOT / "docs" / "tutorial.md", "python") if ">>>" not in block]
    (tmp_path / "study.py").write_text(study, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "study.py"],
        cwd=tmp_path,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.count("Move(code=") == 6


def shown_code(name: str) -> list[str]:
    """The Python of a page that is not typed at a prompt."""
    return [block.strip() for block in blocks(ROOT / "docs" / name, "python") if ">>>" not in block]


def test_the_document_builds_the_example_game() -> None:
    example = (ROOT / "examples" / "connect_four.py").read_text(encoding="utf-8")
    shown = "\n".join(shown_code("adding_a_game.md"))
    assert re.sub(r"\n+", "\n", shown).strip() == re.sub(r"\n+", "\n", example).strip()
    assert len([line for line in example.splitlines() if line]) <= 100


def test_what_is_said_of_other_games_is_in_them() -> None:
    files = [*(ROOT / "examples").glob("*.py"), *(ROOT / "src" / "palabre" / "games").rglob("*.py")]
    sources = [file.read_text(encoding="utf-8") for file in files]
    excerpts = shown_code("game_reference.md") + shown_code("evaluations.md")
    assert len(excerpts) >= 11
    for excerpt in excerpts:
        assert any(excerpt in source for source in sources), excerpt
    words = (ROOT / "examples" / "othello.words" / "fr.toml").read_text(encoding="utf-8")
    assert blocks(ROOT / "docs" / "game_reference.md", "toml") == [words]


def rows(page: Path, heading: str) -> list[list[str]]:
    """The cells of the first table under a heading."""
    text = page.read_text(encoding="utf-8").partition(f"\n{heading}\n")[2]
    table = re.search(r"^\|---.*\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert table is not None
    return [re.split(r" *(?<!\\)\| *", line)[1:-1] for line in table[1].splitlines()]


def test_the_table_of_verbs_says_what_the_verbs_say() -> None:
    shown = rows(ROOT / "docs" / "game_reference.md", "## All verbs")
    said = [
        (f"`{repr(verb)[6:-1]}`", " ".join((verb.__doc__ or "").split("\n\n")[0].split())) for verb in VERBS.values()
    ]
    assert [(call, told) for call, told, _ in shown] == said
    needed = [default.startswith("every ") for _, _, default in shown]
    assert needed == [verb.required for verb in VERBS.values()]


def test_the_reference_of_games_lists_sayings_colours_and_functions() -> None:
    page = ROOT / "docs" / "game_reference.md"
    text = page.read_text(encoding="utf-8")
    assert all(line in text for line in (board.__doc__ or "").splitlines() if line.startswith("| `"))
    assert all(f"`{colour}`" in text for colour in board.ALL_PLAYER_COLOURS)
    for name, arguments in ARGUMENTS.items():
        assert re.search(rf"`{name}\({': [^,)]*, '.join(arguments)}: [^,)]*\)`", text), name


def test_pages_of_experiments_say_what_was_found() -> None:
    written = rewritten()
    for file, text in written.items():
        assert file.read_text(encoding="utf-8") == text, "python -m tools.experiments writes them again"
    assert set((ROOT / "docs" / "experiments").glob("*.md")) == set(written)


@pytest.mark.parametrize("name", registry.names())
def test_pictures_are_drawn_by_this_version(name: str) -> None:
    """A picture says what it shows, so it can be drawn again."""
    picture = (ROOT / "docs" / "images" / f"{name}.svg").read_text(encoding="utf-8")
    assert redrawn(picture) == picture, "python -m tools.images draws them again"


@pytest.mark.parametrize("name", registry.names())
def test_every_game_has_a_page_with_the_same_headings(name: str) -> None:
    page = ROOT / "docs" / "games" / f"{name}.md"
    assert re.findall(r"^## (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE) == GAME_HEADINGS
    assert all(f"`{name}:{preset}" in page.read_text("utf-8") for preset in list(registry.facts(name).presets)[1:])
