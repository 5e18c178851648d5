"""Any game's board as lines of text, drawn from the facts in its `view.py`.

A line is a list of spans, each a text and the name of its style. The caller decides what a style looks like.
The board is complete without colours: every player has a sign, every colour of seeds a letter.
"""

import itertools
from collections import defaultdict
from typing import NamedTuple

from palabre.core.board import Cell, Piece
from palabre.core.game_words import GameWords
from palabre.core.position import Position

PLAYER_SIGNS = "●○◆◇▲△■□"  # one for each of MAX_PLAYERS
SEED_LETTERS = {"red": "r", "blue": "b", "clear": "t"}
NOBODY_SIGN = "◎"  # a piece that belongs to no player
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
    cells = [cell for cell in position.game.view.cells(position.game.options) if not cell.store]
    contents = {cell.name: _content(pieces) for cell, pieces in _by_cell(cells, position).items()}
    widest = max(NARROWEST, *(max(_width(contents[cell.name]), _width(_name(cell))) for cell in cells))
    step = widest + GAP
    left = min(cell.x for cell in cells)
    rows: dict[float, list[Cell]] = defaultdict(list)
    for cell in sorted(cells, key=lambda cell: (cell.y, cell.x)):
        rows[cell.y].append(cell)
    apart = min((b.x - a.x for row in rows.values() for a, b in itertools.pairwise(row)), default=1.0)
    lines: list[Line] = []
    for row in rows.values():
        places = [round((cell.x - left) / apart * step) for cell in row]
        lines.append(_line(places, widest, [contents[cell.name] for cell in row]))
        lines.append(_line(places, widest, [_name(cell) for cell in row]))
    return lines


def score_line(position: Position, words: GameWords | None = None) -> Line:
    """The sign and score of every player, and who is to move or has won; with the game's words, in its language."""
    line: Line = []
    for player, score in enumerate(position.scores):
        called = f"player {player + 1}" if words is None else words.player(player)
        shown = str(score) if words is None else words.counted(score)
        line.append(Span(f"{PLAYER_SIGNS[player]} {called}: {shown}   ", f"player{player + 1}"))
    return [*line, Span(status(position) if words is None else words.status(position))]


def status(position: Position) -> str:
    """`player 2 to move`, `player 1 wins`, or the players who share the win."""
    result = position.result
    if result is None:
        return f"player {position.to_move + 1} to move"
    best = [str(player + 1) for player, share in enumerate(result) if share > 0]
    return f"player {best[0]} wins" if len(best) == 1 else f"players {' and '.join(best)} share the win"


def _by_cell(cells: list[Cell], position: Position) -> dict[Cell, list[Piece]]:
    pieces_of: dict[str, list[Piece]] = defaultdict(list)
    for piece in position.game.view.pieces(position.state):
        if piece.kind != "tile":
            pieces_of[piece.cell].append(piece)
    return {cell: pieces_of[cell.name] for cell in cells}


def _content(pieces: list[Piece]) -> Line:
    seeds = [piece for piece in pieces if piece.kind == "seeds"]
    if seeds and not any(piece.count for piece in seeds):
        pieces = [piece for piece in pieces if piece.kind != "seeds"] + [Piece(seeds[0].cell, "label", text="0")]
    return [sign(piece) for piece in pieces if piece.count] or [Span(EMPTY, "name")]


def _name(cell: Cell) -> Line:
    """The name of a cell; where cells belong to players, with the sign of its owner."""
    label = cell.label or cell.name
    if cell.owner is None:
        return [Span(label, "name")]
    return [Span(PLAYER_SIGNS[cell.owner], f"player{cell.owner + 1}"), Span(label, "name")]


def sign(piece: Piece) -> Span:
    """What stands for a piece."""
    if piece.kind == "seeds":
        return Span(f"{piece.count}{SEED_LETTERS.get(piece.colour, '')}", piece.colour)
    if piece.kind == "fish":
        return Span(str(piece.count), "silver")
    if piece.kind != "label" and piece.player is not None:
        text = PLAYER_SIGNS[piece.player] + (str(piece.height) if piece.kind == "tower" else piece.text)
        return Span(f"{text}†", "faded") if piece.faded else Span(text, f"player{piece.player + 1}")
    return Span(piece.text or ("" if piece.kind == "label" else NOBODY_SIGN))


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
