"""Avalam's board: the 48 cells of a square grid; a tower is a disc of its owner with its height on it."""

from palabre.core.board import Cell, Clicks, Piece
from palabre.core.spec import Options
from palabre.games.avalam.notation import NAMES
from palabre.games.avalam.rules import ORIGIN, PLACES, TARGET, State, height, owner


def cells(options: Options) -> list[Cell]:
    return [Cell(NAMES[cell], column, row, shape="circle") for cell, (column, row) in PLACES.items()]


def pieces(state: State) -> list[Piece]:
    return [
        Piece(NAMES[cell], "disc", player=owner(state, cell), text=str(height(state, cell)))
        for cell in PLACES
        if height(state, cell)
    ]


def clicks(state: State, move: int) -> list[Clicks]:
    return [(NAMES[ORIGIN[move]], NAMES[TARGET[move]])]
