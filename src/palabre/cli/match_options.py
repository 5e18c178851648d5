"""Options of `match` and `sprt`: where the games begin, with which clocks, where they are played and kept."""

from dataclasses import dataclass
from typing import Any

from palabre.arena.openings import OPENING_PLIES, read_openings
from palabre.cli.clocks import TimesPerGame, TimesPerMove, read_clocks
from palabre.cli.event_options import (
    Again,
    DataFile,
    EventFile,
    GameSpec,
    LearningTime,
    On,
    OpeningsFile,
    Plies,
    RecordFile,
    Unbalanced,
    Workers,
    read_lesson,
)
from palabre.cli.output import PositionText, Seed, Untrusted
from palabre.cli.records import Trust, first_position
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.record import is_reference
from palabre.core.words import own_words
from palabre.laws.first_use import checked_game
from palabre.play.guard import LEARNING_SECONDS

say = own_words(__file__)


@dataclass(frozen=True)
class MatchOptions:
    """The options in the order of the help."""

    spec: GameSpec
    seconds: TimesPerMove = None
    clock: TimesPerGame = None
    seed: Seed = 0
    workers: Workers = None
    on: On = None
    plies: Plies = None
    unbalanced: Unbalanced = False
    openings: OpeningsFile = None
    position: PositionText = None
    data: DataFile = None
    learning: LearningTime = LEARNING_SECONDS
    trust: Trust = False
    untrusted: Untrusted = False
    event: EventFile = None
    again: Again = None
    record: RecordFile = None

    def settings(self, bots: int) -> tuple[Game, dict[str, Any]]:
        """The game, and further settings of a `Match` of so many bots."""
        has_usual_start = self.position is None and not is_reference(self.spec)
        after = None if has_usual_start else first_position(self.spec, self.position, 0, trust=self.trust)
        game = checked_game(self.spec) if after is None else after.game
        if self.openings is not None and after is not None:
            raise PalabreError(say("option.two_starts", first="--openings", second=say("option.a_position")))
        return game, {
            "clocks": read_clocks(game, bots, self.seconds, self.clock),
            "seed": self.seed,
            "plies": OPENING_PLIES if self.plies is None else self.plies,
            "balanced": not self.unbalanced,
            "after": after,
            "openings": () if self.openings is None else read_openings(game, self.openings, self.plies),
            "file": self.event,
            "again": self.again or (),
            "untrusted": self.untrusted,
            "lesson": read_lesson(game, self.data, self.learning),
        }
