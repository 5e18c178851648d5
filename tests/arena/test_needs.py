"""What becomes of the tests of sandboxes on a machine that has none."""

import pytest

from tests.command import run_without_programs

ONE = "tests/arena/test_players.py::test_a_python_package_plays"


@pytest.mark.parametrize(
    ("settings", "code", "count", "word"), [({}, 0, "1 skipped", "SKIPPED"), ({"CI": "true"}, 1, "1 error", "ERROR")]
)
def test_without_bubblewrap_they_are_skipped_and_counted_but_fail_in_ci(
    pytestconfig: pytest.Config, settings: dict[str, str], code: int, count: str, word: str
) -> None:
    done = run_without_programs(pytestconfig.rootpath, ONE, settings)
    assert done.returncode == code, done.stdout
    assert count in done.stdout.splitlines()[-1]
    assert word in done.stdout
    assert "sandboxes do not work here: bubblewrap is missing; install it: apt-get install bubblewrap" in done.stdout
