"""The SPRT against published values, an independent optimiser, closed forms, and for its error rates."""

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from palabre.arena.result import PAIR_SCORES
from palabre.arena.sprt import NELO, UNSEEN, Model, estimated_elo, log_likelihood_ratio, sprt
from tests.messages import refuses

BOUND = math.log(0.95 / 0.05)
SCORES = np.array(PAIR_SCORES)


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "model", "llr"),
    [
        ((223, 9863, 20279 + 1000, 10037, 246), 0.5, 2.5, "logistic", -3.07),
        ((871, 26175, 55003 + 980, 26678, 821), 0, 2, "logistic", -4.98),
        ((365, 16618, 36029 + 200, 16974, 390), 0, 2, "normalised", 2.25),
        ((127, 4883, 10311 + 401, 5150, 104), -1.75, 0.25, "normalised", 3.01),
    ],
)
def test_published_values(counts: Sequence[int], elo0: float, elo1: float, model: Model, llr: float) -> None:
    """The cases of app/tests/sprt_test.cpp of fastchess, which has two decimals."""
    assert log_likelihood_ratio(counts, elo0, elo1, model) == pytest.approx(llr, abs=0.006)


def constrained(counts: Sequence[int], elo: float, model: Model) -> float:
    """The greatest log-likelihood by a general optimiser, from several starts."""
    seen = np.maximum(np.array(counts, float), UNSEEN)

    def condition(chances: np.ndarray) -> float:
        mean = chances @ SCORES
        if model == "logistic":
            return float(mean - 1 / (1 + 10 ** (-elo / 400)))
        deviation = math.sqrt(max(chances @ (SCORES - mean) ** 2, 1e-12))
        return float(mean - 0.5 - elo / NELO * math.sqrt(2) * deviation)

    conditions = [{"type": "eq", "fun": condition}, {"type": "eq", "fun": lambda chances: chances.sum() - 1}]
    best = -math.inf
    for start in (np.full(5, 0.2), seen / seen.sum(), np.array([0.1, 0.1, 0.2, 0.2, 0.4])):
        found = minimize(
            lambda chances: -(seen @ np.log(chances)) / seen.sum(),
            np.clip(start, 1e-6, 1),
            jac=lambda chances: -seen / chances / seen.sum(),
            bounds=[(1e-9, 1)] * 5,
            constraints=conditions,
            method="SLSQP",
            options={"ftol": 1e-14, "maxiter": 1000},
        )
        if abs(condition(found.x)) < 1e-7 and abs(found.x.sum() - 1) < 1e-7:
            best = max(best, -found.fun * seen.sum())
    return best


@pytest.mark.parametrize("model", ["logistic", "normalised"])
@pytest.mark.parametrize(
    "counts", [(10, 12, 30, 16, 14), (3, 0, 40, 1, 9), (40, 5, 3, 2, 1), (0, 20, 100, 25, 0), (2, 3, 5, 9, 60)]
)
@pytest.mark.parametrize(("elo0", "elo1"), [(0, 10), (-20, 5), (-150, 150)])
def test_the_ratio_is_that_of_an_independent_optimiser(
    counts: Sequence[int], elo0: float, elo1: float, model: Model
) -> None:
    expected = constrained(counts, elo1, model) - constrained(counts, elo0, model)
    assert log_likelihood_ratio(counts, elo0, elo1, model) == pytest.approx(expected, abs=2e-3)


def test_games_all_won_by_hand() -> None:
    """If all of n pairs were won, the likeliest chances let the others be lost: a win has the chance of the score s,
    and the ratio is n · log(s1 / s0). In normalised Elo, that chance solves p - ½ = t · √(p (1 - p))."""
    score = 1 / (1 + 10 ** (-20 / 400))
    assert log_likelihood_ratio((0, 0, 0, 0, 50), 0, 20) == pytest.approx(50 * math.log(2 * score), abs=0.02)
    shift = 5 / NELO * math.sqrt(2)
    chance = 0.5 + shift / 2 / math.sqrt(1 + shift**2)
    assert log_likelihood_ratio((0, 0, 0, 0, 104), 0, 5, "normalised") == pytest.approx(
        104 * math.log(2 * chance), abs=0.02
    )


@pytest.mark.parametrize("model", ["logistic", "normalised"])
@pytest.mark.parametrize("kind", range(5))
def test_pairs_of_one_kind_decide_or_go_on_and_never_fail(kind: int, model: Model) -> None:
    for pairs in (1, 2, 10, 10_000):
        counts = [pairs if kind == other else 0 for other in range(5)]
        result = sprt(counts, elo0=0, elo1=10, model=model)
        assert math.isfinite(result.llr)
        assert result.llr > 0 if kind > 2 else result.llr < 0
    assert result.decision == ("H1" if kind > 2 else "H0")
    assert result.nelo is None


@pytest.mark.parametrize("model", ["logistic", "normalised"])
@settings(max_examples=30)
@given(
    counts=st.lists(st.integers(0, 400), min_size=5, max_size=5), elo0=st.integers(-300, 290), gap=st.integers(1, 50)
)
def test_any_counts(model: Model, counts: list[int], elo0: int, gap: int) -> None:
    """The ratio is finite, and the bots exchanged change its sign."""
    llr = log_likelihood_ratio(counts, elo0, elo0 + gap, model)
    assert math.isfinite(llr)
    assert log_likelihood_ratio(counts[::-1], -elo0 - gap, -elo0, model) == pytest.approx(-llr, abs=1e-3, rel=1e-4)


def test_nothing_played_yet() -> None:
    result = sprt((0, 0, 0, 0, 0), elo0=0, elo1=10)
    assert (result.llr, result.decision, result.elo_95) == (0, "continue", (-math.inf, math.inf))


def test_bounds_and_decisions() -> None:
    running = sprt((10, 12, 30, 16, 14), elo0=0, elo1=10, alpha=0.05, beta=0.1)
    assert running.lower == pytest.approx(math.log(0.1 / 0.95))
    assert running.upper == pytest.approx(math.log(0.9 / 0.05))
    assert (running.decision, running.pairs) == ("continue", 82)
    assert "not decided" in running.note
    won = sprt((10, 12, 30, 40, 60), elo0=0, elo1=30)
    assert won.decision == "H1"
    assert won.llr >= won.upper
    assert "biased" in won.note
    assert sprt((60, 40, 30, 12, 10), elo0=0, elo1=30).decision == "H0"


def test_the_interval_of_the_estimate() -> None:
    """With many pairs it is the score plus or minus 1.96 errors; with few it stays in range."""
    counts = (1000, 2000, 4000, 2500, 1200)
    pairs = sum(counts)
    mean = sum(count * score for count, score in zip(counts, PAIR_SCORES, strict=True)) / pairs
    error = math.sqrt(np.cov(SCORES, fweights=counts) / pairs)
    elo, (low, high) = estimated_elo(counts)
    assert elo == pytest.approx(400 * math.log10(mean / (1 - mean)))
    for bound, sign in ((low, -1), (high, 1)):
        assert 1 / (1 + 10 ** (-bound / 400)) == pytest.approx(mean + sign * 1.96 * error, abs=2e-5)
    # Ten losses leave a score of up to 1 - exp(-1.92 / 10) = 0.175.
    elo, (low, high) = estimated_elo((10, 0, 0, 0, 0))
    assert (elo, low) == (-math.inf, -math.inf)
    assert 1 / (1 + 10 ** (-high / 400)) == pytest.approx(1 - math.exp(-0.192073), abs=1e-3)


@pytest.mark.parametrize(
    ("options", "id", "params"),
    [
        ({"elo0": 10, "elo1": 0}, "sprt.elo", {"elo0": 10, "elo1": 0}),
        ({"elo0": 0, "elo1": math.nan}, "given.number", {"name": "elo1", "given": "nan"}),
        ({"elo0": 0, "elo1": 10, "alpha": 0}, "sprt.errors", {"alpha": 0, "beta": 0.05}),
        ({"elo0": 0, "elo1": 10, "alpha": 0.6, "beta": 0.5}, "sprt.errors", {"alpha": 0.6, "beta": 0.5}),
        ({"elo0": 0, "elo1": 10, "model": "normalized"}, "did_you_mean", {"choice": "normalised"}),
    ],
)
def test_bad_settings_are_refused(options: dict[str, float], id: str, params: dict[str, object]) -> None:
    with refuses(id, **params):
        sprt((0, 0, 0, 0, 0), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("counts", [(1, 2, 3), (0, 0, -1, 0, 0)])
def test_bad_counts_are_refused(counts: Sequence[int]) -> None:
    with refuses("sprt.counts", counts=str(counts)):
        sprt(counts, elo0=0, elo1=10)


def chances_at(elo: float, spread: Sequence[float]) -> np.ndarray:
    """Chances like `spread`, tilted so that this Elo difference is true."""
    score = 1 / (1 + 10 ** (-elo / 400))
    low, high = -50.0, 50.0
    for _ in range(60):
        tilt = (low + high) / 2
        chances = np.array(spread) * np.exp(tilt * SCORES)
        chances /= chances.sum()
        low, high = (tilt, high) if chances @ SCORES < score else (low, tilt)
    return chances


def decisions(chances: np.ndarray, elo1: float, most: int) -> dict[str, float]:
    """The exact chance of each decision of a test of 0 against `elo1`, judged after every pair.

    All reachable counts are followed with their chance; those below 1e-7 are left out and so counted as undecided.
    """
    found = {"H0": 0.0, "H1": 0.0}
    running: dict[tuple[int, ...], float] = {(0,) * 5: 1.0}
    for _ in range(most):
        after: dict[tuple[int, ...], float] = {}
        for (counts, chance), kind in itertools.product(running.items(), range(5)):
            if chance * chances[kind] > 1e-7:
                more = tuple(count + (kind == other) for other, count in enumerate(counts))
                after[more] = after.get(more, 0) + chance * chances[kind]
        running = {}
        for counts, chance in after.items():
            llr = log_likelihood_ratio(counts, 0, elo1)
            if abs(llr) < BOUND:
                running[counts] = chance
            else:
                found["H1" if llr > 0 else "H0"] += chance
    return {**found, "undecided": 1 - sum(found.values())}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("elo1", "spread", "truth", "wrong"),
    [
        (150, (0.25, 0, 0.5, 0, 0.25), "H0", 0.043),
        (150, (0.25, 0, 0.5, 0, 0.25), "H1", 0.047),
        # Few pairs differ, so their spread is badly known, and one error is above the 5 % that the bounds are made for.
        (100, (0.1, 0, 0.8, 0, 0.1), "H0", 0.023),
        (100, (0.1, 0, 0.8, 0, 0.1), "H1", 0.057),
    ],
)
def test_error_rates(elo1: float, spread: Sequence[float], truth: str, wrong: float) -> None:
    """A pair is worth 0, ½ or 1; all ways that the test can go are followed, so this is no simulation. The figures are
    those of docs/ratings.md."""
    found = decisions(chances_at(elo1 if truth == "H1" else 0, spread), elo1, most=240)
    assert found["undecided"] < 0.001
    assert found["H0" if truth == "H1" else "H1"] == pytest.approx(wrong, abs=0.001)
