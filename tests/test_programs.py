"""What becomes of tests on a machine that lacks what they need."""

import re
import subprocess

import pytest

from tests.command import run_without_programs
from tests.programs import PACKAGES, find, require

pytestmark = pytest.mark.processes
# One by the mark, one by the fixture of browsers, one by that of sandboxes.
NEEDY = (
    "tests/draw/test_svg.py::test_a_converter_draws_a_picture_and_finds_nothing_wrong[awele]",
    "tests/browser/test_keyboard.py::test_settings_close_by_escape",
    "tests/sandbox/test_players.py::test_a_python_package_plays",
)
REASONS = (
    "rsvg-convert is missing; install it: apt-get install librsvg2-bin",
    "chromium is missing; install it: apt-get install chromium",
    "sandboxes do not work here: bubblewrap is missing; install it: apt-get install bubblewrap",
)


@pytest.mark.parametrize(
    ("settings", "code", "count", "word"), [({}, 0, "3 skipped", "SKIPPED"), ({"CI": "true"}, 1, "3 errors", "ERROR")]
)
def test_they_are_skipped_and_counted_but_fail_in_ci(
    pytestconfig: pytest.Config, settings: dict[str, str], code: int, count: str, word: str
) -> None:
    done = run_without_programs(pytestconfig.rootpath, *NEEDY, settings=settings)
    assert done.returncode == code, done.stdout
    assert count in done.stdout.splitlines()[-1]
    assert word in done.stdout
    assert all(reason in done.stdout for reason in REASONS)


@pytest.mark.parametrize("program", PACKAGES)
def test_each_program_is_found_or_named_with_its_package(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert find(program) is None or require(program) == find(program)
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CI", raising=False)
    reason = re.escape(f"{program} is missing; install it: apt-get install {PACKAGES[program]}")
    with pytest.raises(pytest.skip.Exception, match=reason):
        require(program)
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match=reason):
        require(program)


def test_ci_fails_where_a_program_is_missing(pytestconfig: pytest.Config) -> None:
    """It says to all that it runs that it is CI, before it runs anything."""
    before, *_ = re.split(
        r"^make ", (pytestconfig.rootpath / ".ci" / "run").read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    assert re.search(r"^export CI=", before, re.MULTILINE)


def test_make_lists_its_targets(pytestconfig: pytest.Config) -> None:
    makefile = (pytestconfig.rootpath / "Makefile").read_text(encoding="utf-8")
    listed = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert listed is not None
    done = subprocess.run(
        ["make", "--no-print-directory"], cwd=pytestconfig.rootpath, capture_output=True, encoding="utf-8", check=True
    )
    told = [line.split() for line in done.stdout.splitlines()]
    assert all(words[0] == "make" and len(words) > 2 for words in told)
    assert {words[1] for words in told} == set(listed[1].replace("$(PROGRAMS)", "").split())


def test_make_installs_what_the_tests_need(pytestconfig: pytest.Config) -> None:
    makefile = (pytestconfig.rootpath / "Makefile").read_text(encoding="utf-8")
    listed = re.search(r"^PROGRAMS := (.*)$", makefile, re.MULTILINE)
    assert listed is not None
    assert set(listed[1].split()) == set(PACKAGES.values())
