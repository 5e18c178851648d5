"""Moves, pieces and positions in words of a game, for people who read a board instead of looking at it."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from palabre.core.board import Cell, Piece
from palabre.core.game_words import GameWords
from palabre.core.position import Move, Position
from palabre.draw.frames import piece_fact
from palabre.draw.layout import layout
from palabre.draw.story import sayings
from palabre.draw.terminal import sign


def move_in_words(before: Position, after: Position, words: GameWords) -> str:
    """What the last move of `after`, which was played in `before`, did."""
    return " ".join(words.saying(saying.id, saying.params) for saying in sayings(before, after))


def kind_of_turn(position: Position) -> str:
    """The id of what the moves of this turn do: a piece is placed, or moved."""
    done = sayings(position, position.play(position.moves()[0]))
    return done[0].id if done else ""


def fact_in_words(id: str, params: Mapping[str, Any], words: GameWords) -> str:
    """What lies on a cell; `frames.cell_facts` lists the ids with their parameters."""
    if id == "piece.seeds":
        id = f"{id}.{params['colour'] or 'mixed'}"
    elif params.get("settled") or params.get("faded"):
        id = f"{id}_done"
    named = words.named(params)
    return words.text(id, **{name: "" if value is None else value for name, value in named.items()}).strip()


def legend(position: Position, words: GameWords) -> list[str]:
    """What the signs of the board in the terminal mean, each kind of piece by an example that lies there."""
    game = position.game
    cells: list[Cell] = game.view.cells(game.options)
    stores = {cell.name for cell in cells if cell.store}
    examples: dict[tuple[str, int | None, str, bool], Piece] = {}
    for piece in game.view.pieces(position.state):
        if piece.cell not in stores and piece.count and piece.kind not in ("tile", "label"):
            examples.setdefault((piece.kind, piece.player, piece.colour, piece.faded), piece)
    return [
        f"{sign(piece).text} = {fact_in_words(*piece_fact(layout(game), piece), words)}" for piece in examples.values()
    ]


def moves_by_origin(position: Position) -> dict[str, list[Move]]:
    """The legal moves, grouped by the cell or button that they begin with, in the order of the cells."""
    view = position.game.view
    groups: dict[str, list[Move]] = defaultdict(list)
    for move in position.moves():
        groups[view.clicks(position.state, move.code)[0][0]].append(move)
    order = {cell.name: number for number, cell in enumerate(view.cells(position.game.options))}
    return {origin: groups[origin] for origin in sorted(groups, key=lambda name: order.get(name, len(order)))}
