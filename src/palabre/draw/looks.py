"""What lies on a cell, as markup: short, since all that is drawn was defined once as a symbol."""

import html
import math
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache

from palabre.core.board import SEED_COLOURS, Cell, Piece
from palabre.core.position import Position
from palabre.draw.layout import Layout
from palabre.draw.symbols import BASE, FLATNESS, RADIUS, THICKNESS, text, use

GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))  # between one seed and the next, so that no two lie in a line
SPREAD = 7.2  # pixels: the first seeds lie about so far from the middle
COUNTED = 4  # seeds from this number on are also counted in a figure
FISH_PLACES = {1: [(0, 0)], 2: [(2, -9), (-2, 9)], 3: [(3, -15), (-3, 0), (3, 15)]}
FIGURE = 13.0
PAIR, DIGIT = 21.0, 8.0  # how wide a seed is with its figure of one digit, and each further digit
HIGHEST_DRAWN = 8  # counters of a tower; the figure on it shows how many there are
MOST_DRAWN = 60  # of equal things in one cell; the figure beside them shows how many there are
ROOM = 6  # a store has room for so many pieces before they become smaller
OWN_SYMBOL = ("disc", "marble", "penguin")  # kinds that are one symbol of their player
MOST_KEPT = 500  # positions whose pieces are remembered


@lru_cache(maxsize=MOST_KEPT)  # to show a move takes the pieces before and after it several times
def pieces_of(position: Position) -> list[Piece]:
    """What lies on the cells, for callers that do not change it."""
    return list(position.game.view.pieces(position.state))


def contents(layout: Layout, pieces: list[Piece]) -> list[str]:
    """What is drawn on each cell."""
    lying = by_cell(pieces)
    return [_drawn(layout, at, tuple(lying[cell.name])) for at, cell in enumerate(layout.cells)]


@lru_cache(maxsize=20_000)  # a page shows every position twice, and most cells are as they were
def _drawn(layout: Layout, at: int, pieces: tuple[Piece, ...]) -> str:
    return "".join(_content(layout, at, pieces))


def by_cell(pieces: list[Piece]) -> dict[str, list[Piece]]:
    """Pieces by the name of their cell."""
    pieces_of: dict[str, list[Piece]] = defaultdict(list)
    for piece in pieces:
        pieces_of[piece.cell].append(piece)
    return pieces_of


def look(layout: Layout, at: int, piece: Piece) -> str:
    """One piece alone as it is drawn on a cell."""
    return "".join(_content(layout, at, (piece,), figures=False))


def _content(layout: Layout, at: int, pieces: tuple[Piece, ...], figures: bool = True) -> Iterator[str]:
    cell = layout.cells[at]
    seeds = [piece for piece in pieces if piece.kind == "seeds" and (piece.count or cell.store)]
    others = [piece for piece in pieces if piece.kind != "seeds" and piece.count]
    drawn = "".join(
        part for piece in others for part in (_packed(layout, cell, piece) if cell.store else _piece(layout, piece))
    )
    if drawn:
        yield drawn if cell.size == 1 or cell.store else f'<g transform="scale({cell.size:g})">{drawn}</g>'
    if seeds:
        yield from _seeds(cell, [piece.colour for piece in seeds for _ in range(min(piece.count, MOST_DRAWN))])
        if figures:
            yield from _figures(layout, at, seeds)


def _piece(layout: Layout, piece: Piece) -> Iterator[str]:
    if piece.faded:
        yield '<g opacity=".45">'
    if piece.kind == "tile":
        yield use("tile")
    elif piece.kind == "label":
        yield text(0, 0, html.escape(piece.text), 20, "var(--p-ink)")
    elif piece.kind == "fish":
        yield from _fish(piece.count)
    elif piece.kind == "tower" and piece.player is not None:
        yield from _tower(layout, piece, piece.player)
    else:
        yield use(symbol(layout, piece))
        if piece.text and piece.kind != "penguin":
            ink = (
                "var(--p-nobody-ink)" if piece.player is None else f"var(--p-{layout.board.players[piece.player]}-ink)"
            )
            yield text(0, 0, html.escape(piece.text), 20, ink, bold=True)
    if piece.faded:
        yield "</g>"


def symbol(layout: Layout, piece: Piece) -> str:
    """The name of the symbol of a piece; kinds that are not known are discs."""
    if piece.player is None:
        return "disc"
    kind = piece.kind if piece.kind in OWN_SYMBOL else "disc"
    return f"{kind}-{piece.player}-{layout.board.players[piece.player]}"


def _packed(layout: Layout, cell: Cell, piece: Piece) -> Iterator[str]:
    """Pieces in a store, side by side and as large as they fit."""
    across, along = 2 * cell.size * RADIUS - 14, 2 * (cell.height or cell.size) * RADIUS - 14
    room = max(ROOM, piece.count)
    columns = max(1, round(math.sqrt(room * across / along)))
    rows = math.ceil(room / columns)
    step = min(across / columns, along / rows)
    for number in range(min(piece.count, MOST_DRAWN)):
        x = (number % columns - (columns - 1) / 2) * step
        y = (number // columns - (rows - 1) / 2) * step
        yield use(symbol(layout, piece), x, y, scale=step / (2 * RADIUS))


def _fish(count: int) -> Iterator[str]:
    if count in FISH_PLACES:
        for x, y in FISH_PLACES[count]:
            yield use("fish", x, y)
    else:
        yield use("fish", 0, -6)
        yield text(0, 14, str(count), FIGURE + 3, "var(--p-penguin)", bold=True)


def _tower(layout: Layout, piece: Piece, player: int) -> Iterator[str]:
    """Counters from the ground up, then the face of the top one with the height on it, and a flag if it is settled."""
    name = f"{player}-{layout.board.players[player]}"
    layers = min(piece.height, HIGHEST_DRAWN)
    for layer in range(layers):
        yield use(f"layer-{name}", 0, BASE - layer * THICKNESS)
    top = BASE - layers * THICKNESS
    yield use(f"top-{name}", 0, top)
    yield text(0, top, str(piece.height), 20, f"var(--p-{layout.board.players[player]}-ink)", bold=True)
    if piece.settled:
        yield use(f"flag-{name}", RADIUS * 0.5, top - RADIUS * FLATNESS * 0.1)


def _seeds(cell: Cell, colours: list[str]) -> Iterator[str]:
    """All seeds of a cell in one sunflower, each colour together; in a store it is as long as the store."""
    count = max(1, len(colours))
    room = (RADIUS * cell.size - 6) / (SPREAD + 1.4)
    stretch = (cell.height or cell.size) / cell.size * 0.8 if cell.store else 1.0
    scale = min(1.0, room / math.sqrt(count + 0.3) * math.sqrt(stretch))
    spread = SPREAD * scale / math.sqrt(stretch)
    spots = [
        (
            spread * math.sqrt(number + 0.5) * math.cos(number * GOLDEN_ANGLE),
            spread * math.sqrt(number + 0.5) * math.sin(number * GOLDEN_ANGLE) * stretch,
        )
        for number in range(count)
    ]
    x = sum(spot[0] for spot in spots) / count
    y = sum(spot[1] for spot in spots) / count - (10 if cell.store else 0)
    for number, colour in enumerate(colours):
        turn = number * 137 % 180 - 90 if colour == "brown" else 0
        yield use(_seed(colour), spots[number][0] - x, spots[number][1] - y, turn, scale)


def _seed(colour: str) -> str:
    """The name of the symbol of a seed; `palabre check` lists the colours."""
    return f"seed-{colour if colour in SEED_COLOURS else 'mixed'}"


def _figures(layout: Layout, at: int, seeds: list[Piece]) -> Iterator[str]:
    """How many seeds there are: at the top of a store, or beside the cell once they are hard to count."""
    cell, on_wood = layout.cells[at], layout.board.material == "wood"
    if cell.store:
        total = sum(piece.count for piece in seeds)
        ink = "var(--p-pit-ink)" if on_wood else "var(--p-ink)"
        yield text(0, -RADIUS * (cell.height or cell.size) + 20, str(total), 20, ink, bold=True)
        return
    if sum(piece.count for piece in seeds) < COUNTED:
        return
    inwards = -layout.outwards(layout.places[at])  # the name of the cell is on the other side
    y = inwards * (RADIUS * cell.size + 10) if on_wood else -RADIUS * cell.size
    ink = "var(--p-wood-ink)" if on_wood else "var(--p-ink)"
    if len(seeds) == 1:
        yield _beside(0, y, text(0, 0, str(seeds[0].count), FIGURE + 2, ink, bold=True))
        return
    further = [DIGIT * (len(str(piece.count)) - 1) for piece in seeds]  # how much wider than one digit each figure is
    x = -(sum(further) + PAIR * (len(seeds) - 1)) / 2
    for piece, more in zip(seeds, further, strict=True):
        pair = use(_seed(piece.colour), -5 - more / 2, scale=0.75) + text(
            4.5, 0, str(piece.count), FIGURE, ink, bold=True
        )
        yield _beside(x + more / 2, y, pair)
        x += PAIR + more


def _beside(x: float, y: float, drawn: str) -> str:
    """Something that stands beside a cell. A page that turns the board knows it by its class, and moves it."""
    return f'<g class="beside" transform="translate({x:g} {y:g})">{drawn}</g>'
