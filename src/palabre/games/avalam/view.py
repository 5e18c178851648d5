"""Avalam's board: the 48 cells of a square grid, and towers on them."""

from palabre.author import Board, Cell, Clicks, Options, Piece, Saying, Stage, Travel
from palabre.games.avalam.notation import NAMES
from palabre.games.avalam.rules import (
    DIRECTIONS,
    OFFICIAL,
    ORIGIN,
    PLACES,
    STEPS,
    TARGET,
    State,
    height,
    owner,
    pairs,
    play,
    to_move,
    towers,
)

BOARD = Board("plain")


def cells(options: Options) -> list[Cell]:
    return [Cell(NAMES[cell], column, row) for cell, (column, row) in PLACES.items()]


def unsettled(state: State) -> int:
    """The towers that can still change: those low enough to be joined with a neighbour, whatever the colours.

    Towers only grow and a cell that is left stays empty, so two towers that are too high together always will be.
    """
    unsettled = 0
    any_colours = state._replace(tops=state.tops | 1 << OFFICIAL)
    for direction in range(DIRECTIONS):
        lower = pairs(any_colours, direction)
        unsettled |= lower | lower << STEPS[direction]
    return unsettled


def pieces(state: State) -> list[Piece]:
    growing = unsettled(state)
    return [
        Piece(NAMES[cell], "tower", owner(state, cell), height=height(state, cell), settled=not growing >> cell & 1)
        for cell in PLACES
        if height(state, cell)
    ]


def clicks(state: State, move: int) -> list[Clicks]:
    return [(NAMES[ORIGIN[move]], NAMES[TARGET[move]])]


def story(state: State, move: int) -> list[Stage]:
    """The tower is carried as a whole."""
    origin = ORIGIN[move]
    carried = Piece(NAMES[origin], "tower", owner(state, origin), height=height(state, origin))
    return [Stage([Travel(carried, NAMES[TARGET[move]])], pieces(play(state, move)))]


def tell(state: State, move: int) -> list[Saying]:
    after, origin, target = play(state, move), ORIGIN[move], TARGET[move]
    made = {"origin": NAMES[origin], "target": NAMES[target], "height": height(after, target)}
    settled = towers(after) & unsettled(state) & ~unsettled(after)
    is_gift = owner(after, target) != to_move(state) and not settled >> target & 1  # else that tells whose it is
    return [
        Saying("stacks", {"player": to_move(state), **made}),
        *([Saying("gives", {"player": owner(after, target), "cell": NAMES[target]})] if is_gift else []),
        *(
            Saying("settles", {"player": owner(after, cell), "cell": NAMES[cell]})
            for cell in PLACES
            if settled >> cell & 1
        ),
    ]
