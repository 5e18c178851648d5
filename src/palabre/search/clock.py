"""How long a player may think: the clock that a bot is given before each move, and the limits that follow from it."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from palabre.core.given import given_limit
from palabre.core.position import Position
from palabre.core.verbs import plies_left

# A search needs a moment to notice that it must stop, and to return.
REACTION = 0.005  # seconds, but never more than half of the limit
# If other programs have made it wait recently, it stops earlier by as much as it waited.
MAX_SAFETY_MARGIN = 0.025  # seconds, but never more than half of what is left
# An iteration takes several times as long as the one before. One that begins just before the soft limit ends long after
# it, or at the hard limit.
SOFT_PART = 0.6  # of the time for the move, which is the hard limit
SOFT_SHARE, HARD_SHARE = 0.5, 1.6  # of a fair share of the time that remains for the game
LARGEST_PART = 0.5  # of the remaining time, for one move: a player who is late loses the game
SPARE_MOVES = 2  # planned beyond those to go, for a busy machine or a longer game
INCREMENT_PART = 0.9  # of an increment that is planned with
NO_LIMIT = 1 << 62  # as a deadline or a number of nodes: more than any


@dataclass(frozen=True)
class Clock:
    """The limits for the next move; None means no limit."""

    per_move: float | None = None  # seconds for this move
    remaining: float | None = None  # seconds for the rest of the game
    increment: float = 0.0  # seconds added after each move
    depth: int | None = None  # plies to search
    nodes: int | None = None  # positions to search; the same seed then gives the same move

    def __post_init__(self) -> None:
        given_limit("Clock", "depth", self.depth)
        given_limit("Clock", "nodes", self.nodes)


class TimeLimits(NamedTuple):
    """Seconds from the start of a search."""

    soft: float | None  # no new iteration begins after this
    hard: float | None  # the search is stopped here, wherever it is


def own_moves_left(position: Position) -> int:
    """How many moves the player to move is likely to have yet, this one included."""
    return max(1, -(-int(plies_left(position.state)) // position.game.players))


def time_limits(clock: Clock, moves_to_go: int) -> TimeLimits:
    """When to stop by this clock, if the player has this many own moves to go."""
    hard: list[float] = []
    soft: list[float] = []
    if clock.per_move is not None:
        hard.append(clock.per_move)
        soft.append(SOFT_PART * clock.per_move)
    if clock.remaining is not None:
        to_come = INCREMENT_PART * clock.increment * (moves_to_go - 1)
        share = (clock.remaining + to_come) / (moves_to_go + SPARE_MOVES)
        most = LARGEST_PART * clock.remaining
        hard.append(min(HARD_SHARE * share, most))
        soft.append(min(SOFT_SHARE * share, most))
    if not hard:
        return TimeLimits(None, None)
    return TimeLimits(min(soft), max(0.5 * min(hard), min(hard) - REACTION))


def safety_margin(limits: TimeLimits) -> float:
    """By how many seconds a search may stop early, if other programs have made it wait that long."""
    return 0.0 if limits.hard is None else min(MAX_SAFETY_MARGIN, 0.5 * limits.hard)


def thinking_time(clock: Clock, moves_to_go: int) -> float | None:
    """Seconds for a search that can stop anywhere: all of the move's time, but only a fair share of the game's."""
    share = time_limits(replace(clock, per_move=None), moves_to_go).soft
    hard = time_limits(clock, moves_to_go).hard
    return hard if share is None or hard is None else min(share, hard)
