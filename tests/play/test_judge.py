"""The judge: what follows from what was measured. Figures decide, and no machine has to be slow."""

import pytest

import palabre
from palabre.play.failures import Forfeit, Limits, Turn
from palabre.play.judge import (
    GRACE,
    SPARE,
    Conduct,
    MoveTime,
    clock_after,
    late,
    late_by,
    play,
)
from palabre.search.clock import Clock
from tests.messages import holds, refuses

START = palabre.game("awele").start()


def test_a_legal_move_is_played_and_no_other() -> None:
    assert play(START, "C") == START.play("C")
    with refuses("forfeit.illegal") as caught:
        play(START, "Z")
    assert isinstance(caught.value, Forfeit)


@pytest.mark.parametrize(
    ("clock", "seconds", "by"),
    [
        (Clock(), 1e9, 0.0),
        (Clock(per_move=1.0), 1.0 + GRACE, 0.0),
        (Clock(per_move=1.0), 1.5 + GRACE, 0.5),
        (Clock(remaining=1.0), 1.0, 0.0),
        (Clock(remaining=1.0), 1.25, 0.25),  # nothing is forgiven where the next moves can make up for it
        (Clock(per_move=1.0, remaining=0.5), 1.0, 0.5),
        (Clock(per_move=1.0, remaining=9.0), 1.5 + GRACE, 0.5),
    ],
)
def test_by_how_much_an_answer_is_late(clock: Clock, seconds: float, by: float) -> None:
    assert late_by(clock, seconds) == pytest.approx(by)


def test_the_reason_names_the_limit_that_was_broken_and_waiting_is_an_excuse() -> None:
    forfeit = late(Clock(per_move=1.0), Turn(wall=2.0))
    holds(forfeit.message, "forfeit.late_for_move", seconds=2.0, allowed=1.0)
    assert not forfeit.machine_late
    holds(late(Clock(per_move=3.0, remaining=1.0), Turn(wall=2.0)).message, "forfeit.late", seconds=2.0, left=1.0)
    assert late(Clock(per_move=1.0), Turn(wall=2.0, waited=1.0)).machine_late
    assert not late(Clock(remaining=1.0), Turn(wall=2.0, waited=0.9)).machine_late


def test_a_bot_that_can_be_interrupted_is_waited_for_a_little_longer() -> None:
    limits = Limits(grace=0.5, patience=60.0)
    assert MoveTime.of(Clock(), limits) == (None, 60.0)
    assert MoveTime.of(Clock(per_move=1.0), limits) == (1.0, 1.0 + GRACE + 0.5)
    time = MoveTime.of(Clock(per_move=2.0, remaining=1.0), limits)
    assert tuple(time) == (1.0, 1.0 + GRACE + 0.5)
    assert not time.is_over(Turn(wall=time.patience))
    assert time.is_over(Turn(wall=time.patience + 0.01))
    assert not MoveTime.of(Clock(), limits).is_over(Turn(wall=1e9))
    holds(time.reason(Turn(wall=2.0), has_answered=True), "forfeit.late_for_move", seconds=2.0, allowed=1.0)
    holds(time.reason(Turn(wall=2.0), has_answered=False), "forfeit.no_answer_in_time", seconds=2.0, allowed=1.0)
    holds(MoveTime.of(Clock(), limits).reason(Turn(wall=61.0), has_answered=False), "forfeit.no_answer", seconds=61.0)
    assert not MoveTime.of(Clock(), limits).is_excused(Turn(wall=61.0, stalled=61.0))


def test_a_time_bank_gets_its_increment_and_is_never_negative() -> None:
    assert clock_after(Clock(remaining=5.0, increment=1.0), 2.0).remaining == 4.0
    assert clock_after(Clock(remaining=1.0, increment=1.0), 2.0).remaining == 1.0
    assert clock_after(Clock(per_move=1.0), 9.0) == Clock(per_move=1.0)


def test_what_counts_as_a_strike() -> None:
    conduct = Conduct(Limits(cores=1.0, strikes=3))
    assert conduct.judge(Turn(wall=1.0, cpu=1.0, between=SPARE)) is None
    assert conduct.last is None
    for turn, id in (
        (Turn(between=SPARE + 0.01), "forfeit.between_turns"),
        (Turn(has_stirred=True), "forfeit.stirred"),
        (Turn(wall=1.0, cpu=1.2), "forfeit.too_many_cores"),
    ):
        assert conduct.judge(turn) is None
        assert conduct.last is not None
        holds(conduct.last, id)


def test_the_strike_after_the_last_one_costs_the_game() -> None:
    conduct, guilty = Conduct(Limits(strikes=2)), Turn(wall=1.0, cpu=2.0)
    assert conduct.judge(guilty) is None
    assert conduct.judge(Turn(wall=1.0, cpu=1.0)) is None
    assert conduct.last is None
    assert conduct.judge(guilty) is None
    assert conduct.last is not None
    reason = conduct.judge(guilty)
    assert reason is not None
    holds(reason, "forfeit.processor", strike=conduct.last)
