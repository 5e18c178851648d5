"""What a match shows: wins, draws and losses, the score with an error bar, Elo, leads and thinking times.

The two games of a pair begin from the same opening and are not independent: an opening that is good for one seat makes
one game of the pair easy and the other hard. So the pair is the unit of all statistics. Its score is 0, ¼, ½, ¾ or 1;
because there are five, these statistics are called pentanomial.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from palabre.arena.referee import Played

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
NORMAL_95 = 1.959964  # standard deviations on either side that cover 95 % of a normal distribution
TAIL = 0.025  # the chance on either side of a 95 % interval


@dataclass(frozen=True)
class Side:
    """One of the two bots of a match."""

    bot: str  # its spec
    moves: int  # how many it made
    seconds_per_move: float | None  # None if it made no move
    slowest_move: float | None  # seconds
    forfeits: int  # games lost by an error, an illegal move or too much time


@dataclass(frozen=True)
class MatchResult:
    """The result of a match; all figures are those of the first bot."""

    game: str  # its spec
    first: Side  # the first bot, its times and its forfeits
    second: Side  # the second bot
    games: int  # played
    wins: int  # of the first bot
    draws: int
    losses: int
    pairs: tuple[int, ...]  # how many pairs of games were worth 0, ¼, ½, ¾ and 1
    score: float  # share of the points, 0 to 1
    standard_error: float | None  # of the score, from the spread of the pairs; None with fewer than two
    score_95: tuple[float, float]  # a 95 % interval
    elo: float  # the Elo difference of this score; infinite when all games were won or lost
    elo_95: tuple[float, float]  # a 95 % interval
    lead: float | None  # mean difference of the scores at the end, over the games that were not forfeited


def match_result(game: str, bots: tuple[str, str], played: Sequence[Played]) -> MatchResult:
    """The result of at least one game of a match; the first bot had the first seat in every other game."""
    seats = [number % 2 for number in range(len(played))]
    points = [game.shares[seat] for game, seat in zip(played, seats, strict=True)]
    leads = [
        game.scores[seat] - game.scores[1 - seat]
        for game, seat in zip(played, seats, strict=True)
        if game.loser is None
    ]
    pairs = [(points[one] + points[one + 1]) / 2 for one in range(0, len(points) - 1, 2)]
    score = statistics.fmean(points)
    low, high = interval_95(score, pairs)
    return MatchResult(
        game=game,
        first=_side(bots[0], played, seats),
        second=_side(bots[1], played, [1 - seat for seat in seats]),
        games=len(points),
        wins=points.count(1.0),
        draws=points.count(0.5),
        losses=points.count(0.0),
        pairs=tuple(pairs.count(score) for score in PAIR_SCORES),
        score=score,
        standard_error=standard_error(pairs),
        score_95=(low, high),
        elo=elo(score),
        elo_95=(elo(low), elo(high)),
        lead=statistics.fmean(leads) if leads else None,
    )


def standard_error(pairs: Sequence[float]) -> float | None:
    """The standard error of the mean of pair scores; None where there is no spread to see."""
    return statistics.stdev(pairs) / math.sqrt(len(pairs)) if len(pairs) > 1 else None


def interval_95(score: float, pairs: Sequence[float]) -> tuple[float, float]:
    """A 95 % interval for the true score.

    It is the normal interval around the score, with a least width. A kind of pair that has not occurred in n pairs may
    still have a chance of up to 1 - 0.025 ** (1 / n) (Clopper and Pearson, 1934), and could be worth 0, or 1. That
    counts when all pairs are equal, as when all games are won.
    """
    unseen = 1 - TAIL ** (1 / len(pairs)) if pairs else 1.0
    margin = NORMAL_95 * (standard_error(pairs) or 0.0)
    below = max(margin, score * unseen)
    above = max(margin, (1 - score) * unseen)
    return max(0.0, score - below), min(1.0, score + above)


def elo(score: float) -> float:
    """The difference of Elo ratings at which this score is expected."""
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score / (1 - score))


def _side(bot: str, played: Sequence[Played], seats: Sequence[int]) -> Side:
    seconds = [spent for game, seat in zip(played, seats, strict=True) for spent in game.seconds[seat]]
    return Side(
        bot=bot,
        moves=len(seconds),
        seconds_per_move=statistics.fmean(seconds) if seconds else None,
        slowest_move=max(seconds, default=None),
        forfeits=sum(game.loser == seat for game, seat in zip(played, seats, strict=True)),
    )
