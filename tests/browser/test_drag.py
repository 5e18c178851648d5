"""Pieces dragged with the mouse, where people expect it."""

import random

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor


def lift(player: Visitor, origin: str, target: str) -> None:
    """Press on a cell and move to another without letting go."""
    player.page.mouse.move(*player.middle(origin))
    player.page.mouse.down()
    player.page.mouse.move(*player.middle(target), steps=5)


@pytest.mark.parametrize(("game", "placed"), [("abalone:official", 0), ("avalam:official", 0), ("penguins", 8)])
def test_a_piece_is_dragged_and_stays_if_it_is_dropped_elsewhere(operator: Visit, game: str, placed: int) -> None:
    player = operator({"speed": "normal"})
    player.begin(game, "me", "other")
    player.play(placed, random.Random(1))
    before = player.cells
    origin, target = player.first_step()
    player.page.mouse.move(*player.middle(origin))
    player.page.mouse.down()
    player.page.mouse.move(5, 5, steps=5)
    player.page.mouse.up()
    expect(player.page.locator(".ghost, .lifted, .cell.chosen")).to_have_count(0)
    assert player.cells == before
    assert len(player.moves) == placed
    lift(player, origin, target)
    expect(player.page.locator(".ghost > *")).not_to_have_count(0)  # A copy follows the pointer,
    expect(player.page.locator(".look.lifted")).to_have_count(1)  # the piece itself is faint,
    expect(player.page.locator(".cell.drop")).not_to_have_count(0)  # and one sees where it may go
    expect(player.page.locator(".cell.over")).to_have_attribute("data-cell", target)
    player.page.mouse.up()
    expect(player.page.locator(".moves .move")).to_have_count(placed + 1)
    expect(player.page.locator(".ghost, .lifted, .cell.drop, .cell.over, .cell.chosen")).to_have_count(0)
    player.play(1, random.Random(1))
    assert len(player.moves) == placed + 2


def test_a_line_of_marbles_is_pushed_by_its_end(operator: Visit) -> None:
    player = operator()
    player.begin("abalone:official", "me", "other")
    lift(player, "i5", "f5")
    player.page.mouse.up()
    expect(player.page.locator(".moves .move")).to_have_count(1)


def test_a_drag_is_no_click_and_a_click_no_drag(operator: Visit) -> None:
    """A press that moves by some pixels is a click; the end of a drag is none."""
    player = operator()
    player.begin("avalam:official", "me", "other")
    x, y = player.middle("f9")
    player.page.mouse.move(x, y)
    player.page.mouse.down()
    player.page.mouse.move(x + 3, y + 2)
    player.page.mouse.up()
    expect(player.page.locator('.cell.chosen[data-cell="f9"]')).to_have_count(1)
    player.page.keyboard.press("Escape")
    lift(player, "f9", "g9")
    player.page.mouse.move(x, y, steps=3)  # back to where it was
    player.page.mouse.up()
    expect(player.page.locator(".cell.chosen, .ghost")).to_have_count(0)
    assert player.moves == []
