"""Abalone's board: the hexagon with row i on top, each row shifted by half a cell, and a tray for each player."""

from palabre.author import Board, Cell, Clicks, Label, Options, Piece, Saying, Stage, Travel
from palabre.games.abalone.notation import NAMES, group_of, move_parts, step_name
from palabre.games.abalone.rules import (
    IN_LINE,
    MARBLES,
    NUMBERS,
    OFF,
    PLACES,
    ROWS,
    SIDE_STEPS,
    State,
    line,
    neighbour,
    play,
)

ROW_HEIGHT = 3**0.5 / 2  # so that all six neighbours are 1 apart
MIDDLE = len(ROWS) // 2
TRAYS = ("tray 1", "tray 2")  # what each player has pushed off
TRAY_PLACES = ((-0.1, -0.1), (-0.1, (len(ROWS) - 1) * ROW_HEIGHT + 0.1))


def place(row: float, along: float) -> tuple[float, float]:
    """Where a cell lies, given its row from a, 0, and its number."""
    return along - 1 - (row - MIDDLE) / 2, (len(ROWS) - 1 - row) * ROW_HEIGHT


# A letter before each row, and a number below each line that runs up to the left.
LETTERS = tuple(Label(ROWS[row], *place(row, numbers[0] - 0.95)) for row, numbers in enumerate(NUMBERS))
LINES = {number: min(row for row, numbers in enumerate(NUMBERS) if number in numbers) for number in range(1, 10)}
FIGURES = tuple(Label(str(number), *place(row - 0.95, number)) for number, row in LINES.items())
BOARD = Board("slate", players=("black", "white"), labels=LETTERS + FIGURES)


def cells(options: Options) -> list[Cell]:
    return [
        *(Cell(NAMES[cell], *place(*PLACES[cell])) for cell in sorted(PLACES, key=PLACES.__getitem__)),
        *(
            Cell(name, *TRAY_PLACES[player], owner=player, size=1.8, store=True, height=1.25)
            for player, name in enumerate(TRAYS)
        ),
    ]


def marbles(state: State, player: int) -> list[Piece]:
    """A player's marbles on the board."""
    own_cells = state.own if player == state.player else state.other
    return [Piece(NAMES[cell], "marble", player) for cell in range(len(PLACES)) if own_cells >> cell & 1]


def pieces(state: State) -> list[Piece]:
    sides = [marbles(state, player) for player in (0, 1)]
    lost = [MARBLES - len(side) for side in sides]
    taken = [Piece(TRAYS[1 - player], "marble", player, count=lost[player]) for player in (0, 1) if lost[player]]
    return [*sides[0], *sides[1], *taken]


def clicks(state: State, move: int) -> list[Clicks]:
    """The ends of the group in either order, then where it goes; or along the line, the rear marble and where it goes.

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
        return [(NAMES[rear], NAMES[front], target), (NAMES[front], NAMES[rear], target), (NAMES[rear], target)]
    return [
        (NAMES[rear], NAMES[front], step_name(rear, direction)),
        (NAMES[front], NAMES[rear], step_name(front, direction)),
    ]


def moved(move: int) -> tuple[list[int], list[int]]:
    """The cells of the player's own marbles that a move moves, and of those that they push."""
    kind, direction, cell = move_parts(move)
    group = group_of(move)
    if kind >= SIDE_STEPS:
        return group, []
    own, pushed = IN_LINE[kind]
    return group, line(cell, direction, own + pushed)[own:]


def story(state: State, move: int) -> list[Stage]:
    """All marbles move together; one that is pushed off goes to the tray of the other player."""
    _, direction, _ = move_parts(move)
    sides = zip((state.player, 1 - state.player), moved(move), strict=True)
    travels = []
    for player, group in sides:
        for cell in group:
            target = neighbour(cell, direction)
            goal = TRAYS[1 - player] if target == OFF else NAMES[target]
            travels.append(Travel(Piece(NAMES[cell], "marble", player), goal))
    return [Stage(travels, pieces(play(state, move)))]


def tell(state: State, move: int) -> list[Saying]:
    _, direction, _ = move_parts(move)
    sayings = []
    for verb, off, group in zip(("steps", "pushes"), ("drops", "pushes_off"), moved(move), strict=True):
        who = {"player": state.player, "things": "marbles"}
        goals = [NAMES[neighbour(cell, direction)] for cell in group if neighbour(cell, direction) != OFF]
        if goals:
            sayings.append(Saying(verb, {**who, "count": len(goals), "cells": goals}))
        if len(goals) < len(group):
            sayings.append(Saying(off, {**who, "cell": NAMES[group[-1]]}))
    return sayings
