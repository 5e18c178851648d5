"""Arrow keys and drags on boards of every shape: every cell is reached, row by row, and a drag means what it shows."""

import pytest
from playwright.sync_api import expect

import palabre
from palabre.web.page import ground_of
from tests.browser.conftest import Visit
from tests.browser.test_drag import lift

BOARDS = ("abalone", "avalam", "awale", "awele", "penguins", "examples/othello.py")
# From each cell, the cell that each arrow key leads to.
STEPS = """async (places) => {
  const { nearest } = await import("/static/geometry.js");
  const ways = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };
  const from = (cell) => Object.fromEntries(Object.entries(ways).map(([way, to]) => [way, nearest(places, cell, to)]));
  return places.map((_, cell) => from(cell));
}"""


def skipped(places: list[dict[str, float]], cell: int, found: int, sign: int) -> list[int]:
    """The cells that a step up (-1) or down (1) has jumped over, all but those that lie diagonally from it."""
    here, there = (sign * places[number]["y"] for number in (cell, found))
    rows = {number: sign * place["y"] - here for number, place in enumerate(places)}
    between = [number for number, ahead in rows.items() if 1 < ahead < there - here - 1]
    return [number for number in between if abs(places[number]["x"] - places[cell]["x"]) < 0.75 * rows[number]]


def test_arrow_keys_reach_every_cell_and_skip_no_row(operator: Visit) -> None:
    visitor = operator()
    for spec in BOARDS:
        cells = ground_of(palabre.game(spec)).cells
        places = [{"x": cell.x, "y": cell.y} for cell in cells]
        steps: list[dict[str, int]] = visitor.page.evaluate(STEPS, places)
        reached, new = {0}, [0]
        while new:
            new = [found for cell in new for found in steps[cell].values() if found not in reached]
            reached.update(new)
        assert reached == set(range(len(places))), spec
        for cell, step in enumerate(steps):
            for way, sign in (("up", -1), ("down", 1)):
                is_step = not cells[cell].is_store and step[way] != cell
                assert not is_step or skipped(places, cell, step[way], sign) == [], (spec, cell, way)


@pytest.mark.parametrize("preset", ["official", "course"])
def test_a_marble_dragged_onto_the_next_one_pushes_the_line(operator: Visit, preset: str) -> None:
    player = operator()
    player.begin(f"abalone:{preset}", "me", "other")
    lift(player, "i5", "h5")
    player.page.mouse.up()
    expect(player.page.locator(".moves .move")).to_have_count(1)
    expect(player.page.locator(".cell.chosen")).to_have_count(0)
    expect(player.page.locator('.cell[data-cell="f5"]')).to_have_class("cell target")
