"""How much the page loads, how soon it is there, how fast it reacts, and whether it moves where it must not."""

import random
import statistics

from playwright.sync_api import expect

from benchmarks.page import GOAL_BYTES, choice_times, move_times, paint_times, transferred
from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor

# The goals are 1 s and 50 ms. On machines with other things to do, a test can only see that nothing is slow by far.
MOST_PAINT_MS = 3000
MOST_REACTION_MS = 200


def test_a_game_fits_the_budget(operator: Visit) -> None:
    first = operator()
    fresh = Visitor(first.context, first.server)
    assert transferred(fresh) < GOAL_BYTES
    assert fresh.complaints == []


def test_the_page_is_painted_soon(operator: Visit) -> None:
    assert statistics.median(paint_times(operator(), 3)) < MOST_PAINT_MS


def test_clicks_are_answered_at_once(operator: Visit) -> None:
    visitor = operator()
    assert statistics.median(choice_times(visitor, 7)) < MOST_REACTION_MS
    assert statistics.median(move_times(visitor, 7)) < MOST_REACTION_MS


def test_reduced_motion_moves_nothing(operator: Visit) -> None:
    player = operator({"speed": "slow"}, reduced_motion="reduce")
    player.begin("awele", "me", "other")
    player.page.evaluate("""() => {
      window.flights = 0;
      const watcher = new MutationObserver(() => (window.flights += document.getAnimations().length));
      watcher.observe(document.body, { childList: true, subtree: true });
    }""")
    player.play(3, random.Random(1))
    assert player.page.evaluate("window.flights") == 0
    assert player.page.evaluate("document.getAnimations().length") == 0


def test_moves_are_in_motion_otherwise(operator: Visit) -> None:
    player = operator({"speed": "slow"})
    player.begin("awele", "me", "other")
    player.click_a_move(random.Random(1))
    expect(player.page.locator(".flight").first).to_be_attached()
    player.page.locator(".board").click(position={"x": 2, "y": 2})  # A click jumps to the end of the motion.
    expect(player.page.locator(".flight")).to_have_count(0, timeout=1000)
    player.next_clicks()
