"""How the arena deals with bots: it believes none of them.

The arena knows the rules and measures the time itself. Whatever a bot raises, a late answer, and an answer that is not
a legal move become a `Forfeit`: the bot loses its game, and nothing else happens.

Time is only measured here. A bot that never answers is waited for, and a bot that eats all memory or ends the process
does so, unless it is in a sandbox (`arena/sandbox/`), as all bots are that are not ours.
"""

import math
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from palabre.bots.bot import Bot
from palabre.core.culprit import in_one_line
from palabre.core.errors import BrokenGame, IllegalMove, PalabreError, clip
from palabre.core.game import Game
from palabre.core.position import Move, Position
from palabre.core.system import waited_for_processor
from palabre.core.words import Message, say
from palabre.search.clock import Clock

Answer = TypeVar("Answer")

GRACE = 0.05  # seconds over the limit of a move that may be the machine's fault and are forgiven
LEARNING_SECONDS = 60.0  # the time that a bot is told it has for learning
LONGEST_REASON = 400  # characters of the reason for a forfeit


class Forfeit(Exception):
    """A bot has lost its game before the end; the message says why."""

    def __init__(self, message: Message | str) -> None:
        super().__init__(message)
        self.message = message

    machine_late: bool = False  # it would have been in time, had other programs not had the processor


def name(bot: Bot) -> str:
    """What to call a bot."""
    return bot.spec or type(bot).__name__


def teach(bot: Bot) -> None:
    """Let a bot learn, with nothing to learn from; a `PalabreError` if it fails."""
    try:
        bot.learn((), LEARNING_SECONDS)
    except (Exception, SystemExit) as error:
        raise PalabreError(f"{name(bot)} cannot learn: {_in_words(error)}") from error


def seat_bot(bot: Bot, game: Game, seat: int, seed: int) -> None:
    """Tell a bot that a game begins; a `Forfeit` if it fails."""
    guard(bot.sit_down, game, seat, seed)


def ask(bot: Bot, position: Position, clock: Clock, grace: float = 0.0) -> tuple[Position, float]:
    """The position after a bot's move, and the seconds it took; a `Forfeit` if the move is illegal or late.

    It may be late by `grace` seconds, beyond those that are always forgiven.
    """
    own = replace(position)  # the bot may do what it likes to its copy
    # Asking the system takes as long as a fast move.
    waited = 0.0 if _late(clock, math.inf) is None else waited_for_processor()
    begin = time.perf_counter()
    answer = guard(bot.choose, own, clock)
    seconds = time.perf_counter() - begin
    late = _late(clock, seconds)
    if late is not None and late_by(clock, seconds) > grace:
        late.machine_late = _late(clock, seconds - (waited_for_processor() - waited)) is None
        raise late
    return position_after(position, answer), seconds


def _late(clock: Clock, seconds: float) -> Forfeit | None:
    """What a bot is told that has taken so long for a move, or None if it may."""
    if clock.per_move is not None and seconds > clock.per_move + GRACE:
        return Forfeit(say("forfeit.late_for_move", seconds=seconds, allowed=clock.per_move))
    if clock.remaining is not None and seconds > clock.remaining:
        return Forfeit(say("forfeit.late", seconds=seconds, left=clock.remaining))
    return None


def late_by(clock: Clock, seconds: float) -> float:
    """By how many seconds an answer is late; not positive if it is in time."""
    limits = [None if clock.per_move is None else clock.per_move + GRACE, clock.remaining]
    return max((seconds - limit for limit in limits if limit is not None), default=0.0)


def dismiss(bot: Bot, position: Position) -> None:
    """Tell a bot that its game is over; what it does then changes nothing any more."""
    with suppress(Forfeit):
        guard(bot.end_game, replace(position))


def position_after(position: Position, answer: object) -> Position:
    """The position after the move that a bot has answered with; a `Forfeit` if that is no legal move.

    `Position.play` checks the move. It compares a plain `Move` as it is; anything else counts by its text.
    """
    if not isinstance(answer, Move | str):
        raise Forfeit(say("forfeit.no_move", answer=guard(_shown, answer)))
    is_plain = type(answer) is Move and type(answer.code) is int and type(answer.text) is str
    move = answer if is_plain else guard(_text, answer)
    try:
        return position.play(move)
    except IllegalMove as error:
        raise Forfeit(say("forfeit.illegal", error=error.message)) from error


def _shown(answer: object) -> str:
    return clip(repr(answer))


def _text(answer: object) -> str:
    """An answer as a text that is no longer the bot's own object."""
    return str.__str__(str(answer))


def guard(function: Callable[..., Answer], *arguments: object) -> Answer:
    """Call a function that runs a bot's code; everything that it raises is the bot's mistake.

    Not so Ctrl-C, which comes from a person, and what a game's rules have done wrong when the bot asked them: that is
    for the author of the game, and nobody loses for it.
    """
    try:
        return function(*arguments)
    except (Forfeit, BrokenGame, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise Forfeit(say("forfeit.error", error=_in_words(error))) from error


def clock_after(clock: Clock, seconds: float) -> Clock:
    """A clock after a move that took so many seconds, with the increment added."""
    if clock.remaining is None:
        return clock
    return replace(clock, remaining=max(0.0, clock.remaining - seconds) + clock.increment)


def _in_words(error: BaseException) -> str:
    """What an error says, in one printable line."""
    if isinstance(error, Forfeit):  # it is in words already
        return str(error).removeprefix("error: ")
    try:
        # Our own errors speak for themselves; of any other it is good to know the line.
        is_ours = isinstance(error, PalabreError)
        told = (f"{type(error).__name__}: {error}" if is_ours else in_one_line(error))[:LONGEST_REASON]
    except Exception:  # the error's own text fails, too
        told = type(error).__name__
    return "".join(sign if sign.isprintable() else "?" for sign in told)
