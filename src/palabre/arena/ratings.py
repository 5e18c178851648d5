"""Ratings of all bots of an event at once, on the Elo scale, with error bars and likelihoods of superiority.

A joint fit needs no order of the games and uses them all, so it beats ratings that are updated game by game as long as
the bots do not change. What is fitted, and how the errors are found, is in `likelihood.py`.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Literal, get_args

from palabre.arena.result import NORMAL_95
from palabre.arena.rows import Meeting, Outcome
from palabre.core.errors import PalabreError, did_you_mean, listing
from palabre.core.given import given_list
from palabre.core.words import say

if TYPE_CHECKING:
    from palabre.arena.likelihood import Floats, ResultArrays

Draws = Literal["half", "davidson"]
Places = Literal["winner", "all"]

ELO = 400 / math.log(10)  # Elo for one natural unit of strength


@dataclass(frozen=True)
class Rating:
    """What an event says about the strength of a bot."""

    bot: str
    elo: float
    error: float  # standard error of `elo`, in comparison with the mean of the event or with the anchors
    games: int
    score: float | None  # share of the points in its games; None without games
    is_extreme: bool  # whether it won or lost all its games: then only the prior keeps its rating finite

    @property
    def elo_95(self) -> tuple[float, float]:
        """A 95 % interval."""
        return self.elo - NORMAL_95 * self.error, self.elo + NORMAL_95 * self.error


@dataclass(frozen=True)
class SeatRating:
    """What it is worth to sit somewhere, compared with the mean of the other seats."""

    seat: int  # from 0
    elo: float
    error: float


@dataclass(frozen=True)
class Ratings:
    """All bots, the best first."""

    bots: tuple[Rating, ...]
    seats: tuple[SeatRating, ...]  # the first is the advantage of the first move
    draw: float | None  # with Davidson's draws: their share between equal bots in equal seats
    groups: tuple[tuple[str, ...], ...]  # bots that a chain of games connects; different groups cannot be compared
    superiority: tuple[tuple[float, ...], ...]  # [i][j]: the chance that bot i is better than bot j, NaN across groups

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader of the ratings should know."""
        warnings = []
        if len(self.groups) > 1:
            groups = "; ".join(listing(group) for group in self.groups)
            warnings.append(str(say("rating.groups", groups=groups)))
        extreme = [rating.bot for rating in self.bots if rating.is_extreme]
        if extreme:
            warnings.append(str(say("rating.extreme", bots=listing(extreme))))
        return tuple(warnings)

    def of(self, bot: str) -> Rating:
        """The rating of a bot."""
        return self.bots[self._place(bot)]

    def los(self, first: str, second: str) -> float:
        """The likelihood of superiority: the chance that the first bot is better than the second."""
        return self.superiority[self._place(first)][self._place(second)]

    def _place(self, bot: str) -> int:
        names = [rating.bot for rating in self.bots]
        if bot not in names:
            raise PalabreError(say("rating.none", bot=bot, hint=did_you_mean(bot, names), bots=listing(names)))
        return names.index(bot)


def rate(
    outcomes: Iterable[Outcome],
    names: Iterable[str] = (),
    *,
    anchors: Mapping[str, float] | None = None,
    draws: Draws = "half",
    places: Places = "winner",
) -> Ratings:
    """Rate all bots of these games, and those in `names` that have not played yet.

    The mean of all ratings is 0; with `anchors`, the mean of the anchored bots is that of the Elo given for them. A
    draw is half a win or, with `davidson`, a result of its own, for two-player games with many draws. With more than
    two players only the winner counts or, with `all`, also the order of the others by score.
    """
    outcomes = list(outcomes) if isinstance(outcomes, Iterable) else outcomes
    given_list("rate", "outcomes", outcomes, Outcome, "read_store(FILE).outcomes() are those of an event")
    import numpy as np

    from palabre.arena.likelihood import fit

    played = sorted(
        outcomes, key=attrgetter("meeting", "bots")
    )  # whatever order the games ended in, the sums are the same
    bots = sorted({*names, *(bot for outcome in played for bot in outcome.bots)})
    if not bots:
        return Ratings((), (), None, (), ())
    _check(played, bots, anchors, draws, places)
    results = _as_numbers(played, {bot: number for number, bot in enumerate(bots)}, places)
    fitted = fit(results, draws=draws == "davidson")
    # Only differences of strengths mean something: compare with the mean, of all bots or of the anchors.
    reference = [bots.index(bot) for bot in anchors] if anchors else list(range(len(bots)))
    contrast = np.eye(len(bots))
    contrast[:, reference] -= 1 / len(reference)
    elos = contrast @ fitted.values[: len(bots)] * ELO + (math.fsum(anchors.values()) / len(anchors) if anchors else 0)
    covariance = fitted.covariance[: len(bots), : len(bots)] * ELO**2
    errors = np.sqrt(np.maximum(np.diag(contrast @ covariance @ contrast.T), 0))
    groups = _groups(played, bots)
    order = sorted(range(len(bots)), key=lambda number: (-round(float(elos[number]), 6), bots[number]))
    shares: dict[str, list[float]] = {bot: [] for bot in bots}
    for outcome in played:
        for bot, share in zip(outcome.bots, outcome.shares, strict=True):
            shares[bot].append(share)
    group_of = {bot: number for number, group in enumerate(groups) for bot in group}
    superiority = _superiority(elos, covariance, [group_of[bot] for bot in bots])
    return Ratings(
        tuple(_rating(bots[one], float(elos[one]), float(errors[one]), shares[bots[one]]) for one in order),
        _seats(fitted.values, fitted.covariance, len(bots), results.players) if played else (),
        _draw_share(fitted.values[-1]) if draws == "davidson" else None,
        groups,
        tuple(tuple(float(superiority[one, other]) for other in order) for one in order),
    )


def _check(
    played: Sequence[Outcome], bots: Sequence[str], anchors: Mapping[str, float] | None, draws: str, places: str
) -> None:
    for name, value, valid in (("draws", draws, get_args(Draws)), ("places", places, get_args(Places))):
        if value not in valid:
            raise PalabreError(
                say("rating.unknown", name=name, value=value, hint=did_you_mean(value, valid), valid=listing(valid))
            )
    sizes = sorted({len(outcome.bots) for outcome in played})
    if len(sizes) > 1:
        raise PalabreError(say("rating.mixed", sizes=listing(sizes)))
    if draws == "davidson" and sizes not in ([], [2]):
        raise PalabreError(say("rating.davidson", players=sizes[0]))
    for bot in anchors or ():
        if bot not in bots:
            raise PalabreError(say("rating.anchor", bot=bot, hint=did_you_mean(bot, bots), bots=listing(bots)))


def _as_numbers(played: Sequence[Outcome], numbers: Mapping[str, int], places: Places) -> "ResultArrays":
    import numpy as np

    from palabre.arena.likelihood import ResultArrays

    players = len(played[0].bots) if played else 2
    rows: list[tuple[tuple[int, ...], Sequence[bool], Sequence[float], int]] = []
    meetings: dict[Meeting, int] = {}
    for outcome in played:
        seats = tuple(numbers[bot] for bot in outcome.bots)
        for present, shares in _choices(outcome, places):
            meeting = meetings.setdefault(outcome.meeting, len(meetings))  # of those that say something
            rows.append((seats, present, shares, meeting))
    return ResultArrays(
        np.array([row[0] for row in rows], np.int64).reshape(-1, players),
        np.array([row[1] for row in rows], np.bool_).reshape(-1, players),
        np.array([row[2] for row in rows], np.float64).reshape(-1, players),
        np.array([row[3] for row in rows], np.int64),
        len(numbers),
    )


def _choices(outcome: Outcome, places: Places) -> list[tuple[list[bool], list[float]]]:
    """Who was to be placed, and who got which share of the place: first the win, then the places behind it."""
    total = sum(outcome.shares)
    if total == 0:
        return []  # both failed: the game says nothing about who is better
    present = [True] * len(outcome.bots)
    choices = [(present, [share / total for share in outcome.shares])]
    if places == "winner" or outcome.forfeit is not None:
        return choices
    left = [seat for seat, share in enumerate(outcome.shares) if share == 0]
    while len(left) > 1:
        best = max(outcome.scores[seat] for seat in left)
        first = [seat for seat in left if outcome.scores[seat] == best]
        seats = range(len(outcome.bots))
        choices.append(([seat in left for seat in seats], [1 / len(first) if seat in first else 0.0 for seat in seats]))
        left = [seat for seat in left if seat not in first]
    return choices


def _rating(bot: str, elo: float, error: float, shares: Sequence[float]) -> Rating:
    score = sum(shares) / len(shares) if shares else None
    return Rating(bot, elo, error, len(shares), score, score in (0, 1))


def _seats(values: "Floats", covariance: "Floats", bots: int, players: int) -> tuple[SeatRating, ...]:
    import numpy as np

    own, spread = values[bots : bots + players], covariance[bots : bots + players, bots : bots + players]
    ratings = []
    for seat in range(players):
        contrast = np.full(players, -1 / (players - 1))
        contrast[seat] = 1.0
        error = math.sqrt(max(float(contrast @ spread @ contrast), 0))
        ratings.append(SeatRating(seat, float(contrast @ own) * ELO, error * ELO))
    return tuple(ratings)


def _draw_share(value: float) -> float:
    """The chance of a draw between equals: draw / (1 + 1 + draw)."""
    return float(math.exp(value) / (2 + math.exp(value)))


def _groups(played: Sequence[Outcome], bots: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The bots by chains of games between them, the largest group first."""
    leader = {bot: bot for bot in bots}

    def find(bot: str) -> str:
        while leader[bot] != bot:
            leader[bot] = leader[leader[bot]]
            bot = leader[bot]
        return bot

    for lineup in {outcome.bots for outcome in played if sum(outcome.shares)}:
        for other in lineup[1:]:
            leader[find(other)] = find(lineup[0])
    groups: dict[str, list[str]] = {}
    for bot in bots:
        groups.setdefault(find(bot), []).append(bot)
    return tuple(sorted((tuple(group) for group in groups.values()), key=lambda group: (-len(group), group)))


def _superiority(elos: "Floats", covariance: "Floats", groups: Sequence[int]) -> "Floats":
    import numpy as np

    variances = np.diag(covariance)[:, None] + np.diag(covariance)[None, :] - 2 * covariance
    deviations = np.sqrt(np.maximum(variances, 1e-12))
    normal = np.vectorize(lambda leap: 0.5 * math.erfc(-leap / math.sqrt(2)), otypes=[float])
    chances = normal((elos[:, None] - elos[None, :]) / deviations)
    chances[np.not_equal.outer(np.array(groups), np.array(groups))] = np.nan
    return np.asarray(chances)
