"""Functions that are called later, and no trace of those that are not."""

import threading

from palabre.workers.timers import SLACK, Timers
from tests.command import PATIENCE

AGES = 100 * PATIENCE


def test_one_that_is_set_later_may_be_called_earlier() -> None:
    timers, done = Timers(), threading.Event()
    timers.set("late", AGES, lambda: None)
    timers.set("soon", 0.0, done.set)
    assert done.wait(PATIENCE)
    timers.clear()


def test_setting_one_again_replaces_it() -> None:
    timers, called, done = Timers(), list[int](), threading.Event()
    timers.set("again", AGES, lambda: called.append(1))
    timers.set("again", 0.0, done.set)
    assert done.wait(PATIENCE)
    timers.clear()
    assert called == []


def test_those_that_do_not_count_any_more_are_not_kept() -> None:
    timers = Timers()
    for number in range(10 * SLACK):
        timers.set("again", AGES, lambda: None)
        timers.set(number, AGES, lambda: None)
        timers.cancel(number)
    assert len(timers._heap) <= SLACK + 4
    timers.clear()
