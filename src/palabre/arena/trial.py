"""The admission test: a bot is loaded and plays each seat of a short game, by its clock and in its sandbox.

The partner is `idiot`, whose moves cost nothing. What is measured on the way says how long the event will take.
"""

import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field, replace
from typing import Any

from palabre.arena.rows import BotRow
from palabre.bots.bot import Bot
from palabre.bots.specs import bot
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.words import Message, say
from palabre.play.failures import BotFailed, Forfeit, Limits, SandboxBroken
from palabre.play.game import OngoingGame
from palabre.play.guard import Lesson, teach
from palabre.play.referee import details_of
from palabre.sandbox.players import close_bot, seat
from palabre.sandbox.proxy import SandboxedBot

PARTNER = "idiot"
LEAST_MOVES = 4  # of the bot in each seat, if the game lasts that long
SECONDS = 5.0  # after which a game is stopped, once there are as many
UNLOADABLE = ("spec.no_python", "spec.unloadable", "spec.null_byte")  # messages that say already that it is unloadable
MOST_LATE = 3  # trials that the machine may spoil


@dataclass(frozen=True)
class Verdict:
    """How a bot did in the admission test."""

    bot: BotRow
    reason: Message | str = ""  # why it is rejected; empty if it is admitted
    details: str = ""  # for its author: traceback and what it printed
    moves: int = 0  # its own, in all seats
    seconds: float = 0.0  # for all of them
    slowest: float = 0.0  # the longest of them
    megabytes: float = 0.0  # the most that it used; 0 if it is not in a sandbox
    plies: tuple[int, ...] = ()  # of the games that were played to their end
    options: Mapping[str, Any] = field(default_factory=dict)  # its parameters

    @property
    def is_admitted(self) -> bool:
        return not self.reason


def after_trial(row: BotRow, verdict: Verdict | None, game: Game) -> BotRow:
    """A bot with the verdict of the admission test, if there was one."""
    if verdict is None:
        return row
    row = replace(row, state="admitted", note="", options=verdict.options)
    return row if verdict.is_admitted else row.rejected(verdict.reason, game.words().home, verdict.details)


def examine_all(
    places: Iterable[tuple[BotRow, str]],
    game: Game,
    *,
    grace: float = 0.0,
    strikes: int = 0,
    at_once: int = 1,
    untrusted: bool = False,
    forbids_engine: bool = False,
    lesson: Lesson | None = None,
) -> Iterator[Verdict]:
    """Examine bots, so many at a time, and yield verdicts as they are known; `places` says where each bot is found."""

    def work(row: BotRow, place: str) -> Verdict:
        return examine(
            row,
            place,
            game,
            grace=grace,
            strikes=strikes,
            untrusted=untrusted,
            forbids_engine=forbids_engine,
            lesson=lesson,
        )

    pool = ThreadPoolExecutor(max(1, at_once))
    try:
        for future in as_completed([pool.submit(work, row, place) for row, place in places]):
            yield future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)  # Ctrl-C waits for none of them


def examine(
    row: BotRow,
    place: str,
    game: Game,
    *,
    grace: float = 0.0,
    strikes: int = 0,
    untrusted: bool = False,
    forbids_engine: bool = False,
    lesson: Lesson | None = None,
) -> Verdict:
    """Load a bot and let it play each seat. A sandbox that fails, and not the bot, is tried again some times."""
    for attempt in range(MOST_LATE):
        try:
            limits = Limits(grace=grace, forbids_engine=forbids_engine)
            return _examine(row, place, game, limits, strikes, untrusted, lesson)
        except SandboxBroken as error:
            if attempt == MOST_LATE - 1:
                return Verdict(row, say("trial.no_sandbox", times=MOST_LATE, error=error.message))
    raise AssertionError  # for the type checker


def _examine(
    row: BotRow, place: str, game: Game, limits: Limits, strikes: int, untrusted: bool, lesson: Lesson | None
) -> Verdict:
    try:
        made = seat(place, game, limits=limits, untrusted=untrusted)
    except SandboxBroken:
        raise
    except PalabreError as error:
        return Verdict(row, reason=say("trial.unloadable", why=error.message))
    try:
        teach(made, lesson)
        return _play_all_seats(row, made, game, limits.grace, strikes)
    except PalabreError as error:
        cause = error.__cause__
        if isinstance(cause, SandboxBroken):
            raise cause from None
        reason = cause.message if isinstance(cause, BotFailed) else error.message
        if not _says_unloadable(reason):
            reason = say("trial.unloadable", why=reason)
        return Verdict(row, reason, details_of(cause) or "" if isinstance(cause, Forfeit) else "")
    finally:
        close_bot(made)


def _says_unloadable(reason: object) -> bool:
    if not isinstance(reason, Message):
        return False
    return reason.id in UNLOADABLE or any(map(_says_unloadable, reason.params.values()))


def _play_all_seats(row: BotRow, made: Bot, game: Game, grace: float, strikes: int) -> Verdict:
    seconds: list[float] = []
    plies: list[int] = []
    megabytes = 0.0
    for number in range(game.players):
        for attempt in range(MOST_LATE):
            partners = [made if place == number else bot(PARTNER, game) for place in range(game.players)]
            ongoing = OngoingGame(game.start(), partners, clock=row.clock, seed=number, grace=grace, strikes=strikes)
            forfeit = _play(ongoing, number)
            is_spoilt = forfeit is not None and (ongoing.loser != number or forfeit.machine_late)
            if not is_spoilt or attempt == MOST_LATE - 1:
                break
        if isinstance(made, SandboxedBot):
            megabytes = max(megabytes, made.last_turn.memory)
        seconds += ongoing.seconds_of(number)
        if forfeit is not None:
            reason = say("trial.forfeit", reason=forfeit.message, player=number + 1, plies=len(ongoing.moves))
            return Verdict(row, reason, details_of(forfeit) or "", megabytes=megabytes)
        if ongoing.is_over:
            plies.append(len(ongoing.moves))
    return Verdict(
        row,
        moves=len(seconds),
        seconds=sum(seconds),
        slowest=max(seconds, default=0.0),
        megabytes=megabytes,
        plies=tuple(plies),
        options=dict(made.options.values),
    )


def _play(ongoing: OngoingGame, number: int) -> Forfeit | None:
    """Play until the game is over or enough is known; a `Forfeit` if the bot has lost by one."""
    begin = time.monotonic()
    try:
        ongoing.sit_down()
        while not ongoing.is_over:
            own = len(ongoing.seconds_of(number))
            if own >= LEAST_MOVES and time.monotonic() - begin > SECONDS:
                break
            ongoing.ask_bot()
    except Forfeit as forfeit:
        return forfeit
    finally:
        ongoing.get_up()
    return None
