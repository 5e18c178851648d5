"""Verdicts follow from intervals, by rules that say so."""

import math
import random
from statistics import fmean

import pytest

from palabre.study.judging import (
    Estimate,
    Verdict,
    above,
    all_of,
    below,
    difference_estimate,
    fact,
    mean_estimate,
    ratio_estimate,
    share_estimate,
)


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(0.51, 0.6, "confirmed"), (0.4, 0.49, "refuted"), (0.49, 0.6, "undecided"), (0.5, 0.6, "undecided")],
)
def test_the_whole_interval_decides(low: float, high: float, verdict: Verdict) -> None:
    finding = above("the score", Estimate((low + high) / 2, low, high, 100))
    assert finding.verdict == verdict
    assert [figure.rule for figure in finding.figures] == ["above 50.0 %"]
    mirrored = below("the score", Estimate(1 - (low + high) / 2, 1 - high, 1 - low, 100))
    assert mirrored.verdict == verdict


def test_sentences_have_the_figures_in_their_unit() -> None:
    finding = above("the ratio", ratio_estimate([2.0, 2.2, 1.8]), 1.0)
    assert finding.verdict == "confirmed"
    assert finding.why.startswith("The ratio is 1.99 × (")
    assert finding.why.endswith("all of it is above 1.00 ×.")


def test_a_claim_of_several_parts_holds_if_all_do() -> None:
    yes, no = (fact(is_so, "", "", "") for is_so in (True, False))
    perhaps = above("it", Estimate(0.5, 0.4, 0.6, 9))
    assert all_of([yes, yes]).verdict == "confirmed"
    assert all_of([yes, perhaps]).verdict == "undecided"
    assert all_of([yes, perhaps, no]).verdict == "refuted"


def test_intervals_cover_the_truth() -> None:
    dice = random.Random(7)
    trials = 400
    hits = dict.fromkeys(("share", "difference", "mean", "ratio"), 0)
    for _ in range(trials):
        shares = [dice.choice((0.0, 0.5, 0.5, 1.0, 1.0)) for _ in range(80)]
        hits["share"] += _covers(share_estimate(shares), 0.6)
        hits["difference"] += _covers(difference_estimate([2 * share - 1 for share in shares]), 0.2)
        numbers = [dice.gauss(3, 1) for _ in range(80)]
        hits["mean"] += _covers(mean_estimate(numbers), 3)
        hits["ratio"] += _covers(ratio_estimate([math.exp(number) for number in numbers]), math.exp(3))
    assert all(0.91 < count / trials < 0.98 for count in hits.values()), hits


def test_one_sample_leaves_everything_open() -> None:
    assert mean_estimate([2.0]).high == math.inf
    assert share_estimate([1.0]).low < 0.05
    assert above("it", ratio_estimate([5.0]), 1.0).verdict == "undecided"


def _covers(estimate: Estimate, truth: float) -> bool:
    assert math.isclose(estimate.value, fmean((estimate.value, estimate.value)))
    return estimate.low <= truth <= estimate.high
