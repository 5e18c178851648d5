"""Positions that look the same to a player who turns the board, holds it before a mirror, or changes seats.

Symmetries are read off the board: where its cells lie, and whose they are. The rules of a game may know fewer of them,
as where seeds go round one way only. So this is for refusing help, where a symmetry too many does no harm.
"""

import math
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from palabre.core.board import Cell, Piece
from palabre.core.position import Position

TURNS = 12  # of 30° each, among which are all that leave a board of squares or of hexagons as it is
TOLERANCE = 0.1  # by which a cell may be beside the place of another, in units of x and y
MOST_BOARDS = 32  # whose symmetries are remembered

Look = tuple[int, frozenset[Piece]]
Outline = frozenset[tuple[tuple[str, str, int, int], int]]  # what lies where, up to a symmetry, and how often
Symmetry = tuple[dict[str, str], int]  # which cell becomes which, and by how many seats the players move on


def look_of(position: Position) -> Look:
    """What people see of a position: whose turn it is and what lies on the board, without stores, scores and counts."""
    on_board = {cell.name for cell in _cells(position)}
    return position.to_move, frozenset(
        piece for piece in position.game.view.pieces(position.state) if piece.cell in on_board
    )


def looks_of(position: Position) -> Iterator[Look]:
    """What people may see of a position, from every side: first as it is."""
    to_move, pieces = look_of(position)
    players = position.game.players
    for cells, shift in symmetries(_cells(position), players):
        yield (
            (to_move + shift) % players,
            frozenset(
                replace(
                    piece,
                    cell=cells[piece.cell],
                    player=None if piece.player is None else (piece.player + shift) % players,
                )
                for piece in pieces
            ),
        )


def outline_of(position: Position, look: Look) -> Outline:
    """What is the same of a position from every side: most differ in it, and need not be turned."""
    places = _orbits(_cells(position), position.game.players)
    seen = ((places[piece.cell], piece.kind, piece.count, piece.height) for piece in look[1])
    return frozenset(Counter(seen).items())


@lru_cache(maxsize=MOST_BOARDS)
def symmetries(cells: tuple[Cell, ...], players: int) -> list[Symmetry]:
    """All symmetries of a board, the first of which leaves everything as it is."""
    images: list[Symmetry] = []
    for mapping in _mappings(cells):
        for shift in range(players):
            is_fair = all(
                cell.owner is None or (cell.owner + shift) % players == image.owner
                for cell, image in zip(cells, mapping, strict=True)
            )
            names = {cell.name: image.name for cell, image in zip(cells, mapping, strict=True)}
            if is_fair and (names, shift) not in images:
                images.append((names, shift))
    return images


@lru_cache(maxsize=MOST_BOARDS)
def _orbits(cells: tuple[Cell, ...], players: int) -> dict[str, str]:
    """For each cell, one and the same of all that it can become."""
    return {cell.name: min(names[cell.name] for names, _ in symmetries(cells, players)) for cell in cells}


def _cells(position: Position) -> tuple[Cell, ...]:
    """The cells of the board, without the stores beside it."""
    return tuple(cell for cell in position.game.view.cells(position.game.options) if not cell.store)


def _mappings(cells: Sequence[Cell]) -> Iterator[list[Cell]]:
    """The images of all cells under each way to turn and mirror the board that leaves it as it is."""
    middle = statistics.fmean(cell.x for cell in cells), statistics.fmean(cell.y for cell in cells)
    for side in (1, -1):
        for turn in range(TURNS):
            cosine, sine = math.cos(turn * math.tau / TURNS), math.sin(turn * math.tau / TURNS)
            images = []
            for cell in cells:
                x, y = side * (cell.x - middle[0]), cell.y - middle[1]
                place = middle[0] + cosine * x - sine * y, middle[1] + sine * x + cosine * y
                images += [other for other in cells if math.dist(place, (other.x, other.y)) < TOLERANCE][:1]
            if len(set(images)) == len(cells):
                yield images
