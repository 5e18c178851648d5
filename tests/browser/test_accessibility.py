"""Every view judged by axe, in every theme; what a screen reader is told of moves and boards."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.views import VIEWS
from tests.browser.visitor import Visitor

ALL: dict[str, Any] = {"resultTypes": ["violations"]}
COLOURS: dict[str, Any] = {**ALL, "runOnly": ["color-contrast"]}  # all that a theme can change


def violations(visitor: Visitor, options: dict[str, Any]) -> list[str]:
    """What axe finds, as lines that say where."""
    found = Axe().run(visitor.page, options=options).response["violations"]
    return [f"{rule['id']} ({rule['impact']}): {node['html'][:150]}" for rule in found for node in rule["nodes"]]


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.__name__)
def test_axe_finds_nothing(operator: Visit, view: Callable[[Visitor], None]) -> None:
    visitor = operator({"speed": "off", "theme": "light"})
    view(visitor)
    assert violations(visitor, ALL) == []
    for theme in ("dark", "contrast"):
        visitor.page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
        assert [theme, *violations(visitor, COLOURS)] == [theme]


def test_a_move_is_told(operator: Visit) -> None:
    player = operator()
    player.begin("awele", "me", "other")
    player.type_moves("C")
    live = player.page.get_by_role("status").filter(has_text="C")
    expect(live.first).to_contain_text("sows")


def test_cells_say_what_lies_there(operator: Visit) -> None:
    player = operator()
    player.begin("awele", "me", "other")
    pit = player.page.get_by_role("button", name="A: 4 seeds")
    expect(pit.first).to_be_visible()
    before = player.cells
    player.play(1, random.Random(1))
    assert player.cells != before


def test_every_control_has_a_name(operator: Visit) -> None:
    """Also what axe does not look into: the board's cells that cannot be clicked now."""
    player = operator()
    player.begin("abalone", "me", "other")
    assert all(player.cells)
    expect(player.page.get_by_role("application")).to_have_accessible_name("Board")
