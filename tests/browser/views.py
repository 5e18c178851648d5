"""Every view of the page, in a state in which it has something to show."""

import random
import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.visitor import Visitor

# What would vanish after some seconds stays.
NO_LATER = """() => {
  const { setTimeout } = window;
  window.setTimeout = (run, wait, ...given) => (wait >= 4000 ? 0 : setTimeout(run, wait, ...given));
}"""
LINE = "/analyse?game=awele&moves=C+c+A#review"


def cards(visitor: Visitor) -> None:
    visitor.visit("/")


def form(visitor: Visitor) -> None:
    visitor.visit("/?game=abalone")
    visitor.page.locator(".more > summary").click()
    visitor.find("seat-1").locator("[data-id=who]").select_option("bot")


def room(visitor: Visitor) -> None:
    visitor.begin("penguins", "me", "other")
    visitor.play(3, random.Random(1))
    visitor.page.locator(".share summary").click()


def resigning(visitor: Visitor) -> None:
    """With the pointer on the question whether one is sure, and something said at the foot of the page."""
    visitor.begin("awele", "me", "other")
    visitor.page.evaluate(NO_LATER)
    visitor.find("move-field").fill("nonsense")
    visitor.find("move-field").press("Enter")
    expect(visitor.page.locator("#notice")).to_be_visible()
    visitor.find("resign").click()
    expect(visitor.page.locator("button.sure:hover")).to_be_visible()


def invitation(visitor: Visitor) -> None:
    visitor.begin("avalam", "me", "guest")
    visitor.find("invite").click()
    expect(visitor.page.locator("input[data-id=invitation]")).to_be_visible()


def rules_beside(visitor: Visitor) -> None:
    """The rules beside a board, and a hint on it."""
    visitor.begin("awale", "me", "idiot")
    visitor.find("hint").click()
    expect(visitor.page.locator(".cell.hinted")).to_have_count(1)
    visitor.page.locator("a[data-id=rules]").click()
    expect(visitor.page.locator("#sheet h1")).to_be_visible()


def end(visitor: Visitor) -> None:
    visitor.begin("abalone:course,turns=2", "me", "idiot")
    visitor.play_to_the_end(random.Random(1))
    expect(visitor.find("end")).to_be_visible()
    visitor.find("quit").click()
    expect(visitor.find("quit-no")).to_be_visible()


def games(visitor: Visitor) -> None:
    visitor.begin("awale", "me", "other")
    visitor.visit("/games")


def analysis_of_what(visitor: Visitor) -> None:
    visitor.visit("/analyse")


def analysis(visitor: Visitor) -> None:
    """With its lines, its arrows and the review of a game."""
    visitor.visit(LINE)
    expect(visitor.page.locator(".graph")).to_be_visible()
    visitor.find("last").click()
    visitor.find("arrows").click()
    visitor.find("think").click()
    expect(visitor.page.locator(".lines li").first).to_be_visible()


def arena(visitor: Visitor) -> None:
    visitor.visit("/arena")


def event(visitor: Visitor) -> None:
    start_match(visitor, "awele", ["idiot", "greedy"], games=2)
    expect(visitor.page.locator(".standings tbody tr")).to_have_count(2)
    expect(visitor.find("again")).to_be_visible()
    visitor.find("last").click()


def rules(visitor: Visitor) -> None:
    visitor.visit("/rules")


def rules_of_a_game(visitor: Visitor) -> None:
    visitor.visit("/rules/penguins")


def lessons(visitor: Visitor) -> None:
    visitor.visit("/rules/abalone?part=lessons")
    expect(visitor.find("part-lessons")).to_have_attribute("aria-current", "page")


def nowhere(visitor: Visitor) -> None:
    visitor.visit("/rules/nowhere")


def settings(visitor: Visitor) -> None:
    visitor.visit("/")
    visitor.page.locator("#top summary").click()


def keys(visitor: Visitor) -> None:
    visitor.begin("awele", "me", "other")
    visitor.page.keyboard.press("?")
    expect(visitor.page.locator("#help")).to_be_visible()


VIEWS: list[Callable[[Visitor], None]] = [
    cards, form, room, resigning, invitation, rules_beside, end, games, analysis_of_what, analysis, arena, event, rules,
    rules_of_a_game, lessons, nowhere, settings, keys,
]  # fmt: skip


def start_match(visitor: Visitor, game: str, bots: list[str], games: int, time: str = "") -> None:
    """Begin a match in the arena, with as many bots as are named, which want to think for so many seconds."""
    visitor.visit("/arena")
    visitor.find("game").select_option(game)
    for number, bot in enumerate(bots):
        seat = visitor.find(f"seat-{number}")
        if not seat.count():
            visitor.find("add").click()
        seat.locator("[data-id=who]").select_option("bot")
        seat.locator("[data-id=bot]").select_option(bot)
        if time:
            seat.locator("summary").click()
            seat.locator("[data-id=parameter-time]").fill(time)
            seat.locator("[data-id=parameter-time]").press("Tab")
    visitor.page.locator("input[data-id=games]").fill(str(games))
    visitor.find("start").click()
    visitor.page.wait_for_url(re.compile("/event/"))
