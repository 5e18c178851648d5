"""Somebody in front of the page: a Chromium tab that finds things as people do, and complains of every error."""

import json
import random
import re
from typing import Any

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, ViewportSize, expect

from tests.command import PATIENCE
from tests.web.browsing import Server

PATIENCE_MS = 1000 * PATIENCE  # what a test waits for comes at once, or soon: only a hang takes that long
FAST = {"speed": "off"}  # settings of the page with which moves are shown at once
DESKTOP: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}

# What somebody may click on the board now, in pixels of the window.
NEXT_CLICKS = """() => {
  const middle = (element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  const isOver = document.querySelector("[data-id=end]") !== null;
  const isChoosing = document.querySelector(".board.choosing") !== null;
  const clicks = [...document.querySelectorAll(".cell.lit, .word-bar .word")].map(middle);
  return { isOver, isChoosing, clicks };
}"""


class Visitor:
    """A tab with the page in it; `complaints` are errors on its console, refusals of the content policy included."""

    def __init__(self, context: BrowserContext, server: Server) -> None:
        context.set_default_timeout(PATIENCE_MS)
        expect.set_options(timeout=PATIENCE_MS)
        self.context, self.server = context, server
        self._page = context.new_page()
        self._is_at_the_door = False  # let in, but has not opened any page yet
        self.complaints: list[str] = []
        self.may_be_offline = False  # whether the test itself takes the server away
        self._page.on("console", self._hear)
        self._page.on("pageerror", lambda error: self.complaints.append(str(error)))

    @property
    def page(self) -> Page:
        """The tab. Whoever is let in and uses it without having opened an address is shown the first page."""
        if self._is_at_the_door:
            self.visit("/")
        return self._page

    def _hear(self, message: ConsoleMessage) -> None:
        is_of_the_net = "WebSocket connection" in message.text or "net::ERR" in message.text
        if message.type == "error" and not (is_of_the_net and self.may_be_offline):
            self.complaints.append(message.text)

    # ---------------------------------------------------------------------------------------------------------- places

    def enter(self) -> None:
        """Come in by the operator's link."""
        with self.server.used_link() as link:
            self.open(link)
            expect(self.page.locator("#main h1")).to_be_visible()

    def let_in(self) -> None:
        """Get the operator's cookie by a link, without the page that the link leads to."""
        with self.server.used_link() as link:
            name, _, value = self.server.cookie(link).partition("=")
        address = f"http://127.0.0.1:{self.server.port}"
        self.context.add_cookies(
            [{"name": name, "value": value, "url": address, "httpOnly": True, "sameSite": "Strict"}]
        )
        self._is_at_the_door = True

    def open(self, path: str) -> None:
        """Open an address, as if it were typed."""
        self._is_at_the_door = False
        self.page.goto(path if ":" in path.partition("?")[0] else f"http://127.0.0.1:{self.server.port}{path}")

    def visit(self, path: str) -> None:
        """Open an address and wait for the view."""
        self.open(path)
        expect(self.page.locator("#main h1")).to_be_visible()

    def choose(self, **settings: str) -> None:
        """Choose settings of the page in its panel."""
        self.page.locator("#top summary").click()
        for name, value in settings.items():
            self.find(f"setting-{name}").select_option(value)
        self.page.keyboard.press("Escape")

    # ------------------------------------------------------------------------------------------------------- the board

    def find(self, name: str) -> Locator:
        """A control by its `data-id`."""
        return self.page.locator(f'[data-id="{name}"]')

    def begin(self, spec: str, *seats: str) -> str:
        """Begin a game with clicks in its form: `me`, `other`, `guest`, or a bot in each seat. Its address."""
        self.visit(f"/?game={spec}")
        for number, who in enumerate(seats):
            seat = self.find(f"seat-{number}")
            is_bot = who not in ("me", "other", "guest")
            seat.locator("[data-id=who]").select_option("bot" if is_bot else who)
            if is_bot:
                seat.locator("[data-id=bot]").select_option(who)
        self.play_it()
        return self.page.url

    def play_it(self) -> None:
        """Begin the game of the form, and wait for its board."""
        self.page.locator("button[data-id=play]").click()
        self.page.wait_for_url(re.compile("/play/"))
        expect(self.page.locator(".room .board")).to_be_visible()

    def next_clicks(self) -> dict[str, Any]:
        """Wait until it is one's turn, or the game is over."""
        ready = (
            f"() => {{ const found = ({NEXT_CLICKS})(); return found.isOver || found.clicks.length ? found : null; }}"
        )
        found: dict[str, Any] = self.page.wait_for_function(ready).json_value()
        return found

    def click_a_move(self, luck: random.Random) -> bool:
        """Click whatever is lit until a move is complete; false if the game is over."""
        found = self.next_clicks()
        while found["clicks"]:
            self.page.mouse.click(*luck.choice(found["clicks"]))
            found = self.page.evaluate(NEXT_CLICKS)
            if not found["isChoosing"]:
                return True
        return False

    def play(self, moves: int, luck: random.Random) -> None:
        """Click so many moves."""
        for _ in range(moves):
            assert self.click_a_move(luck), "the game is over too early"
        self.next_clicks()

    def play_to_the_end(self, luck: random.Random) -> None:
        """Click moves until the game is over."""
        while self.click_a_move(luck):
            pass

    def middle(self, cell: str) -> tuple[float, float]:
        """The middle of a cell, in pixels of the window."""
        box = self.page.locator(f'.cell[data-cell="{cell}"]').bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def first_step(self) -> tuple[str, str]:
        """A piece that may move and where to, found by a click that is taken back."""
        lit = self.page.locator(".cell.lit")
        origin = lit.first.get_attribute("data-cell") or ""
        lit.first.click()
        target = lit.first.get_attribute("data-cell") or ""
        self.find("take-back").click()
        expect(self.page.locator(".board.choosing")).to_have_count(0)
        return origin, target

    def type_moves(self, *moves: str) -> None:
        """Type moves into the field for them."""
        for move in moves:
            before = len(self.moves)
            self.find("move-field").fill(move)
            self.find("move-field").press("Enter")
            expect(self.page.locator(".moves .move")).not_to_have_count(before)

    @property
    def moves(self) -> list[str]:
        """The moves in the list."""
        return self.page.locator(".moves .move").all_text_contents()

    @property
    def cells(self) -> list[str]:
        """What a screen reader says of each cell: the position in words."""
        names: list[str] = self.page.locator(".cell").evaluate_all(
            "cells => cells.map((cell) => cell.getAttribute('aria-label'))"
        )
        return names

    @property
    def status(self) -> Locator:
        return self.page.locator(".words .status")


def settings_script(settings: dict[str, str]) -> str:
    """What makes a new tab begin with these settings, unless something else has been chosen there."""
    return f'localStorage["palabre.settings"] ??= {json.dumps(json.dumps(settings))};'
