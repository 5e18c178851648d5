"""The page without a mouse."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor

FOCUSED = """() => {
  const { activeElement: focused } = document;
  return focused === document.body ? null : focused.getAttribute("aria-label") ?? focused.textContent.trim();
}"""
MOST_TABS = 60  # to whatever one looks for


def tab_to(visitor: Visitor, selector: str) -> None:
    """Press Tab until the focus is on something like this."""
    for _ in range(MOST_TABS):
        visitor.page.keyboard.press("Tab")
        if is_focused(visitor, selector):
            return
    raise AssertionError(f"the Tab key does not come to {selector}")


def focused(visitor: Visitor) -> str | None:
    name: str | None = visitor.page.evaluate(FOCUSED)
    return name


def is_focused(visitor: Visitor, selector: str) -> bool:
    return bool(visitor.page.evaluate("selector => document.activeElement.matches(selector)", selector))


def reach_lit(player: Visitor) -> None:
    """Go to a pit that can be clicked with the arrow keys: in the other row, or along this one."""
    for key in ("ArrowUp", "ArrowRight", "ArrowDown", "ArrowRight"):
        if is_focused(player, ".lit"):
            return
        player.page.keyboard.press(key)
    assert is_focused(player, ".lit")


def test_a_game_by_keys_alone(operator: Visit) -> None:
    player = operator()
    keys = player.page.keyboard
    tab_to(player, '[data-game="awele"]')
    keys.press("Enter")
    expect(player.page.locator(".game-form")).to_be_visible()
    assert focused(player) == "Awélé"  # One begins at the top of a new view.
    tab_to(player, "[data-id=seat-1] [data-id=who]")
    keys.press("Home")  # me
    keys.press("ArrowDown")  # somebody here
    assert player.page.evaluate("document.activeElement.value") == "other"
    tab_to(player, "button[data-id=play]")
    keys.press("Enter")
    player.page.wait_for_url(re.compile("/play/"))
    expect(player.page.locator(".board")).to_be_visible()
    tab_to(player, ".cell")
    for count in range(1, 5):
        reach_lit(player)
        keys.press("Enter")
        expect(player.page.locator(".moves .move")).to_have_count(count)
        assert is_focused(player, ".cell")  # The focus stays on the board.
        player.next_clicks()


def test_moves_are_typed(operator: Visit) -> None:
    player = operator()
    player.begin("awele", "me", "other")
    keys = player.page.keyboard
    for count, move in enumerate(["c", "C", "A"], 1):  # The case does not matter where it is not needed.
        keys.press(move)  # from anywhere on the page
        expect(player.find("move-field")).to_be_focused()
        keys.press("Enter")
        expect(player.page.locator(".moves .move")).to_have_count(count)
    keys.press("Shift+U")
    expect(player.page.locator(".moves .move")).to_have_count(2)
    player.find("move-field").fill("nonsense")
    keys.press("Enter")
    expect(player.page.get_by_role("alert")).to_contain_text("nonsense")


def test_steps_and_escape(operator: Visit) -> None:
    player = operator()
    player.begin("avalam:official", "me", "other")
    player.type_moves("f9g9", "a6b6")
    keys = player.page.keyboard
    keys.press("ArrowLeft")
    expect(player.status).to_have_text("Position 1 of 2")
    keys.press("Home")
    expect(player.status).to_have_text("Position 0 of 2")
    keys.press("End")
    player.next_clicks()
    player.page.locator(".cell.lit").first.click()
    expect(player.page.locator(".cell.chosen")).to_have_count(1)
    keys.press("Escape")
    expect(player.page.locator(".cell.chosen")).to_have_count(0)


def test_the_keys_are_listed(operator: Visit) -> None:
    player = operator()
    player.begin("awele", "me", "other")
    player.page.keyboard.press("?")
    listed = player.page.locator("#help")
    expect(listed).to_be_visible()
    expect(listed).to_contain_text("Take back")
    assert focused(player) == "Close"
    player.page.keyboard.press("Escape")
    expect(listed).to_be_hidden()
    assert focused(player) is not None  # The focus goes back, and is not lost.


def test_the_content_is_one_key_away(operator: Visit) -> None:
    visitor = operator()
    visitor.visit("/rules/awele")
    visitor.page.keyboard.press("Tab")
    assert focused(visitor) == "Skip to the content"
    visitor.page.keyboard.press("Enter")
    visitor.page.keyboard.press("Tab")
    assert visitor.page.evaluate("document.activeElement.closest('main') !== null")


def test_settings_close_by_escape(operator: Visit) -> None:
    visitor = operator()
    tab_to(visitor, "#top summary")
    visitor.page.keyboard.press("Enter")
    expect(visitor.find("setting-theme")).to_be_visible()
    visitor.page.keyboard.press("Escape")
    expect(visitor.find("setting-theme")).to_be_hidden()
    assert focused(visitor) == "Settings"
