"""Any game's board as lines of text, drawn from the facts in its `view.py`.

A line is a list of spans, each a text and the name of its style. Whoever prints it decides what a style looks like.
The board is complete without colours: every player has a sign, every colour of seeds a letter.
"""

from collections import defaultdict
from typing import NamedTuple

from palabre.core.board import Cell, Piece
from palabre.core.position import Position

PLAYER_SIGNS = "●○◆◇▲△■□"  # one for each of MAX_PLAYERS
SEED_LETTERS = {"red": "r", "blue": "b", "clear": "t"}
EMPTY = "·"
GAP = 1  # columns between neighbouring cells
NARROWEST = 3  # columns of a cell


class Span(NamedTuple):
    """A piece of a line in one style: `player1`…`player8`, a colour of seeds, `name`, `faded`, or plain."""

    text: str
    style: str = ""


Line = list[Span]


def draw(position: Position) -> str:
    """The board and the score as plain text."""
    lines = [*board_lines(position), [], score_line(position)]
    return "\n".join("".join(span.text for span in line).rstrip() for line in lines)


def board_lines(position: Position) -> list[Line]:
    """Two lines for each row of cells: what lies on the cells, and below it their names."""
    cells: list[Cell] = position.game.view.cells(position.game.options)
    contents = {cell.name: _content(pieces) for cell, pieces in _by_cell(cells, position).items()}
    widest = max(NARROWEST, *(max(_width(contents[cell.name]), len(cell.label or cell.name)) for cell in cells))
    step = widest + GAP
    left = min(cell.x for cell in cells)
    rows: dict[float, list[Cell]] = defaultdict(list)
    for cell in sorted(cells, key=lambda cell: (cell.y, cell.x)):
        rows[cell.y].append(cell)
    lines: list[Line] = []
    for row in rows.values():
        places = [round((cell.x - left) * step) for cell in row]
        lines.append(_line(places, widest, [contents[cell.name] for cell in row]))
        lines.append(_line(places, widest, [[Span(cell.label or cell.name, "name")] for cell in row]))
    return lines


def score_line(position: Position) -> Line:
    """The sign and score of every player, and who is to move or has won."""
    line: Line = []
    for player, score in enumerate(position.scores):
        line.append(Span(f"{PLAYER_SIGNS[player]} player {player + 1}: {score}   ", f"player{player + 1}"))
    return [*line, Span(status(position))]


def status(position: Position) -> str:
    """`player 2 to move`, `player 1 wins`, or the players who share the win."""
    result = position.result
    if result is None:
        return f"player {position.to_move + 1} to move"
    best = [str(player + 1) for player, share in enumerate(result) if share > 0]
    return f"player {best[0]} wins" if len(best) == 1 else f"players {' and '.join(best)} share the win"


def _by_cell(cells: list[Cell], position: Position) -> dict[Cell, list[Piece]]:
    found: dict[str, list[Piece]] = defaultdict(list)
    for piece in position.game.view.pieces(position.state):
        found[piece.cell].append(piece)
    return {cell: found[cell.name] for cell in cells}


def _content(pieces: list[Piece]) -> Line:
    seeds = [piece for piece in pieces if piece.kind == "seeds"]
    if seeds and not any(piece.count for piece in seeds):
        pieces = [piece for piece in pieces if piece.kind != "seeds"] + [Piece(seeds[0].cell, "label", text="0")]
    return [_span(piece) for piece in pieces if piece.count] or [Span(EMPTY, "name")]


def _span(piece: Piece) -> Span:
    if piece.kind == "seeds":
        return Span(f"{piece.count}{SEED_LETTERS.get(piece.colour, '')}", piece.colour)
    if piece.kind == "disc" and piece.player is not None:
        sign = PLAYER_SIGNS[piece.player] + piece.text
        return Span(f"{sign}†", "faded") if piece.faded else Span(sign, f"player{piece.player + 1}")
    return Span(piece.text)


def _width(line: Line) -> int:
    return sum(len(span.text) for span in line)


def _line(places: list[int], width: int, contents: list[Line]) -> Line:
    """Put contents at their places, each centred in its width."""
    line: Line = []
    column = 0
    for place, content in zip(places, contents, strict=True):
        begin = place + (width - _width(content)) // 2
        line += [Span(" " * (begin - column)), *content]
        column = begin + _width(content)
    return line
