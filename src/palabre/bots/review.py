"""Review of a game: what each move cost, in points and in winning chance, and the better one.

The game is gone through from its end. What a search thinks of a position is the mean of its last two depths, since an
evaluation is kinder to the player who moves last in the lines it sees, and so goes up and down with each ply of depth.
The position is worth that, or what the move that was played leads to, if that is better or if the search would play it
too. So a move costs exactly what the chances fall by when it is played, and no player gains by their own move. The
terminal, reports and the browser show the same review.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from palabre.bots.analysis import ANY_GAME, analysing_bot
from palabre.bots.bot import Bot, SearchBot
from palabre.core.errors import PalabreError
from palabre.core.given import given_function, given_list
from palabre.core.position import Move, Position
from palabre.core.words import say
from palabre.search.clock import Clock, given_clock
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
    shares_before: tuple[float, ...]  # what each player can expect before the move, with the best play that is known
    shares_after: tuple[float, ...]
    points_lost: float | None  # by the evaluation; None where a result is proven or nothing is counted

    @property
    def chance_before(self) -> float:
        """The winning chance of the player, with the best move that is known."""
        return self.shares_before[self.player]

    @property
    def chance_after(self) -> float:
        """The winning chance of the same player after the move."""
        return self.shares_after[self.player]

    @property
    def chance_lost(self) -> float:
        """The winning chance that the move cost; the best move that is known costs nothing."""
        return self.chance_before - self.chance_after

    @property
    def mistake(self) -> str | None:
        """`inaccuracy`, `mistake` or `blunder`; None for a move that cost little."""
        return next((name for name, least in MISTAKES.items() if self.chance_lost >= least), None)

    def facts(self) -> dict[str, Any]:
        """The move as JSON has it; players are numbers from 1."""
        return {
            "ply": self.ply,
            "player": self.player + 1,
            "move": self.move.text,
            "best": [move.text for move in self.best.line],
            "chance_before": self.chance_before,
            "chance_after": self.chance_after,
            "chance_lost": self.chance_lost,
            "points_lost": self.points_lost,
            "mistake": self.mistake,
        }


def review(
    positions: Sequence[Position],
    clock: Clock | None = None,
    *,
    bot: str | Bot | None = None,
    on_position: Callable[[], None] | None = None,
) -> list[ReviewedMove]:
    """Review the game that led through these positions, as `Record.positions` gives them.

    The clock limits the search of each position, by default to USUAL_NODES nodes. `on_position` is called after each.
    """
    given_list("review", "positions", positions, Position, "record.positions() are those of a game")
    if clock is not None:
        given_clock("review", clock)
    given_function("review", "on_position", on_position)
    if len(positions) < 2:
        return []
    game = positions[0].game
    reviewer = analysing_bot(bot, game)
    reviewer.sit_down(game, positions[0].to_move)
    limits = clock if clock is not None and clock != Clock() else Clock(nodes=USUAL_NODES)
    reviewed: list[ReviewedMove] = []
    after = _worth(positions[-1], ()) if positions[-1].is_over else _search(reviewer, positions[-1], limits)[1]
    for before, played in zip(positions[-2::-1], positions[:0:-1], strict=True):
        best, worth = _search(reviewer, before, limits)
        player, move = before.to_move, played.played[-1]
        if best.move == move or worth.shares[player] < after.shares[player]:
            worth = after
        lost = _points_lost(worth, after, player)
        reviewed.append(ReviewedMove(len(played.played), player, move, best, worth.shares, after.shares, lost))
        after = worth
        if on_position is not None:
            on_position()
    return reviewed[::-1]


@dataclass(frozen=True)
class _Worth:
    """What a position is worth."""

    shares: tuple[float, ...]  # that each player can expect
    points: float | None  # of the first of two players by the evaluation, where it counts them


def _search(reviewer: SearchBot, position: Position, limits: Clock) -> tuple[Thought, _Worth]:
    """What the reviewer would play in a position, and what the position is worth."""
    depths: dict[int, Thought] = {}

    def on_thought(thought: Thought) -> None:
        if thought.rank == 1:
            depths[thought.depth] = thought

    last = reviewer.think(position, limits, on_thought)
    before = depths.get(last.depth - 1)
    if before is None or last.visits or last.is_proven or before.is_proven:
        return last, _worth(position, (last,))
    return last, _worth(position, (before, last))


def _worth(position: Position, thoughts: Sequence[Thought]) -> _Worth:
    """The mean of what is thought of a position, or the result of a game that is over."""
    if position.result is not None:
        return _Worth(tuple(position.result), None)
    shares = [each for thought in thoughts if (each := thought.expected_shares) is not None]
    if len(shares) < len(thoughts):
        raise PalabreError(say("error.no_chances", bot=ANY_GAME))
    points = fmean(thought.points for thought in thoughts)
    has_points = math.isfinite(points) and not thoughts[-1].visits
    return _Worth(
        tuple(fmean(each) for each in zip(*shares, strict=True)),
        (points if position.to_move == 0 else -points) if has_points else None,
    )


def _points_lost(best: _Worth, played: _Worth, player: int) -> float | None:
    if best.points is None or played.points is None:
        return None
    return max(0.0, best.points - played.points if player == 0 else played.points - best.points)
