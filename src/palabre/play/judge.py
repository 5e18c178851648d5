"""The judge: what follows from an answer, and from what was measured while it was awaited.

Nothing else decides what is legal, late or excused. Those who ask bots only measure: `guard.py` a bot in this
process, `watched.py` one that it interrupts, the supervisor of a sandbox one of somebody else.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

from palabre.core.errors import IllegalMove
from palabre.core.position import Move, Position
from palabre.core.words import Message, say
from palabre.play.failures import Forfeit, Limits, Turn
from palabre.search.clock import Clock

GRACE = 0.05  # seconds over the limit of a move that may be the machine's fault and are forgiven
SPARE = 0.02  # processor seconds in a turn that may be an error of measurement
SPARE_PART = 0.05  # and this part of the turn


# --------------------------------------------------------------------------------------------------------------- moves


def play(position: Position, move: Move | str) -> Position:
    """The position after a bot's move; a `Forfeit` if it is not legal."""
    try:
        return position.play(move)
    except IllegalMove as error:
        raise Forfeit(say("forfeit.illegal", error=error.message)) from None  # no code of the bot is on the way here


def no_move(shown: str) -> Forfeit:
    """What follows from an answer that is no move, and that looks like this."""
    return Forfeit(say("forfeit.no_move", answer=shown))


# ---------------------------------------------------------------------------------------------------------------- time


class MoveTime(NamedTuple):
    """The time for a move, where a bot can be interrupted."""

    allowed: float | None  # seconds; None if there is no limit
    patience: float  # seconds after which the bot is interrupted

    @classmethod
    def of(cls, clock: Clock, limits: Limits) -> "MoveTime":
        """The time that a clock allows; a bot is waited for a little longer, because the machine may be at fault."""
        allowed = min((seconds for seconds in (clock.per_move, clock.remaining) if seconds is not None), default=None)
        return cls(allowed, limits.patience if allowed is None else allowed + GRACE + limits.grace)

    def is_over(self, turn: Turn) -> bool:
        """Whether an answer came too late for a bot that should have been interrupted."""
        return self.allowed is not None and turn.wall > self.patience

    def reason(self, turn: Turn, *, has_answered: bool) -> Message:
        """Why a bot has lost that was interrupted, or answered when it should have been."""
        if self.allowed is None:
            return say("forfeit.no_answer", seconds=turn.wall)
        id = "forfeit.late_for_move" if has_answered else "forfeit.no_answer_in_time"
        return say(id, seconds=turn.wall, allowed=self.allowed)

    def is_excused(self, turn: Turn) -> bool:
        """Whether the bot would have been in time, had other programs not had the processor."""
        # Threads of a bot that wait for each other's processor are no excuse: nobody waits longer than nobody ran.
        delay = max(turn.stalled, min(turn.waited, turn.wall - turn.cpu))
        return self.allowed is not None and turn.wall - delay <= self.allowed


def learning_time(budget: float) -> float:
    """Seconds after which a bot that learns is interrupted."""
    return budget + GRACE


def no_end_of_learning(budget: float, seconds: float) -> Message:
    """Why a bot has failed that was interrupted while it learnt."""
    return say("forfeit.no_end_of_learning", seconds=seconds, allowed=budget)


def late_by(clock: Clock, seconds: float) -> float:
    """By how many seconds an answer is late; not positive if it is in time."""
    limits = [None if clock.per_move is None else clock.per_move + GRACE, clock.remaining]
    return max((seconds - limit for limit in limits if limit is not None), default=0.0)


def late(clock: Clock, turn: Turn) -> Forfeit:
    """What follows from an answer after the time of a clock, of a bot that cannot be interrupted."""
    if clock.per_move is not None and turn.wall > clock.per_move + GRACE:
        forfeit = Forfeit(say("forfeit.late_for_move", seconds=turn.wall, allowed=clock.per_move))
    else:
        forfeit = Forfeit(say("forfeit.late", seconds=turn.wall, left=clock.remaining))
    forfeit.machine_late = late_by(clock, turn.wall - turn.waited) <= 0
    return forfeit


def clock_after(clock: Clock, seconds: float) -> Clock:
    """A clock after a move that took so many seconds, with the increment added."""
    if clock.remaining is None:
        return clock
    return replace(clock, remaining=max(0.0, clock.remaining - seconds) + clock.increment)


# ------------------------------------------------------------------------------------------------------ processor time


@dataclass
class Conduct:
    """What a bot in a sandbox does with the processor in a game, and how often that was too much."""

    limits: Limits
    strikes: int = 0
    last: Message | None = None  # what the bot did in the last turn, or since the one before, that counts as a strike

    def judge(self, turn: Turn) -> Message | None:
        """Count what a turn costs; the reason if the bot has lost by it."""
        cores = self.limits.cores
        if turn.between > SPARE:
            self.last = say("forfeit.between_turns", seconds=turn.between)
        elif turn.has_stirred:
            self.last = say("forfeit.stirred")
        elif turn.cpu > cores * turn.wall + SPARE + SPARE_PART * turn.wall:
            self.last = say("forfeit.too_many_cores", seconds=turn.cpu, turn=turn.wall, cores=cores)
        else:
            self.last = None
            return None
        self.strikes += 1
        return say("forfeit.processor", strike=self.last) if self.strikes > self.limits.strikes else None
