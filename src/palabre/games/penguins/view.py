"""Penguins' board: hexagonal tiles in reading order, the rows of seven indented by half a tile."""

from palabre.core.board import Cell, Clicks, Piece
from palabre.core.spec import Options
from palabre.games.penguins.notation import ROWS, TILE_NAMES, move_to_text, tiles_in
from palabre.games.penguins.rules import State, beside, fish_on, free_tiles, penguins_of

ROW_HEIGHT = 0.75**0.5  # of hexagons that stand on a corner and are 1 wide
LONGEST_ROW = max(len(row) for row in ROWS)


def cells(options: Options) -> list[Cell]:
    return [
        Cell(name, column + (LONGEST_ROW - len(names)) / 2, row * ROW_HEIGHT, "hexagon")
        for row, names in enumerate(ROWS)
        for column, name in enumerate(names)
    ]


def pieces(state: State) -> list[Piece]:
    """Fish on the free tiles, and penguins with the fish under them; a dead one is faded, a gap is empty."""
    free = free_tiles(state)
    movable = beside(free)
    fish = [Piece(TILE_NAMES[tile], "seeds", count=fish_on(state, tile), colour="silver") for tile in tiles_in(free)]
    penguins = [
        Piece(TILE_NAMES[tile], "disc", player, text=str(fish_on(state, tile)), faded=not movable >> tile & 1)
        for player in range(state.players)
        for tile in tiles_in(penguins_of(state, player))
    ]
    return fish + penguins


def clicks(state: State, move: int) -> list[Clicks]:
    text = move_to_text(state, move)
    return [tuple(text[at : at + 2] for at in range(0, len(text), 2))]
