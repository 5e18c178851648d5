"""Clocks on the page: they run, hurry, run out, and stand while the server is down.

The time of the page is put forward where that is enough: for the server hardly any has passed then.
"""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor

GAME = "awele"
COLOURS = """(clock) => {
  const probe = document.createElement("i");
  document.body.append(probe);
  probe.style.color = getComputedStyle(document.documentElement).getPropertyValue("--bad");
  const bad = getComputedStyle(probe).color;
  probe.remove();
  return [getComputedStyle(clock).backgroundColor, bad];
}"""


def begin(player: Visitor, minutes: str) -> None:
    """A game of two people at one screen, with so many minutes each, in which each has moved once: a clock runs."""
    player.visit(f"/?game={GAME}")
    player.find("seat-1").locator("[data-id=who]").select_option("other")
    player.find("clock").select_option("own")
    player.find("minutes").fill(minutes)
    player.find("increment").fill("0")
    player.find("increment").press("Tab")
    player.play_it()
    player.type_moves("C", "c")


def shown(player: Visitor, seat: int) -> float:
    """The seconds that a clock shows."""
    text = player.page.locator(f'.plate[data-seat="{seat}"] .clock').inner_text()
    minutes, _, seconds = text.rpartition(":")
    return 60 * int(minutes or 0) + float(seconds)


def pass_time(player: Visitor, seconds: float) -> None:
    """Put the time of the page forward."""
    player.page.clock.fast_forward(round(1000 * seconds))


def test_the_clock_of_the_player_to_move_runs(operator: Visit) -> None:
    player = operator()
    player.page.clock.install()
    begin(player, "10")
    clocks = player.page.locator(".plate .clock")
    running = player.page.locator(".clock.running")
    expect(clocks).to_have_count(2)
    expect(player.page.locator('.plate[data-seat="0"] .clock')).to_have_class(re.compile(r"\brunning\b"))
    expect(running).to_have_count(1)
    assert shown(player, 1) == 600  # The first move costs nothing.
    pass_time(player, 2)
    assert shown(player, 0) < 599
    assert shown(player, 1) == 600
    expect(player.page.locator(".clock.hurry")).to_have_count(0)
    player.type_moves("A")
    expect(player.page.locator('.plate[data-seat="1"] .clock')).to_have_class(re.compile(r"\brunning\b"))
    expect(running).to_have_count(1)
    stands = shown(player, 0)
    assert stands <= 600  # as the server says, for which hardly any time has passed
    pass_time(player, 2)
    assert shown(player, 1) < 599
    assert shown(player, 0) == stands


def test_a_clock_hurries_and_runs_out(operator: Visit) -> None:
    player = operator()
    player.page.clock.install()
    begin(player, "10")
    pass_time(player, 595)
    hurried = player.page.locator(".clock.running.hurry")
    expect(hurried).to_have_text(re.compile(r"^\d\.\d$"))  # tenths of a second by now
    background, bad = hurried.evaluate(COLOURS)
    assert background == bad
    begin(player, "0.1")  # the least there is, which does run out
    end = player.find("end")
    expect(end).to_be_visible()
    expect(end).to_contain_text("time")
    expect(player.page.locator('.plate[data-seat="0"] .clock')).to_have_text("0.0")
    expect(player.page.locator(".clock.running")).to_have_count(0)
    expect(player.page.locator(".your-turn")).to_have_count(0)  # Moves may be tried out, and none is played.


def test_clocks_stand_while_the_server_is_down(operator: Visit) -> None:
    player = operator()
    player.may_be_offline = True
    player.page.clock.install()
    begin(player, "10")
    pass_time(player, 2)
    player.server.kill()
    expect(player.page.locator("#banner")).to_be_visible()
    expect(player.page.locator(".clock.running")).to_have_count(0)
    stands = shown(player, 0)
    pass_time(player, 10)  # Were it running, it would show less.
    assert shown(player, 0) == stands
    player.server.start()
    expect(player.page.locator("#banner")).to_be_hidden()
    expect(player.page.locator(".clock.running")).to_have_count(1)
    stands = shown(player, 0)
    pass_time(player, 2)
    assert shown(player, 0) < stands
