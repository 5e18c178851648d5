"""Any game's board as an SVG picture that stands for itself, drawn from the facts in its `view.py`."""

import html
from collections.abc import Iterator

from palabre.core.position import Position
from palabre.draw.empty import empty_board
from palabre.draw.layout import MARGIN, Layout, layout, outline
from palabre.draw.looks import contents, pieces_of
from palabre.draw.palette import Theme, standalone
from palabre.draw.story import last_move
from palabre.draw.symbols import library, needed, text, use
from palabre.draw.terminal import status

FOOTER = 60.0
TEXT, LETTER = 16.0, 8.0  # the size of letters, and about how wide one is
# A ring has a pale rim, so that it stands out from any ground.
RING = '<path d="{0}" fill="none" stroke="var(--p-paper)" stroke-width="5.5" stroke-opacity=".8"/>'
RING += '<path d="{0}" fill="none" stroke="var(--p-accent)" stroke-width="3.5"/>'


def draw(position: Position, theme: Theme = "light") -> str:
    """A complete SVG document of a position, with scores and the player to move below the board."""
    board_layout = layout(position.game)
    width, height = board_layout.width, board_layout.height + FOOTER
    body = [
        f'<rect width="{width:g}" height="{height:g}" fill="var(--p-paper)"/>',
        empty_board(board_layout),
        *placed(board_layout, position),
        *_footer(board_layout, position, height),
    ]
    drawn = "\n".join(body)
    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" '
        'font-family="system-ui, sans-serif" role="img">',
        f"<title>{html.escape(position.game.title)}: {html.escape(status(position))}</title>",
        f"<desc>{html.escape(position.game.spec)} {html.escape(position.text)}</desc>",
        f"<defs>{needed(drawn, library(board_layout.board.players))}</defs>",
        drawn,
        "</svg>",
        "",
    ]
    return standalone("\n".join(lines), theme)


def placed(board_layout: Layout, position: Position) -> Iterator[str]:
    """What lies on the cells, and above all of it rings round the cells of the last move."""
    marked = last_move(position)
    drawn = contents(board_layout, pieces_of(position))
    layers = [(at, content) for at, content in enumerate(drawn) if content]
    layers += [(at, RING.format(outline(board_layout.cells[at]))) for at in marked["origins"] + marked["targets"]]
    for at, content in layers:
        x, y = board_layout.places[at]
        yield f'<g transform="translate({x:g} {y:g})">{content}</g>'


def _footer(board_layout: Layout, position: Position, height: float) -> Iterator[str]:
    scores = position.scores
    for player, score in enumerate(scores):
        x = MARGIN + (board_layout.width - 2 * MARGIN) * (player + 0.5) / len(scores)
        y = height - FOOTER + 14
        words = f"player {player + 1}: {score}"
        yield use(f"swatch-{player}-{board_layout.board.players[player]}", x - len(words) * LETTER / 2 - 4, y)
        yield text(x + 12, y, words, TEXT, "var(--p-ink)")
    yield text(board_layout.width / 2, height - 18, status(position), TEXT, "var(--p-ink)", bold=True)
