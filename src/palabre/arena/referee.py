"""The referee: one game between bots, none of which is believed.

A bot that fails, answers with anything but a legal move, or answers late loses the game, and the record says why in its
`Termination` tag.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from palabre.arena.game import OngoingGame
from palabre.arena.guard import Forfeit, traceback_of
from palabre.arena.sandbox.report import BotFailed
from palabre.bots.bot import Bot
from palabre.core import verbs
from palabre.core.position import Move, Position
from palabre.core.record import Record
from palabre.search.clock import Clock
from palabre.search.thought import Thought

LONGEST_DETAILS = 10_000  # characters of a traceback, the last ones
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
) -> Played:
    """Play a game to its end: first the moves of the opening, then the bots' moves, one bot for each player.

    Every player begins with the given clock, or each with their own. The seed decides the luck of the bots. `tags` go
    into the record. A bot may be late by `grace` seconds so many times. `on_move` is told after each move of a bot.
    """
    game = OngoingGame(start, bots, clock=clock, seed=seed, grace=grace, strikes=strikes)
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
    """The traceback of the error that a bot has raised, if it was one, and what a bot in a sandbox printed last."""
    if isinstance(forfeit, BotFailed):
        failure = forfeit.failure
        told = "\n".join(
            part for part in (failure.traceback, failure.output and f"it printed:\n{failure.output}") if part
        )
        return _printable(told) or None
    if forfeit.__cause__ is None:
        return None
    try:
        told = traceback_of(forfeit.__cause__)
    except Exception:  # the error's own text fails, too
        return type(forfeit.__cause__).__name__
    return _printable(told)


def _printable(told: str) -> str:
    return "".join(sign if sign.isprintable() or sign == "\n" else "?" for sign in told)[-LONGEST_DETAILS:]
