"""The studies of the course projects' claims: each runs, by the public API alone, and its page says what it found."""

import ast
import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import palabre
from palabre import author
from palabre import study as public
from palabre.study import Games, Results, run
from studies.catalogue import STUDIES, find
from studies.command import in_words, state
from studies.document import document
from studies.page import write
from studies.plot import picture
from studies.study import Study
from tests.command import PATIENCE, PLAIN, end, environment, wait_until

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "studies").rglob("*.py"))
PUBLIC = {"palabre": palabre.__all__, "palabre.author": author.__all__, "palabre.study": public.__all__}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for games and measurements: studies on one game share steps."""
    return tmp_path_factory.mktemp("data")


@pytest.mark.slow
@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_every_study_runs_quickly(study: Study, data: Path, tmp_path: Path, plain_python: None) -> None:
    observations = study.material.quick() if study.material else ()
    results = run(study, data / study.game, quick=True, workers=0, observations=observations)
    assert state(results).startswith("done: ")
    shown = document(study, results)
    assert shown["quick"]
    assert all(claim["verdict"] in ("confirmed", "refuted", "undecided") for claim in shown["claims"])
    page = write(study, shown, picture(study, results, shown), tmp_path).read_text(encoding="utf-8")
    assert page.startswith(f"# {study.title}\n")
    assert f"python -m studies {study.name}" in page
    assert "<svg" in (tmp_path / f"{study.name}.svg").read_text(encoding="utf-8")
    assert json.loads((tmp_path / f"{study.name}.json").read_text(encoding="utf-8")) == json.loads(json.dumps(shown))
    assert f"[{study.title}]({study.name}.md)" in (tmp_path / "index.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("study", STUDIES, ids=lambda study: study.name)
def test_the_bots_of_every_step_exist(study: Study) -> None:
    """A quick run has others, which are faster."""
    for step in study.steps:
        if isinstance(step, Games):
            game = palabre.game(step.game or study.game)
            assert all(palabre.bot(spec, game) for spec in step.bots.values())
            assert step.quick.keys() <= step.bots.keys()


def test_names_of_studies_and_steps_are_names_of_files() -> None:
    for study in STUDIES:
        assert study.name.startswith(f"{study.game}-")
        for name in (study.name, *(step.name for step in study.steps)):
            assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name), name


def test_steps_of_one_name_in_a_game_are_one_step() -> None:
    steps: dict[tuple[str, str], object] = {}
    for study in STUDIES:
        for step in study.steps:
            assert steps.setdefault((study.game, step.name), step) is step


def test_studies_are_found_by_their_names_and_by_those_of_games() -> None:
    assert [study.name for study in find("abalone-terms")] == ["abalone-terms"]
    assert {study.game for study in find("awale")} == {"awale"}
    assert {study.game for study in STUDIES} == {"abalone", "avalam", "awale", "awele", "penguins"}
    assert find("nonsense") == []


def test_a_study_that_has_not_begun_says_so(tmp_path: Path) -> None:
    [study] = find("avalam-pairings")
    assert state(Results(study, tmp_path)) == "not begun"


def test_times_are_told_in_words() -> None:
    assert [in_words(seconds) for seconds in (0.2, 59, 61, 7500)] == ["1 s", "59 s", "1 min 1 s", "2 h 5 min"]


# ---------------------------------------------------------------------------------------------------- the public API


def imported(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """The modules of Palabre that a file imports, and the names that it imports from them or uses of `palabre`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] == "palabre":
            yield from ((node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                assert alias.name == "palabre" or not alias.name.startswith("palabre."), alias.name
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "palabre":
            yield "palabre", node.attr


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_studies_use_the_public_api_alone(file: Path) -> None:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for module, name in imported(tree):
        assert name in PUBLIC.get(module, ()), f"{module}.{name} is private"
    private = [
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and re.match("_(?!_)", node.attr)
        and not (isinstance(node.value, ast.Name) and node.value.id == "self")
    ]
    assert private == []


# -------------------------------------------------------------------------------------------------------- the command


def studies(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "studies", *words],
        cwd=ROOT,
        env=environment(None, **PLAIN),
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )


@pytest.mark.processes
def test_the_command_lists_runs_and_judges(tmp_path: Path) -> None:
    data, pages = ("--data", str(tmp_path / "data")), ("--output", str(tmp_path / "pages"))
    listed = json.loads(studies("--json", *data).stdout)
    assert [(one["name"], one["state"]) for one in listed] == [(study.name, "not begun") for study in STUDIES]
    done = studies("avalam-parity", "--quick", "--json", "--workers", "1", *data, *pages)
    assert done.returncode == 0, done.stderr
    [shown] = json.loads(done.stdout)
    assert [claim["verdict"] for claim in shown["claims"]] == ["confirmed"] * 3
    assert (tmp_path / "pages" / "avalam-parity.md").is_file()
    assert "walk: 1 of 1 cases" in done.stderr
    again = studies("avalam-parity", "--quick", "--workers", "1", *data, *pages)
    assert "confirmed: Player 1 never loses." in again.stdout
    assert "cases" not in again.stderr


@pytest.mark.processes
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nonsense"], "there is no study nonsense"),
        (["avalam-party"], "did you mean avalam-parity?"),
        (["awele-learning"], "the 303 rows"),
        (["awele-learning", "--observations", "nowhere"], "nowhere"),
        (["avalam-parity", "--games", "1"], "--games"),
        (["avalam-parity", "--output", __file__], Path(__file__).name),
    ],
)
def test_bad_input_is_named(words: list[str], message: str, tmp_path: Path) -> None:
    done = studies("--data", str(tmp_path), *words)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.processes
def test_ctrl_c_stops_and_the_same_command_resumes(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "studies", "avalam-wishes", "--quick", "--workers", "0", "--data", str(tmp_path)]
    pipe, settings = subprocess.PIPE, environment(None, **PLAIN)
    with subprocess.Popen(
        [*words, "--output", str(tmp_path)], cwd=ROOT, env=settings, stdout=pipe, stderr=pipe
    ) as process:
        wait_until(lambda: (tmp_path / "avalam-quick" / "evaluations-course.event").exists())
        _, printed = end(process, signal.SIGINT)
    assert process.returncode == 130
    assert "stopped in avalam-wishes; all games so far are kept, and the same command resumes" in printed
    assert "Traceback" not in printed
    [study] = find("avalam-wishes")
    step = study.steps[0]
    assert isinstance(step, Games)
    assert not Results(study, tmp_path / "avalam-quick", quick=True).is_finished("ideas")
    done = studies(*words[3:], "--output", str(tmp_path), "--json")
    assert done.returncode == 0, done.stderr
