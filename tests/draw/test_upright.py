"""Long boards turned by a quarter, for phones."""

import re

import pytest

import palabre
from palabre.core.game import Game
from palabre.draw.empty import empty_board
from palabre.draw.layout import Layout, layout
from palabre.draw.upright import upright
from tests.draw.test_frames import GAMES


def turned(game: Game) -> Layout:
    found = upright(game)
    assert found is not None
    return found


@pytest.mark.parametrize("spec", [spec for spec in GAMES if not spec.startswith("awale")])
def test_a_board_that_is_not_long_stays_as_it_is(spec: str) -> None:
    assert upright(palabre.game(spec)) is None


def test_it_is_turned_clockwise() -> None:
    """The lower row runs down on the left, and so pieces go round in the same direction as before."""
    game = palabre.game("awale")
    lying, found = layout(game), turned(game)
    assert lying.width > 2 * lying.height
    assert found.height > 1.5 * found.width
    places = dict(zip((cell.name for cell in found.cells), found.places, strict=True))
    lower, upper = [places[str(hole)] for hole in range(1, 9)], [places[str(hole)] for hole in range(16, 8, -1)]
    assert lower == sorted(lower)
    assert {x for x, _ in lower} == {lower[0][0]}
    assert [y for _, y in lower] == [y for _, y in upper]
    assert lower[0][0] + upper[0][0] == pytest.approx(found.width, abs=1)
    assert lower[0][0] < upper[0][0]


def test_cells_lie_in_the_picture_and_stores_beyond_it() -> None:
    """What the first player takes goes down, where that player's score is."""
    found = turned(palabre.game("awale"))
    for cell, (x, y) in found.on_board():
        assert 32 * cell.size < x < found.width - 32 * cell.size
        assert 32 * cell.size < y < found.height - 32 * cell.size
    stores = {cell.owner: (cell, y) for cell, (_, y) in zip(found.cells, found.places, strict=True) if cell.store}
    assert stores[0][1] - 32 * stores[0][0].height >= found.height
    assert stores[1][1] + 32 * stores[1][0].height <= 0


def test_texts_are_not_turned_and_stand_towards_the_edges() -> None:
    found = turned(palabre.game("awale"))
    places = dict(zip((cell.name for cell in found.cells), found.places, strict=True))
    texts = re.findall(r'<text x="([^"]+)" [^>]*>(\w+)</text>', empty_board(found))
    assert {name for _, name in texts} == {str(hole) for hole in range(1, 17)}
    for x, name in texts:
        assert (float(x) < places[name][0]) == (int(name) <= 8)


def test_arrows_run_between_the_columns() -> None:
    """Up along the right column and down along the left one: counter-clockwise, as pieces go."""
    found = turned(palabre.game("awale"))
    arrows = re.search(r'<path d="([^"]+)" transform="rotate\(90 (\S+) (\S+)\)"', empty_board(found))
    assert arrows is not None
    centre, middle = float(arrows[2]), float(arrows[3])
    assert (centre, middle) == pytest.approx((found.width / 2, found.height / 2), abs=1)
    (start, line, tip), (start_2, line_2, tip_2) = re.findall(r"M(\S+) (\S+)H([\d.]+)", arrows[1])
    assert float(line) < middle < float(line_2)  # A quarter clockwise, what is above goes to the right.
    assert float(start) > float(tip)  # What runs to the left there runs up,
    assert float(start_2) < float(tip_2)  # and what runs to the right runs down.
    assert float(start) - float(tip) > found.height / 5  # They are along the columns, and can be seen.
