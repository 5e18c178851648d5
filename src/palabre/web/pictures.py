"""Boards as pictures inside a page: the drawing of `draw`, with the colours of the page's theme."""

import html

from palabre.core.position import Position
from palabre.draw.empty import empty_board
from palabre.draw.layout import layout
from palabre.draw.svg import placed
from palabre.draw.symbols import library, needed


def picture(position: Position, title: str) -> str:
    """A position as SVG markup for a page that has /board.css; `title` is what it shows."""
    board = layout(position.game)
    drawn = empty_board(board) + "".join(placed(board, position))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {board.width:g} {board.height:g}" role="img" '
        f'aria-label="{html.escape(title)}"><defs>{needed(drawn, library(board.board.players))}</defs>{drawn}</svg>'
    )


def qr_code(link: str) -> str:
    """A link as a picture that telephones read: black on white in any theme, with the quiet zone that they need."""
    import segno  # needed for invitations alone

    return str(segno.make(link, micro=False).svg_inline(border=4, dark="#000", light="#fff", omitsize=True))
