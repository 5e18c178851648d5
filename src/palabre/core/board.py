"""What a board looks like, as facts: cells, the pieces on them, and the clicks that enter a move.

A game's `view.py` states these facts and draws nothing. The terminal, SVG and the browser draw any game from them.

- `cells(options)`: the cells, each with a name, a place (x to the right, y down, neighbours about 1 apart) and a shape.
- `pieces(state)`: what lies on the cells.
- `clicks(state, move)`: the paths of clicks that enter a move. A click is the name of a cell, or any other word,
  which is then shown as a button. No path may be the beginning of another move's.
"""

from dataclasses import dataclass
from typing import Literal

Shape = Literal["circle", "hexagon", "square"]
Kind = Literal["disc", "seeds", "label"]

Clicks = tuple[str, ...]


@dataclass(frozen=True)
class Cell:
    """A place on the board."""

    name: str
    x: float
    y: float
    shape: Shape = "circle"
    owner: int | None = None  # the player it belongs to, where cells belong to players
    size: float = 1.0  # width, in units of x and y
    label: str = ""  # what to write beside it; if it is empty, its name


@dataclass(frozen=True)
class Piece:
    """Something on a cell.

    disc: a counter, marble, tower or penguin of a player, with an optional text on it (a height).
    seeds: a number of small equal things of one colour, seeds or fish.
    label: a text in the cell.
    """

    cell: str
    kind: Kind
    player: int | None = None
    count: int = 1
    text: str = ""
    colour: str = ""  # seeds: red, blue, clear, brown, silver
    faded: bool = False  # out of play: a penguin that can never move again
