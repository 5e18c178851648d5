"""How much the page loads, how soon it is there, and how fast it reacts."""

from benchmarks.page import GOAL_BYTES, choice_times, move_times, paint_times, transferred
from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor

# The goals are 1 s and 50 ms, which `python -m benchmarks.page` measures. On machines with other things to do, a test
# can only see that nothing is slow by far: by the fastest of some tries, since others may have had to wait.
MOST_PAINT_MS = 3000
MOST_REACTION_MS = 200


def test_a_game_fits_the_budget(operator: Visit) -> None:
    first = operator()
    fresh = Visitor(first.context, first.server)
    assert transferred(fresh) < GOAL_BYTES
    assert fresh.complaints == []


def test_the_page_is_painted_soon(operator: Visit) -> None:
    assert min(paint_times(operator(), 3)) < MOST_PAINT_MS


def test_clicks_are_answered_at_once(operator: Visit) -> None:
    visitor = operator()
    assert min(choice_times(visitor, 7)) < MOST_REACTION_MS
    assert min(move_times(visitor, 7)) < MOST_REACTION_MS
