"""Penguins' board: hexagonal tiles in reading order, the rows of seven indented by half a tile."""

from palabre.author import Board, Cell, Clicks, Label, Options, Piece, Saying, Stage, Travel, lowest
from palabre.games.penguins.notation import ROW_NAMES, ROWS, TILE_NAMES, move_to_text, tiles_in
from palabre.games.penguins.rules import (
    CODES,
    State,
    beside,
    fish_on,
    free_tiles,
    is_over,
    origin,
    penguins_of,
    play,
)

ROW_HEIGHT = 0.75**0.5  # of hexagons that stand on a corner and are 1 wide
LONGEST_ROW = max(len(row) for row in ROWS)


def place(row: int, column: float) -> tuple[float, float]:
    return column + (LONGEST_ROW - len(ROWS[row])) / 2, row * ROW_HEIGHT


# Columns are zigzags, so the numbers of the first row stand above it and those of the last row below.
LAST_ROW = len(ROWS) - 1
LABELS = (
    *(Label(name, -0.95, row * ROW_HEIGHT) for row, name in enumerate(ROW_NAMES)),
    *(Label(str(1 + column), place(0, column)[0], -0.85) for column in range(len(ROWS[0]))),
    *(Label(str(1 + column), column, LAST_ROW * ROW_HEIGHT + 0.85) for column in range(len(ROWS[LAST_ROW]))),
)
BOARD = Board("ice", labels=LABELS)


def cells(options: Options) -> list[Cell]:
    return [
        Cell(name, *place(row, column), "hexagon")
        for row, names in enumerate(ROWS)
        for column, name in enumerate(names)
    ]


def pieces(state: State) -> list[Piece]:
    """Fish on the free tiles, and penguins, whose text is the fish that lay there; a dead one is faded."""
    free = free_tiles(state)
    movable = beside(free)
    tiles = [Piece(TILE_NAMES[tile], "tile") for tile in tiles_in(state.odd | state.many)]
    fish = [Piece(TILE_NAMES[tile], "fish", count=fish_on(state, tile)) for tile in tiles_in(free)]
    penguins = [
        Piece(TILE_NAMES[tile], "penguin", player, text=str(fish_on(state, tile)), faded=not movable >> tile & 1)
        for player in range(state.players)
        for tile in tiles_in(penguins_of(state, player))
    ]
    return tiles + fish + penguins


def clicks(state: State, move: int) -> list[Clicks]:
    text = move_to_text(state, move)
    return [tuple(text[at : at + 2] for at in range(0, len(text), 2))]


def story(state: State, move: int) -> list[Stage]:
    """The penguin slides, or comes to stand on its first tile; then it eats, and the tile that it left sinks."""
    target, left = move % CODES, origin(state.own, move)
    goal, start = TILE_NAMES[target], TILE_NAMES[lowest(left)] if left else ""
    after = pieces(play(state, move))
    fish = Piece(goal, "fish", count=fish_on(state, target))
    penguin = next(piece for piece in after if piece.cell == goal and piece.kind == "penguin")
    others = [piece for piece in pieces(state) if not (piece.cell == start and piece.kind == "penguin")]
    slide = Stage([Travel(Piece(start, "penguin", state.player, text=penguin.text), goal)], [*others, penguin])
    gone = [Travel(Piece(start, "tile"), "")] if left else []
    return [slide, Stage([Travel(fish, ""), *gone], after)]


def tell(state: State, move: int) -> list[Saying]:
    target, left, after = move % CODES, origin(state.own, move), play(state, move)
    goal, who = TILE_NAMES[target], {"player": state.player}
    moves = Saying("moves", {**who, "origin": TILE_NAMES[lowest(left)], "target": goal}) if left else None
    sayings = [moves or Saying("places", {**who, "cell": goal})]
    sayings.append(Saying("takes", {**who, "count": fish_on(state, target), "things": "fish", "cells": [goal]}))
    sayings += [Saying("settles", settled) for settled in newly_dead(state, after)]
    turn = (state.player + 1) % state.players
    while not is_over(after) and turn != after.player:
        sayings.append(Saying("skipped", {"player": turn}))
        turn = (turn + 1) % state.players
    return sayings


def newly_dead(state: State, after: State) -> list[dict[str, object]]:
    """The penguins that a move has shut in, with the tile on which each stays."""
    dead = [{piece for piece in pieces(each) if piece.faded} for each in (state, after)]
    return [{"player": piece.player, "cell": piece.cell} for piece in pieces(after) if piece in dead[1] - dead[0]]
