"""What a match shows: wins, draws and losses, the score with an error bar, Elo, leads and thinking times.

The two games of a pair begin from the same opening and are not independent: an opening that is good for one seat makes
one game of the pair easy and the other hard. So the pair is the unit of all statistics. Its score is 0, ¼, ½, ¾ or 1;
because there are five, these statistics are called pentanomial.
"""

import math
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from palabre.arena.rows import BotRow, GameRow, Meeting, Outcome

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
NORMAL_95 = 1.959964  # standard deviations on either side that cover 95 % of a normal distribution
TAIL = 0.025  # the chance on either side of a 95 % interval


@dataclass(frozen=True)
class Side:
    """One of the bots of a match: its times and its forfeits."""

    bot: str  # its spec
    moves: int  # how many it made
    seconds_per_move: float | None  # None if it made no move
    slowest_move: float | None  # seconds
    forfeits: int  # games lost by an error, an illegal move or too much time


@dataclass(frozen=True)
class MatchResult:
    """The result of a match of two; all figures are those of the first bot."""

    game: str  # its spec
    first: Side  # the first bot, its times and its forfeits
    second: Side  # the second bot
    games: int  # played
    wins: int  # of the first bot, over the board: games that a bot forfeited count only as its forfeits
    draws: int
    losses: int
    pairs: tuple[int, ...]  # how many pairs of games were worth 0, ¼, ½, ¾ and 1
    score: float  # share of the points, 0 to 1; a forfeit is a loss
    standard_error: float | None  # of the score, from the spread of the pairs; None with fewer than two
    score_95: tuple[float, float]  # a 95 % interval
    elo: float  # the Elo difference of this score; infinite when all games were won or lost
    elo_95: tuple[float, float]  # a 95 % interval
    lead: float | None  # mean difference of the scores at the end, over the games that were not forfeited

    def __repr__(self) -> str:
        error = "" if self.standard_error is None else f" ± {self.standard_error:.1%}"
        counts = f"{self.wins} wins, {self.draws} draws, {self.losses} losses"
        head = f"{self.first.bot} against {self.second.bot} in {self.game}: {self.score:.1%}{error}"
        return f"<MatchResult {head}, {counts}>"

    @property
    def games_for_one_percent(self) -> int | None:
        """About how many games it takes to know the score to ± 1 % (95 %), by the spread of the pairs so far."""
        if not self.standard_error:
            return None
        return math.ceil(self.games * (NORMAL_95 * self.standard_error / 0.01) ** 2)


@dataclass(frozen=True)
class Standing:
    """One of the bots of a match, at a board of any number of players."""

    side: Side  # its times and its forfeits
    seats: int  # that it had in all games; it may have several in one
    wins: int  # over the board, without those that others forfeited
    draws: int  # shared wins
    losses: int
    score: float  # mean share of a game, 0 to 1; a forfeit is a loss
    standard_error: float | None  # of the score, from the spread of the meetings; None with fewer than two
    score_95: tuple[float, float]  # a 95 % interval


@dataclass(frozen=True)
class MatchTable:
    """What a match shows of each bot, the highest score first."""

    game: str  # its spec
    games: int  # played
    fair_share: float  # the score of a bot that is as good as the others
    standings: tuple[Standing, ...]


def match_result(game: str, bots: tuple[BotRow, BotRow], rows: Sequence[GameRow]) -> MatchResult:
    """The result of at least one game of a match of two."""
    name = bots[0].name
    own = _standing(bots[0], rows)
    low, high = own.score_95
    over_the_board = [(row, row.bots.index(name)) for row in rows if row.forfeit is None]
    leads = [row.scores[seat] - row.scores[1 - seat] for row, seat in over_the_board]
    return MatchResult(
        game=game,
        first=own.side,
        second=_side(bots[1], rows),
        games=len(rows),
        wins=own.wins,
        draws=own.draws,
        losses=own.losses,
        pairs=pair_counts(name, rows),
        score=own.score,
        standard_error=own.standard_error,
        score_95=own.score_95,
        elo=elo(own.score),
        elo_95=(elo(low), elo(high)),
        lead=statistics.fmean(leads) if leads else None,
    )


def match_table(game: str, bots: Sequence[BotRow], rows: Sequence[GameRow]) -> MatchTable:
    """What at least one game of a match shows of each bot."""
    standings = [_standing(bot, rows) for bot in bots]
    fair = 1 / len(rows[0].bots)
    return MatchTable(game, len(rows), fair, tuple(sorted(standings, key=lambda standing: -standing.score)))


def pair_counts(name: str, played: Sequence[GameRow | Outcome]) -> tuple[int, ...]:
    """How many pairs of games, both of them played, were worth 0, ¼, ½, ¾ and 1 to a bot."""
    pairs = list(meeting_scores(name, played))
    return tuple(pairs.count(score) for score in PAIR_SCORES)


def _standing(bot: BotRow, rows: Sequence[GameRow]) -> Standing:
    shares = [share for row in rows for name, share in zip(row.bots, row.shares, strict=True) if name == bot.name]
    played = [
        share
        for row in rows
        if row.forfeit is None
        for name, share in zip(row.bots, row.shares, strict=True)
        if name == bot.name
    ]
    meetings = list(meeting_scores(bot.name, rows))
    score = statistics.fmean(shares) if shares else 0.0
    return Standing(
        side=_side(bot, rows),
        seats=len(shares),
        wins=played.count(1.0),
        draws=sum(0 < share < 1 for share in played),
        losses=played.count(0.0),
        score=score,
        standard_error=standard_error(meetings),
        score_95=interval_95(score, meetings),
    )


def meeting_scores(name: str, rows: Sequence[GameRow | Outcome]) -> Iterator[float]:
    """The mean share of a bot in each meeting whose games have all been played, in their order."""
    meetings: dict[Meeting, list[GameRow | Outcome]] = {}
    for row in rows:
        meetings.setdefault(row.meeting, []).append(row)
    for meeting, games in meetings.items():
        if len(games) == len(meeting.bots) and name in meeting.bots:
            shares = [share for row in games for bot, share in zip(row.bots, row.shares, strict=True) if bot == name]
            yield statistics.fmean(shares)


def standard_error(pairs: Sequence[float]) -> float | None:
    """The standard error of the mean of pair scores; None where there is no spread to see."""
    return statistics.stdev(pairs) / math.sqrt(len(pairs)) if len(pairs) > 1 else None


def student_95(freedom: int) -> float:
    """The 97.5 % quantile of Student's distribution with two or more degrees of freedom.

    It is expanded in powers of 1 / freedom (Abramowitz and Stegun, 26.7.5), and right to 4 % for two degrees.
    """
    z = NORMAL_95
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return sum(term / math.pow(freedom, power) for power, term in enumerate(terms))


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


def _side(bot: BotRow, rows: Sequence[GameRow]) -> Side:
    seats = [(row, seat) for row in rows for seat, name in enumerate(row.bots) if name == bot.name]
    seconds = [spent for row, seat in seats for spent in row.seconds_of(seat)]
    return Side(
        bot=bot.spec,
        moves=len(seconds),
        seconds_per_move=statistics.fmean(seconds) if seconds else None,
        slowest_move=max(seconds, default=None),
        forfeits=sum(row.forfeit == seat for row, seat in seats),
    )
