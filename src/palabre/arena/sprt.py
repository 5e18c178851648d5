"""The sequential probability ratio test on pairs of games: is the new bot better, after as few games as that takes?

H0 says that the new bot is `elo0` better than the old one, H1 that it is `elo1` better. After each pair of games the
log of the likelihood ratio (LLR) of the two is compared with two bounds, and the test stops when it passes one (Wald
1945). Neither hypothesis says how often pairs are worth 0, ¼, ½, ¾ and 1, so each is granted the frequencies that
explain the pairs best: a generalised SPRT on pentanomial counts, as in fishtest and fastchess (Van den Bergh, "Comments
on Normalized Elo", https://www.cantate.be/Fishtest/normalized_elo_practical.pdf, whose equations are cited below).

Elo is logistic by default: the difference at which a score is expected. `normalised` Elo measures the score in standard
deviations of a game instead, so that a test takes about as long in drawish games as in wild ones.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from palabre.arena.result import PAIR_SCORES, elo
from palabre.core.errors import PalabreError, did_you_mean, listing
from palabre.core.given import given_list, given_number
from palabre.core.words import say

Model = Literal["logistic", "normalised"]
Decision = Literal["H0", "H1", "continue"]

UNSEEN = 1e-3  # pairs that a kind of pair counts for where none was seen, so that no frequency is zero (fastchess)
NELO = 800 / math.log(10)  # normalised Elo for one standard deviation of a game
CHI_SQUARED_95 = 3.841459  # 95 % quantile with one degree of freedom
ROUNDS = 100  # at most, in the search for frequencies of a normalised Elo; it takes about five
STEEPEST = 500.0  # tilt of the frequencies, at which all but one are nearly zero
FARTHEST = 4000.0  # Elo; a difference beyond is no useful hypothesis, and no number of games shows it
HALVINGS = 60  # in a search for a root: as many as there are bits to find
BIASED = (
    "The test stopped because this estimate was far out, so it is biased: too high after H1, too low after H0. "
    "For an unbiased one, play a fixed number of games."
)
RUNNING = "The test has not decided; the estimate is that of the pairs so far."


@dataclass(frozen=True)
class Sprt:
    """What the pairs so far say; all figures are those of the new bot."""

    pairs: int
    llr: float  # log of the likelihood ratio of H1 to H0
    lower: float  # H0 is accepted at or below
    upper: float  # H1 is accepted at or above
    decision: Decision
    elo: float  # the logistic Elo difference of the score; infinite when all games were won or lost
    elo_95: tuple[float, float]  # the differences that a likelihood ratio test does not reject at 5 %
    nelo: float | None  # the normalised Elo difference; None where all pairs are equal
    note: str  # what to keep in mind about the estimate


def sprt(
    counts: Sequence[int],
    *,
    elo0: float,
    elo1: float,
    alpha: float = 0.05,
    beta: float = 0.05,
    model: Model = "logistic",
) -> Sprt:
    """Judge the numbers of pairs worth 0, ¼, ½, ¾ and 1 to the new bot.

    `alpha` is the probability of accepting H1 when H0 is true, `beta` that of accepting H0 when H1 is true.
    """
    _check(counts, elo0, elo1, alpha, beta, model)
    lower, upper = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
    llr = log_likelihood_ratio(counts, elo0, elo1, model)
    decision: Decision = "H1" if llr >= upper else "H0" if llr <= lower else "continue"
    estimate, interval = estimated_elo(counts)
    nelo = _shift(counts) * NELO / math.sqrt(2) if max(counts) < sum(counts) else None
    note = RUNNING if decision == "continue" else BIASED
    return Sprt(sum(counts), llr, lower, upper, decision, estimate, interval, nelo, note)


def log_likelihood_ratio(counts: Sequence[int], elo0: float, elo1: float, model: Model = "logistic") -> float:
    """The LLR of a difference of `elo1` to one of `elo0`, for numbers of pairs worth 0, ¼, ½, ¾ and 1."""
    if not any(counts):
        return 0.0
    return _log_likelihood(counts, elo1, model) - _log_likelihood(counts, elo0, model)


def estimated_elo(counts: Sequence[int]) -> tuple[float, tuple[float, float]]:
    """The likeliest Elo difference, and a 95 % interval: all that a likelihood ratio test does not reject (Owen 1988).

    Unlike the score plus or minus two errors, it stays in range, and knows that ten draws leave much unknown.
    """
    pairs = sum(counts)
    if pairs == 0:
        return 0.0, (-math.inf, math.inf)
    seen = [max(count, UNSEEN) for count in counts]
    best = _log_chance(seen, [count / sum(seen) for count in seen])
    inside = elo(_moments(seen)[0])

    def edge(sign: int) -> float:
        """Where rejection begins above or below the likeliest difference."""
        kept, rejected = inside, sign * FARTHEST
        for _ in range(HALVINGS // 2):  # to a hundred-thousandth of an Elo
            middle = (kept + rejected) / 2
            is_rejected = 2 * (best - _log_likelihood(counts, middle, "logistic")) > CHI_SQUARED_95
            kept, rejected = (kept, middle) if is_rejected else (middle, rejected)
        return kept

    if counts[0] == pairs:
        return -math.inf, (-math.inf, edge(1))
    if counts[-1] == pairs:
        return math.inf, (edge(-1), math.inf)
    return elo(_moments(counts)[0]), (edge(-1), edge(1))


def _log_likelihood(counts: Sequence[int], bound: float, model: Model) -> float:
    """The greatest log-likelihood that pairs can have if the Elo difference is `bound`."""
    seen = [max(count, UNSEEN) for count in counts]
    if model == "logistic":
        chances = _likeliest([score - 1 / (1 + 10 ** (-bound / 400)) for score in PAIR_SCORES], seen)
    else:
        chances = _likeliest_normalised(bound / NELO * math.sqrt(2), seen)
    return _log_chance(seen, chances)


def _likeliest(values: Sequence[float], seen: Sequence[float]) -> list[float]:
    """The likeliest chances under which the mean of these values is zero (equations 1.2 and 1.3).

    They are p̂ / (1 + θ · value), where θ is the root of a function that falls between two poles.
    """
    total = sum(seen)
    observed = [count / total for count in seen]
    low, high = -1 / max(values), -1 / min(values)
    for _ in range(HALVINGS):
        theta = (low + high) / 2
        slope = sum(chance * value / (1 + theta * value) for chance, value in zip(observed, values, strict=True))
        low, high = (theta, high) if slope > 0 else (low, theta)
    theta = (low + high) / 2
    return [chance / (1 + theta * value) for chance, value in zip(observed, values, strict=True)]


def _likeliest_normalised(shift: float, seen: Sequence[float]) -> list[float]:
    """The likeliest chances under which a pair scores `shift` standard deviations more than ½ (section 4.1).

    The condition is curved. Each round makes it linear around the chances so far, goes to the likeliest ones under
    that, and back to the curve; it goes only half as far while that is not likelier. So all rounds have a solution,
    they climb, and they end, also with pairs of one kind only.
    """
    chances = _tilted([1.0] * len(seen), shift)
    value = _log_chance(seen, chances)
    for _ in range(ROUNDS):
        mean, deviation = _moments(chances)
        linear = [
            score - 0.5 - shift * deviation / 2 * (1 + ((score - mean) / deviation) ** 2) for score in PAIR_SCORES
        ]
        aim, step, gain = _likeliest(linear, seen), 1.0, -1.0
        while gain <= 0 and step > 1e-3:
            tried = _tilted([old + step * (new - old) for old, new in zip(chances, aim, strict=True)], shift)
            gain, step = _log_chance(seen, tried) - value, step / 2
        if gain > 0:
            chances, value = tried, value + gain
        if gain < 1e-9:
            break
    return chances


def _tilted(weights: Sequence[float], shift: float) -> list[float]:
    """Chances proportional to weight · exp(tilt · score), with the tilt that makes the mean ½ + shift · deviation."""

    def tilt(slope: float) -> list[float]:
        tilted = [
            weight * math.exp(slope * (score - (slope > 0))) for weight, score in zip(weights, PAIR_SCORES, strict=True)
        ]
        return [weight / sum(tilted) for weight in tilted]

    low, high = -1.0, 1.0
    while _shift(tilt(low)) > shift and low > -STEEPEST:
        low *= 2
    while _shift(tilt(high)) < shift and high < STEEPEST:
        high *= 2
    for _ in range(HALVINGS):
        slope = (low + high) / 2
        low, high = (slope, high) if _shift(tilt(slope)) < shift else (low, slope)
    return tilt((low + high) / 2)


def _shift(weights: Sequence[float]) -> float:
    """By how many standard deviations the mean score of a pair is more than ½."""
    mean, deviation = _moments(weights)
    return (mean - 0.5) / deviation


def _log_chance(seen: Sequence[float], chances: Sequence[float]) -> float:
    return sum(count * math.log(chance) for count, chance in zip(seen, chances, strict=True))


def _moments(weights: Sequence[float]) -> tuple[float, float]:
    """Mean and standard deviation of the score of a pair."""
    total = sum(weights)
    mean = sum(weight * score for weight, score in zip(weights, PAIR_SCORES, strict=True)) / total
    variance = sum(weight * (score - mean) ** 2 for weight, score in zip(weights, PAIR_SCORES, strict=True)) / total
    return mean, math.sqrt(variance)


def _check(counts: Sequence[int], elo0: float, elo1: float, alpha: float, beta: float, model: str) -> None:
    given_list("sprt", "counts", counts, int, "match.result().pairs are those of a match")
    for name, value in (("elo0", elo0), ("elo1", elo1), ("alpha", alpha), ("beta", beta)):
        given_number("sprt", name, value)
    if len(counts) != len(PAIR_SCORES) or min(counts) < 0:
        raise PalabreError(say("sprt.counts", counts=str(counts)))
    if not -FARTHEST <= elo0 < elo1 <= FARTHEST:
        raise PalabreError(say("sprt.elo", elo0=elo0, elo1=elo1, most=FARTHEST))
    if not (0 < alpha < 1 and 0 < beta < 1 and alpha + beta < 1):
        raise PalabreError(say("sprt.errors", alpha=alpha, beta=beta))
    if model not in get_args(Model):
        models = get_args(Model)
        raise PalabreError(say("sprt.model", model=model, hint=did_you_mean(model, models), models=listing(models)))
