"""The page on a phone: everything fits, everything can be hit with a thumb, and pieces follow the finger."""

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import CDPSession, ViewportSize, expect

from tests.browser.conftest import Visit
from tests.browser.views import VIEWS
from tests.browser.visitor import PHONE, Visitor

PHONES = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
SIDEWAYS: ViewportSize = {"width": 844, "height": 390}
THUMB = 44  # pixels

# Links in the flow of a text are as high as their line, and the area of a radio button or a check box is its label.
# The cells of the board are as large as the board allows.
TOO_SMALL = """(thumb) => {
  const controls = document.querySelectorAll("button, a[href], select, input, summary, textarea");
  const isInText = (element) => element.closest(".skip, .prose, p:not(.row), small, .unseen");
  const isShown = (element) => element.checkVisibility() && !isInText(element);
  const target = (element) => (["radio", "checkbox"].includes(element.type) ? element.closest("label") : element);
  const isSmall = (element) => {
    const { width, height } = target(element).getBoundingClientRect();
    return width > 0 && (height < thumb - 0.5 || width < thumb - 0.5);
  };
  return [...controls].filter((element) => isShown(element) && isSmall(element)).map((element) => {
    const { width, height } = target(element).getBoundingClientRect();
    return `${Math.round(width)} x ${Math.round(height)} ${element.outerHTML.slice(0, 120)}`;
  });
}"""

# Texts of more than a few words below 16 pixels, but for the small print below fields.
TOO_FINE = """() => {
  const walker = document.createTreeWalker(document.getElementById("main"), NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    const isShort = node.textContent.trim().split(/\\s+/).length < 4;
    if (isShort || parent.closest("svg, small, .unseen") || !parent.checkVisibility()) continue;
    if (parseFloat(getComputedStyle(parent).fontSize) < 16) found.push(node.textContent);
  }
  return found;
}"""

WIDTHS = "() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]"


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.__name__)
def test_it_fits(tab: Visit, view: Callable[[Visitor], None]) -> None:
    visitor = tab(**PHONES)
    view(visitor)
    needed, there = visitor.page.evaluate(WIDTHS)
    assert (needed, there) == (PHONE["width"], PHONE["width"])
    assert visitor.page.evaluate(TOO_SMALL, THUMB) == []
    assert visitor.page.evaluate(TOO_FINE) == []


def test_a_wide_board_is_cut_to_what_is_played_on(tab: Visit) -> None:
    """Pits are large enough for a thumb then; the stores are beside the frame, and the scores on the plates."""
    player = tab(**PHONES)
    player.begin("awele", "me", "other")
    pit = player.page.locator('.cell[data-cell="A"]').bounding_box()
    store = player.page.locator(".cell").last.bounding_box()
    board = player.page.locator(".board").bounding_box()
    assert pit is not None
    assert store is not None
    assert board is not None
    assert pit["width"] >= THUMB
    assert store["x"] + store["width"] / 2 > board["x"] + board["width"] or store["x"] + store["width"] / 2 < board["x"]
    player.page.set_viewport_size({"width": PHONE["height"], "height": PHONE["width"]})  # The phone is turned.
    expect(player.page.locator(".board.cut")).to_have_count(0)
    player.play(1, random.Random(1))


def test_a_tap_beside_a_cell_is_meant_for_it(tab: Visit) -> None:
    player = tab(**PHONES)
    player.begin("awele", "me", "other")
    pit = player.page.locator('.cell[data-cell="C"]').bounding_box()
    assert pit is not None
    player.page.touchscreen.tap(pit["x"] + pit["width"] / 2 + 5, pit["y"] - 0.5)
    expect(player.page.locator(".moves .move")).to_have_text(["C"])
    board = player.page.locator(".board").bounding_box()
    assert board is not None
    player.next_clicks()
    player.page.touchscreen.tap(board["x"] + board["width"] / 2, board["y"] + board["height"] / 2)  # far from all
    player.play(1, random.Random(1))
    assert len(player.moves) == 2


def test_sideways_the_whole_board_is_in_sight(operator: Visit) -> None:
    """With the plates and what is said of the position beside it."""
    player = operator(**{**PHONES, "viewport": SIDEWAYS})
    seats = {"penguins:players=4": ("me", "other", "other", "other")}
    for game in ("abalone", "avalam", "awale", "awele", "penguins:players=4"):
        player.begin(game, *seats.get(game, ("me", "other")))
        for part in (".board", ".plate >> nth=0", ".plate >> nth=-1", ".words .status"):
            box = player.page.locator(part).bounding_box()
            assert box is not None
            assert box["y"] >= 0, (game, part)
            assert box["y"] + box["height"] <= SIDEWAYS["height"], (game, part)
        assert player.page.evaluate(WIDTHS) == [SIDEWAYS["width"], SIDEWAYS["width"]]
        assert player.page.evaluate(TOO_SMALL, THUMB) == []
    player.play(1, random.Random(1))


def fits(player: Visitor) -> None:
    """The board has the width of the phone, and one need not scroll to see it whole."""
    box = player.page.locator(".board").bounding_box()
    assert box is not None
    assert box["width"] >= 0.9 * PHONE["width"]
    assert box["y"] + box["height"] <= PHONE["height"]


@pytest.mark.parametrize("game", ["abalone", "avalam", "awale", "awele"])
def test_the_board_has_the_width(tab: Visit, game: str) -> None:
    player = tab(**PHONES)
    player.begin(game, "me", "other")
    fits(player)


def drag(player: Visitor, start: tuple[float, float], end: tuple[float, float]) -> None:
    """A finger that goes from one place to another."""
    finger: CDPSession = player.context.new_cdp_session(player.page)

    def touch(kind: str, *places: tuple[float, float]) -> None:
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in places]})

    touch("touchStart", start)
    for step in range(1, 6):
        touch("touchMove", tuple(a + (b - a) * step / 5 for a, b in zip(start, end, strict=True)))  # type: ignore[arg-type]
    touch("touchEnd")


@pytest.mark.parametrize(("game", "before"), [("abalone:official", 0), ("avalam:official", 3), ("penguins", 8)])
def test_pieces_follow_taps_and_the_finger(tab: Visit, game: str, before: int) -> None:
    """Taps come first: Chromium takes one that follows a quick drag as the end of a scroll."""
    player = tab(**PHONES)
    player.begin(game, "me", "other")
    fits(player)
    luck = random.Random(1)
    if game.startswith("avalam"):  # where every move is two taps
        for count in range(1, before + 1):
            for _ in range(2):
                player.page.touchscreen.tap(*luck.choice(player.next_clicks()["clicks"]))
            expect(player.page.locator(".moves .move")).to_have_count(count)
    else:
        player.play(before, luck)
    origin, target = player.first_step()
    drag(player, player.middle(origin), (2, 2))  # dropped elsewhere
    expect(player.page.locator(".ghost, .cell.chosen")).to_have_count(0)
    assert len(player.moves) == before
    drag(player, player.middle(origin), player.middle(target))
    expect(player.page.locator(".moves .move")).to_have_count(before + 1)
    expect(player.page.locator(".ghost")).to_have_count(0)
