"""Calls the hooks of bots, and trusts none of them.

Whatever a bot raises becomes a `Forfeit`: the bot loses its game, and nothing else happens. Its answer and the time are
for the judge (`judge.py`).

Time is only measured here. A bot that never answers is waited for, and a bot that eats all memory or ends the process
does so, unless it is in a sandbox (`sandbox/`), as all bots are that are not ours.
"""

import sys
import traceback
from bdb import BdbQuit
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import palabre
from palabre.bots.bot import Bot
from palabre.core.culprit import place_of
from palabre.core.errors import BrokenGame, PalabreError, clip, printable
from palabre.core.observations import Observation, digest
from palabre.core.position import Move, Position
from palabre.core.system import waited_for_processor
from palabre.core.words import Message, say
from palabre.play import judge
from palabre.play.failures import Forfeit, Turn
from palabre.play.stopwatch import STOPWATCH
from palabre.search.clock import Clock

PACKAGE = str(Path(palabre.__file__).parent)  # whose frames say nothing to the author of a bot
Answer = TypeVar("Answer")
Now = Callable[[], float]  # a clock that returns seconds

LEARNING_SECONDS = 60.0  # the time that a bot has for learning, unless an event sets another
NO_DATA = "none"  # what an event keeps of a lesson without observations
LONGEST_ANSWER = 60  # characters of what is shown of an answer that is no move
LONGEST_REASON = 400  # characters of the text of an error


def name(bot: Bot) -> str:
    """What to call a bot."""
    return bot.spec or type(bot).__name__


@dataclass(frozen=True)
class Lesson:
    """What bots are given to learn from, and the time they have for it."""

    observations: Sequence[Observation] = ()
    seconds: float = LEARNING_SECONDS

    @property
    def title(self) -> str:
        """What an event keeps of it: it is the same lesson if this is the same."""
        return f"{len(self.observations)} observations {digest(self.observations)}" if self.observations else NO_DATA


def teach(bot: Bot, lesson: Lesson | None = None, now: Now = STOPWATCH.now) -> None:
    """Let a bot learn, by default with nothing to learn from; a `PalabreError` if it fails or takes too long.

    A bot in this process is not stopped when its time is over, a bot in a sandbox is.
    """
    lesson = lesson or Lesson()
    begin = now()
    try:
        bot.learn(lesson.observations, lesson.seconds)
    except (Exception, SystemExit) as error:
        raise PalabreError(say("lesson.failed", bot=name(bot), why=forfeit_of(error).message)) from error
    spent = now() - begin
    if spent > judge.learning_time(lesson.seconds) and not getattr(bot, "keeps_time", False):
        raise PalabreError(say("lesson.late", bot=name(bot), seconds=spent, allowed=lesson.seconds))


def ask(
    bot: Bot, position: Position, clock: Clock, grace: float = 0.0, now: Now = STOPWATCH.now
) -> tuple[Position, float]:
    """The position after a bot's move, and the seconds it took; a `Forfeit` if the move is illegal or late.

    It may be late by `grace` seconds, beyond those that are always forgiven.
    """
    own = position.copy()  # the bot may do what it likes to it
    # Asking the system takes as long as a fast move.
    waited = waited_for_processor() if clock.is_timed else 0.0
    begin = now()
    answer = guard(bot.choose, own, clock)
    seconds = now() - begin
    if judge.late_by(clock, seconds) > grace:
        raise judge.late(clock, Turn(wall=seconds, waited=waited_for_processor() - waited))
    return position_after(position, answer), seconds


def position_after(position: Position, answer: object) -> Position:
    """The position after the move that a bot has answered with; a `Forfeit` if that is no legal move.

    The judge gets a plain `Move` as it is; anything else counts by its text, with no code of the bot in it.
    """
    if not isinstance(answer, Move | str):
        raise judge.no_move(guard(shown_answer, answer))
    is_plain = type(answer) is Move and type(answer.code) is int and type(answer.text) is str
    return judge.play(position, answer if is_plain else guard(_text, answer))


def dismiss(bot: Bot, position: Position) -> None:
    """End a game for a bot; what it does then changes nothing any more."""
    with suppress(Forfeit):
        guard(bot.end_game, position.copy())


def shown_answer(answer: object) -> str:
    """What a bot has answered instead of a move, as Python would show it, and never long."""
    text = repr(answer)
    return text if len(text) <= LONGEST_ANSWER and text.isprintable() else clip(text)


def _text(answer: object) -> str:
    """An answer as a text that is no longer the bot's own object."""
    return str.__str__(str(answer))


def guard(function: Callable[..., Answer], *arguments: object) -> Answer:
    """Call a function that runs a bot's code; everything that it raises is the bot's mistake.

    Not so Ctrl-C, which comes from a person, and what a game's rules have done wrong when the bot asked them: that is
    for the author of the game, and no bot loses for it.
    """
    try:
        return function(*arguments)
    except (Forfeit, BrokenGame, KeyboardInterrupt):
        raise
    except BaseException as error:
        if isinstance(error, BdbQuit) and sys.stdin.isatty():  # a person has left the debugger: as good as Ctrl-C
            raise KeyboardInterrupt from error
        raise forfeit_of(error) from error


def traceback_of(error: BaseException) -> str:
    """The traceback of an error for the author of a bot: from the first line of the bot's own on."""
    cause = error.__cause__ if isinstance(error, PalabreError) and error.__cause__ is not None else error
    whole = traceback.TracebackException.from_exception(cause)
    own = [place for place, frame in enumerate(whole.stack) if not frame.filename.startswith((PACKAGE, "<frozen"))]
    if own:
        del whole.stack[: own[0]]
    return "".join(whole.format())


def forfeit_of(error: BaseException) -> Forfeit:
    """The `Forfeit` of a bot that has raised an error, in one printable line."""
    if isinstance(error, Forfeit):
        return error
    if isinstance(error, BdbQuit):
        return Forfeit(say("forfeit.error", error=say("forfeit.breakpoint")))
    kind = type(error).__name__
    try:
        text, place = printable(" ".join(str(error).split())[:LONGEST_REASON]), place_of(error)
        message = getattr(error, "message", None) if isinstance(error, PalabreError) else None
    except Exception:  # the error's own text fails, too
        return Forfeit(say("forfeit.error", error=kind))
    if not isinstance(message, Message):
        message = text or say("forfeit.no_message")
    if place is None or isinstance(error, PalabreError):  # our own errors speak for themselves
        return Forfeit(say("forfeit.raised", kind=kind, error=message))
    return Forfeit(say("forfeit.raised_in", kind=kind, error=message, file=place.filename, line=place.lineno))
