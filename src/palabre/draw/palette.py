"""The colours of all pictures, by name and by theme.

Markup names a colour as `var(--p-wood)`. A page sets these properties, and changes its theme by setting others; a
picture that stands for itself has the colours of one theme put in their places, since converters know no properties.
"""

import re
from typing import Literal

Theme = Literal["light", "dark", "contrast"]
THEMES: tuple[Theme, ...] = ("light", "dark", "contrast")

# Each colour in the themes light, dark and contrast. The players' colours differ in lightness as well as in hue, so
# that people who see few colours can distinguish them; their pieces also differ in a sign, see `symbols.py`.
_COLOURS = {
    "paper": ("#fbf8f2", "#1b1a18", "#ffffff"),
    "ink": ("#2d2822", "#ece5d8", "#000000"),
    "quiet": ("#6b6255", "#b3a996", "#000000"),
    "accent": ("#d81b72", "#ff6fb0", "#c800a1"),
    "shadow": ("#1c1408", "#000000", "#000000"),
    "plate": ("#e5d8c0", "#4b443a", "#cccccc"),
    "plate-edge": ("#c9b894", "#2e2a24", "#000000"),
    "hollow": ("#d3c3a3", "#3a352d", "#ffffff"),
    "hollow-deep": ("#b8a47e", "#2a2620", "#f2f2f2"),
    "wood": ("#c98f54", "#7d5530", "#f3e3c8"),
    "wood-edge": ("#8f5d2d", "#4a3019", "#000000"),
    "pit": ("#8a5829", "#4d3219", "#fff8ec"),
    "pit-deep": ("#5e3915", "#301d0c", "#e6d3b3"),
    "pit-ink": ("#fff4e0", "#fff4e0", "#000000"),
    "wood-ink": ("#3a200a", "#f6e3c8", "#000000"),
    "slate": ("#9aa9b3", "#687783", "#cfd8dd"),
    "slate-edge": ("#6e7e89", "#414c55", "#000000"),
    "dent": ("#73838e", "#4a5761", "#aab6bd"),
    "dent-deep": ("#5a6a75", "#374249", "#8b989f"),
    "water": ("#4d93bd", "#173a52", "#0b3d5c"),
    "water-light": ("#6fb0d4", "#22506e", "#0b3d5c"),
    "water-ink": ("#ffffff", "#cfe6f5", "#ffffff"),
    "ice": ("#eaf5fb", "#bcd4e2", "#ffffff"),
    "ice-light": ("#ffffff", "#d9e9f2", "#ffffff"),
    "ice-edge": ("#a5cbe0", "#7ba0b6", "#000000"),
    "felt": ("#4c9a6a", "#2a5f41", "#bfe5cd"),
    "felt-line": ("#2f6b48", "#17402a", "#000000"),
    "seed-red": ("#e8432e", "#ee5640", "#c00000"),
    "seed-red-edge": ("#ffd9cf", "#ffd9cf", "#000000"),
    "seed-blue": ("#3d8be0", "#4f9bea", "#0050d0"),
    "seed-blue-edge": ("#cfe4ff", "#cfe4ff", "#000000"),
    "seed-clear": ("#f4fafc", "#e8f2f5", "#ffffff"),
    "seed-clear-edge": ("#5d7480", "#455a64", "#000000"),
    "seed-brown": ("#e8d9ae", "#dfce9f", "#5a3a10"),
    "seed-brown-edge": ("#6b5522", "#4a3a15", "#000000"),
    "seed-silver": ("#8fa5b5", "#9fb5c4", "#4a5a66"),
    "seed-silver-edge": ("#44586a", "#33434f", "#000000"),
    "seed-mixed": ("#b9b2a5", "#a8a194", "#777777"),
    "seed-mixed-edge": ("#57503f", "#3b362b", "#000000"),
    "nobody": ("#bcb6ab", "#8f897e", "#dddddd"),
    "nobody-edge": ("#57503f", "#35312a", "#000000"),
    "nobody-ink": ("#241f17", "#14120e", "#000000"),
    "fish": ("#e0763a", "#d26a30", "#a34000"),
    "fish-dark": ("#a34c1a", "#8c3f14", "#000000"),
    "penguin": ("#2b3440", "#1e262f", "#000000"),
    "penguin-edge": ("#12181f", "#0c1015", "#000000"),
    "belly": ("#fdfdfb", "#f2f2ee", "#ffffff"),
    "beak": ("#f39c12", "#f39c12", "#ff9d00"),
}
# Of the pieces of ALL_PLAYER_COLOURS: the colour, lighter, darker, and what is written on it. The rim of a player's
# cells is the one that shows on wood: the lighter, or the darker in the theme contrast.
_PIECES = {
    "amber": ("#f0a830", "#fbd38a", "#a8660a", "#2b1a00"),
    "blue": ("#2468a8", "#6aa7de", "#10365c", "#ffffff"),
    "green": ("#1d8f66", "#7fd4b5", "#0a4d37", "#020f0a"),
    "purple": ("#c873b4", "#edbfe2", "#7a2f69", "#240818"),
    "red": ("#d0452f", "#f09484", "#7a1d10", "#ffffff"),
    "grey": ("#5d5a55", "#9b978f", "#2c2a27", "#ffffff"),
    "sky": ("#7cc8ea", "#bfe5f6", "#2f7da3", "#06222f"),
    "pink": ("#f6d3de", "#ffeef3", "#b06480", "#2f0a1c"),
    "black": ("#26282c", "#7d838c", "#08090a", "#ffffff"),
    "white": ("#f0eee8", "#ffffff", "#a29d90", "#2d2822"),
}
_PROPERTY = re.compile(r"var\(--p-([a-z-]+)\)")
_NAME = re.compile(r'((?: id="| href="#|url\(#)p-)')


def properties(theme: Theme) -> dict[str, str]:
    """The properties that a page sets to show pictures in a theme."""
    column = THEMES.index(theme)
    properties = {f"--p-{name}": values[column] for name, values in _COLOURS.items()}
    for name, (base, light, dark, ink) in _PIECES.items():
        rim = dark if theme == "contrast" else light
        parts = {"": base, "-light": light, "-dark": dark, "-ink": ink, "-rim": rim}
        properties |= {f"--p-{name}{part}": value for part, value in parts.items()}
    return properties


_RESOLVED = {theme: properties(theme) for theme in THEMES}


def standalone(markup: str, theme: Theme) -> str:
    """Markup with the colours of a theme in it.

    Names are made those of the theme, so that pictures of two themes can stand in one page, and references are written
    in the older way that every converter knows.
    """
    colours = _RESOLVED[theme]
    markup = _PROPERTY.sub(lambda match: colours[f"--p-{match[1]}"], markup)
    return _NAME.sub(lambda match: f"{match[1]}{theme}-", markup).replace(' href="#', ' xlink:href="#')
