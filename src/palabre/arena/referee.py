"""The referee: one game between bots, none of which is believed.

The referee knows the rules and measures the time itself. A bot that fails, answers with anything but a legal move, or
answers late loses the game, and the record says why in its `Termination` tag.

Time is only measured here: a bot that never answers is waited for, and one that eats all memory or ends the process
does so. What keeps bots from that is a sandbox around each of them, which is still to come.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from palabre.bots.bot import Bot
from palabre.core.errors import IllegalMove, PalabreError, clip
from palabre.core.game import Game
from palabre.core.position import Move, Position
from palabre.core.record import Record, result_text
from palabre.core.registry import in_one_line
from palabre.search.clock import Clock

Answer = TypeVar("Answer")

GRACE = 0.05  # seconds over the limit of a move that may be the machine's doing and are forgiven
LEARNING_SECONDS = 60.0  # what a bot is told it may take to learn
LONGEST_REASON = 400  # characters of what is told about a lost game


class Forfeit(Exception):
    """A bot has lost its game before the end; the message says why."""


@dataclass(frozen=True)
class Played:
    """One game as the referee saw it."""

    record: Record
    shares: tuple[float, ...]  # 1 for a win, 0 for a loss, 1/k for each of k who share
    scores: tuple[int, ...]  # of the last position
    seconds: tuple[tuple[float, ...], ...]  # for each player, what each of its moves took
    loser: int | None = None  # who forfeited the game

    @property
    def reason(self) -> str | None:
        """Why a bot forfeited the game, if one did."""
        return self.record.tags.get("Termination")


def play_game(
    bots: Sequence[Bot],
    start: Position,
    *,
    opening: Sequence[str] = (),
    clock: Clock | None = None,
    seed: int = 0,
    tags: Mapping[str, str] | None = None,
) -> Played:
    """Play a game to its end: first the moves of the opening, then the bots', one for each player.

    Every player begins with the clock that is given. The seed decides the luck of the bots. `tags` go into the record.
    """
    if len(bots) != start.game.players:
        raise PalabreError(f"{start.game.spec} has {start.game.players} players, and there are {len(bots)} bots")
    positions = [start]
    for move in opening:
        positions.append(positions[-1].play(move))
    clocks = [clock or Clock()] * len(bots)
    seconds: list[list[float]] = [[] for _ in bots]
    tags = {f"Player{seat + 1}": name(bot) for seat, bot in enumerate(bots)} | dict(tags or {})
    seat, loser = 0, None
    try:
        for seat, bot in enumerate(bots):
            seat_bot(bot, start.game, seat, seed)
        while not positions[-1].is_over:
            seat = positions[-1].to_move
            chosen, spent = ask(bots[seat], positions[-1], clocks[seat])
            clocks[seat] = clock_after(clocks[seat], spent)
            seconds[seat].append(spent)
            positions.append(positions[-1].play(chosen))
    except Forfeit as forfeit:
        others = 1 / (len(bots) - 1)
        shares = tuple(0.0 if player == seat else others for player in range(len(bots)))
        tags["Termination"] = f"player {seat + 1} loses: {forfeit}"
        loser = seat
    else:
        shares = positions[-1].result or ()
    record = replace(Record.of(positions[-1], **tags), result=result_text(shares))
    return Played(record, shares, positions[-1].scores, tuple(tuple(spent) for spent in seconds), loser)


def ask(bot: Bot, position: Position, clock: Clock) -> tuple[Move, float]:
    """A bot's move and the seconds it took; a `Forfeit` if that is no legal move, or late."""
    own = replace(position)  # whatever it does to it
    begin = time.perf_counter()
    answer = guard(bot.choose, own, clock)
    seconds = time.perf_counter() - begin
    if clock.per_move is not None and seconds > clock.per_move + GRACE:
        raise Forfeit(f"time: {seconds:.2f} s for a move, {clock.per_move:.2f} s were allowed")
    if clock.remaining is not None and seconds > clock.remaining:
        raise Forfeit(f"time: {seconds:.2f} s for a move, {clock.remaining:.2f} s were left")
    return guard(legal_move, position, answer), seconds


def seat_bot(bot: Bot, game: Game, seat: int, seed: int) -> None:
    """Tell a bot that a game begins; a `Forfeit` if it cannot take that."""
    guard(bot.sit_down, game, seat, seed)


def teach(bot: Bot) -> None:
    """Let a bot learn, with nothing to learn from; a `PalabreError` if it fails."""
    try:
        bot.learn((), LEARNING_SECONDS)
    except (Exception, SystemExit) as error:
        raise PalabreError(f"{name(bot)} cannot learn: {_told(error)}") from error


def name(bot: Bot) -> str:
    """What to call a bot."""
    return bot.spec or type(bot).__name__


def legal_move(position: Position, answer: object) -> Move:
    """The legal move that a bot has answered with."""
    if not isinstance(answer, Move | str):
        raise Forfeit(f"no move: it returned {clip(repr(answer))}")
    try:
        return position.move(str(answer))
    except IllegalMove as error:
        raise Forfeit(f"illegal move: {error}") from error


def guard(function: Callable[..., Answer], *arguments: object) -> Answer:
    """What a function returns that runs a bot's code; all that it raises is the bot's mistake."""
    try:
        return function(*arguments)
    except (Forfeit, KeyboardInterrupt):  # Ctrl-C is the person's
        raise
    except BaseException as error:
        raise Forfeit(f"error: {_told(error)}") from error


def _told(error: BaseException) -> str:
    """What an error says, as far as it can be shown in one line."""
    try:
        # An error of ours tells by itself what is wrong; of any other it is good to know the line.
        is_ours = isinstance(error, PalabreError)
        told = (f"{type(error).__name__}: {error}" if is_ours else in_one_line(error))[:LONGEST_REASON]
    except Exception:  # its own text fails, too
        told = type(error).__name__
    return "".join(sign if sign.isprintable() else "?" for sign in told)


def clock_after(clock: Clock, seconds: float) -> Clock:
    """A clock when so many seconds have been used and the increment added."""
    if clock.remaining is None:
        return clock
    return replace(clock, remaining=clock.remaining - seconds + clock.increment)
