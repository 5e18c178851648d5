"""The laws of a game's view and of its moves as text, for one position."""

import itertools

from palabre.core.board import SEED_COLOURS, Piece, Saying, Travel
from palabre.core.errors import clip, listing, shown
from palabre.core.verbs import State, play
from palabre.laws.inquiry import Inquiry
from palabre.laws.words import check_saying

UNREADABLE = set("{} \t\n")  # a record could not be read if a move had these in its text


def check_view(inquiry: Inquiry, state: State, moves: list[int]) -> None:
    """The texts and the clicks of all moves are different."""
    check_move_texts(inquiry, state, moves)
    check_clicks(inquiry, state, moves, inquiry.cells)


def check_move_texts(inquiry: Inquiry, state: State, moves: list[int]) -> None:
    """Every move has a text of its own, without blanks."""
    texts: dict[str, int] = {}
    for code in moves:
        text = inquiry.ask("move_to_text", inquiry.game.notation.move_to_text, state, code)
        is_word = isinstance(text, str) and text and not UNREADABLE & set(text)
        told = f"the text of the move {code} is {shown(text)}"
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
            if click not in cells and meant != click:
                told = f"clicks of the move {code} name {clip(str(click))}, but the cell is called {clip(str(meant))}"
                inquiry.require(False, told, "spell a cell as in cells(options)")
    paths.sort()
    for (first, code), (second, other) in itertools.pairwise(paths):
        told = f"the clicks {first} of the move {code} are the beginning of {second} of the move {other}"
        remedy = "no path may begin with another move's: add a click that tells them apart"
        inquiry.require(code == other or second[: len(first)] != first, told, remedy)


def check_pieces(inquiry: Inquiry, state: State) -> None:
    """Every piece lies on a cell, and can be drawn."""
    check_drawable(inquiry, inquiry.ask("pieces", inquiry.game.view.pieces, state), "pieces", inquiry.cells)


def check_drawable(inquiry: Inquiry, pieces: list[Piece], asked: str, cells: set[str]) -> None:
    """Pieces that the function called `asked` has answered lie on cells, and are of players and colours that exist."""
    players = inquiry.game.players
    for piece in pieces:
        inquiry.require(isinstance(piece, Piece), f"{asked} has {shown(piece)}", "list Piece(cell, kind, …)")
        told = f"{asked} has one on {clip(str(piece.cell))}, but there is no such cell"
        inquiry.require(piece.cell in cells, told, "name a cell of cells(options)")
        is_player = piece.player is None or 0 <= piece.player < players
        inquiry.require(is_player, f"{asked} has one of player {piece.player}", f"the players are 0 to {players - 1}")
        told = f"{asked} has seeds of the colour {clip(piece.colour)}"
        is_colour = piece.kind != "seeds" or piece.colour in SEED_COLOURS
        inquiry.require(is_colour, told, f"use one of {listing(SEED_COLOURS)}")


def check_story(inquiry: Inquiry, state: State, code: int) -> None:
    """Where a game tells the story of a move, it begins with what is on the board and ends with what `play` makes."""
    view = inquiry.game.view
    cells = inquiry.cells
    if hasattr(view, "tell"):
        for saying in inquiry.ask("tell", view.tell, state, code):
            told = f"tell has {shown(saying)} for the move {code}"
            inquiry.require(isinstance(saying, Saying), told, "it must be a list of Saying(id, {…})")
            check_saying(inquiry, saying, code)
    if not hasattr(view, "story"):
        return
    pieces = list(view.pieces(state))
    for stage in inquiry.ask("story", view.story, state, code):
        check_drawable(inquiry, stage.pieces, "a stage of story", cells)
        for travel in stage.travels:
            check_travel(inquiry, travel, code, pieces, cells)
        pieces = list(stage.pieces)
    wrong = set(view.pieces(play(state, code))) ^ set(pieces)
    told = f"the story of the move {code} ends without, or with more than, {shown(wrong)}"
    inquiry.require(not wrong, told, "the pieces of its last stage must be those of play(state, move)")


def check_travel(inquiry: Inquiry, travel: Travel, code: int, pieces: list[Piece], cells: set[str]) -> None:
    """What travels was there, and goes to a cell; it may also appear or leave, but not both."""
    piece = travel.piece
    way = f"from {clip(piece.cell)} to {clip(travel.to)}"
    told = f"in the story of the move {code}, a piece of the kind {piece.kind} goes {way}"
    known = {*cells, ""}
    is_way = piece.cell in known and travel.to in known and piece.cell != travel.to
    inquiry.require(is_way, told, "name two cells, or '' for one of them if the piece appears or leaves the board")
    found = sum(
        each.count
        for each in pieces
        if (each.cell, each.kind, each.player, each.colour) == (piece.cell, piece.kind, piece.player, piece.colour)
    )
    told = f"{told}, and there are {found} of it before"
    inquiry.require(piece.cell == "" or found >= piece.count, told, "only what lies on a cell can leave it")
