"""The referee: one game between bots, none of which is believed.

A bot that fails, answers with anything but a legal move, or answers late loses the game. The finished game says why.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime

from palabre.bots.bot import Bot
from palabre.bots.foreign import EngineDied
from palabre.core import verbs
from palabre.core.errors import printable
from palabre.core.plain import stored
from palabre.core.position import Move, Position
from palabre.core.words import Message, say
from palabre.play.failures import BotFailed, Forfeit
from palabre.play.finished import BY_THE_RULES, FinishedGame
from palabre.play.game import OngoingGame
from palabre.play.guard import Now, traceback_of
from palabre.play.stacks import readable_stack
from palabre.play.stopwatch import STOPWATCH
from palabre.search.clock import Clock
from palabre.search.thought import Thought

LONGEST_DETAILS = 13_000  # characters of a traceback or a stack and what was printed, the last ones
MOST_NODES = 2**62  # a larger number is a mistake of the bot, and none of ours

Effort = tuple[int | None, int | None]  # the depth and the nodes of a move, None where the bot does not report them


def play_game(
    bots: Sequence[Bot],
    start: Position,
    *,
    opening: Sequence[Move | str] = (),
    clock: Clock | Sequence[Clock] | None = None,
    seed: int = 0,
    names: Sequence[str] = (),
    grace: float = 0.0,
    strikes: int = 0,
    on_move: Callable[[OngoingGame], None] | None = None,
    now: Now = STOPWATCH.now,
) -> FinishedGame:
    """Play a game to its end: first the moves of the opening, then the bots' moves, one bot for each player.

    Every player begins with the given clock, or each with their own. The seed decides the luck of the bots. `names` are
    those of the bots, by default their specs. A bot may be late by `grace` seconds so many times. `on_move` is called
    after each move of a bot. `now` measures the time of bots.
    """
    started, begin = datetime.now(UTC), time.perf_counter()
    game = OngoingGame(start, bots, clock=clock, seed=seed, grace=grace, strikes=strikes, now=now)
    clocks = game.clocks
    for move in opening:
        game.play(move)
    efforts: list[Effort] = []
    details, machine_late = None, False
    try:
        if not game.is_over:
            game.sit_down()
        while not game.is_over:
            mover = bots[game.position.to_move]
            with suppress(Exception):  # a bot may have made of it what it likes
                mover.thought = None
            game.ask_bot()
            efforts.append(_effort(mover))
            if on_move is not None:
                on_move(game)
    except Forfeit as forfeit:  # the game knows who lost, and why
        details, machine_late = details_of(forfeit), forfeit.machine_late
    game.get_up()
    return replace(
        finished(game, names or game.names, efforts, started),
        timed=tuple(seat for seat, bot in enumerate(bots) if _is_timed(bot, start, clocks[seat])),
        details=details,
        machine_late=machine_late,
        duration=round(time.perf_counter() - begin, 6),
    )


def forfeited_game(
    start: Position, opening: Sequence[Move | str], names: Sequence[str], reasons: Mapping[int, Message | str]
) -> FinishedGame:
    """A game that these seats have lost before it began, because their bots could not be made to play."""
    game = OngoingGame(start)
    for move in opening:
        game.play(move)
    game.lose_all(reasons)
    return finished(game, names, (), datetime.now(UTC))


def finished(game: OngoingGame, names: Sequence[str], efforts: Sequence[Effort], started: datetime) -> FinishedGame:
    """A game that has ended; the efforts are those of its last moves, the others are its opening."""
    opening = len(game.seconds) - len(efforts)
    all_efforts = [(None, None)] * opening + list(efforts)
    why, final = game.why_ended, game.position
    final_scores = sorted(int(verbs.final_score(final.state, player)) for player in range(final.game.players))
    return FinishedGame(
        bots=tuple(names),
        shares=game.result or (),
        scores=game.position.scores,
        margin=final_scores[-1] - final_scores[-2] if game.loser is None else None,
        opening=opening,
        start=game.position.start_text,
        moves=tuple(move.text for move in game.position.played),
        movers=tuple(position.to_move for position in game.positions[:-1]),
        seconds=tuple(None if seconds is None else round(seconds, 6) for seconds in game.seconds),
        depths=tuple(depth for depth, _ in all_efforts),
        nodes=tuple(nodes for _, nodes in all_efforts),
        ending=BY_THE_RULES if why is None else str(why),
        message=None if why is None else stored(why, game.position.game.words().home),
        forfeit=game.loser,
        started=started.isoformat(timespec="milliseconds"),
    )


def _is_timed(bot: Bot, start: Position, clock: Clock) -> bool:
    try:
        return bool(bot.is_timed(start, clock))
    except Exception:  # a user's own bot
        return True


def _effort(bot: Bot) -> Effort:
    """The depth and the nodes of a bot's last move."""
    try:
        thought = bot.thought
    except Exception:
        return None, None
    if type(thought) is not Thought:  # another class could run code of the bot here
        return None, None
    depth, nodes = (
        number if type(number) is int and 0 < number < MOST_NODES else None for number in (thought.depth, thought.nodes)
    )
    return depth, nodes


def details_of(forfeit: Forfeit) -> str | None:
    """For the author of a bot: the traceback of its error, or the stack of a late bot, and what it printed last."""
    cause = forfeit.__cause__
    if isinstance(forfeit, BotFailed):
        failure = forfeit.failure
        return _shown(failure.traceback, failure.stack, failure.output)
    if isinstance(cause, EngineDied):
        return _shown("", readable_stack(cause.stack), cause.stderr_tail)
    if cause is None:
        return None
    try:
        return _shown(traceback_of(cause))
    except Exception:  # the error's own text fails, too
        return type(cause).__name__


def _shown(traceback: str, stack: str = "", output: str = "") -> str | None:
    """What there is of these, for any terminal or page: without control characters, and not long."""
    parts = [traceback]
    if stack:
        parts.append(str(say("details.stack", stack=stack)))
    if output:
        parts.append(str(say("details.output", output=output)))
    return printable("\n".join(filter(None, parts)), keep="\n")[-LONGEST_DETAILS:] or None
