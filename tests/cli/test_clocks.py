"""Clocks as people write them: for all bots, or for each."""

import pytest

import palabre
from palabre.cli.clocks import read_clock, read_clocks
from palabre.core.errors import PalabreError
from palabre.search.clock import Clock

AWELE = palabre.game("awele")


@pytest.mark.parametrize(
    ("text", "remaining", "increment"), [("15:00", 900, 0), ("3:00+2", 180, 2), ("0:30+0.5", 30, 0.5), ("45", 45, 0)]
)
def test_a_clock_is_minutes_seconds_and_an_increment(text: str, remaining: float, increment: float) -> None:
    assert read_clock(AWELE, None, text) == Clock(remaining=remaining, increment=increment)
    assert read_clock(AWELE, 0.5, text) == Clock(per_move=0.5, remaining=remaining, increment=increment)


def test_the_usual_clock_is_that_of_the_rules() -> None:
    abalone = palabre.game("abalone")
    usual = abalone.facts.presets[abalone.options.preset].clock
    assert usual is not None
    assert read_clock(abalone, None, "usual").remaining == usual
    with pytest.raises(PalabreError):
        read_clock(AWELE, None, "usual")


@pytest.mark.parametrize("text", ["soon", "3:75", "0", "0:00", "1:00:00", "-1:00", "100000"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(PalabreError):
        read_clock(AWELE, None, text)


def test_one_time_is_for_all_bots_and_several_are_for_each() -> None:
    assert read_clocks(AWELE, 3, "0.5", None) == [Clock(per_move=0.5)] * 3
    each = [Clock(per_move=0.5, remaining=60), Clock(per_move=2, remaining=300)]
    assert read_clocks(AWELE, 2, "0.5,2", "1:00, 5:00") == each


@pytest.mark.parametrize("times", ["0.5,2", "1,1,1,1"])
def test_as_many_times_as_bots_are_needed(times: str) -> None:
    with pytest.raises(PalabreError):
        read_clocks(AWELE, 3, times, None)
