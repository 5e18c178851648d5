"""The referee: one game between bots, none of which is believed.

A bot that fails, answers with anything but a legal move, or answers late loses the game, and the record says why in its
`Termination` tag.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from palabre.bots.bot import Bot
from palabre.bots.foreign import EngineDied
from palabre.core import verbs
from palabre.core.errors import printable
from palabre.core.position import Move, Position
from palabre.core.record import Record
from palabre.core.words import say
from palabre.play.failures import BotFailed
from palabre.play.game import OngoingGame
from palabre.play.guard import Forfeit, Now, traceback_of
from palabre.play.stacks import readable_stack
from palabre.play.stopwatch import STOPWATCH
from palabre.search.clock import Clock
from palabre.search.thought import Thought

LONGEST_DETAILS = 13_000  # characters of a traceback or a stack and what was printed, the last ones
MOST_NODES = 2**62  # a larger number is a mistake of the bot, and none of ours


@dataclass(frozen=True)
class Played:
    """One game as the referee saw it."""

    record: Record
    shares: tuple[float, ...]  # 1 for a win, 0 for a loss, 1/k for each of k players who share
    scores: tuple[int, ...]  # of the last position
    movers: tuple[int, ...]  # the seat that made each move, those of the opening included
    move_seconds: tuple[float | None, ...]  # the time of each move; None in the opening
    depths: tuple[int | None, ...]  # of each move, where the bot tells it
    nodes: tuple[int | None, ...]  # of each move, where the bot tells it
    margin: int | None = None  # of the best final score over the next; None if the game was forfeited
    loser: int | None = None  # who forfeited the game
    details: str | None = None  # of a forfeit: the traceback
    machine_late: bool = False  # the forfeit is the machine's fault: other programs had the processor

    @property
    def reason(self) -> str | None:
        """Why a bot forfeited the game, if one did."""
        return self.record.tags.get("Termination")

    @property
    def seconds(self) -> tuple[tuple[float, ...], ...]:
        """For each player, the time that each of their measured moves took."""
        spent = list(zip(self.movers, self.move_seconds, strict=True))
        return tuple(
            tuple(seconds for mover, seconds in spent if mover == seat and seconds is not None)
            for seat in range(len(self.shares))
        )


def play_game(
    bots: Sequence[Bot],
    start: Position,
    *,
    opening: Sequence[Move | str] = (),
    clock: Clock | Sequence[Clock] | None = None,
    seed: int = 0,
    tags: Mapping[str, str] | None = None,
    grace: float = 0.0,
    strikes: int = 0,
    on_move: Callable[[OngoingGame], None] | None = None,
    now: Now = STOPWATCH.now,
) -> Played:
    """Play a game to its end: first the moves of the opening, then the bots' moves, one bot for each player.

    Every player begins with the given clock, or each with their own. The seed decides the luck of the bots. `tags` go
    into the record. A bot may be late by `grace` seconds so many times. `on_move` is told after each move of a bot.
    `now` measures the time of bots.
    """
    game = OngoingGame(start, bots, clock=clock, seed=seed, grace=grace, strikes=strikes, now=now)
    for move in opening:
        game.play(move)
    efforts: list[tuple[int | None, int | None]] = [(None, None)] * len(game.seconds)
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
    return Played(
        record=game.record(tags),
        shares=game.result or (),
        scores=game.position.scores,
        movers=tuple(position.to_move for position in game.positions[:-1]),
        move_seconds=tuple(game.seconds),
        depths=tuple(depth for depth, _ in efforts),
        nodes=tuple(nodes for _, nodes in efforts),
        margin=_margin(game.position) if game.loser is None else None,
        loser=game.loser,
        details=details,
        machine_late=machine_late,
    )


def _effort(bot: Bot) -> tuple[int | None, int | None]:
    """The depth and the nodes of a bot's last move, None for what it does not tell."""
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


def _margin(position: Position) -> int:
    """By how much the best final score exceeds the next one."""
    scores = sorted(int(verbs.final_score(position.state, player)) for player in range(position.game.players))
    return scores[-1] - scores[-2]


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
