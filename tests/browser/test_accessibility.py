"""Every view judged by axe, in every theme; what a screen reader is told of moves and boards."""

import ast
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

import palabre
from tests.browser import views
from tests.browser.conftest import Visit
from tests.browser.views import VIEWS
from tests.browser.visitor import Visitor

ALL: dict[str, Any] = {"resultTypes": ["violations"]}
COLOURS: dict[str, Any] = {**ALL, "runOnly": ["color-contrast"]}  # all that a theme can change
# 7:1 instead of 4.5:1.
STRONG: dict[str, Any] = {
    **ALL,
    "runOnly": ["color-contrast-enhanced"],
    "rules": {"color-contrast-enhanced": {"enabled": True}},
}

# What axe leaves out: hints in empty fields, buttons that are off, and the marks on the board; their colours.
FAINT = """() => {
  const style = (selector, part) => getComputedStyle(document.querySelector(selector), part);
  const off = style("button:disabled");
  return { placeholder: style("[data-id=move-field]", "::placeholder").color, off: off.color, opacity: off.opacity };
}"""
MARKS = """(selectors) => selectors.map((selector) => {
  const { stroke, strokeWidth, strokeOpacity, fill, filter } = getComputedStyle(document.querySelector(selector));
  return { stroke, width: parseFloat(strokeWidth), opacity: strokeOpacity, fill, filter };
})"""


def violations(visitor: Visitor, options: dict[str, Any]) -> list[str]:
    """What axe finds, as lines that say where."""
    found = Axe().run(visitor.page, options=options).response["violations"]
    return [f"{rule['id']} ({rule['impact']}): {node['html'][:150]}" for rule in found for node in rule["nodes"]]


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.__name__)
def test_axe_finds_nothing(operator: Visit, view: Callable[[Visitor], None]) -> None:
    visitor = operator({"speed": "off", "theme": "light"})
    view(visitor)
    assert violations(visitor, ALL) == []
    for theme, options in (("dark", COLOURS), ("contrast", STRONG)):
        visitor.page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
        assert [theme, *violations(visitor, options)] == [theme]


def luminance(colour: str) -> float:
    """As the Web Content Accessibility Guidelines define it."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return float(sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True)))


def contrast(colour: str, ground: str = "rgb(255, 255, 255)") -> float:
    darker, lighter = sorted((luminance(colour), luminance(ground)))
    return (lighter + 0.05) / (darker + 0.05)


def test_in_high_contrast_nothing_is_faint(operator: Visit) -> None:
    """Marks on the board cover no piece, and have a light edge that shows on what is dark."""
    player = operator({"speed": "off", "theme": "contrast"})
    player.begin("abalone:official", "me", "other")
    player.play(1, random.Random(1))
    found = player.page.evaluate(FAINT)
    assert found.pop("opacity") == "1"
    assert {name: colour for name, colour in found.items() if contrast(colour) < 7} == {}
    lit, origin, target = player.page.evaluate(MARKS, [".cell.lit:not(.target)", ".cell.origin", ".cell.target"])
    player.page.locator(".cell.lit").first.click()
    choice, chosen = player.page.evaluate(MARKS, [".cell.lit", ".cell.chosen"])
    player.page.keyboard.press("Escape")
    player.find("hint").click()
    expect(player.page.locator(".cell.hinted").first).to_be_attached()
    [hinted] = player.page.evaluate(MARKS, [".cell.hinted"])
    for mark in (lit, origin, target, choice, chosen, hinted):
        assert contrast(mark["stroke"]) >= 4.5
        assert mark["opacity"] == "1"
        assert mark["width"] >= 2
        assert "drop-shadow(rgb(255, 255, 255)" in mark["filter"]
        assert re.search(r"[,/] 0\)$", mark["fill"]), "it is not transparent"
    assert len({mark["stroke"] for mark in (lit, target, hinted)}) == 3
    assert chosen["stroke"] != choice["stroke"]


def test_a_system_that_asks_for_contrast_gets_it(operator: Visit) -> None:
    for theme, expected in (("auto", "contrast"), ("dark", "dark")):
        visitor = operator({"theme": theme}, contrast="more")
        expect(visitor.page.locator("html")).to_have_attribute("data-theme", expected)


def test_axe_finds_nothing_at_the_door(guest: Visit) -> None:
    visitor = guest()
    visitor.open("/")
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text("Palabre")
    assert violations(visitor, ALL) == []
    assert len(visitor.complaints) == 1  # of the browser, that it may not come in
    visitor.complaints.clear()


def test_every_route_is_among_the_views() -> None:
    """By the addresses in the source of the views; rooms and events are begun there by forms."""
    source = Path(views.__file__).read_text(encoding="utf-8")
    strings = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
    paths = {text.partition("?")[0] for text in strings if isinstance(text, str) and text.startswith("/")}
    paths |= {f"/{place}/name" for place, form in (("play", ".begin("), ("event", "start_match(")) if form in source}
    script = (Path(palabre.__file__).parent / "web" / "static" / "main.js").read_text(encoding="utf-8")
    routes = re.findall(r"^  \[/(\^.*\$)/, ", script, re.MULTILINE)
    assert len(routes) >= 7
    for route in routes:
        pattern = re.compile(route.replace("\\/", "/").replace("(?<", "(?P<"))
        assert any(pattern.match(path) for path in paths), f"no view has an address like {pattern.pattern}"


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
