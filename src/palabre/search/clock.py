"""How long a player may think: what a bot is told before each move, and what it makes of it."""

from dataclasses import dataclass
from typing import NamedTuple

# A search needs a moment to hear that it must stop and to come back.
REACTION = 0.003  # seconds
MOVES_TO_GO = 30  # a game is planned as if so many moves were still to come
LARGEST_PART = 0.2  # of the remaining time, for one move


@dataclass(frozen=True)
class Clock:
    """The limits for the next move; those that are None do not hold."""

    per_move: float | None = None  # seconds for this move
    remaining: float | None = None  # seconds for the rest of the game
    increment: float = 0.0  # seconds added after each move
    depth: int | None = None  # plies to look ahead
    nodes: int | None = None  # positions to look at: the same seed then gives the same move


class TimeLimits(NamedTuple):
    """Seconds from the start of a search."""

    soft: float | None  # no new iteration begins after this
    hard: float | None  # the search is stopped here, wherever it is


def time_limits(clock: Clock) -> TimeLimits:
    """When to stop by this clock."""
    hard: list[float] = []
    soft: list[float] = []
    if clock.per_move is not None:
        hard.append(clock.per_move)
        soft.append(0.6 * clock.per_move)
    if clock.remaining is not None:
        share = clock.remaining / MOVES_TO_GO + 0.8 * clock.increment
        hard.append(min(3 * share, LARGEST_PART * clock.remaining))
        soft.append(min(share, LARGEST_PART * clock.remaining))
    if not hard:
        return TimeLimits(None, None)
    return TimeLimits(min(soft), max(0.0005, min(hard) - REACTION))
