"""The championship of a course: a round-robin a hundred times over, decided by the seeds of both games of a meeting.

A meeting is two games, and each bot begins one. Their scores are added up; the higher sum has three points, equal sums
one each. The points of all meetings are the table.
"""

from dataclasses import dataclass
from typing import ClassVar

from palabre.arena.formats.roundrobin import RoundRobin
from palabre.arena.standings import COURSE_TIE_BREAKS, Points, TieBreak
from palabre.core.spec import Parameter


@dataclass(frozen=True)
class Course(RoundRobin):
    """A round-robin with points for meetings."""

    name: ClassVar[str] = "course"
    summary: ClassVar[str] = "round-robin, 3 points for a meeting won by the sum of the scores, 1 for a drawn one"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("repeats", 100, range(1, 100_001), "how often each pair meets"),
    )
    points: ClassVar[Points] = "meetings"
    tie_breaks: ClassVar[tuple[TieBreak, ...]] = COURSE_TIE_BREAKS

    repeats: int = 100
