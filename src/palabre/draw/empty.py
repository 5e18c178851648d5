"""The empty board: the plate, the cells, the names of rows and columns or of cells, and arrows."""

import html

from palabre.core.board import Cell
from palabre.draw.layout import Layout, Place, extent, outline
from palabre.draw.symbols import RADIUS, UNIT, text, use

SCALLOP = 0.76  # how far a plate reaches that follows single cells: more than half the diagonal of a square
SLACK = 0.06  # how much less than the space for it a plate takes, in cells
NAME_SIZE = 13.0
UPRIGHT_NAME_SIZE = 17.0  # where there is room beside the cells, and the screen is small
RIM = 0.87  # how large the rim of a player's cell is beside the cell, so that a ring round it has room
# What a plate and its edge, a store and the symbol of a round cell are made of.
PLATES = {"wood": ("wood", "wood-edge"), "slate": ("slate", "slate-edge")}
PLAIN = ("plate", "plate-edge")
STORES = {"wood": "pit", "slate": "slate"}
ROUND = {"wood": "pit", "slate": "dent"}


def empty_board(layout: Layout) -> str:
    """The board as markup, without what lies on it."""
    on_water = layout.board.material == "ice"
    ink = "var(--p-water-ink)" if on_water else "var(--p-quiet)"
    parts = [_water(layout) if on_water else _plate(layout)]
    drawn = layout.on_board() if layout.is_upright else zip(layout.cells, layout.places, strict=True)
    parts += [_cell(layout, cell, place) for cell, place in drawn]
    parts += [_arrows(layout)] if layout.board.direction else []
    parts += [text(label.x, label.y, html.escape(label.text), NAME_SIZE + 2, ink) for label in layout.labels]
    if not layout.labels:
        parts += [_name(layout, cell, place) for cell, place in layout.on_board()]
    return "".join(parts)


def _water(layout: Layout) -> str:
    width, height = layout.width, layout.height
    return (
        f'<rect width="{width:g}" height="{height:g}" rx="14" fill="var(--p-water)"/>'
        f'<rect x="5" y="5" width="{width - 10:g}" height="{height - 10:g}" rx="10" fill="none" '
        'stroke="var(--p-water-light)" stroke-width="1.5"/>'
    )


def _plate(layout: Layout) -> str:
    """A plate round all cells, with its edge and shadow below it."""
    material = layout.board.material
    fill, edge = PLATES.get(material, PLAIN)
    reach = min(layout.reach) - SLACK * UNIT
    if material == "plain" and not _fills_a_rectangle(layout):
        reach = SCALLOP * UNIT
        path = "".join(f"M{x:g} {y:g}h0" for _, (x, y) in layout.on_board())
    else:
        path = "M" + " ".join(f"{x:.4g} {y:.4g}" for x, y in _hull(_corners(layout, reach))) + "Z"
    drawn = [
        f'<path d="{path}" transform="translate(0 {down:g})" fill="var(--p-{colour})" stroke="var(--p-{colour})" '
        f'stroke-width="{2 * reach + more:g}" stroke-linejoin="round" stroke-linecap="round"{faint}/>'
        for colour, more, down, faint in (("shadow", 4, 6, ' opacity=".18"'), (edge, 3, 3, ""), (fill, 0, 0, ""))
    ]
    return "".join(drawn) + (_grain(layout) if material == "wood" else "")


def _fills_a_rectangle(layout: Layout) -> bool:
    """Whether there is a cell in each corner; a plate then has straight edges, and otherwise follows the cells."""
    places = {place for _, place in layout.on_board()}
    xs, ys = [x for x, _ in places], [y for _, y in places]
    return {(x, y) for x in (min(xs), max(xs)) for y in (min(ys), max(ys))} <= places


def _corners(layout: Layout, reach: float) -> list[Place]:
    """The points that a plate must reach beyond; on a plank, the stores are carved into it like the pits."""
    points = [place for _, place in layout.on_board()]
    if layout.is_upright:
        across, down = (far - SLACK * UNIT - reach for far in layout.reach)
        return [(x + right * across, y + below * down) for x, y in points for right in (1, -1) for below in (1, -1)]
    rows = [y for _, y in points]
    if layout.board.material == "wood":
        for cell, (x, _) in zip(layout.cells, layout.places, strict=True):
            if cell.store:
                across = max(0.0, extent(cell)[0] + 10 - reach)
                points += [(x + side * across, row) for side in (1, -1) for row in (min(rows), max(rows))]
    return points


def _hull(points: list[Place]) -> list[Place]:
    """The corners of the convex hull of points (Andrew's monotone chain)."""
    ordered = sorted(set(points))

    def half(way: list[Place]) -> list[Place]:
        corners: list[Place] = []
        for x, y in way:
            while len(corners) > 1:
                (ax, ay), (bx, by) = corners[-2:]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 1e-6:
                    break
                corners.pop()
            corners.append((x, y))
        return corners[:-1]

    return half(ordered) + half(ordered[::-1]) or ordered


def _grain(layout: Layout) -> str:
    """The lines of the wood, which run along the plank and bend a little, each in its own way."""
    lines, (length, breadth) = [], (layout.width, layout.height)
    if layout.is_upright:
        length, breadth = breadth, length
    for number in range(7):
        y = breadth * (0.14 + 0.12 * number)
        bend, start, end = (number * 7 % 5 - 2) * 5, 30 + number * 37 % 60, length - 30 - number * 53 % 80
        third = (end - start) / 3
        first, second = f"{start + third:.4g} {y + bend:.4g}", f"{end - third:.4g} {y - bend:.4g}"
        lines.append(f"M{start:g} {y:.4g}C{first} {second} {end:g} {y + bend / 2:.4g}")
    turn = ' transform="matrix(0 1 1 0 0 0)"' if layout.is_upright else ""
    paint = 'fill="none" stroke="var(--p-wood-edge)" stroke-width="1.5" opacity=".22"'
    return f'<path d="{"".join(lines)}"{turn} {paint}/>'


def _cell(layout: Layout, cell: Cell, place: Place) -> str:
    """An empty cell; where cells belong to players, with a rim of the owner's colour, dashed but for the first."""
    material, rim = layout.board.material, ""
    scale = RIM if cell.owner is not None and not cell.store else 1.0
    if cell.owner is not None:
        colour = f"var(--p-{layout.board.players[cell.owner]}-rim)"
        dashes = f' stroke-dasharray="{12 - cell.owner} {3 + 2 * cell.owner}"' if cell.owner else ""
        rim = f'stroke="{colour}" stroke-width="3"{dashes}'
    if cell.store:
        edge = PLATES.get(material, PLAIN)[1]  # below the rim, so that dashes are seen on any ground
        fill = f'fill="var(--p-{STORES.get(material, "hollow")})" stroke="var(--p-{edge})" stroke-width="5"'
        drawn = f'<path d="{outline(cell)}" {fill}/><path d="{outline(cell)}" fill="none" {rim}/>'
    elif material == "ice":
        return ""
    else:
        drawn = use(_symbol(material, cell), scale=cell.size * scale)
        drawn += rim and f'<path d="{outline(cell)}" transform="scale({scale})" fill="none" {rim}/>'
    return f'<g transform="translate({place[0]:g} {place[1]:g})">{drawn}</g>'


def _symbol(material: str, cell: Cell) -> str:
    if cell.shape == "circle":
        return ROUND.get(material, "hollow")
    return "cloth" if material == "felt" and cell.shape == "square" else cell.shape


def _name(layout: Layout, cell: Cell, place: Place) -> str:
    """The name of a cell: beside a pit towards the edge of the board, below other round cells, and low in the rest."""
    words = html.escape(cell.label or cell.name)
    if layout.board.material == "wood" and layout.is_upright:
        x = place[0] + layout.outwards(place) * (RADIUS * cell.size + 17)
        return text(x, place[1], words, UPRIGHT_NAME_SIZE, "var(--p-wood-ink)")
    if layout.board.material == "wood":
        y = place[1] + layout.outwards(place) * (RADIUS * cell.size + 11)
        return text(place[0], y, words, NAME_SIZE, "var(--p-wood-ink)")
    down = RADIUS * cell.size * (1 if cell.shape == "circle" else 0.78)
    return text(place[0], place[1] + down, words, NAME_SIZE - 2, "var(--p-ink)")


def _arrows(layout: Layout) -> str:
    """Two arrows between the rows, one along each, that show which way round pieces go."""
    places = [place for _, place in layout.on_board()]
    left, right = min(x for x, _ in places), max(x for x, _ in places)
    top, bottom = min(y for _, y in places), max(y for _, y in places)
    centre, middle = (left + right) / 2, (top + bottom) / 2
    half = (bottom - top if layout.is_upright else right - left) / 5
    turn = f' transform="rotate(90 {centre:g} {middle:g})"' if layout.is_upright else ""
    lower = 1 if layout.board.direction == "counter-clockwise" else -1  # the way of the arrow along the lower row
    drawn = []
    for y, way in ((middle - 6, -lower), (middle + 6, lower)):
        tip = centre + way * half
        drawn.append(f"M{centre - way * half:g} {y:g}H{tip:g}m{-way * 7:g}-4.5L{tip:g} {y:g}l{-way * 7:g} 4.5")
    paint = 'fill="none" stroke="var(--p-wood-ink)" stroke-width="2.2" stroke-linecap="round"'
    return f'<path d="{"".join(drawn)}"{turn} {paint} stroke-linejoin="round" opacity=".7"/>'
