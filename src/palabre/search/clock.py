"""How long a player may think: the clock that a bot gets before each move, and the limits that follow from it."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from palabre.core.given import given_instance, given_limit, given_number
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
# A machine that has made searches end late will do so again: the next ones reserve time for it.
LATENESS_FACTOR = 2.0  # times the lateness seen, because the longest wait is longer than the last few
LATENESS_FADING = 1 / 8  # the part of it that each search forgets
MAX_LATENESS = 0.05  # seconds
MAX_RESERVE_PART = 0.5  # of the time for a move
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
        for name, seconds in (
            ("per_move", self.per_move),
            ("remaining", self.remaining),
            ("increment", self.increment),
        ):
            if seconds is not None or name == "increment":
                given_number("Clock", name, seconds)
        given_limit("Clock", "depth", self.depth)
        given_limit("Clock", "nodes", self.nodes)

    @property
    def is_timed(self) -> bool:
        """Whether it limits time."""
        return self.per_move is not None or self.remaining is not None


def given_clock(asker: str, given: object) -> None:
    """Refuse what is no clock."""
    given_instance(asker, given, Clock, "palabre.Clock(per_move=1.0) is a second for a move")


class AnalysisClock(Clock):
    """The limits of an analysis, which goes on to the limit where a player would move at once: its move is forced."""


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
    last = max(0.5 * min(hard), min(hard) - REACTION)
    return TimeLimits(None if isinstance(clock, AnalysisClock) else min(soft), last)


@dataclass
class Lateness:
    """How late the machine has recently made searches end, or could have made them; 0 on an idle machine."""

    seconds: float = 0.0

    def observe(self, overshoot: float, pause: float) -> None:
        """Learn from a search that has ended.

        `overshoot` counts the seconds from its hard limit to its end, and is negative if it ended before. `pause` is
        the longest single wait for a processor. Many short waits make no search late, and the safety margin covers
        pauses up to MAX_SAFETY_MARGIN.
        """
        seen = min(MAX_LATENESS, max(overshoot, pause - MAX_SAFETY_MARGIN))
        self.seconds = max(seen, (1 - LATENESS_FADING) * self.seconds)

    def reserved(self, limits: TimeLimits) -> TimeLimits:
        """The limits of a search that is to end in time on this machine.

        The reaction time that every search keeps counts towards it, so an idle machine loses nothing.
        """
        if limits.hard is None:
            return limits
        reserve = min(max(0.0, LATENESS_FACTOR * self.seconds - REACTION), MAX_RESERVE_PART * limits.hard)
        hard = limits.hard - reserve
        return TimeLimits(limits.soft and min(limits.soft, hard), hard)


def safety_margin(limits: TimeLimits, reserved: TimeLimits) -> float:
    """By how many seconds a search may stop early, if other programs have made it wait that long.

    What is reserved for such waits already counts towards it.
    """
    if limits.hard is None or reserved.hard is None:
        return 0.0
    return max(0.0, min(MAX_SAFETY_MARGIN, 0.5 * limits.hard) - (limits.hard - reserved.hard))


def thinking_time(clock: Clock, moves_to_go: int) -> float | None:
    """Seconds for a search that can stop anywhere: all of the move's time, but only a fair share of the game's."""
    share = time_limits(replace(clock, per_move=None), moves_to_go).soft
    hard = time_limits(clock, moves_to_go).hard
    return hard if share is None or hard is None else min(share, hard)
