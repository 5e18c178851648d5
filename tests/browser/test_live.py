"""Events that are watched while they are played: standings that grow with their error bars, and a game under way."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.views import start_match
from tests.browser.visitor import Visitor

ENDLESS = 50_000  # games; nobody waits for the last

# What a row of the standings says: the games played so far and how wide its error bar is.
ROWS = """() => [...document.querySelectorAll(".standings tbody tr")].map((row) => {
  const [whisker] = row.querySelectorAll(".whisker");
  const games = [...row.querySelectorAll("td.number")].at(2);
  const width = whisker ? Number(whisker.getAttribute("x2")) - Number(whisker.getAttribute("x1")) : null;
  return { games: Number(games.textContent), width };
})"""
PLAYED = f"(least) => {{ const rows = ({ROWS})(); return rows.every(({{ games }}) => games >= least) ? rows : null; }}"

# Keeps elements in mind; whether all of them are still there.
KEEP = "selector => { window.kept = [...document.querySelectorAll(selector)]; return window.kept.length; }"
STAYED = "() => window.kept.every((element) => element.isConnected)"


def standings(watcher: Visitor, least: int) -> list[dict[str, float]]:
    """The rows, as soon as every bot has played so many games."""
    rows: list[dict[str, float]] = watcher.page.wait_for_function(PLAYED, arg=least).json_value()
    return rows


def test_standings_grow_while_an_event_is_played(operator: Visit) -> None:
    watcher = operator()
    start_match(watcher, "awele", ["idiot", "greedy"], games=ENDLESS)
    expect(watcher.page.locator(".standings tbody tr")).to_have_count(2)
    early = standings(watcher, 2)
    later = standings(watcher, int(early[0]["games"]) + 10)
    for old, new in zip(early, later, strict=True):
        assert old["games"] < new["games"]
        assert old["width"] > new["width"]  # One knows more.
    played = re.compile(rf"^\d+ of {ENDLESS:,} games$")
    watcher.find("stop").click()
    expect(watcher.find("resume")).to_be_visible()
    expect(watcher.find("stop")).to_have_count(0)
    expect(watcher.page.locator("p[data-id=progress]")).to_have_text(played)


def test_a_game_under_way_is_watched(operator: Visit) -> None:
    watcher = operator()
    start_match(watcher, "avalam", ["palabre", "palabre"], games=ENDLESS, time="0.3")
    expect(watcher.page.get_by_role("heading", name="Being played now")).to_be_visible()
    moves = watcher.page.locator(".moves .move")
    expect(moves).not_to_have_count(0)
    seen = moves.count()
    watcher.page.wait_for_function("seen => document.querySelectorAll('.moves .move').length !== seen", arg=seen)
    expect(watcher.page.locator(".replay .plate.turn")).to_have_count(1)
    watcher.find("stop").click()
    expect(watcher.find("resume")).to_be_visible()


def test_what_somebody_is_about_to_click_stays_while_an_event_goes_on(operator: Visit) -> None:
    watcher = operator()
    start_match(watcher, "awele", ["idiot", "greedy"], games=ENDLESS)
    expect(watcher.page.locator(".standings tbody tr")).to_have_count(2)
    early = standings(watcher, 2)
    expect(watcher.page.locator(".cross button")).to_have_count(2)
    assert watcher.page.evaluate(KEEP, "[data-id=stop], [data-id=menu], .scrolled, .cross tbody tr") == 7
    watcher.page.locator(".cross button").first.focus()
    standings(watcher, int(early[0]["games"]) + 10)
    assert watcher.page.evaluate(STAYED)
    assert watcher.page.evaluate("() => document.activeElement.matches('.cross button')")
    watcher.visit("/arena")
    running = watcher.page.locator("[data-event]").filter(has=watcher.page.locator(".running"))
    games = running.locator(".number").last
    seen = games.inner_text()
    assert watcher.page.evaluate(KEEP, "[data-event] a") > 0
    expect(games).not_to_have_text(seen)
    assert watcher.page.evaluate(STAYED)
    running.locator("a").click()
    watcher.find("stop").click()
    expect(watcher.find("resume")).to_be_visible()
