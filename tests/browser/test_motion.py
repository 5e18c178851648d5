"""Moves in motion: how long they take, a click that skips them, and none of it for whoever wants none."""

import random

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor

# Notes how long every animation takes, and lets it.
NOTING = """
window.durations = [];
const { animate } = Element.prototype;
Element.prototype.animate = function (frames, options) {
  window.durations.push(options.duration);
  return animate.call(this, frames, options);
};
"""


def durations(player: Visitor) -> list[float]:
    """How long each animation was to take, in milliseconds, since this was asked the last time."""
    noted: list[float] = player.page.evaluate("window.durations.splice(0)")
    return noted


def sow(player: Visitor, speed: str) -> list[float]:
    """The animations of the same sowing at a speed."""
    player.choose(speed=speed)
    player.type_moves("C")
    player.next_clicks()
    noted = durations(player)
    player.find("undo").click()
    expect(player.page.locator(".moves .move")).to_have_count(0)
    durations(player)
    return noted


def test_the_speed_is_chosen(operator: Visit) -> None:
    player = operator()
    player.context.add_init_script(NOTING)
    player.begin("awele", "me", "other")
    normal = sow(player, "normal")
    assert len(normal) >= 4  # seeds that are sown one by one
    assert 150 <= sum(normal) <= 1500
    assert sow(player, "slow") == pytest.approx([2 * duration for duration in normal])
    assert sow(player, "fast") == pytest.approx([duration / 2 for duration in normal])
    assert sow(player, "off") == []


def test_a_click_skips(operator: Visit) -> None:
    player = operator({"speed": "slow"})
    player.context.add_init_script(NOTING)
    player.begin("awele", "me", "other")
    brake = player.context.new_cdp_session(player.page)
    brake.send("Animation.enable")
    brake.send("Animation.setPlaybackRate", {"playbackRate": 0.001})  # No machine is too slow to click in time.
    player.find("move-field").fill("C")
    player.find("move-field").press("Enter")
    expect(player.page.locator(".flight")).to_have_count(1)
    expect(player.page.locator(".cell.lit")).to_have_count(0)
    player.page.locator(".board").click(position={"x": 3, "y": 3})
    player.next_clicks()
    expect(player.page.locator(".flight")).to_have_count(0)
    assert len(durations(player)) == 1  # The others have not even begun.
    pit = player.page.get_by_role("button", name="C: empty")
    expect(pit).to_be_attached()


def test_reduced_motion_moves_nothing(operator: Visit) -> None:
    player = operator({"speed": "slow"}, reduced_motion="reduce")
    player.context.add_init_script(NOTING)
    player.begin("awele", "me", "other")
    player.play(3, random.Random(1))
    assert durations(player) == []
    assert player.page.evaluate("document.getAnimations().length") == 0
