"""The laws of a game's view and of its moves as text, for one position."""

import itertools

from palabre.core.errors import clip, listing
from palabre.core.verbs import State
from palabre.draw.svg import SEED_FILLS
from palabre.laws.inquiry import Inquiry

UNREADABLE = set("{} \t\n")  # a record could not be read if a move had these in its text


def check_view(inquiry: Inquiry, state: State, moves: list[int]) -> None:
    """The texts and the clicks of all moves are different, and every piece lies on a cell."""
    cells = {cell.name for cell in inquiry.game.view.cells(inquiry.game.options)}
    check_move_texts(inquiry, state, moves)
    check_clicks(inquiry, state, moves, cells)
    check_pieces(inquiry, state, cells)


def check_move_texts(inquiry: Inquiry, state: State, moves: list[int]) -> None:
    """Every move has a text of its own, without blanks."""
    texts: dict[str, int] = {}
    for code in moves:
        text = inquiry.ask("move_to_text", inquiry.game.notation.move_to_text, state, code)
        is_word = isinstance(text, str) and text and not UNREADABLE & set(text)
        told = f"the text of the move {code} is {clip(repr(text))}"
        inquiry.require(bool(is_word), told, "it must be a word without blanks")
        told = f"the moves {texts.get(text)} and {code} have the same text {clip(text)}"
        inquiry.require(text not in texts, told, "move_to_text must tell the legal moves of a position apart")
        texts[text] = code


def check_clicks(inquiry: Inquiry, state: State, moves: list[int], cells: set[str]) -> None:
    """Every move has paths of clicks, and none is the beginning of another move's."""
    paths = [
        (tuple(path), code) for code in moves for path in inquiry.ask("clicks", inquiry.game.view.clicks, state, code)
    ]
    lower = {name.lower(): name for name in cells}
    for path, code in paths:
        inquiry.require(bool(path), f"clicks has an empty path for the move {code}", "a path is at least one click")
        for click in path:
            meant = lower.get(str(click).lower(), click)
            told = f"clicks of the move {code} name {clip(str(click))}, and there is a cell {clip(str(meant))}"
            inquiry.require(click in cells or meant == click, told, "spell a cell as in cells(options)")
    paths.sort()
    for (first, code), (second, other) in itertools.pairwise(paths):
        told = f"the clicks {first} of the move {code} are the beginning of {second} of the move {other}"
        remedy = "no path may begin with another move's: add a click that tells them apart"
        inquiry.require(code == other or second[: len(first)] != first, told, remedy)


def check_pieces(inquiry: Inquiry, state: State, cells: set[str]) -> None:
    """Every piece lies on a cell, and can be drawn."""
    players = inquiry.game.players
    for piece in inquiry.ask("pieces", inquiry.game.view.pieces, state):
        told = f"pieces has one on {clip(str(piece.cell))}, and there is no such cell"
        inquiry.require(piece.cell in cells, told, "name a cell of cells(options)")
        is_player = piece.player is None or 0 <= piece.player < players
        inquiry.require(is_player, f"pieces has one of player {piece.player}", f"the players are 0 to {players - 1}")
        told = f"pieces has seeds of the colour {clip(piece.colour)}"
        is_colour = piece.kind != "seeds" or piece.colour in SEED_FILLS
        inquiry.require(is_colour, told, f"use one of {listing(SEED_FILLS)}")
