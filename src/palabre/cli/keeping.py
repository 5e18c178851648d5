"""The game in the terminal that is under way, kept in a file, so that it can go on whatever has ended the program.

The file holds one record. It is replaced as a whole after every move, and taken away when the game is over.
"""

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from palabre.core.errors import PalabreError
from palabre.core.files import data_folder
from palabre.core.record import Record, load, save
from palabre.core.words import own_words
from palabre.play.game import OngoingGame

say = own_words(__file__)

TIMES = "Times"  # the tag with the seconds of each move; - for a move that was not timed
NOT_TIMED = "-"


@dataclass(frozen=True)
class Kept:
    """A game that was not finished."""

    record: Record

    @property
    def players(self) -> str:
        """Who plays, as `--players` says it."""
        return ",".join(self.record.tags[f"Player{seat}"] for seat in range(1, self.record.game.players + 1))

    def option(self, name: str) -> str | None:
        """What an option said when the game began."""
        return self.record.tags.get(name)

    def replay(self, game: OngoingGame) -> None:
        """Play the moves so far, so that they can be taken back."""
        times = self.record.tags.get(TIMES, "").split()
        for move, spent in zip(self.record.moves, times, strict=True):
            game.accept(game.position.play(move), None if spent == NOT_TIMED else float(spent))


def keep(game: OngoingGame, options: Mapping[str, object]) -> bool:
    """Keep a game under way, with the options that it began with; False if that cannot be done."""
    # The moves of a record that the game began from have no times.
    earlier = len(game.position.played) - len(game.seconds)
    times = [NOT_TIMED] * earlier + [NOT_TIMED if spent is None else f"{spent:.3f}" for spent in game.seconds]
    tags = {name: str(value) for name, value in options.items() if value is not None}
    record = game.record({**tags, "Seed": str(game.seed), TIMES: " ".join(times)})
    file = kept_file()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        save([record], file)
    except OSError:
        return False
    return True


def forget() -> None:
    """Keep no game."""
    with contextlib.suppress(OSError):
        kept_file().unlink(missing_ok=True)


def read_kept() -> Kept:
    """The game that was kept last; a `PalabreError` if there is none."""
    file = kept_file()
    if not file.is_file():
        raise PalabreError(say("resume.none"))
    records = load(file, trusted=True)
    if len(records) != 1:
        raise PalabreError(say("resume.several", file=file))
    return Kept(records[0])


def kept_file() -> Path:
    """Where the game is kept."""
    return data_folder() / "terminal.txt"
