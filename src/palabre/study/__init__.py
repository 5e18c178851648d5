"""Claims and how to test them: bots meet until scores are precise, functions measure, and rules judge by intervals.

    from palabre import study

An `Experiment` has steps and claims. `run` plays and measures what is missing, keeps it in a folder, and returns
`Results`, by which each claim is judged: `claim.judge(results)`. docs/researcher.md has an example.
"""

from palabre.arena.store import machine_facts
from palabre.study.experiment import Claim, Experiment, Games, Measurement
from palabre.study.judging import (
    Estimate,
    Figure,
    Finding,
    above,
    all_of,
    below,
    difference_estimate,
    fact,
    mean_estimate,
    ratio_estimate,
    share_estimate,
)
from palabre.study.results import Results, mean_share
from palabre.study.run import run

__all__ = [
    "Claim",
    "Estimate",
    "Experiment",
    "Figure",
    "Finding",
    "Games",
    "Measurement",
    "Results",
    "above",
    "all_of",
    "below",
    "difference_estimate",
    "fact",
    "machine_facts",
    "mean_estimate",
    "mean_share",
    "ratio_estimate",
    "run",
    "share_estimate",
]
