"""The laws of a game's view and of its moves as text, for one position."""

import itertools

from palabre.core.board import SEED_COLOURS, Piece, Saying, Travel
from palabre.core.errors import listing, shown
from palabre.core.verbs import State, play
from palabre.core.words import Message, own_words
from palabre.laws.inquiry import Inquiry
from palabre.laws.texts import check_saying

say = own_words(__file__)

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
        inquiry.expect(bool(is_word), "view.no_word", code=code, text=shown(text))
        inquiry.expect(text not in texts, "view.same_text", first=texts.get(text), code=code, text=text)
        texts[text] = code


def check_clicks(inquiry: Inquiry, state: State, moves: list[int], cells: set[str]) -> None:
    """Every move has paths of clicks, and none is the beginning of another move's."""
    paths = [
        (tuple(path), code) for code in moves for path in inquiry.ask("clicks", inquiry.game.view.clicks, state, code)
    ]
    lower = {name.lower(): name for name in cells}
    for path, code in paths:
        inquiry.expect(bool(path), "view.no_path", code=code)
        for click in path:
            meant = lower.get(str(click).lower(), click)
            if click not in cells and meant != click:
                inquiry.expect(False, "view.spelling", code=code, click=str(click), cell=str(meant))
    paths.sort()
    for (first, code), (second, other) in itertools.pairwise(paths):
        params = {"first": str(first), "code": code, "second": str(second), "other": other}
        is_apart = code == other or second[: len(first)] != first
        inquiry.expect(is_apart, "view.begins", **params)


def check_pieces(inquiry: Inquiry, state: State) -> None:
    """Every piece lies on a cell, and can be drawn."""
    check_drawable(inquiry, inquiry.ask("pieces", inquiry.game.view.pieces, state), "pieces", inquiry.cells)


def check_drawable(inquiry: Inquiry, pieces: list[Piece], asked: str | Message, cells: set[str]) -> None:
    """Pieces that the function `asked` has returned lie on cells, and are of players and colours that exist."""
    players = inquiry.game.players
    for piece in pieces:
        inquiry.expect(isinstance(piece, Piece), "view.no_piece", piece=shown(piece), asked=asked)
        inquiry.expect(piece.cell in cells, "view.no_cell", cell=str(piece.cell), asked=asked)
        is_player = piece.player is None or 0 <= piece.player < players
        inquiry.expect(is_player, "view.no_player", player=piece.player, last=players - 1, asked=asked)
        is_colour = piece.kind != "seeds" or piece.colour in SEED_COLOURS
        inquiry.expect(is_colour, "view.no_colour", colour=piece.colour, colours=listing(SEED_COLOURS), asked=asked)


def check_story(inquiry: Inquiry, state: State, code: int) -> None:
    """Where a game tells the story of a move, it begins with what is on the board and ends with what `play` makes."""
    view = inquiry.game.view
    cells = inquiry.cells
    if hasattr(view, "tell"):
        for saying in inquiry.ask("tell", view.tell, state, code):
            inquiry.expect(isinstance(saying, Saying), "view.no_saying", saying=shown(saying), code=code)
            check_saying(inquiry, saying, code)
    if not hasattr(view, "story"):
        return
    pieces = list(view.pieces(state))
    for stage in inquiry.ask("story", view.story, state, code):
        check_drawable(inquiry, stage.pieces, say("view.stage"), cells)
        for travel in stage.travels:
            check_travel(inquiry, travel, code, pieces, cells)
        pieces = list(stage.pieces)
    wrong = set(view.pieces(play(state, code))) ^ set(pieces)
    inquiry.expect(not wrong, "view.ends", code=code, pieces=shown(wrong))


def check_travel(inquiry: Inquiry, travel: Travel, code: int, pieces: list[Piece], cells: set[str]) -> None:
    """What travels was there, and goes to a cell; it may also appear or leave, but not both."""
    piece = travel.piece
    about = {"code": code, "kind": piece.kind, "cell": piece.cell, "to": travel.to}
    known = {*cells, ""}
    is_way = piece.cell in known and travel.to in known and piece.cell != travel.to
    inquiry.expect(is_way, "view.way", **about)
    there = sum(
        each.count
        for each in pieces
        if (each.cell, each.kind, each.player, each.colour) == (piece.cell, piece.kind, piece.player, piece.colour)
    )
    inquiry.expect(piece.cell == "" or there >= piece.count, "view.not_there", found=there, **about)
