"""Awalé's board: holes 1 to 8 below, left to right, 9 to 16 above, right to left, so that seeds run round."""

from palabre.core.board import Cell, Clicks, Piece
from palabre.core.spec import Options
from palabre.games.awale.notation import KINDS, hole_name, seeds_by_hole
from palabre.games.awale.rules import HOLES, RING_HOLES, State, to_move

SEED_COLOURS = ("red", "blue", "clear")


def cells(options: Options) -> list[Cell]:
    return [
        *(Cell(str(place + 1), place, 1.3, owner=place % 2) for place in range(HOLES)),
        *(Cell(str(place + 1), RING_HOLES - 1 - place, 0, owner=place % 2) for place in range(HOLES, RING_HOLES)),
    ]


def pieces(state: State) -> list[Piece]:
    return [
        Piece(str(place + 1), "seeds", count=count, colour=colour)
        for place, counts in enumerate(seeds_by_hole(state))
        for colour, count in zip(SEED_COLOURS, counts, strict=True)
    ]


def clicks(state: State, move: int) -> list[Clicks]:
    """The hole, then what is played from it."""
    return [(hole_name(to_move(state), move >> 2), KINDS[move & 3])]
