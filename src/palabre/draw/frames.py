"""A game as frames: the board once, and then only what changes from position to position.

A page that steps through a game needs no drawing of its own: it puts markup that was made here into the cells. Cells of
many positions, and of many games, look alike, so each look is written once and named by its number.
"""

from collections.abc import Sequence
from typing import TypedDict

from palabre.core.position import Position
from palabre.draw.svg import board
from palabre.draw.terminal import status


class Ground(TypedDict):
    """What all positions of a game have in common, ready to be written as JSON."""

    width: float
    height: float
    places: list[tuple[float, float]]  # of the cells, in pixels
    labels: list[str]  # the names of the cells, as SVG markup


class Frames(TypedDict):
    """A game, ready to be written as JSON."""

    changes: list[list[int]]  # for each position, cell, look, cell, look, …: all cells first, then those that change
    moves: list[str]
    movers: list[int]  # the seat that made each move
    scores: list[tuple[int, ...]]  # of each position
    status: list[str]  # of each position, in words


class Looks:
    """Every look that a cell has had, as SVG markup, and its number."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, look: str) -> int:
        """The number of a look, which may be a new one."""
        return self._numbers.setdefault(look, len(self._numbers))

    def markup(self) -> list[str]:
        """All looks, in the order of their numbers."""
        return list(self._numbers)


def ground(position: Position) -> Ground:
    """The board without what lies on it."""
    parts = board(position)
    return Ground(width=parts.width, height=parts.height, places=parts.places, labels=parts.labels)


def frames(positions: Sequence[Position], looks: Looks) -> Frames:
    """The frames of a game, given all its positions from the first on; new looks are added to `looks`."""
    changes: list[list[int]] = []
    shown: list[int | None] = [None] * len(board(positions[0]).places)
    for position in positions:
        now = [looks.number(content) for content in board(position).contents]
        changes.append([word for cell, look in enumerate(now) if look != shown[cell] for word in (cell, look)])
        shown = [*now]
    return Frames(
        changes=changes,
        moves=[after.played[-1].text for after in positions[1:]],
        movers=[before.to_move for before in positions[:-1]],
        scores=[position.scores for position in positions],
        status=[status(position) for position in positions],
    )
