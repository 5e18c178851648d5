"""The limits of a search bot: the tighter of its own and the clock's."""

from dataclasses import replace
from typing import TypeVar

from palabre.core.spec import Decimal
from palabre.search.clock import Clock

UNLIMITED = 0  # the option value for no limit of time, depth or nodes
DEFAULT_TIME = 0.5  # seconds for a move, if nothing else limits it
TIME = Decimal(
    "time",
    UNLIMITED,
    0,
    3600,
    f"seconds per move; 0 for as many as the other limits and the clock allow, or {DEFAULT_TIME} without any",
)
Limit = TypeVar("Limit", int, float)


def tighter_limits(
    clock: Clock, seconds: float, *, nodes: int | None = UNLIMITED, depth: int | None = UNLIMITED
) -> Clock:
    """The tighter of a bot's own limits and the clock's; the default time if there is no limit at all."""
    limits = Clock(
        per_move=tighter(seconds or None, clock.per_move),
        remaining=clock.remaining,
        increment=clock.increment,
        depth=tighter(depth or None, clock.depth),
        nodes=tighter(nodes or None, clock.nodes),
    )
    is_limited = limits != Clock(increment=clock.increment)
    return limits if is_limited else replace(limits, per_move=DEFAULT_TIME)


def tighter(own: Limit | None, other: Limit | None) -> Limit | None:
    """The lower of two limits; None means no limit."""
    if own is None or other is None:
        return other if own is None else own
    return min(own, other)
