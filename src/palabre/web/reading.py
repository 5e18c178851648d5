"""What browsers name, read with care: games, bots and places, against registered names and the server's limits."""

from dataclasses import dataclass

from palabre.core.errors import PalabreError, UnreadableText
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.core.record import read_records
from palabre.core.words import Message
from palabre.web.limits import Folders, ServerLimits, read_bot, read_game
from palabre.web.page import place_of
from palabre.web.refusal import HOME, Refused
from palabre.web.requests import MOST_PLIES, Place


@dataclass(frozen=True)
class Reader:
    """Reads what browsers send, within the limits of a server and from the folders that its operator offers."""

    limits: ServerLimits
    folders: Folders

    def game(self, spec: str) -> Game:
        """The game that a browser names."""
        return read_game(spec, self.folders)

    def bot(self, spec: str, game: Game) -> str:
        """The spec of a bot, within the limits."""
        return read_bot(spec, game, self.limits, self.folders)

    def positions(self, place: Place, seed: int = 0) -> list[Position]:
        """All positions on the way to a place, the first one included; the seed decides a start left to chance."""
        game = self.game(place.game)
        position = game.start(seed) if place.start is None else game.position(place.start)
        found = [position]
        for move in place.moves:
            position = position.play(move)
            found.append(position)
        return found

    def text(self, text: str, spec: str | None) -> Place:
        """The place that a pasted text describes: a record, or a bare position of a game."""
        if "[Game " in text:
            records = read_records(text, Message("paste", home=HOME))
            if not records:
                raise Refused("no_record")
            self.game(records[0].game.spec)
            return place_of(records[0].positions()[-1])
        if spec is None:
            raise Refused("which_game")
        game = self.game(spec)
        try:
            return place_of(game.position(text))
        except UnreadableText as error:
            moves = text.split()
            if len(moves) > MOST_PLIES:
                raise
            try:  # perhaps it is a list of moves
                return place_of(self.positions(Place(spec, None, moves))[-1])
            except PalabreError:
                raise error from None
