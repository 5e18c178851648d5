"""The game in the terminal that is under way, saved in a file, so that it can be resumed whatever ends the program.

The file holds one record, with the options of the command line as further tags. It is replaced as a whole after
every move, and deleted when the game is over.
"""

import contextlib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from palabre.cli.clocks import read_clock
from palabre.cli.seats import seated
from palabre.core.errors import PalabreError
from palabre.core.files import data_folder
from palabre.core.position import Position
from palabre.core.record import load, save
from palabre.core.words import own_words
from palabre.play.game import OngoingGame

say = own_words(__file__)

TIMES = "Times"  # the tag with the seconds of each move; - for a move that was not timed
NOT_TIMED = "-"


class GameOptions(msgspec.Struct, frozen=True, omit_defaults=True, rename=str.capitalize):
    """The options of a game in the terminal; each is also a tag of its record."""

    seed: int
    time: float | None = None
    clock: str | None = None
    record: str | None = None  # the whole path: a game may be resumed in another folder
    untrusted: bool = False

    def new_game(self, start: Position, players: Sequence[str]) -> OngoingGame:
        """A game that begins, with the bots of these specs in their seats."""
        seats = seated(players, start.game, untrusted=self.untrusted)
        return OngoingGame(start, seats, clock=read_clock(start.game, self.time, self.clock), seed=self.seed)


def save_game(game: OngoingGame, options: GameOptions) -> bool:
    """Save a game under way, with the options that it began with; False if that cannot be done."""
    tags = {name: str(value) for name, value in msgspec.to_builtins(options).items()}
    # The moves of a record that the game began from have no times.
    times = [None] * (len(game.position.played) - len(game.seconds)) + game.seconds
    tags[TIMES] = " ".join(NOT_TIMED if each is None else f"{each:.3f}" for each in times)
    try:
        _file().parent.mkdir(parents=True, exist_ok=True)
        save([game.record(tags)], _file())
    except OSError:
        return False
    return True


def delete_game() -> None:
    """Delete the saved game."""
    with contextlib.suppress(OSError):
        _file().unlink(missing_ok=True)


def load_game() -> tuple[OngoingGame, GameOptions]:
    """The game that was saved last, with its moves, which can be taken back; a `PalabreError` if there is none."""
    file = _file()
    if not file.is_file():
        raise PalabreError(say("resume.none"))
    records = load(file, trusted=True)
    try:
        [record] = records
        options = msgspec.convert(record.tags, GameOptions, strict=False)
        players = [record.tags[f"Player{number}"] for number in range(1, record.game.players + 1)]
        times = [None if each == NOT_TIMED else float(each) for each in record.tags[TIMES].split()]
        turns = list(zip(record.moves, times, strict=True))
    except (KeyError, ValueError, msgspec.ValidationError) as error:
        raise PalabreError(say("resume.damaged", file=file)) from error
    game = options.new_game(record.positions()[0], players)
    for move, spent in turns:
        game.accept(game.position.play(move), spent)
    return game, options


def _file() -> Path:
    return data_folder() / "terminal.txt"
