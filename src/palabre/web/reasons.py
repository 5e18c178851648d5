"""Why a click on the board enters no move, for the player: whose the cell is, what lies there, what the rules say.

Nothing here knows a game. Where a game writes its moves as they are clicked, it explains the move itself; otherwise the
facts of its view show what is wrong.
"""

from collections.abc import Sequence

from palabre.core.board import Piece
from palabre.core.game_words import GameWords, sentence
from palabre.core.position import Position
from palabre.web.refusal import in_language

GROUND = ("tile", "fish", "label")  # kinds of pieces that lie under others, and cannot be moved


class Clicked:
    """A position as it is clicked: the paths of its moves, and what lies on its cells."""

    def __init__(self, position: Position) -> None:
        self.position = position
        view, state = position.game.view, position.state
        self.cells = {cell.name: cell for cell in view.cells(position.game.options)}
        self.paths = [(path, move.text) for move in position.moves() for path in view.clicks(state, move.code)]
        self._pieces: list[Piece] = view.pieces(state)

    def things(self, cell: str) -> list[Piece]:
        """What can be moved or taken there, of any player."""
        return [piece for piece in self._pieces if piece.cell == cell and piece.count > 0 and piece.kind not in GROUND]

    def stranger(self, cell: str) -> int | None:
        """The other player to whom a cell, or what lies on top there, belongs; None if there is none."""
        place, things = self.cells.get(cell), self.things(cell)
        owner = place.owner if place is not None and place.owner is not None else None
        if owner is None and things:
            owner = things[-1].player
        return None if owner == self.position.to_move else owner

    def is_spelled(self, clicks: Sequence[str]) -> bool:
        """Whether moves of so many clicks are written as they are clicked: then the game can explain these."""
        return any(len(path) == len(clicks) and "".join(path) == text for path, text in self.paths)


def why_not(position: Position, clicks: Sequence[str], words: GameWords) -> str:
    """Why no move begins with these clicks, of which the last one is wrong, in the language of some words."""
    clicked, language = Clicked(position), words.language
    is_first = len(clicks) == 1
    if is_first:
        stranger = clicked.stranger(clicks[0])
        if stranger is not None and all(clicked.stranger(path[0]) is None for path, _ in clicked.paths):
            return in_language("reason.not_yours", language, player=words.player(stranger))
    if clicked.is_spelled(clicks):
        text = words.message_text(position.game.explain(position.state, "".join(clicks)))
        # With a capital letter, the name of a cell may be that of another one.
        return f"{text}." if text.partition(" ")[0] in clicked.cells else sentence(text)
    if is_first and not clicked.things(clicks[0]) and all(clicked.things(path[0]) for path, _ in clicked.paths):
        return in_language("reason.empty", language)
    return in_language("reason.no_move_from" if is_first else "reason.no_move_to", language)
