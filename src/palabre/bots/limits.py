"""The limits of bots that think for as long as they are told: their own and the clock's."""

from dataclasses import replace
from typing import TypeVar

from palabre.core.spec import Decimal, Parameter
from palabre.search.clock import Clock

UNLIMITED = 0  # as a time, a depth or a number of nodes
USUAL_TIME = 0.5  # seconds for a move, where nothing else limits it
Limit = TypeVar("Limit", int, float)


def time_parameter() -> Parameter:
    """Seconds for a move."""
    return Decimal(
        "time", UNLIMITED, 0, 3600, f"seconds for a move, 0 for what other limits and the clock allow, or {USUAL_TIME}"
    )


def tighter_limits(
    clock: Clock, seconds: float, *, nodes: int | None = UNLIMITED, depth: int | None = UNLIMITED
) -> Clock:
    """The tighter of a bot's own limits and the clock's; the usual time only where there are none."""
    limits = Clock(
        per_move=tighter(seconds or None, clock.per_move),
        remaining=clock.remaining,
        increment=clock.increment,
        depth=tighter(depth or None, clock.depth),
        nodes=tighter(nodes or None, clock.nodes),
    )
    is_limited = limits != Clock(increment=clock.increment)
    return limits if is_limited else replace(limits, per_move=USUAL_TIME)


def tighter(own: Limit | None, other: Limit | None) -> Limit | None:
    """The lower of two limits, None being none."""
    if own is None or other is None:
        return other if own is None else own
    return min(own, other)
