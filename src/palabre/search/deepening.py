"""The root of the textbook searches: all moves to one depth, or deeper and deeper until time is up.

A search says what a position is worth to the player at the root; what is here finds the moves that are worth the most.
"""

import math
from collections.abc import Callable, MutableSequence, Sequence
from typing import Any

from palabre.compile.compiler import words
from palabre.core.kernels import kernel
from palabre.core.position import Move, Position
from palabre.core.system import now
from palabre.search.clock import Clock, own_moves_left, time_limits
from palabre.search.minimax import INFINITY
from palabre.search.report import COUNTERS, DEADLINE, HORIZON, NODES, STOP, Report

# What a search says of (state, depth, alpha, counters); if that is no more than alpha, a bound above it will do.
Valued = Callable[[Any, int, float, Any], float]
Child = tuple[Move, Any]  # a move and the state after it

POLL = 16  # nodes between two looks at the time: with a Monte Carlo evaluation a node may take half a millisecond
NO_LIMIT = 1 << 62


@kernel
def is_time_up(counters: MutableSequence[int]) -> bool:
    """Whether to stop; a search asks at every node."""
    if counters[NODES] % POLL == 0 and now() >= counters[DEADLINE]:
        counters[STOP] = 1
    return counters[STOP] != 0


def to_depth(value: Valued, position: Position, depth: int) -> Report:
    """The best legal moves so many plies deep, however long it takes; the position has moves."""
    return _best(value, _children(position), depth, _counters(NO_LIMIT))


def deepen(value: Valued, position: Position, clock: Clock, deepest: int) -> Report:
    """The best legal moves as deep as the clock allows, and no deeper than `deepest`; the position has moves.

    Of a look that is cut short counts what it has found, for the best moves of the last one are looked at first.
    """
    begin = now()
    limits = time_limits(clock, own_moves_left(position))
    counters = _counters(NO_LIMIT if limits.hard is None else begin + int(limits.hard * 1e9))
    children = _children(position)
    report = Report.counted(0.0, [move for move, _ in children], 0, counters)
    for depth in range(1, deepest + 1):
        counters[HORIZON] = 0
        found = _best(value, children, depth, counters)
        if found.best:
            report = found
        is_all_seen = counters[HORIZON] == 0 or len(children) == 1
        if counters[STOP] or is_all_seen or (limits.soft is not None and now() - begin >= limits.soft * 1e9):
            break
        children.sort(key=lambda child: child[0] not in report.best)
    return report


def _children(position: Position) -> list[Child]:
    return [(move, position.play(move).state) for move in position.moves()]


def _counters(deadline: int) -> Any:
    counters = words([0] * COUNTERS)
    counters[DEADLINE] = deadline
    return counters


def _best(value: Valued, children: Sequence[Child], depth: int, counters: Any) -> Report:
    """The moves that are worth the most, in order, of those that are looked at before time is up."""
    best: list[Move] = []
    reached = -INFINITY
    for move, after in children:
        # The window begins just below the best value so far: a move that equals it is told from a worse one.
        worth = value(after, depth - 1, math.nextafter(reached, -math.inf), counters)
        if counters[STOP]:
            break
        if worth > reached:
            reached, best = worth, [move]
        elif worth == reached:
            best.append(move)
    return Report.counted(reached, sorted(best), depth, counters)
