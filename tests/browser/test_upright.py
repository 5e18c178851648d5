"""A long board on a phone: it stands upright, and all that can be done with a board can be done with it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.conftest import Visit
from tests.browser.test_keyboard import tab_to
from tests.browser.test_motion import NOTING
from tests.browser.test_phone import PHONES, THUMB, drag
from tests.browser.visitor import FAST, PHONE, Visitor
from tests.web.browsing import Server, serving

SIDEWAYS: ViewportSize = {"width": PHONE["height"], "height": PHONE["width"]}
SMALLEST = 12  # pixels: of a number on the board
# Every kind of number beside a hole: one and two digits, one to three colours, beside each other and alone.
CROWDED = (
    "10.11.12/1.1.1/2.0.1/2.2.0/0.0.0/1.1.1/3.0.2/0.0.1/2.2.2/0.0.1/1.0.0/0.0.0/0.4.0/0.10.10/2.1.1/0.0.0 8,0 1 40"
)

# The size of each text on the board that is shown, in pixels of the window, and the way in which it runs.
TEXTS = """() => [...document.querySelectorAll(".board text")].filter((text) => text.checkVisibility()).map((text) => {
  const { a, b } = text.getScreenCTM();
  return { words: text.textContent, size: parseFloat(text.getAttribute("font-size")) * Math.hypot(a, b), right: a };
})"""
# What is drawn beside the cells, and the cells themselves, as boxes on the screen.
BOXES = """() => {
  const box = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return { left, top, right, bottom };
  };
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((found) => found.checkVisibility());
  const { left, top, right, bottom } = box(document.querySelector(".board"));
  const isInside = (found) => found.left >= left && found.top >= top && found.right <= right && found.bottom <= bottom;
  return {
    beside: shown(".look > .beside, .layer-ground text").map(box),
    cells: shown(".cell").map(box).filter(isInside),
  };
}"""
LOWEST = (
    "(selectors) => Math.max(...selectors.map((each) => document.querySelector(each).getBoundingClientRect().bottom))"
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that also offers a long board on which pieces are dragged."""
    games = str(Path(__file__).with_name("long_track.py"))
    with serving(tmp_path_factory.mktemp("server"), GAMES=games, RATES="off") as running:
        yield running


def begin(player: Visitor, *moves: str, start: str = "") -> None:
    """Begin a game of sixteen holes for two people at one phone, and play these moves."""
    player.begin(f"awale&start={quote_plus(start)}" if start else "awale", "me", "other")
    player.type_moves(*moves)


def boxes(player: Visitor) -> dict[str, list[dict[str, float]]]:
    found: dict[str, list[dict[str, float]]] = player.page.evaluate(BOXES)
    return found


def meet(one: dict[str, float], other: dict[str, float], shrunk: float = 1.0) -> bool:
    """Whether two boxes overlap; boxes of texts are higher than their letters, and are shrunk by some pixels."""
    across = min(one["right"], other["right"]) - max(one["left"], other["left"])
    down = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
    return across > shrunk and down > 4 * shrunk


def attributes(player: Visitor, *cells: str) -> list[str | None]:
    """Where cells are drawn."""
    return [player.page.locator(f'.cell[data-cell="{cell}"]').get_attribute("transform") for cell in cells]


def test_numbers_can_be_read(operator: Visit) -> None:
    """They are large, upright, and neither above each other nor above a hole, with the names of the holes or not."""
    player = operator({**FAST, "coordinates": "on"}, **PHONES)
    begin(player, start=CROWDED)
    read_numbers(player)
    player.find("flip").click()
    expect(player.page.locator(".board.flipped")).to_have_count(1)
    read_numbers(player)


def read_numbers(player: Visitor) -> None:
    texts: list[dict[str, Any]] = player.page.evaluate(TEXTS)
    assert {"1", "16", "12"} <= {text["words"] for text in texts}
    assert [text for text in texts if text["size"] < SMALLEST or text["right"] <= 0] == []
    found = boxes(player)
    assert len(found["cells"]) == 16
    for at, one in enumerate(found["beside"]):
        assert not any(meet(one, other) for other in found["beside"][at + 1 :])
        assert not any(meet(one, cell, shrunk=2) for cell in found["cells"])


def has_large_holes(player: Visitor) -> None:
    """Large enough for a thumb, also on a small phone of which the browser takes the most."""
    for cell in boxes(player)["cells"]:
        assert cell["right"] - cell["left"] >= THUMB
        assert cell["bottom"] - cell["top"] >= THUMB
    player.page.set_viewport_size({"width": 360, "height": 560})
    assert min(cell["right"] - cell["left"] for cell in boxes(player)["cells"]) >= THUMB
    player.page.set_viewport_size(PHONE)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_move_needs_no_scrolling(operator: Visit, language: str) -> None:
    """The board, both scores, whose turn it is, and then the colours to choose from are all in sight."""
    player = operator({**FAST, "language": language}, **PHONES)
    begin(player)
    has_large_holes(player)
    assert player.page.evaluate(LOWEST, [".above", ".board", ".below", ".status"]) <= PHONE["height"]
    own = player.page.locator(".cell.lit")
    expect(own).to_have_count(8)
    for hole in own.all():
        x, y = player.middle(hole.get_attribute("data-cell") or "")
        assert player.page.evaluate("([x, y]) => document.elementFromPoint(x, y).matches('.cell.lit')", [x, y])
    player.page.touchscreen.tap(*player.middle("3"))
    expect(player.page.locator(".word-bar .word")).to_have_count(4)
    assert player.page.evaluate(LOWEST, [".word-bar"]) <= PHONE["height"]
    player.page.locator(".word-bar .word").first.tap()
    expect(player.page.locator(".moves .move")).to_have_text(["3r"])
    assert player.page.evaluate("scrollY") == 0


def test_it_lies_where_there_is_room(operator: Visit) -> None:
    """On a wide screen, and on a phone that is turned: holes 1 to 8 in one row, and the stores in sight."""
    player = operator(viewport={"width": 1440, "height": 900})
    begin(player)
    lying = attributes(player, "1", "8", "16", "store 1")
    board = player.page.locator(".board")
    frame = board.get_attribute("viewBox")
    assert len({player.middle(str(hole))[1] for hole in range(1, 9)}) == 1
    names = player.cells
    for size, is_upright in ((PHONE, True), (SIDEWAYS, False)):
        player.page.set_viewport_size(size)
        expect(player.page.locator(".board.upright")).to_have_count(int(is_upright))
        assert (board.get_attribute("viewBox") == frame) == (not is_upright)
        assert (attributes(player, "1", "8", "16", "store 1") == lying) == (not is_upright)
        assert player.cells == names  # They are read to people in the same order and words.


def test_it_is_flipped(operator: Visit) -> None:
    player = operator(**PHONES)
    begin(player, "1r", "2b", "3tr")
    before = {name: player.middle(name) for name in ("1", "8", "9", "16")}
    marked = player.page.locator(".cell.target").count()
    player.page.keyboard.press("f")
    for name, opposite in (("1", "9"), ("8", "16"), ("9", "1"), ("16", "8")):
        assert player.middle(name) == pytest.approx(before[opposite], abs=1.5)
    expect(player.page.locator(".cell.target")).to_have_count(marked)
    player.page.keyboard.press("f")
    assert player.middle("1") == pytest.approx(before["1"], abs=0.5)


def test_whoever_plays_second_sees_it_from_the_other_side(operator: Visit) -> None:
    """What somebody takes goes down, where the own score is."""
    player = operator(**PHONES)
    player.begin("awale", "idiot", "me")
    expect(player.page.locator(".board.flipped.upright")).to_have_count(1)
    _, mine = player.middle("store 2")
    _, theirs = player.middle("store 1")
    assert theirs < player.middle("16")[1] < mine


def test_seeds_fly_from_hole_to_hole(operator: Visit) -> None:
    player = operator({"speed": "fast"}, **PHONES)
    player.context.add_init_script(NOTING.replace("options.duration", "frames.map(({ transform }) => transform)"))
    begin(player)
    player.type_moves("7r")
    player.next_clicks()
    flown = player.page.evaluate("window.durations")
    expected = [(attributes(player, "7")[0], attributes(player, target)[0]) for target in ("8", "9")]
    assert [tuple(re.sub(r"px|,", "", place) for place in flight) for flight in flown] == expected


def test_the_last_move_is_ringed_and_the_hint_in_sight(operator: Visit) -> None:
    player = operator(**PHONES)
    begin(player, "1r")
    expect(player.page.locator('.cell.target:is([data-cell="2"], [data-cell="3"])')).to_have_count(2)
    player.find("hint").tap()
    hint = player.page.locator(".arrow")
    expect(hint).to_have_count(1)
    expect(hint).to_be_in_viewport(ratio=1)
    box = hint.bounding_box()
    assert box is not None
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert any(middle == pytest.approx(player.middle(str(hole)), abs=1) for hole in range(2, 17, 2))


def test_arrow_keys_go_where_they_point(operator: Visit) -> None:
    player = operator(**PHONES)
    begin(player)
    tab_to(player, ".cell")
    reached = []
    for key in ("ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft"):
        player.page.keyboard.press(key)
        reached.append(player.page.evaluate("document.activeElement.dataset.cell"))
    assert reached == ["2", "15", "16", "1"]
    player.page.keyboard.press("Enter")
    expect(player.page.locator('.cell.chosen[data-cell="1"]')).to_have_count(1)


def test_pieces_follow_the_finger(operator: Visit) -> None:
    """On a long board of somebody's own, of squares that touch, with names of rows and columns."""
    player = operator({**FAST, "coordinates": "on"}, **PHONES)
    player.begin("browser/long_track.py", "me", "other")
    expect(player.page.locator(".board.upright")).to_have_count(1)
    assert player.middle("a1")[0] < player.middle("a2")[0]
    assert player.middle("a1")[1] < player.middle("j1")[1]
    assert sorted(text["words"] for text in player.page.evaluate(TEXTS)) == sorted("abcdefghij12")
    drag(player, player.middle("a1"), player.middle("c1"))
    expect(player.page.locator(".moves .move")).to_have_text(["2"])
    expect(player.page.locator(".ghost")).to_have_count(0)
    drag(player, player.middle("a2"), player.middle("b2"))
    expect(player.page.locator(".moves .move")).to_have_text(["2", "1"])
