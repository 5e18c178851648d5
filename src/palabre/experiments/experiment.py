"""What an experiment is: a question, the steps that answer it, and claims, each with the rule that judges it.

A game's experiments are in the package `experiments` of its folder, which defines `EXPERIMENTS`; somebody's game in one
file may define `EXPERIMENTS` there. A step is either games that bots play, or something that is measured. Both are kept
on disk as they go, and continue where they were stopped.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from palabre.arena.lineups import lineups
from palabre.arena.openings import OPENING_PLIES
from palabre.core.observations import Observation
from palabre.experiments.judging import Finding
from palabre.search.clock import Clock

if TYPE_CHECKING:
    from palabre.experiments.results import Results

PRECISION = 0.03  # half the width of the 95 % interval at which a line-up has played enough
MOST_GAMES = 2000  # of a line-up
QUICK_GAMES = 2  # of a line-up, with `--quick`

Row = dict[str, Any]


@dataclass(frozen=True)
class Games:
    """Bots that meet from many openings, each opening once from every seat. The step is an event of the arena.

    Every line-up plays the same openings, in batches, until all of them know their score to ± `precision` (95 %), or
    have played `most` games. So openings can be compared across line-ups, and they are what errors are clustered by.
    """

    name: str
    bots: Mapping[str, str]  # what results call each bot, and its spec
    quick: Mapping[str, str] = field(default_factory=dict)  # cheaper bots for `--quick`, by the same names
    pairings: Sequence[tuple[str, ...]] = ()  # which bots meet, by these names; by default every bot meets every other
    game: str = ""  # its spec; by default the game whose experiment this is
    most: int = MOST_GAMES
    precision: float = PRECISION
    plies: int = OPENING_PLIES  # random moves of an opening
    balanced: bool = True  # whether nearly decided openings are drawn again
    seed: int = 0
    clock: Clock | None = None
    format: str = ""  # a format of the arena, such as `knockout`, if it is not until all scores are precise

    def lineups(self, names: Sequence[str], seats: int) -> list[tuple[str, ...]]:
        """Who sits at a board together; `names` are what the bots of the step are called, in their order."""
        if not self.pairings:
            return lineups(names, seats)
        places = [sorted(list(self.bots).index(name) for name in pairing) for pairing in self.pairings]
        return [tuple(names[place] for place in pairing) for pairing in places]


@dataclass(frozen=True)
class Measurement:
    """Something that is found out case by case, such as the nodes of a search, or whether a theorem holds.

    `measure(**case)` returns what was found as a row for JSON. It is a function at the top level of its module, for
    other processes must find it.
    """

    name: str
    measure: Callable[..., Mapping[str, Any]]
    cases: Sequence[Mapping[str, Any]]
    quick: Sequence[Mapping[str, Any]] = ()  # the cases for `--quick`; by default the first one
    is_timed: bool = False  # whether it measures times, so that one case is measured after another
    learns: bool = False  # whether `measure` is also given the rows of the experiment's material, as `rows`


Step = Games | Measurement


@dataclass(frozen=True)
class Claim:
    """What somebody has claimed, and how it is judged."""

    text: str  # a whole sentence
    reported: str  # the figures that were printed, in short
    judge: Callable[["Results"], Finding]


@dataclass(frozen=True)
class Table:
    """A table of the page. Headings that begin with `>` are those of columns of numbers."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""  # a paragraph below


@dataclass(frozen=True)
class Plot:
    """A picture of the page. `draw` gets a matplotlib figure and the results."""

    alt: str  # what it shows, for those who cannot see it
    draw: Callable[[Any, "Results"], None]
    height: float = 3.2  # inches; the width is the same for all


@dataclass(frozen=True)
class Material:
    """Observations that the bots of an experiment learn from. Whoever runs it gives their file."""

    about: str  # which file is meant, in words
    quick: Callable[[], Sequence[Observation]]  # what `--quick` learns from, if no file is given


@dataclass(frozen=True)
class Experiment:
    """A question and how it is answered."""

    name: str  # the page is called GAME-NAME
    title: str
    question: str
    steps: Sequence[Step]
    claims: Sequence[Claim]
    minutes: float  # that the steps take on one core, about
    text: str = ""  # what was claimed and how it is tried here, in Markdown
    meaning: str = ""  # what the figures mean, in Markdown, written by somebody who has seen them
    tables: Callable[["Results"], Sequence[Table]] | None = None
    plot: Plot | None = None  # by default, the intervals of all claims
    limits: Sequence[str] = ()  # what the experiment does not show
    material: Material | None = None  # what its bots learn from, if they learn

    def step(self, name: str) -> Step:
        """The step with this name."""
        return next(step for step in self.steps if step.name == name)
