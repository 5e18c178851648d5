"""Positions that look the same to a player who turns the board, holds it before a mirror, or changes seats.

Symmetries are read off the board: where its cells lie, and whose they are. The rules of a game may know fewer of them,
as where seeds go round one way only. So this is for refusing help, where a symmetry too many does no harm.
"""

import cmath
import math
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from palabre.core.board import Cell, Piece
from palabre.core.game import Game
from palabre.core.position import Position

TURNS = 12  # of 30° each, among which are all that leave a board of squares or of hexagons as it is
TOLERANCE = 0.1  # by which a cell may be beside the place of another, in units of x and y
MOST_BOARDS = 32  # whose symmetries are kept

Look = tuple[int, frozenset[Piece]]
Outline = frozenset[tuple[tuple[str, str, int, int], int]]  # what lies where, up to a symmetry, and how often


class Symmetry(NamedTuple):
    """A way to turn and mirror a board and to change seats, after which it is as before."""

    cells: dict[str, str]  # which cell becomes which
    shift: int  # by how many seats the players move on


@lru_cache(maxsize=MOST_BOARDS)
def symmetries(game: Game) -> list[Symmetry]:
    """All symmetries of a board without its stores, the first of which leaves everything as it is."""
    board = {complex(cell.x, cell.y): cell for cell in game.view.cells(game.options) if not cell.store}
    middle = sum(board) / len(board)
    known: list[Symmetry] = []
    for turn, is_mirrored in product(range(TURNS), (False, True)):
        images: dict[Cell, Cell] = {}
        for point, cell in board.items():
            moved = cmath.rect(1.0, turn * math.tau / TURNS) * (point - middle)
            place = middle + (moved.conjugate() if is_mirrored else moved)
            images.update((cell, image) for other, image in board.items() if abs(other - place) < TOLERANCE)
        is_whole = len(set(images.values())) == len(board)
        for shift in range(game.players) if is_whole else ():
            owners = [(cell.owner, image.owner) for cell, image in images.items() if cell.owner is not None]
            names = {cell.name: image.name for cell, image in images.items()}
            if all((own + shift) % game.players == other for own, other in owners) and (names, shift) not in known:
                known.append(Symmetry(names, shift))
    return known


@lru_cache(maxsize=MOST_BOARDS)
def _orbits(game: Game) -> dict[str, str]:
    """For each cell, one and the same of all that it can become."""
    ways = symmetries(game)
    return {cell: min(way.cells[cell] for way in ways) for cell in ways[0].cells}


def look_of(position: Position) -> Look:
    """What people see of a position: whose turn it is and what lies on the board, without stores, scores and counts."""
    cells = _orbits(position.game)
    pieces = position.game.view.pieces(position.state)
    return position.to_move, frozenset(piece for piece in pieces if piece.cell in cells)


def looks_of(position: Position) -> Iterator[Look]:
    """What people may see of a position, from every side: first as it is."""
    to_move, pieces = look_of(position)
    players = position.game.players
    for cells, shift in symmetries(position.game):
        seats = {None: None} | {player: (player + shift) % players for player in range(players)}
        turned = (piece._replace(cell=cells[piece.cell], player=seats[piece.player]) for piece in pieces)
        yield (to_move + shift) % players, frozenset(turned)


def outline_of(position: Position, look: Look) -> Outline:
    """What is the same of a position from every side: most differ in it, and need not be turned."""
    places = _orbits(position.game)
    seen = ((places[piece.cell], piece.kind, piece.count, piece.height) for piece in look[1])
    return frozenset(Counter(seen).items())
