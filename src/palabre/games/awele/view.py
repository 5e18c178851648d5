"""Awélé's board: player 2's pits above, right to left, player 1's below, left to right, so that seeds run round."""

from palabre.core.board import Cell, Clicks, Piece
from palabre.core.spec import Options
from palabre.games.awele.notation import PIT_NAMES, move_to_text
from palabre.games.awele.rules import PITS, State, seeds_in


def cells(options: Options) -> list[Cell]:
    return [
        *(Cell(PIT_NAMES[pit].lower(), PITS - 1 - pit, 0, owner=1) for pit in range(PITS)),
        *(Cell(PIT_NAMES[pit], pit, 1.3, owner=0) for pit in range(PITS)),
    ]


def pieces(state: State) -> list[Piece]:
    sides = {state.player: state.own, 1 - state.player: state.other}
    names = {0: PIT_NAMES, 1: PIT_NAMES.lower()}
    return [
        Piece(names[player][pit], "seeds", count=seeds_in(word, pit), colour="brown")
        for player, word in sorted(sides.items())
        for pit in range(PITS)
    ]


def clicks(state: State, move: int) -> list[Clicks]:
    return [(move_to_text(state, move),)]
