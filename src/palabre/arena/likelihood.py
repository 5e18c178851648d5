"""The likelihood of results under Bradley–Terry and Plackett–Luce, its maximum, and how far that may be off.

Each bot has a strength and each seat a bonus. Among the bots of a game, the chance to be the best is proportional to
exp(strength + bonus) (Plackett 1975, Luce 1959; for two players Bradley and Terry 1952). Bots that share a win count as
if each had won that part of the game. With `draws`, a draw of two players is a third result, whose chance is
proportional to draw · √(product of both) (Davidson 1970).

The maximum is found by Newton's method, with a weak normal prior on every strength, so that it exists also if a bot has
lost all its games. The errors are clustered by meeting: the games of a meeting share an opening, so only sums over
meetings are independent (a sandwich covariance, Liang and Zeger 1986).

This module knows numbers only; `ratings.py` has the names. It imports NumPy, so import it where ratings are needed.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

PRIOR_DEVIATION = 8.0  # of a strength, about 1,400 Elo: it counts only where there are hardly any results
TRUSTED_AFTER = 5.0  # even meetings of a bot, after which the spread of its own results counts as much as the event's
LONGEST = 100  # steps of Newton's method; about six are usual
ROUNDING = 1e-12  # relative: less is no loss of likelihood
CHUNK = 4096  # meetings whose sums are held in memory at a time


@dataclass(frozen=True)
class ResultArrays:
    """Games as numbers, sorted by meeting; a game of more places is several choices, each among those who are left."""

    bots: Numbers  # (choices, players): which bot was in each seat
    present: NDArray[np.bool_]  # (choices, players): who was still to be placed
    shares: Floats  # (choices, players): of this place; a row has the sum one
    meetings: Numbers  # (choices,): from 0, ascending
    number_of_bots: int

    @property
    def players(self) -> int:
        return int(self.bots.shape[1])


@dataclass(frozen=True)
class RatingFit:
    """Strengths in natural units (400 / ln 10 Elo), first the bots, then the seats, then the draw if it was fitted."""

    values: Floats
    covariance: Floats


def fit(results: ResultArrays, *, draws: bool = False) -> RatingFit:
    """The likeliest strengths, and their covariance clustered by meeting."""
    size = results.number_of_bots + results.players + draws
    columns = _columns(results, draws)
    prior = np.full(size, PRIOR_DEVIATION**-2)
    values = np.zeros(size)
    value = _log_likelihood(results, values, draws)
    for _ in range(LONGEST):
        residuals, curvatures = _derivatives(results, values, draws)
        gradient = np.bincount(columns.ravel(), residuals.ravel(), size) - prior * values
        step = np.linalg.solve(_information(columns, curvatures, size) + np.diag(prior), gradient)
        length = 1.0
        while True:
            tried = values + length * step
            reached = _log_likelihood(results, tried, draws) - (prior * tried**2).sum() / 2
            if reached >= value - ROUNDING * abs(value) or length < 1e-6:
                break
            length /= 2
        values, value = tried, reached
        if np.abs(step).max() < 1e-8:
            break
    return RatingFit(values, _covariance(results, columns, values, prior, draws))


def _columns(results: ResultArrays, draws: bool) -> Numbers:
    """For each choice, the numbers of the values that take part: the bots', the seats' and the draw's."""
    choices, players = results.bots.shape
    seats = np.broadcast_to(results.number_of_bots + np.arange(players), (choices, players))
    parts = [results.bots, seats]
    if draws:
        parts.append(np.full((choices, 1), results.number_of_bots + players))
    return np.concatenate(parts, axis=1)


def _chances(results: ResultArrays, values: Floats, draws: bool) -> tuple[Floats, Floats]:
    """For each choice the chance of each seat, and last that of a draw; and the logarithms of the chances."""
    players = results.players
    strengths = values[results.bots] + values[results.number_of_bots : results.number_of_bots + players]
    strengths = np.where(results.present, strengths, -np.inf)
    if draws:
        strengths = np.concatenate([strengths, strengths.mean(axis=1, keepdims=True) + values[-1]], axis=1)
    strengths -= strengths.max(axis=1, keepdims=True)
    logs = strengths - np.log(np.exp(strengths).sum(axis=1, keepdims=True))
    return np.exp(logs), logs


def _shares(results: ResultArrays, draws: bool) -> Floats:
    """The shares, and in a last column the draws, which then belong to no player."""
    if not draws:
        return results.shares
    drawn = (results.shares[:, :1] == 0.5).astype(float)
    return np.concatenate([results.shares * (1 - drawn), drawn], axis=1)


def _log_likelihood(results: ResultArrays, values: Floats, draws: bool) -> float:
    logs = _chances(results, values, draws)[1]
    shares = _shares(results, draws)
    return float((shares * np.where(shares > 0, logs, 0.0)).sum())


def _derivatives(results: ResultArrays, values: Floats, draws: bool) -> tuple[Floats, Floats]:
    """Of each choice, the gradient of its log-likelihood in the values that take part, and minus its curvature.

    The gradient is the score minus the expected score, the curvature the variance of the score.
    """
    chances = _chances(results, values, draws)[0]
    players = results.players
    # What each result is worth for each value that takes part: a win is one point, a draw half a point for both.
    worth = np.eye(players)
    if draws:
        worth = np.concatenate([worth, np.full((1, players), 0.5)])
    worth = np.concatenate([worth, worth], axis=1)
    if draws:
        worth = np.concatenate([worth, np.eye(players + 1)[:, -1:]], axis=1)
    expected = chances @ worth
    residuals = _shares(results, draws) @ worth - expected
    curvatures = np.einsum("nr,ra,rb->nab", chances, worth, worth, optimize=True)
    curvatures -= expected[:, :, None] * expected[:, None, :]
    return residuals, curvatures


def _information(columns: Numbers, curvatures: Floats, size: int) -> Floats:
    """The curvatures of all choices, added up where they belong."""
    places = columns[:, :, None] * size + columns[:, None, :]
    sums: Floats = np.bincount(places.ravel(), curvatures.ravel(), size * size).astype(float)
    return sums.reshape(size, size)


def _covariance(results: ResultArrays, columns: Numbers, values: Floats, prior: Floats, draws: bool) -> Floats:
    """The sandwich: inverse information · spread of the meetings' gradients · inverse information.

    The gradient of a meeting is a little too small, as the meeting has pulled the values towards itself; it is enlarged
    by its leverage (as in HC2, MacKinnon and White 1985). And where a bot has met few others on even terms, the spread
    of so few gradients says nothing: one that has lost all games has hardly any. So each meeting counts partly by its
    own gradient, and partly by the variance that the model expects, multiplied by what all meetings show of the ratio.
    """
    size = len(values)
    players = results.players
    residuals, curvatures = _derivatives(results, values, draws)
    inverse = np.linalg.inv(_information(columns, curvatures, size) + np.diag(prior))
    count = int(results.meetings[-1]) + 1 if len(results.meetings) else 0
    pulls = np.einsum("nab,nab->n", inverse[columns[:, :, None], columns[:, None, :]], curvatures)
    leverage = np.minimum(np.bincount(results.meetings, pulls, count) / (players - 1), 0.9)
    trust = _trust(results, curvatures)
    own = np.zeros((size, size))
    for begin in range(0, count, CHUNK):
        low, high = np.searchsorted(results.meetings, [begin, begin + CHUNK])
        rows = results.meetings[low:high] - begin
        gradients = np.zeros((min(CHUNK, count - begin), size))
        np.add.at(gradients, (rows[:, None], columns[low:high]), residuals[low:high])
        weight = np.sqrt(trust / (1 - leverage))[begin : begin + CHUNK, None]
        own += (gradients * weight).T @ (gradients * weight)
    by_choice = trust[results.meetings][:, None, None]
    trusted = _information(columns, curvatures * by_choice, size)
    expected = _information(columns, curvatures * (1 - by_choice), size)
    ratio = np.trace(inverse @ own) / np.trace(inverse @ trusted) if count else 1.0
    # With few meetings the ratio itself is a guess; it counts fully only when there are many more than values.
    freedom = max(count - size, 0) / (count + 1)
    spread = own + expected * (ratio * freedom + 1 - freedom) + np.diag(prior)
    return np.asarray(inverse @ spread @ inverse)


def _trust(results: ResultArrays, curvatures: Floats) -> Floats:
    """For each meeting, how much the spread of its bots' own results counts: by how many even meetings they had."""
    players = results.players
    count = int(results.meetings[-1]) + 1 if len(results.meetings) else 0
    own = np.einsum("naa->na", curvatures[:, :players, :players])
    even = (players - 1) / players**2  # the variance of one's score in an even game
    met = np.bincount(results.bots.ravel(), own.ravel(), results.number_of_bots) / even / players
    least = np.full(count, np.inf)
    np.minimum.at(least, results.meetings, met[results.bots].min(axis=1))
    return np.asarray(least / (least + TRUSTED_AFTER))
