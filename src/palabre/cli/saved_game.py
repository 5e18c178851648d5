"""The game in the terminal that is under way, saved in a file, so that it can be resumed whatever ends the program.

The file holds one record, with the options of the command line as further tags. It is replaced as a whole after
every move, and deleted when the game is over.
"""

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from palabre.cli.clocks import read_clock
from palabre.cli.seats import seated
from palabre.core.errors import PalabreError
from palabre.core.files import data_folder
from palabre.core.position import Position
from palabre.core.record import load, save
from palabre.core.words import own_words
from palabre.play.game import OngoingGame

say = own_words(__file__)

SEED = "Seed"
TIMES = "Times"  # the tag with the seconds of each move; - for a move that was not timed
NOT_TIMED = "-"


class GameOptions(NamedTuple):
    """The options of a game in the terminal."""

    seconds: float | None = None
    clock: str | None = None
    seed: int | None = None
    record: Path | None = None
    untrusted: bool = False

    def new_game(self, start: Position, players: Sequence[str], seed: int) -> OngoingGame:
        """A game that begins, with the bots of these specs in their seats."""
        seats = seated(players, start.game, untrusted=self.untrusted)
        return OngoingGame(start, seats, clock=read_clock(start.game, self.seconds, self.clock), seed=seed)

    def arguments(self) -> list[str]:
        """The same as arguments of a command."""
        given = {"--time": self.seconds, "--clock": self.clock, "--seed": self.seed, "--record": self.record}
        words = [word for option, value in given.items() if value is not None for word in (option, str(value))]
        return [*words, "--untrusted"] if self.untrusted else words

    def tags(self) -> dict[str, str]:
        """The same as tags of a record, which has a tag of its own for the seed."""
        file = None if self.record is None else self.record.resolve()
        given = {"Time": self.seconds, "Clock": self.clock, "Record": file, "Untrusted": self.untrusted or None}
        return {name: str(value) for name, value in given.items() if value is not None}


def save_game(game: OngoingGame, options: GameOptions) -> bool:
    """Save a game under way, with the options that it began with; False if that cannot be done."""
    # The moves of a record that the game began from have no times.
    earlier = len(game.position.played) - len(game.seconds)
    times = [NOT_TIMED] * earlier + [NOT_TIMED if each is None else f"{each:.3f}" for each in game.seconds]
    record = game.record({**options.tags(), SEED: str(game.seed), TIMES: " ".join(times)})
    file = _file()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        save([record], file)
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
    if len(records) != 1:
        raise PalabreError(say("resume.several", file=file))
    record, tags = records[0], records[0].tags
    seconds = float(tags["Time"]) if "Time" in tags else None
    appended = Path(tags["Record"]) if "Record" in tags else None
    options = GameOptions(seconds, tags.get("Clock"), None, appended, "Untrusted" in tags)
    players = [tags[f"Player{seat}"] for seat in range(1, record.game.players + 1)]
    game = options.new_game(record.positions()[0], players, int(tags.get(SEED, "0")))
    for move, spent in zip(record.moves, tags.get(TIMES, "").split(), strict=True):
        game.accept(game.position.play(move), None if spent == NOT_TIMED else float(spent))
    return game, options


def _file() -> Path:
    return data_folder() / "terminal.txt"
