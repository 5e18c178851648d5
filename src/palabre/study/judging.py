"""Judging claims: a number with its 95 % interval, a rule, and the verdict that follows. No verdict is written by hand.

The rules look at the interval alone, so that a claim that chance explains as well is `undecided`, and not `confirmed`.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from palabre.arena.result import interval_95, standard_error, student_95

FEWEST = 3  # values of any size whose spread bounds their mean

Verdict = Literal["confirmed", "refuted", "undecided"]


@dataclass(frozen=True)
class Estimate:
    """A number that was measured, and its 95 % interval."""

    value: float
    low: float
    high: float
    samples: int  # independent ones: openings, positions, …
    unit: str = "%"  # shares are shown in per cent

    def shown(self, number: float) -> str:
        """A number in the unit of this one, without the unit."""
        return f"{100 * number:.1f}" if self.unit == "%" else f"{number:.2f}"

    def __str__(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        return f"{self.shown(self.value)}{unit} ({self.shown(self.low)} to {self.shown(self.high)})"


@dataclass(frozen=True)
class Figure:
    """One thing that a claim is judged by."""

    what: str  # what was measured, or, without an estimate, the finding as a whole sentence
    rule: str  # what confirms the claim, in short: "above 50.0 %", "there is no exception"
    estimate: Estimate | None = None
    bound: float | None = None  # what the estimate is compared with


@dataclass(frozen=True)
class Finding:
    """The verdict of a rule on a claim."""

    verdict: Verdict
    measured: str  # the figures, in short
    why: str  # whole sentences
    figures: tuple[Figure, ...]


def share_estimate(shares: Sequence[float]) -> Estimate:
    """The mean of independent shares between 0 and 1, at least one."""
    mean = statistics.fmean(shares)
    low, high = interval_95(mean, shares)
    return Estimate(mean, low, high, len(shares))


def difference_estimate(differences: Sequence[float]) -> Estimate:
    """The mean of independent differences of shares, between -1 and 1, at least one."""
    half = share_estimate([(1 + difference) / 2 for difference in differences])
    return Estimate(2 * half.value - 1, 2 * half.low - 1, 2 * half.high - 1, half.samples)


def ratio_estimate(ratios: Sequence[float]) -> Estimate:
    """The geometric mean of independent ratios, all positive, at least one."""
    logs = [math.log(ratio) for ratio in ratios]
    mean, margin = statistics.fmean(logs), _margin_95(logs)
    low, high = math.exp(mean - margin), math.exp(mean + margin) if margin < math.inf else math.inf
    return Estimate(math.exp(mean), low, high, len(ratios), unit="×")


def mean_estimate(values: Sequence[float], unit: str = "") -> Estimate:
    """The mean of independent numbers of any size, at least one."""
    mean, margin = statistics.fmean(values), _margin_95(values)
    return Estimate(mean, mean - margin, mean + margin, len(values), unit)


def _margin_95(values: Sequence[float]) -> float:
    """Half the width of the 95 % interval of a mean; infinite where there are too few values to see their spread."""
    error = standard_error(values)
    return math.inf if error is None or len(values) < FEWEST else student_95(len(values) - 1) * error


def above(what: str, estimate: Estimate, bound: float = 0.5) -> Finding:
    """Judge the claim that a number is above a bound: its whole interval decides."""
    return _compared(what, estimate, bound, "above", "below")


def below(what: str, estimate: Estimate, bound: float = 0.5) -> Finding:
    """Judge the claim that a number is below a bound: its whole interval decides."""
    return _compared(what, estimate, bound, "below", "above")


def _compared(what: str, estimate: Estimate, bound: float, side: str, other: str) -> Finding:
    """Judge the claim that a number is on one side of a bound; the whole interval on the other side refutes it."""
    sign = 1 if side == "above" else -1
    nearest, farthest = sorted((sign * estimate.low, sign * estimate.high))
    limit = f"{estimate.shown(bound)}{f' {estimate.unit}' if estimate.unit else ''}"
    verdict: Verdict = "undecided"
    if nearest > sign * bound:
        verdict, why = "confirmed", f"all of it is {side} {limit}"
    elif farthest < sign * bound:
        verdict, why = "refuted", f"all of it is {other} {limit}"
    else:
        why = f"{limit} is in it"
    sentence = f"{what[:1].upper()}{what[1:]} is {estimate}: {why}."
    return Finding(verdict, str(estimate), sentence, (Figure(what, f"{side} {limit}", estimate, bound),))


def fact(is_so: bool, measured: str, why: str, rule: str) -> Finding:
    """Judge a claim about something that has no error bar: a fixed game, a count, a proof.

    `why` is a whole sentence; `rule` completes "Confirmed if …".
    """
    return Finding("confirmed" if is_so else "refuted", measured, why, (Figure(why, rule),))


def all_of(findings: Sequence[Finding]) -> Finding:
    """Judge a claim that has several parts: it holds if all of them do."""
    verdicts = {finding.verdict for finding in findings}
    verdict: Verdict = "refuted" if "refuted" in verdicts else "undecided" if "undecided" in verdicts else "confirmed"
    return Finding(
        verdict,
        "; ".join(finding.measured for finding in findings),
        " ".join(finding.why for finding in findings),
        tuple(figure for finding in findings for figure in finding.figures),
    )
