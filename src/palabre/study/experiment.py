"""What an experiment is: steps that find something out, and claims, each with the rule that judges it.

A step is either games that bots play, or something that is measured. Both are kept on disk as they go, and resume where
they were stopped.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from palabre.arena.event import NextRound
from palabre.arena.formats import read_format
from palabre.arena.lineups import lineups
from palabre.arena.openings import OPENING_PLIES
from palabre.arena.result import interval_95, meeting_scores
from palabre.arena.rows import Meeting, Outcome
from palabre.search.clock import Clock
from palabre.study.judging import Finding

if TYPE_CHECKING:
    from palabre.study.results import Results

PRECISION = 0.03  # half the width of the 95 % interval at which a line-up has played enough
MOST_GAMES = 2000  # of a line-up
QUICK_GAMES = 2  # of a line-up, in a quick run
BATCH = 16  # openings before the first look at the precision
PART = 8  # later batches are this part of the openings so far

Row = dict[str, Any]


@dataclass(frozen=True)
class Games:
    """A step in which bots meet from many openings, each opening once from every seat; it is an event of the arena.

    Every line-up plays the same openings, in batches, until all of them know their score to ± `precision` (95 %), or
    have played `most` games. So openings can be compared across line-ups, and errors are clustered by opening.
    """

    name: str
    bots: Mapping[str, str]  # what results call each bot, and its spec
    quick: Mapping[str, str] = field(default_factory=dict)  # cheaper bots for a quick run, by the same names
    pairings: Sequence[tuple[str, ...]] = ()  # which bots meet, by these names; by default every bot meets every other
    game: str = ""  # its spec; by default that of the experiment
    most: int = MOST_GAMES  # of a line-up
    precision: float = PRECISION  # half the width of the widest interval; 0 plays all `most` games
    plies: int = OPENING_PLIES  # random moves of an opening
    balanced: bool = True  # whether nearly decided openings are drawn again
    seed: int = 0
    clock: Clock | None = None  # of every player
    format: str = ""  # a format of the arena, such as `knockout`, instead of playing until all scores are precise

    def lineups(self, names: Sequence[str], seats: int) -> list[tuple[str, ...]]:
        """Who sits at a board together; `names` are what the bots of the step are called, in their order."""
        if not self.pairings:
            return lineups(names, seats)
        places = [sorted(list(self.bots).index(name) for name in pairing) for pairing in self.pairings]
        return [tuple(names[place] for place in pairing) for pairing in places]


@dataclass(frozen=True)
class Measurement:
    """A step that measures case by case, such as the nodes of a search, or whether a theorem holds.

    `measure(**case)` returns a row for JSON. It is a function at the top level of its module, because other processes
    import it. Rows are measured again if, and only if, its code changes: the function, and what it names in its own
    package.
    """

    name: str
    measure: Callable[..., Mapping[str, Any]]
    cases: Sequence[Mapping[str, Any]]
    quick: Sequence[Mapping[str, Any]] = ()  # the cases of a quick run; by default the first one
    is_timed: bool = False  # whether it measures times, so that one case is measured after another
    learns: bool = False  # whether `measure` also gets the observations of the run, as `observations`


Step = Games | Measurement


@dataclass(frozen=True)
class Claim:
    """What was claimed, and how it is judged."""

    text: str  # a whole sentence
    reported: str  # the figures that were printed, in short
    judge: "Callable[[Results], Finding]"


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """A question: what is played and measured to answer it, and the claims that this decides."""

    name: str
    game: str  # its spec
    steps: Sequence[Step]
    claims: Sequence[Claim]

    def step(self, name: str) -> Step:
        """The step with this name."""
        return next(step for step in self.steps if step.name == name)


# ---------------------------------------------------------------------------------------------------- who meets whom


def schedule(step: Games, seats: int, most: int) -> NextRound:
    """The next round of a step that plays at most this many openings."""
    return read_format(step.format, players=seats).next_round if step.format else until_precise(step, seats, most)


def until_precise(step: Games, seats: int, most: int) -> NextRound:
    """Batches of openings, the same for all line-ups, until the widest interval is narrow enough."""

    def next_round(names: Sequence[str], played: Sequence[Outcome]) -> list[Meeting]:
        tables = step.lineups(names, seats)
        openings = len(played) // (len(tables) * seats)
        if openings and widest(tables, played) <= step.precision:
            return []
        count = min(max(BATCH, openings // PART), most - openings)
        number = played[-1].meeting.round + 1 if played else 0
        return [Meeting(number, table, openings + new) for new in range(count) for table in tables]

    return next_round


def widest(tables: Sequence[tuple[str, ...]], played: Sequence[Outcome]) -> float:
    """Half the width of the widest 95 % interval of a line-up's score."""
    halves = []
    for table in tables:
        pairs = list(meeting_scores(table[0], [game for game in played if game.meeting.bots == table]))
        low, high = interval_95(sum(pairs) / len(pairs) if pairs else 0.5, pairs)
        halves.append((high - low) / 2)
    return max(halves)
