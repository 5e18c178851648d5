"""What a study is: an experiment, and the prose, tables and picture of its page."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from palabre import Observation
from palabre.study import Experiment, Results


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
    draw: Callable[[Any, Results], None]
    height: float = 3.2  # inches; the width is the same for all


@dataclass(frozen=True)
class Material:
    """Observations that the bots of a study learn from. The command is given their file."""

    about: str  # which file is meant, in words
    quick: Callable[[], Sequence[Observation]]  # what `--quick` learns from, if no file is given


@dataclass(frozen=True, kw_only=True)
class Study(Experiment):
    """An experiment on one of our games, named GAME-WORD like its page.

    Its prose must not state the results, or it would be wrong after the next run; only `meaning` may, which is written
    after them.
    """

    title: str
    question: str
    minutes: float  # that the steps take on one core, about
    text: str = ""  # what was claimed and how it is tested here, in Markdown
    meaning: str = ""  # what the figures mean, in Markdown
    tables: Callable[[Results], Sequence[Table]] | None = None
    plot: Plot | None = None  # by default, the intervals of all claims
    limits: Sequence[str] = ()  # what the study does not show
    material: Material | None = None  # what its bots learn from, if they learn
