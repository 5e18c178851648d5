"""A long board, turned by a quarter: for phones, where its cells would be too small for a thumb if it lay.

Only the places are turned. Whatever is drawn at them, and every text, stays as it is.
"""

import math
from functools import lru_cache

from palabre.core.board import Label
from palabre.core.game import Game
from palabre.draw.layout import LABEL, REACH, Layout, Place, extent, layout
from palabre.draw.symbols import UNIT

WIDE = 2.0  # A board is turned that is so many times as wide as high,
LONG = 7.5  # and longer than this, in cells: so many are too small for a thumb side by side.
APART = 1.6  # On a plank, columns are so many times further apart than rows: the numbers of both are between them.
SIDE, END = 1.1, 0.62  # how far a plank goes beyond its cells at the sides, where their names are, and at the ends
MARGIN = 6.0


@lru_cache(maxsize=256)
def upright(game: Game) -> Layout | None:
    """Where the turned board of a game lies; None if it is not long, or of hexagons, which would not fit together.

    It is turned clockwise: the player below has the lower row on the left, and the store that was on the right is
    below the board. Stores lie beyond the picture, where what is taken goes.
    """
    lying = layout(game)
    columns = [x for _, (x, _) in lying.on_board()]
    is_long = max(columns) - min(columns) > (LONG - 1) * UNIT and lying.width > WIDE * lying.height
    if not is_long or any(cell.shape == "hexagon" for cell in lying.cells):
        return None
    usual = REACH[lying.board.material]
    apart, side, end = (APART, SIDE, END) if lying.board.material == "wood" else (1.0, usual, usual)
    reach = side * UNIT, end * UNIT
    turned = [(-apart * y, x) for x, y in lying.places]
    labels = [(-apart * label.y, label.x) for label in lying.labels]
    played = [place for cell, place in zip(lying.cells, turned, strict=True) if not cell.store]
    left, top, right, bottom = _round([*_boxes(played, reach), *_boxes(labels, (LABEL * UNIT, LABEL * UNIT))])
    width, height = math.ceil(right - left), math.ceil(bottom - top)
    places = [(round(x - left, 2), round(y - top, 2)) for x, y in turned]
    for at, cell in enumerate(lying.cells):
        if cell.store:
            along = extent(cell)[1]
            places[at] = (width / 2, height + along if places[at][1] > height / 2 else -along)
    return Layout(
        lying.board,
        lying.cells,
        places,
        [Label(label.text, x - left, y - top) for label, (x, y) in zip(lying.labels, labels, strict=True)],
        width,
        height,
        reach,
        is_upright=True,
    )


def _boxes(places: list[Place], reach: Place) -> list[tuple[float, float, float, float]]:
    """The left, top, right and bottom of what reaches so far on all sides of each place."""
    return [(x - reach[0], y - reach[1], x + reach[0], y + reach[1]) for x, y in places]


def _round(boxes: list[tuple[float, float, float, float]]) -> tuple[float, float, float, float]:
    """The box round some boxes, with a margin."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts) - MARGIN, min(tops) - MARGIN, max(rights) + MARGIN, max(bottoms) + MARGIN
