"""What a search says when it is done."""

from collections.abc import Sequence
from dataclasses import dataclass

from palabre.core.position import Move

# What the textbook searches count, by index of their counters; HORIZON are the leaves at which the game is not over.
NODES, LEAVES, CUTOFFS, HORIZON = range(4)
# What those with a limit of time find there: the moment to stop, in nanoseconds, and whether it has come.
DEADLINE, STOP = 4, 5
COUNTERS = 6


@dataclass(frozen=True)
class Report:
    """The value of a position for the player to move, and the moves that reach it."""

    value: float
    best: tuple[Move, ...]  # all moves that are worth the most, in order
    depth: int
    nodes: int  # positions looked at
    leaves: int  # positions evaluated
    cutoffs: int  # positions whose other moves were not looked at any more

    @classmethod
    def counted(cls, value: float, best: list[Move], depth: int, counters: Sequence[int]) -> "Report":
        """A report with what a search counted below its root."""
        nodes, leaves, cutoffs = (int(counters[index]) for index in (NODES, LEAVES, CUTOFFS))
        return cls(value, tuple(best), depth, nodes + 1, leaves, cutoffs)
