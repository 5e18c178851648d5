"""What browsers name, read with care: games, bots and places, against registered names and the server's limits."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from palabre.core import registry
from palabre.core.errors import ImpossiblePosition, PalabreError, UnreadableText
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.core.record import read_records
from palabre.core.spec import Preset
from palabre.core.words import Message
from palabre.web.limits import Folders, ServerLimits, read_bot, read_game
from palabre.web.page import place_of
from palabre.web.refusal import HOME, Refused
from palabre.web.requests import MOST_PLIES, Place

MOST_VALUES = 8  # of a parameter, such as the number of players, that are tried for a text of unknown rules


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
        return list(self.line(place, seed))

    def line(self, place: Place, seed: int = 0) -> Iterator[Position]:
        """The same positions, one after another."""
        game = self.game(place.game)
        position = game.start(seed) if place.start is None else game.position(place.start)
        yield position
        for move in place.moves:
            position = position.play(move)
            yield position

    def text(self, text: str, spec: str | None) -> Place:
        """The place that a pasted text describes: a record, a bare position or a list of moves.

        A text without the name of its game is tried as one of the game of `spec` first, and then of the others.
        """
        if "[Game " in text:
            records = read_records(text, Message("paste", home=HOME))
            if not records:
                raise Refused("no_record")
            self.game(records[0].game.spec)
            return place_of(records[0].positions()[-1])
        problem: PalabreError = Refused("which_game")
        if spec is not None:
            try:
                return self._bare(text, self.game(spec))
            except (UnreadableText, ImpossiblePosition) as error:
                problem = error
        for other in self._others(spec):
            with suppress(PalabreError):
                return self._bare(text, self.game(other))
        raise problem

    def _bare(self, text: str, game: Game) -> Place:
        """The place that a position or a list of moves describes, in this game."""
        try:
            return place_of(game.position(text))
        except UnreadableText:
            moves = text.split()
            if not 0 < len(moves) <= MOST_PLIES:
                raise
            with suppress(PalabreError):
                return place_of(self.positions(Place(game.spec, None, moves))[-1])
            raise

    def _others(self, spec: str | None) -> list[str]:
        """All other games and rule sets on offer, by their specs, those of the same game first."""
        names = [*registry.names(), *self.folders.game_files()]
        name = "" if spec is None else registry.split(spec)[0]
        names.sort(key=lambda known: known != name)
        specs: list[str] = []
        for known in names:
            with suppress(PalabreError):  # a file that does not work
                presets = self.game(known).facts.listed_presets
                specs += [f"{known}:{preset.name}" for preset in presets]
                specs += [f"{known}:{preset.name},{value}" for preset in presets for value in _values(preset)]
        return [known for known in specs if known != spec]


def _values(preset: Preset) -> list[str]:
    """What can be chosen about a rule set, each as an item of a spec, where there are only a few choices."""
    few = [known for known in preset.parameters.values() if len(known.choices) <= MOST_VALUES]
    return [f"{known.name}={value}" for known in few for value in known.choices if value != known.default]
