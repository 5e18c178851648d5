"""A game as frames: the board once, and then only what changes from position to position.

A page that shows a game needs no drawing of its own: it puts markup that was made here into the cells.

- `ground` is the board: its size, the symbols, the empty board, and the place and the outline of every cell.
- `upright_ground` is the same board for phones, if it is a long one.
- `contents` is what lies on each cell of a position.
- `cell_facts` has the same for people who do not see it, as ids of messages with their parameters:

| id | parameters | in words |
|---|---|---|
| `piece.none` | | nothing |
| `piece.gone` | | open water: the tile is gone |
| `piece.tile` | | an empty tile |
| `piece.seeds` | count, colour (red, blue, clear, brown, silver, mixed) | {count} {colour} seeds |
| `piece.fish` | count | {count} fish |
| `piece.marble` | player, colour, count | a {colour} marble |
| `piece.tower` | player, colour, height, settled | a {colour} tower of {height}, finished |
| `piece.penguin` | player, colour, faded | a penguin with a {colour} scarf, shut in |
| `piece.disc` | player, colour, text (may be empty) | a {colour} disc |
| `piece.label` | text | {text} |
| `piece.other` | kind, player or None, colour, text | a piece of an unknown kind |
"""

from collections.abc import Iterable, Mapping
from typing import Any, TypedDict

from palabre.core.board import Piece
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.draw import looks as pictures
from palabre.draw.empty import empty_board
from palabre.draw.layout import Layout, layout, outline
from palabre.draw.palette import THEMES, properties
from palabre.draw.story import last_move
from palabre.draw.symbols import RADIUS, library, use
from palabre.draw.upright import upright

__all__ = [
    "CellGround",
    "Ground",
    "UprightGround",
    "cell_facts",
    "contents",
    "ground",
    "last_move",
    "upright_ground",
]

Fact = tuple[str, Mapping[str, Any]]


class CellGround(TypedDict):
    """A cell of the board, in pixels."""

    name: str
    label: str  # what people call it
    x: float
    y: float
    radius: float  # of the circle in it
    outline: str  # the path of its shape round 0, 0: what can be hit, and what is ringed
    owner: int | None
    store: bool


class PlayerGround(TypedDict):
    """What distinguishes the pieces of a player."""

    colour: str  # its name
    swatch: str  # a small sign as markup, of radius 9 round 0, 0


class Ground(TypedDict):
    """What all positions of a game have in common, ready to be written as JSON."""

    width: float
    height: float
    defs: str  # the symbols, to be put once into <defs>
    board: str  # the empty board
    cells: list[CellGround]
    players: list[PlayerGround]


class UprightGround(TypedDict):
    """What is different where the board stands upright."""

    width: float
    height: float
    board: str  # the empty board
    places: list[tuple[float, float]]  # of the cells


def ground(position: Position) -> Ground:
    """The board without what lies on it; the same in all themes, whose colours are in `stylesheet`."""
    board_layout = layout(position.game)
    colours = board_layout.board.players[: position.game.players]
    return Ground(
        width=board_layout.width,
        height=board_layout.height,
        defs="".join(library(colours).values()),
        board=empty_board(board_layout),
        cells=[
            CellGround(
                name=cell.name,
                label=cell.label or cell.name,
                x=x,
                y=y,
                radius=RADIUS * min(cell.size, cell.height or cell.size),
                outline=outline(cell),
                owner=cell.owner,
                store=cell.store,
            )
            for cell, (x, y) in zip(board_layout.cells, board_layout.places, strict=True)
        ],
        players=[
            PlayerGround(colour=colour, swatch=use(f"swatch-{player}-{colour}"))
            for player, colour in enumerate(colours)
        ],
    )


def upright_ground(game: Game) -> UprightGround | None:
    """The board turned by a quarter; None if it is not a long one."""
    board_layout = upright(game)
    if board_layout is None:
        return None
    return UprightGround(
        width=board_layout.width,
        height=board_layout.height,
        board=empty_board(board_layout),
        places=board_layout.places,
    )


def stylesheet() -> str:
    """The colours of all themes for a page: `data-theme` on its root chooses one, or else the reader's settings do."""
    rules = {theme: "".join(f"{name}:{value};" for name, value in properties(theme).items()) for theme in THEMES}
    light, dark, contrast = (rules[theme] for theme in THEMES)
    return (
        f":root{{{light}}}\n"
        f"@media (prefers-color-scheme: dark){{:root{{{dark}}}}}\n"
        f"@media (prefers-contrast: more){{:root{{{contrast}}}}}\n"
        + "".join(f':root[data-theme="{theme}"]{{{rules[theme]}}}\n' for theme in THEMES)
    )


def contents(position: Position) -> list[str]:
    """What lies on each cell, as markup."""
    return pictures.contents(layout(position.game), pictures.pieces_of(position))


def cell_facts(position: Position, cells: Iterable[int] | None = None) -> list[list[Fact]]:
    """What lies on cells, by their numbers, or on each cell, as messages; the table above lists them."""
    board_layout = layout(position.game)
    lying = pictures.by_cell(pictures.pieces_of(position))
    names = [cell.name for cell in board_layout.cells]
    chosen = names if cells is None else [names[number] for number in cells]
    return [_facts(board_layout, [piece for piece in lying[name] if piece.count]) for name in chosen]


def _facts(board_layout: Layout, pieces: list[Piece]) -> list[Fact]:
    if not pieces:
        return [("piece.gone" if board_layout.board.material == "ice" else "piece.none", {})]
    standing = [piece for piece in pieces if piece.kind != "tile"]
    return [piece_fact(board_layout, piece) for piece in standing] or [("piece.tile", {})]


def piece_fact(board_layout: Layout, piece: Piece) -> Fact:
    """What a piece is, as a message."""
    colour = piece.colour if piece.player is None else board_layout.board.players[piece.player]
    whose = {"player": piece.player, "colour": colour}
    if piece.kind == "seeds":
        return "piece.seeds", {"count": piece.count, "colour": piece.colour}
    if piece.kind == "fish":
        return "piece.fish", {"count": piece.count}
    if piece.kind == "label":
        return "piece.label", {"text": piece.text}
    if piece.player is not None:
        if piece.kind == "marble":
            return "piece.marble", {**whose, "count": piece.count}
        if piece.kind == "tower":
            return "piece.tower", {**whose, "height": piece.height, "settled": piece.settled}
        if piece.kind == "penguin":
            return "piece.penguin", {**whose, "faded": piece.faded}
        if piece.kind == "disc":
            return "piece.disc", {**whose, "text": piece.text}
    return "piece.other", {"kind": piece.kind, **whose, "text": piece.text}
