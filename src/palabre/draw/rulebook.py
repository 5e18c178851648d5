"""The rules and lessons for people: a game's pages `rules.en.md`, `lessons.en.md`, as HTML with their positions drawn.

A page is Markdown. An image whose address begins with `position:` is a picture of a position, given by its text or by
`start`, of a game, given by its spec; with a move, it is the position after that move:

    ![Player 1 will play F](<position:4,2,0,5,1,3/1,2,1,4,0,6 10,9 1 0?game=awele>)
    ![The start, after a move](<position:start?game=penguins&seed=7&move=d6>)

A paragraph of nothing but such pictures is a row of figures, each with its text as a caption. Raw HTML is not allowed:
everything on a page is shown as text.
"""

import html
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote

from palabre.core import registry
from palabre.core.errors import UnreadableText
from palabre.core.position import Position
from palabre.core.words import say
from palabre.draw import svg

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

SCHEME = "position:"


@dataclass(frozen=True)
class Picture:
    """A picture on a page of rules."""

    position: Position  # its last move is to be marked, if it has one
    caption: str


def page(
    markdown: str, draw: Callable[[Picture], str] | None = None, link: Callable[[Picture], str] | None = None
) -> str:
    """A page as HTML; `draw` makes the markup of a picture, by default a whole SVG, `link` what follows its text."""
    shown = draw or (lambda picture: svg.draw(picture.position))

    def figure(tokens: "list[Token]", index: int, options: Any, env: Any) -> str:
        picture = _picture(tokens[index])
        caption = f"<figcaption>{html.escape(picture.caption)}</figcaption>"
        below = "" if link is None else link(picture)
        return f'<figure class="position">{shown(picture)}{caption}{below}</figure>'

    parser = _parser()
    parser.renderer.rules["image"] = figure  # type: ignore[attr-defined]
    tokens = parser.parse(markdown)
    for opening, content, closing in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if opening.type == "paragraph_open" and all(
            child.type in ("image", "softbreak") for child in content.children or ()
        ):
            opening.tag = closing.tag = "div"  # a figure may not stand in a paragraph
            opening.attrSet("class", "positions")
    return str(parser.renderer.render(tokens, parser.options, {}))


def pictures(markdown: str) -> list[Picture]:
    """The pictures of a page in their order."""
    inlines = [token for token in _parser().parse(markdown) if token.type == "inline"]
    return [_picture(child) for token in inlines for child in token.children or () if child.type == "image"]


def position_at(address: str) -> Position:
    """The position that the address of a picture names; raises an error if it is wrong."""
    text, _, query = unquote(address).removeprefix(SCHEME).partition("?")
    values = {name: values[-1] for name, values in parse_qs(query).items()}
    if not address.startswith(SCHEME) or not values.keys() <= {"game", "move", "seed"} or "game" not in values:
        raise UnreadableText(say("rules.address", address=address))
    game = registry.game(values["game"])
    seed = values.get("seed", "0")
    if not seed.isdecimal():
        raise UnreadableText(say("rules.address", address=address))
    position = game.start(int(seed)) if text == "start" else game.position(text)
    return position.play(values["move"]) if "move" in values else position


def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # slow to import, and needed only where rules are read

    return MarkdownIt("commonmark", {"html": False}).enable("table")


def _picture(token: "Token") -> Picture:
    return Picture(position_at(str(token.attrs["src"])), token.content)
