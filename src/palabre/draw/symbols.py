"""The symbols that boards are made of: each is defined once in a picture and used wherever it is needed.

A symbol is drawn round the point 0, 0 for a cell of UNIT pixels. Its name begins with `p-`, so that it meets no name of
a page, and its name has all that it depends on: two pictures in one page may both define it.
"""

import math
import re

from palabre.core.board import SEED_COLOURS

UNIT = 64.0  # pixels between neighbouring cells
RADIUS = UNIT / 2
DISC, FLATNESS, THICKNESS = 25.0, 0.6, 7.5  # of the counters in a tower: seen slightly from the side
BASE = 14.0  # how far below the centre of a cell the bottom of a tower stands
# Signs that distinguish the players without colour, one for each of MAX_PLAYERS, in a circle of radius 1.
_SIGNS = (
    '<circle r=".8"{paint}/>',
    '<path d="M0-1 1 0 0 1-1 0Z"{paint}/>',
    '<path d="M0-.95 .95 .7-.95 .7Z"{paint}/>',
    '<path d="M-.75-.75H.75V.75H-.75Z"{paint}/>',
    '<path d="M-.3-.9H.3V-.3H.9V.3H.3V.9H-.3V.3H-.9V-.3H-.3Z"{paint}/>',
    '<path d="M-.5-.87H.5L1 0 .5.87H-.5L-1 0Z"{paint}/>',
    '<path d="M0 .95-.95-.7 .95-.7Z"{paint}/>',
    '<path d="M0-1 .3-.3 1 0 .3.3 0 1-.3.3-1 0-.3-.3Z"{paint}/>',
)


def sign(player: int, radius: float, paint: str, flat: float = 1.0) -> str:
    """The sign of a player; `paint` is the attributes that colour it."""
    scale = f"{radius:g}" if flat == 1 else f"{radius:g} {radius * flat:g}"
    return f'<g transform="scale({scale})">{_SIGNS[player].format(paint=" " + paint)}</g>'


def use(name: str, x: float = 0, y: float = 0, turn: float = 0, scale: float = 1) -> str:
    """A symbol at a place."""
    where = [f"{round(x, 1):g}", f"{round(y, 1):g}"]
    if turn or scale != 1:
        steps = [f"translate({' '.join(where)})"] if x or y else []
        steps += [f"rotate({turn:.3g})"] if turn else []
        steps += [f"scale({scale:.3g})"] if scale != 1 else []
        return f'<use href="#p-{name}" transform="{" ".join(steps)}"/>'
    place = f' x="{where[0]}" y="{where[1]}"' if x or y else ""
    return f'<use href="#p-{name}"{place}/>'


def text(x: float, y: float, words: str, size: float, fill: str, bold: bool = False, more: str = "") -> str:
    """A text centred on a point. Capitals and figures are about 0.7 of the size high; no converter is asked to know."""
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{x:.4g}" y="{y + 0.35 * size:.4g}" font-size="{size:.3g}" text-anchor="middle" '
        f'fill="{fill}"{weight}{more}>{words}</text>'
    )


def hexagon(radius: float) -> str:
    """The path of a hexagon with a corner on top; `radius` is that of the circle in it."""
    across = radius * 2 / math.sqrt(3)
    corners = [(across * math.sin(turn * math.pi / 3), -across * math.cos(turn * math.pi / 3)) for turn in range(6)]
    return "M" + " ".join(f"{x:.4g} {y:.4g}" for x, y in corners) + "Z"


def library(colours: tuple[str, ...]) -> dict[str, str]:
    """All symbols, given the colours of the players, as definitions by name."""
    symbols = _grounds() | _small_things()
    for player, colour in enumerate(colours):
        symbols |= _of_player(player, colour)
    return symbols


def needed(markup: str, definitions: dict[str, str]) -> str:
    """The definitions that some markup needs, each once, those that others need first."""
    symbols: dict[str, str] = {}

    def look(part: str) -> None:
        for name in re.findall(r"(?:#)(p-[a-z0-9-]+)", part):
            if name not in symbols:
                look(definitions[name])
                symbols[name] = definitions[name]

    look(markup)
    return "".join(symbols.values())


def _radial(
    name: str, stops: list[tuple[float, str]], cx: float = 0.5, cy: float = 0.5, r: float = 0.5
) -> dict[str, str]:
    inner = "".join(f'<stop offset="{at:g}" stop-color="{colour}"/>' for at, colour in stops)
    return {f"p-{name}": f'<radialGradient id="p-{name}" cx="{cx}" cy="{cy}" r="{r}">{inner}</radialGradient>'}


def _linear(name: str, stops: list[tuple[float, str]], down: bool = True) -> dict[str, str]:
    inner = "".join(f'<stop offset="{at:g}" stop-color="{colour}"/>' for at, colour in stops)
    end = 'x2="0" y2="1"' if down else 'x2="1" y2="0"'
    return {f"p-{name}": f'<linearGradient id="p-{name}" x1="0" y1="0" {end}>{inner}</linearGradient>'}


def _group(name: str, *parts: str) -> dict[str, str]:
    return {f"p-{name}": f'<g id="p-{name}">{"".join(parts)}</g>'}


def _grounds() -> dict[str, str]:
    """What cells look like when they are empty."""
    ice = hexagon(RADIUS - 1.5)
    return {
        **_radial(
            "pit-shade", [(0, "var(--p-pit)"), (0.75, "var(--p-pit)"), (1, "var(--p-pit-deep)")], cy=0.58, r=0.56
        ),
        **_group(
            "pit",
            f'<circle r="{RADIUS - 1:g}" fill="url(#p-pit-shade)" stroke="var(--p-wood-edge)" stroke-width="1"/>',
        ),
        **_radial("dent-shade", [(0, "var(--p-dent)"), (1, "var(--p-dent-deep)")], cy=0.7, r=0.75),
        **_group("dent", f'<circle r="{RADIUS * 0.62:g}" fill="url(#p-dent-shade)"/>'),
        **_radial("hollow-shade", [(0, "var(--p-hollow)"), (1, "var(--p-hollow-deep)")], cy=0.75, r=0.9),
        **_group("hollow", f'<circle r="{RADIUS * 0.84:g}" fill="url(#p-hollow-shade)"/>'),
        **_group("square", '<rect x="-30" y="-30" width="60" height="60" rx="3" fill="var(--p-hollow)"/>'),
        **_group(
            "cloth",
            '<rect x="-32" y="-32" width="64" height="64" fill="var(--p-felt)" stroke="var(--p-felt-line)" '
            'stroke-width="1.5"/>',
        ),
        **_linear("ice-shade", [(0, "var(--p-ice-light)"), (1, "var(--p-ice)")]),
        **_group(
            "tile",
            f'<path d="{ice}" transform="translate(0 3.5)" fill="var(--p-ice-edge)"/>',
            f'<path d="{ice}" fill="url(#p-ice-shade)" stroke="var(--p-ice-edge)" stroke-width="1"/>',
        ),
        **_group("hexagon", f'<path d="{hexagon(RADIUS - 1)}" fill="var(--p-hollow)"/>'),
    }


def _small_things() -> dict[str, str]:
    """Seeds, which differ in shape as well as in colour, and fish."""
    shapes = {
        "red": '<circle r="5.4"{paint}/>',
        "blue": '<path d="M0-7 6.2 0 0 7-6.2 0Z" stroke-linejoin="round"{paint}/>',
        "clear": '<path d="M0-6.4 6.2 5-6.2 5Z" stroke-linejoin="round"{paint}/>',
        "brown": '<ellipse rx="6.4" ry="4.7"{paint}/>',
        "silver": '<ellipse rx="6.6" ry="4"{paint}/>',
        "mixed": '<circle r="5.2"{paint}/>',
    }
    symbols: dict[str, str] = {}
    for colour in SEED_COLOURS:
        paint = f' fill="var(--p-seed-{colour})" stroke="var(--p-seed-{colour}-edge)" stroke-width="1.2"'
        shine = '<ellipse cx="-1.6" cy="-1.6" rx="1.6" ry="1.1" fill="#fff" fill-opacity=".6"/>'
        symbols |= _group(f"seed-{colour}", shapes[colour].format(paint=paint), shine)
    symbols |= _group(
        "disc",
        '<circle cy="3" r="25" fill="var(--p-shadow)" fill-opacity=".25"/>',
        '<circle r="25" fill="var(--p-nobody)" stroke="var(--p-nobody-edge)" stroke-width="1.5"/>',
    )
    symbols |= _group(
        "fish",
        '<path d="M-13 0C-9-6.5-1-7.5 5-2.2L12-7C11-2 11 2 12 7L5 2.2C-1 7.5-9 6.5-13 0Z" fill="var(--p-fish)" '
        'stroke="var(--p-fish-dark)" stroke-width="1" stroke-linejoin="round"/>',
        '<path d="M-6-4.4C-4.4-1.6-4.4 1.6-6 4.4" fill="none" stroke="var(--p-fish-dark)" stroke-width="1"/>',
        '<circle cx="-8.6" cy="-1.2" r="1.2" fill="var(--p-belly)"/>',
    )
    return symbols


def _of_player(player: int, colour: str) -> dict[str, str]:
    """The pieces of a player, named by the number and the colour."""
    name = f"{player}-{colour}"
    base, light, dark, ink = (f"var(--p-{colour}{part})" for part in ("", "-light", "-dark", "-ink"))
    ry = DISC * FLATNESS
    stroke = f'stroke="{dark}" stroke-width="1.2"'
    faint = f'fill="none" stroke="{dark}" stroke-width=".09" stroke-opacity=".6"'
    return {
        **_radial(f"shine-{colour}", [(0, light), (0.42, base), (1, dark)], 0.36, 0.28, 0.78),
        **_group(
            f"marble-{name}",
            '<ellipse cy="4" rx="30" ry="29" fill="var(--p-shadow)" fill-opacity=".25"/>',
            f'<circle r="31.4" fill="url(#p-shine-{colour})" {stroke}/>',
            '<ellipse cx="-9" cy="-14" rx="10" ry="5.5" transform="rotate(-32 -9 -14)" fill="#fff" fill-opacity=".5"/>',
        ),
        **_linear(f"face-{colour}", [(0, light), (0.6, base), (1, base)]),
        **_linear(f"side-{colour}", [(0, base), (0.35, light), (0.6, base), (1, dark)], down=False),
        **_group(
            f"disc-{name}",
            '<circle cy="3" r="25" fill="var(--p-shadow)" fill-opacity=".25"/>',
            f'<circle r="25" fill="url(#p-face-{colour})" {stroke}/>',
            sign(player, 17.5, faint),
        ),
        **_group(
            f"layer-{name}",
            f'<path d="M{-DISC:g} {-THICKNESS:g}V0A{DISC:g} {ry:g} 0 0 0 {DISC:g} 0V{-THICKNESS:g}Z" '
            f'fill="url(#p-side-{colour})" {stroke}/>',
            f'<ellipse cy="{-THICKNESS:g}" rx="{DISC:g}" ry="{ry:g}" fill="{base}" {stroke}/>',
        ),
        **_group(
            f"top-{name}",
            f'<ellipse rx="{DISC:g}" ry="{ry:g}" fill="url(#p-face-{colour})" {stroke}/>',
            sign(player, 19, faint, FLATNESS),
        ),
        **_group(f"penguin-{name}", *_penguin(player, base, dark)),
        **_group(
            f"flag-{name}",
            '<path d="M0 0V-17" stroke="var(--p-ink)" stroke-width="2"/>',
            f'<path d="M0-17 13-12.5 0-8Z" fill="{base}" stroke="var(--p-ink)" stroke-width="1.2"/>',
        ),
        **_group(
            f"swatch-{name}",
            f'<circle r="9" fill="{base}" stroke="var(--p-quiet)" stroke-width="1.2"/>',
            sign(player, 5, f'fill="{ink}"'),
        ),
    }


def _penguin(player: int, base: str, dark: str) -> list[str]:
    black, edge, white, beak = (f"var(--p-{name})" for name in ("penguin", "penguin-edge", "belly", "beak"))
    scarf = f'fill="{base}" stroke="{dark}" stroke-width="1"'
    badge = sign(player, 5.5, f'fill="{base}" stroke="{dark}" stroke-width=".2"')
    feet = "M-12 23C-14 19-4 18-3 23ZM12 23C14 19 4 18 3 23Z"
    flippers = "M-13-3C-21 4-21 12-17.5 15-14 11-12 5-11 0ZM13-3C21 4 21 12 17.5 15 14 11 12 5 11 0Z"
    body = "M0-28C-9-28-11.5-21-11-14-16-6-16 22 0 22 16 22 16-6 11-14 11.5-21 9-28 0-28Z"
    belly = "M0-6C-9-6-11 20 0 20 11 20 9-6 0-6Z"
    face = "M0-15.5C-3-13-9-14-9-19-9-23.5-3-24 0-20.5 3-24 9-23.5 9-19 9-14 3-13 0-15.5Z"
    return [
        '<ellipse cy="23" rx="15" ry="4.5" fill="var(--p-shadow)" fill-opacity=".22"/>',
        f'<path d="{feet}" fill="{beak}" stroke="{edge}" stroke-width=".8"/>',
        f'<path d="{flippers}{body}" fill="{black}" stroke="{edge}"/>',
        f'<path d="{belly}{face}" fill="{white}"/>',
        f'<path d="M-4-19.5h0M4-19.5h0" stroke="{edge}" stroke-width="3.4" stroke-linecap="round"/>',
        f'<path d="M-3.2-17 3.2-17 0-12.2Z" fill="{beak}" stroke="{edge}" stroke-width=".6"/>',
        f'<path d="M-12.5-11.5C-6-7.5 6-7.5 12.5-11.5L13-5.5C6-1.5-6-1.5-13-5.5Z" {scarf}/>',
        f'<path d="M5-4 11.5-5 13.5 7 7 8.5Z" {scarf}/>',
        f'<g transform="translate(-.5 9.5)">{badge}</g>',
    ]
