"""Abalone's board: the hexagon with row i on top, each row shifted by half a cell."""

from palabre.core.board import Cell, Clicks, Piece
from palabre.core.spec import Options
from palabre.games.abalone.notation import NAMES, group_of, move_parts, step_name
from palabre.games.abalone.rules import PLACES, ROWS, SIDE_STEPS, State

ROW_HEIGHT = 3**0.5 / 2  # so that all six neighbours are 1 apart
MIDDLE = len(ROWS) // 2


def cells(options: Options) -> list[Cell]:
    return [
        Cell(NAMES[cell], along - 1 - (row - MIDDLE) / 2, (len(ROWS) - 1 - row) * ROW_HEIGHT)
        for cell, (row, along) in sorted(PLACES.items(), key=lambda item: item[1])
    ]


def pieces(state: State) -> list[Piece]:
    sides = {state.player: state.own, 1 - state.player: state.other}
    return [
        Piece(NAMES[cell], "disc", player=player)
        for player, marbles in sorted(sides.items())
        for cell in range(len(PLACES))
        if marbles >> cell & 1
    ]


def clicks(state: State, move: int) -> list[Clicks]:
    """The ends of the group in either order, then where it goes.

    Along the line that is the cell in front of the front marble, whichever end was clicked first. In a side-step it is
    the cell to which the end clicked first goes. The former is on the line of the group and the latter is not, so they
    are never confused. For a marble that leaves the board there is a button with the direction.
    """
    kind, direction, cell = move_parts(move)
    group = group_of(move)
    rear, front = group[0], group[-1]
    if rear == front:
        return [(NAMES[cell], step_name(cell, direction))]
    if kind < SIDE_STEPS:
        target = step_name(front, direction)
        return [(NAMES[rear], NAMES[front], target), (NAMES[front], NAMES[rear], target)]
    return [
        (NAMES[rear], NAMES[front], step_name(rear, direction)),
        (NAMES[front], NAMES[rear], step_name(front, direction)),
    ]
