"""The referee: one game between bots, none of which is believed.

A bot that fails, answers with anything but a legal move, or answers late loses the game, and the record says why in its
`Termination` tag.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from palabre.arena.game import OngoingGame
from palabre.arena.guard import Forfeit
from palabre.bots.bot import Bot
from palabre.core.position import Move, Position
from palabre.core.record import Record
from palabre.search.clock import Clock


@dataclass(frozen=True)
class Played:
    """One game as the referee saw it."""

    record: Record
    shares: tuple[float, ...]  # 1 for a win, 0 for a loss, 1/k for each of k players who share
    scores: tuple[int, ...]  # of the last position
    seconds: tuple[tuple[float, ...], ...]  # for each player, the time that each move took
    loser: int | None = None  # who forfeited the game

    @property
    def reason(self) -> str | None:
        """Why a bot forfeited the game, if one did."""
        return self.record.tags.get("Termination")


def play_game(
    bots: Sequence[Bot],
    start: Position,
    *,
    opening: Sequence[Move | str] = (),
    clock: Clock | None = None,
    seed: int = 0,
    tags: Mapping[str, str] | None = None,
) -> Played:
    """Play a game to its end: first the moves of the opening, then the bots' moves, one bot for each player.

    Every player begins with the given clock. The seed decides the luck of the bots. `tags` go into the record.
    """
    game = OngoingGame(start, bots, clock=clock, seed=seed)
    for move in opening:
        game.play(move)
    with suppress(Forfeit):  # the game knows who lost, and why
        if not game.is_over:
            game.sit_down()
        while not game.is_over:
            game.ask_bot()
    seconds = tuple(game.seconds_of(seat) for seat in range(len(bots)))
    return Played(game.record(tags), game.result or (), game.position.scores, seconds, game.loser)
