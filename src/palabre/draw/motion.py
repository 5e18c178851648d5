"""A move as motion: what flies from cell to cell, and what each cell looks like meanwhile, ready to be written as JSON.

A page plays the steps one after the other. In each it puts `lift` into the cells, lets the `flights` fly at the same
time, and when they have landed puts `then` into the cells. After the last step every cell is as `contents` has it in
the new position, so a page may also skip the motion. A `weight` is a share of the time: 1 for a seed that is sown, 2
for a move; about 120 ms each, and less where a long sowing must fit into a second and a half.
"""

from collections.abc import Sequence
from typing import TypedDict

from palabre.core.board import Piece, Stage, Travel
from palabre.core.position import Position
from palabre.draw.layout import layout
from palabre.draw.looks import contents, look, pieces_of

Flight = TypedDict("Flight", {"look": str, "from": int | None, "to": int | None})


class Step(TypedDict):
    """What happens at the same time."""

    lift: list[tuple[int, str]]  # what is left on the cells, by their numbers, when the flights begin
    flights: list[Flight]  # from no cell: it appears; to no cell: it vanishes
    then: list[tuple[int, str]]  # what lies on the cells when the flights have landed
    weight: float


def motion(before: Position, stages: Sequence[Stage]) -> list[Step]:
    """The steps from a position to the next one, by the stages of the move; none if nothing visible changes."""
    board_layout = layout(before.game)
    number = {cell.name: at for at, cell in enumerate(board_layout.cells)}
    pieces = pieces_of(before)
    shown = contents(board_layout, pieces)
    steps = []
    for stage in stages:
        lifted = contents(board_layout, _without(pieces, stage.travels))
        landed = contents(board_layout, stage.pieces)
        flights = [
            Flight(
                {
                    "look": look(board_layout, number[travel.piece.cell or travel.to], travel.piece),
                    "from": number.get(travel.piece.cell),
                    "to": number.get(travel.to),
                }
            )
            for travel in stage.travels
        ]
        lift, then = _changes(shown, lifted), _changes(lifted, landed)
        if flights or then:
            steps.append(Step(lift=lift, flights=flights, then=then, weight=stage.weight))
        pieces, shown = stage.pieces, landed
    return steps


def _changes(old: list[str], new: list[str]) -> list[tuple[int, str]]:
    return [(at, look) for at, look in enumerate(new) if look != old[at]]


def _without(pieces: list[Piece], travels: list[Travel]) -> list[Piece]:
    """The pieces that stay behind when others set out."""
    left = list(pieces)
    for travel in travels:
        gone = travel.piece
        for at, piece in enumerate(left):
            if (piece.cell, piece.kind, piece.player, piece.colour) == (gone.cell, gone.kind, gone.player, gone.colour):
                staying = piece.count - gone.count
                left[at : at + 1] = [piece._replace(count=staying)] if staying > 0 else []
                break
    return left
