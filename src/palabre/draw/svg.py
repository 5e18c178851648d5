"""Any game's board as an SVG picture, drawn from the facts in its `view.py`."""

import html
import math
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from palabre.core.board import Cell, Piece
from palabre.core.position import Position
from palabre.draw.terminal import status

UNIT = 64.0  # pixels between neighbouring cells
MARGIN = 28.0
FOOTER = 48.0
# One for each of MAX_PLAYERS: discs, the texts on them, and the cells that belong to a player.
PLAYER_FILLS = ("#f2a33c", "#2f5d8a", "#4f9d69", "#8e5ea2", "#c8402f", "#3a3226", "#5bb5c5", "#d98bb0")
PLAYER_TEXTS = ("#2b1a00", "#ffffff", "#06240f", "#ffffff", "#ffffff", "#ffffff", "#06240f", "#2b1a00")
OWNER_TINTS = ("#f3e2c7", "#d3e0ec", "#d9ecdf", "#e6daeb", "#f2d2cd", "#d8d5cf", "#dceff3", "#f6e3ec")
SEED_FILLS = {"red": "#c8402f", "blue": "#2c6fbb", "clear": "#f7f9fa", "brown": "#7a4a21", "silver": "#7f93a3"}
BACKGROUND, WOOD, ICE, WATER, LINE, INK = "#faf6ee", "#e9d8b8", "#ffffff", "#cfe6f2", "#6b5d42", "#3a3226"
GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))  # between one seed and the next, so that no two lie in a line


class Board(NamedTuple):
    """A board as parts of a picture: its size in pixels, and the place and the markup of each cell."""

    width: float
    height: float
    places: list[tuple[float, float]]
    contents: list[str]  # what is drawn at each place, which changes from position to position
    labels: list[str]  # and above it, the name of the cell


def board(position: Position) -> Board:
    """The board of a position in parts; of a game, only `contents` changes from position to position."""
    cells: list[Cell] = position.game.view.cells(position.game.options)
    pieces: dict[str, list[Piece]] = defaultdict(list)
    for piece in position.game.view.pieces(position.state):
        pieces[piece.cell].append(piece)
    left, top = min(cell.x for cell in cells), min(cell.y for cell in cells)
    return Board(
        (max(cell.x for cell in cells) - left + 1) * UNIT + 2 * MARGIN,
        (max(cell.y for cell in cells) - top + 1) * UNIT + 2 * MARGIN,
        [(MARGIN + (cell.x - left + 0.5) * UNIT, MARGIN + (cell.y - top + 0.5) * UNIT) for cell in cells],
        ["\n".join(_content(cell, pieces[cell.name])) for cell in cells],
        [_text(0, 0.8 * _radius(cell), cell.label or cell.name, 0.15 * UNIT, LINE) for cell in cells],
    )


def draw(position: Position) -> str:
    """A complete SVG document of a position, with scores and the player to move below the board."""
    parts = board(position)
    width, height = parts.width, parts.height + FOOTER
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" font-family="system-ui, sans-serif" role="img">',
        f"<title>{html.escape(position.game.title)}: {html.escape(status(position))}</title>",
        f"<desc>{html.escape(position.game.spec)} {html.escape(position.text)}</desc>",
        f'<rect width="{width:g}" height="{height:g}" fill="{BACKGROUND}"/>',
    ]
    for (x, y), content, label in zip(parts.places, parts.contents, parts.labels, strict=True):
        lines += [f'<g transform="translate({x:g} {y:g})">', content, label, "</g>"]
    lines += _footer(position, width, height)
    return "\n".join([*lines, "</svg>", ""])


def _radius(cell: Cell) -> float:
    return 0.48 * UNIT * cell.size


def _content(cell: Cell, pieces: list[Piece]) -> Iterator[str]:
    radius = _radius(cell)
    fill = WOOD if cell.owner is None else OWNER_TINTS[cell.owner]
    if cell.shape == "hexagon":
        fill = ICE if pieces else WATER
    yield f'<{_outline(cell, radius)} fill="{fill}" stroke="{LINE}" stroke-width="1"/>'
    yield from _seeds([piece for piece in pieces if piece.kind == "seeds"], radius)
    for piece in pieces:
        if piece.kind == "disc" and piece.player is not None:
            yield from _disc(piece, radius)
        elif piece.kind == "label":
            yield _text(0, 0, piece.text, 0.3 * UNIT, INK)


def _outline(cell: Cell, radius: float) -> str:
    if cell.shape == "circle":
        return f'circle r="{radius:g}"'
    if cell.shape == "square":
        return f'rect x="{-radius:g}" y="{-radius:g}" width="{2 * radius:g}" height="{2 * radius:g}" rx="4"'
    # A hexagon with a corner on top; side by side such hexagons are √3/2 of their diameter apart.
    across = radius * 2 / math.sqrt(3)
    corners = ((across * math.sin(turn * math.pi / 3), across * math.cos(turn * math.pi / 3)) for turn in range(6))
    return 'polygon points="' + " ".join(f"{x:.2f},{y:.2f}" for x, y in corners) + '"'


def _seeds(pieces: list[Piece], radius: float) -> Iterator[str]:
    """All seeds of a cell in one sunflower, and the number of each colour if that is hard to see."""
    fills = [SEED_FILLS[piece.colour] for piece in pieces for _ in range(piece.count)]
    dot = radius * min(0.16, 0.55 / math.sqrt(len(fills) + 1))
    for index, fill in enumerate(fills):
        distance = radius * 0.6 * math.sqrt((index + 0.5) / len(fills)) if len(fills) > 1 else 0.0
        x, y = distance * math.cos(index * GOLDEN_ANGLE), distance * math.sin(index * GOLDEN_ANGLE)
        where = f'cx="{x:.1f}" cy="{y - radius * 0.1:.1f}" r="{dot:.1f}"'
        yield f'<circle {where} fill="{fill}" stroke="{INK}" stroke-width=".6"/>'
    counts = [piece for piece in pieces if piece.count]
    if len(fills) > 3:
        for place, piece in enumerate(counts):
            x = (place - (len(counts) - 1) / 2) * 0.5 * radius
            ink = INK if piece.colour in ("clear", "brown", "silver") else SEED_FILLS[piece.colour]
            yield _text(x, -radius * 1.12, str(piece.count), 0.2 * UNIT, ink, bold=True)


def _disc(piece: Piece, radius: float) -> Iterator[str]:
    player = piece.player or 0
    fade = ' opacity=".4"' if piece.faded else ""
    yield (
        f'<circle r="{radius * 0.68:.1f}" cy="{-radius * 0.18:.1f}" fill="{PLAYER_FILLS[player]}" stroke="{INK}" '
        f'stroke-width="1.2"{fade}/>'
    )
    if piece.text:
        yield _text(0, -radius * 0.18, piece.text, 0.3 * UNIT, PLAYER_TEXTS[player], bold=True)


def _text(x: float, y: float, text: str, size: float, fill: str, bold: bool = False) -> str:
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}" fill="{fill}" text-anchor="middle" '
        f'dominant-baseline="central"{weight}>{html.escape(text)}</text>'
    )


def _footer(position: Position, width: float, height: float) -> Iterator[str]:
    scores = position.scores
    for player, score in enumerate(scores):
        x = MARGIN + (width - 2 * MARGIN) * (player + 0.5) / len(scores)
        y = height - FOOTER + 4
        yield f'<circle cx="{x - 44:.1f}" cy="{y:.1f}" r="8" fill="{PLAYER_FILLS[player]}" stroke="{INK}"/>'
        yield _text(x + 10, y, f"player {player + 1}: {score}", 14, INK)
    yield _text(width / 2, height - 20, status(position), 14, INK, bold=True)
