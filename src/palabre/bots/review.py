"""Review of a game: what each move cost, in points and in winning chance, and the better one.

A search looks at every position of the game, the last one first, so that what it knows of the end is in its table when
it comes to the middle. The chance that a move cost is the chance of the player before it, with best play, less their
chance after it. The terminal, reports and the browser show the same review.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from palabre.bots.analysis import ANY_GAME, analysing_bot
from palabre.bots.bot import Bot
from palabre.core.errors import PalabreError
from palabre.core.position import Move, Position
from palabre.core.words import say
from palabre.search.clock import Clock
from palabre.search.thought import Thought

USUAL_NODES = 20_000  # for each position, if there is no limit
# The chance that a move of each kind costs at least, the worst first. Lichess draws the lines at the same places
# (0.3, 0.2 and 0.1 on its scale from -1 to 1).
MISTAKES = {"blunder": 0.15, "mistake": 0.10, "inaccuracy": 0.05}


@dataclass(frozen=True)
class ReviewedMove:
    """One move of a game and what it was worth."""

    ply: int  # from 1
    player: int
    move: Move
    best: Thought  # what the reviewer would have played instead
    chance_before: float  # of the player, with best play
    chance_after: float  # of the same player, after the move
    points_lost: float | None  # by the evaluation; None where a result is proven or nothing is counted

    @property
    def chance_lost(self) -> float:
        """The winning chance that the move cost; a move that the reviewer would have played costs nothing."""
        return 0.0 if self.move == self.best.move else max(0.0, self.chance_before - self.chance_after)

    @property
    def mistake(self) -> str | None:
        """`inaccuracy`, `mistake` or `blunder`; None for a move that cost little."""
        return next((name for name, least in MISTAKES.items() if self.chance_lost >= least), None)


def review(
    positions: Sequence[Position],
    clock: Clock | None = None,
    *,
    bot: str | Bot | None = None,
    on_position: Callable[[], None] | None = None,
) -> list[ReviewedMove]:
    """Review the game that led through these positions, as `Record.positions` gives them.

    The clock limits the search of each position; without limits it is USUAL_NODES. `on_position` is called after each.
    """
    if len(positions) < 2:
        return []
    game = positions[0].game
    reviewer = analysing_bot(bot, game)
    reviewer.sit_down(game, positions[0].to_move)
    limits = clock if clock is not None and clock != Clock() else Clock(nodes=USUAL_NODES)
    reviewed: list[ReviewedMove] = []
    after: Thought | None = None  # what is thought of the position after the move; None if the game ends there
    for before, played in zip(positions[-2::-1], positions[:0:-1], strict=True):
        if after is None and not played.is_over:
            after = reviewer.think(played, limits)
        thought = reviewer.think(before, limits)
        reviewed.append(_reviewed(before, played, thought, after))
        after = thought
        if on_position is not None:
            on_position()
    return reviewed[::-1]


def _reviewed(before: Position, played: Position, best: Thought, after: Thought | None) -> ReviewedMove:
    player = before.to_move
    if after is None:
        assert played.result is not None
        chance_after, points_after = played.result[player], math.inf
    else:
        chance_after = _chance(after, player)
        points_after = after.points if played.to_move == player else -after.points
    lost = best.points - points_after
    has_points = math.isfinite(best.points) and math.isfinite(points_after) and not best.visits
    return ReviewedMove(
        ply=len(played.played),
        player=player,
        move=played.played[-1],
        best=best,
        chance_before=_chance(best, player),
        chance_after=chance_after,
        points_lost=max(0.0, lost) if has_points and best.move != played.played[-1] else 0.0 if has_points else None,
    )


def _chance(thought: Thought, player: int) -> float:
    """The expected share of a player, who need not be the one to move."""
    shares = thought.expected_shares
    if shares is None:
        raise PalabreError(say("error.no_chances", bot=ANY_GAME))
    return shares[player]
