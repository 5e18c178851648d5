"""How much the page loads, and what it asks the server for. `benchmarks/page.py` measures how long that takes."""

from typing import Any

from playwright.sync_api import expect

from benchmarks.page import GOAL_BYTES, transferred
from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor

MOST_REQUESTS = 80  # files and words


def test_a_game_fits_the_budget(operator: Visit) -> None:
    first = operator()
    fresh = Visitor(first.context, first.server)
    assert transferred(fresh) < GOAL_BYTES
    assert fresh.complaints == []


def test_the_page_asks_for_few_files_and_for_none_elsewhere(operator: Visit) -> None:
    visitor = operator()
    asked: list[str] = []
    visitor.page.on("request", lambda request: asked.append(request.url))
    visitor.visit("/")
    assert len(asked) < MOST_REQUESTS
    assert [url for url in asked if not url.startswith(f"http://127.0.0.1:{visitor.server.port}/")] == []


def test_clicks_are_answered_by_the_page_and_moves_by_one_message(operator: Visit) -> None:
    """A marble is chosen without the server; a move is one request."""
    visitor = operator()
    sent: list[Any] = []
    visitor.page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    visitor.begin("abalone", "me", "other")
    visitor.next_clicks()
    before = len(sent)
    visitor.page.locator(".cell.lit").first.click()
    expect(visitor.page.locator(".board.choosing")).to_have_count(1)
    visitor.page.keyboard.press("Escape")
    expect(visitor.page.locator(".board.choosing")).to_have_count(0)
    assert sent[before:] == []
    visitor.begin("awele", "me", "other")
    visitor.next_clicks()
    before = len(sent)
    visitor.page.locator(".cell.lit").first.click()
    expect(visitor.page.locator(".moves .move")).to_have_count(1)
    visitor.next_clicks()
    assert ["PlayMove" in str(frame) for frame in sent[before:]] == [True]
