"""Where everything of a board lies in a picture."""

import math
import re
from dataclasses import dataclass
from functools import lru_cache

from palabre.core.board import Board, Cell, Label
from palabre.core.game import Game
from palabre.draw.symbols import RADIUS, UNIT, hexagon

MARGIN = 12.0
# How far a board of each material reaches beyond the centres of its cells, in cells.
REACH = {"plain": 0.7, "wood": 0.95, "slate": 0.66, "ice": 0.5, "felt": 0.66}
BESIDE = 0.95  # how far from the last cells the names of rows and columns stand
LABEL = 0.2  # half the height of such a name, in cells

Place = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Layout:
    """A board in pixels. There is one for each game, so that caches can go by its identity."""

    board: Board
    cells: list[Cell]
    places: list[Place]  # of the cells
    labels: list[Label]  # of rows and columns; if there are none, every cell bears its name
    width: float
    height: float
    reach: Place  # how far a plate may go beyond the cells to the sides, and up and down
    is_upright: bool = False  # whether rows have become columns, see `upright.py`

    def on_board(self) -> list[tuple[Cell, Place]]:
        """The cells with their places, without the stores."""
        return [(cell, place) for cell, place in zip(self.cells, self.places, strict=True) if not cell.store]

    def outwards(self, place: Place) -> int:
        """The way to the nearer long edge of the board: -1 up, 1 down; of an upright one -1 left, 1 right."""
        x, y = place
        return -1 if (x < self.width / 2 if self.is_upright else y < self.height / 2) else 1


def board_of(game: Game) -> Board:
    """The facts of a game's board. A game in one file may mean something else by the name BOARD."""
    board = getattr(game.view, "BOARD", None)
    return board if isinstance(board, Board) else Board()


@lru_cache(maxsize=256)
def layout(game: Game) -> Layout:
    """Where the board of a game lies."""
    board, cells = board_of(game), list(game.view.cells(game.options))
    labels = list(board.labels) if board.labels is not None else _rows_and_columns(cells)
    boxes = [_box(cell, board) for cell in cells]
    boxes += [(label.x - LABEL, label.y - LABEL, label.x + LABEL, label.y + LABEL) for label in labels]
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    left, top = MARGIN - min(lefts) * UNIT, MARGIN - min(tops) * UNIT
    return Layout(
        board,
        cells,
        [(round(left + cell.x * UNIT, 2), round(top + cell.y * UNIT, 2)) for cell in cells],
        [Label(label.text, left + label.x * UNIT, top + label.y * UNIT) for label in labels],
        math.ceil(left + max(rights) * UNIT + MARGIN),
        math.ceil(top + max(bottoms) * UNIT + MARGIN),
        (REACH[board.material] * UNIT, REACH[board.material] * UNIT),
    )


def extent(cell: Cell) -> Place:
    """Half the width and half the height of a cell, in pixels."""
    return RADIUS * cell.size, RADIUS * (cell.height or cell.size)


def outline(cell: Cell) -> str:
    """The path of a cell's shape, round the point 0, 0."""
    across, along = extent(cell)
    if cell.store:
        x, y = across - 3, along - 3
        return (
            f"M{12 - x:g} {-y:g}H{x - 12:g}Q{x:g} {-y:g} {x:g} {12 - y:g}V{y - 12:g}Q{x:g} {y:g} {x - 12:g} {y:g}"
            + (f"H{12 - x:g}Q{-x:g} {y:g} {-x:g} {y - 12:g}V{12 - y:g}Q{-x:g} {-y:g} {12 - x:g} {-y:g}Z")
        )
    r = across - 1.5
    if cell.shape == "square":
        return f"M{-r:g} {-r:g}H{r:g}V{r:g}H{-r:g}Z"
    if cell.shape == "hexagon":
        return hexagon(r)
    return f"M{-r:g} 0A{r:g} {r:g} 0 1 1 {r:g} 0A{r:g} {r:g} 0 1 1 {-r:g} 0Z"


def _box(cell: Cell, board: Board) -> tuple[float, float, float, float]:
    """The left, top, right and bottom of a cell with the part of the board round it, in cells."""
    across, along, reach = cell.size / 2, (cell.height or cell.size) / 2, REACH[board.material]
    if not cell.store:
        across, along = max(across, reach), max(along, reach)
    elif board.material == "wood":
        across = max(across, reach)
    return cell.x - across, cell.y - along, cell.x + across, cell.y + along


def _rows_and_columns(cells: list[Cell]) -> list[Label]:
    """Letters below the columns and numbers beside the rows, if that is what the names of the cells are made of."""
    columns: dict[str, set[float]] = {}
    rows: dict[str, set[float]] = {}
    on_board = [cell for cell in cells if not cell.store]
    for cell in on_board:
        parts = re.fullmatch(r"([A-Za-z])(\d+)", cell.name)
        if parts is None:
            return []
        columns.setdefault(parts[1], set()).add(cell.x)
        rows.setdefault(parts[2], set()).add(cell.y)
    if any(len(names) > 1 for names in [*columns.values(), *rows.values()]):
        return []
    left, bottom = min(cell.x for cell in on_board), max(cell.y for cell in on_board)
    return [
        *(Label(name, x, bottom + BESIDE) for name, (x,) in columns.items()),
        *(Label(name, left - BESIDE, y) for name, (y,) in rows.items()),
    ]
