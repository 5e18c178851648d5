"""The pool, with workers that do only what a test says: who gets what, and what happens when workers end."""

from collections import deque
from typing import Any

import pytest

from palabre.core.errors import PalabreError
from palabre.workers import pool as pools
from palabre.workers.job import LOW, PARTS, Job, Lane, Machine, OnLine, Recruiter
from palabre.workers.messages import (
    Began,
    Exit,
    Failed,
    FromWorker,
    Order,
    Preparing,
    Ready,
    Result,
    Stop,
    Task,
    TaskFailed,
    to_raw,
    to_worker,
)
from palabre.workers.messages import to_line as line_of
from palabre.workers.pool import Pool
from palabre.workers.timers import Timers
from tests.messages import refuses


class Double(Task[int], frozen=True):
    """Twice a number."""

    RESULT = int

    number: int

    def accepts(self, result: int) -> bool:
        return result == 2 * self.number


class Tenfold(Double, frozen=True):
    """Twice a number, or after a slice, twice ten times the result."""

    YIELDS = True

    def rest(self, result: int, seconds: float) -> Double:
        return Double(10 * result)


class Hurried(Double, frozen=True):
    """Twice a number; what stands in for it is told whether it was stopped."""

    def stand_in(self, *, is_stopped: bool) -> "Hurried":
        return Hurried(self.number + 100 * is_stopped)

    def accepts(self, result: int) -> bool:
        return True


class Hand:
    """A worker in the hand of a test."""

    pid = None

    def __init__(self, on_line: OnLine) -> None:
        self.on_line = on_line
        self.orders: deque[Order] = deque()
        self.stopped: list[int] = []
        self.is_ended = False

    def send(self, line: bytes) -> None:
        message = to_worker.decode(line)
        if isinstance(message, Stop):
            self.stopped.append(message.number)
        else:
            self.orders.append(message)

    def end(self) -> None:
        self.is_ended = True

    kill = end

    def close(self, patience: float = 0.0) -> None:
        self.is_ended = True

    def exit_report(self) -> Exit:
        return Exit("it was told to", 3, ("the end",))

    def say(self, message: FromWorker) -> None:
        self.on_line(line_of(message).rstrip())

    def do(self, wrong: int = 0) -> int:
        """Do the next order, perhaps wrongly; its number."""
        order = self.orders.popleft()
        number = int(bytes(order.task).split(b'"number":')[1].rstrip(b"}"))
        self.say(Result(order.number, to_raw(2 * number + wrong), 0.25))
        return number

    def die(self) -> None:
        self.on_line(None)


class Hands:
    """A crew of such workers on one machine."""

    def __init__(self, count: int = 1) -> None:
        self.machine = Machine("here", count)
        self.started: list[Hand] = []

    @property
    def capacity(self) -> int:
        return self.machine.capacity

    def open(self, pool: Recruiter, lane: Lane) -> None:
        self._pool, self._lane = pool, lane

    def start(self, count: int) -> None:
        for _ in range(count):
            self._pool.add(self._lane, self.machine, self._connect)

    def _connect(self, on_line: OnLine) -> Hand:
        self.started.append(Hand(on_line))
        return self.started[-1]

    def give_up(self, machine: Machine, exit: Exit) -> None:
        raise PalabreError(f"nobody works here: {exit}")

    def close(self) -> None:
        pass


def opened(count: int = 1, **options: Any) -> tuple[Pool, Lane, Hands]:
    crew = Hands(count)
    lane = Lane(crew, **options)
    return Pool(lane), lane, crew


def ask(pool: Pool, lane: Lane, *numbers: int, owner: str = "") -> list[Job[int]]:
    return [pool.submit(lane, Double(number), owner=owner) for number in numbers]


def test_a_job_is_done_and_its_worker_does_the_next() -> None:
    pool, lane, crew = opened()
    first, second = ask(pool, lane, 1, 2)
    [hand] = crew.started
    assert len(hand.orders) == 1  # one at a time
    hand.do()
    assert first.result(0) == 2
    assert first.processor_seconds == 0.25
    hand.do()
    assert second.result(0) == 4
    assert not lane.jobs


def test_owners_take_turns() -> None:
    pool, lane, crew = opened()
    for owner, numbers in (("a", (1, 2, 3)), ("b", (11,)), ("c", (21, 22))):
        ask(pool, lane, *numbers, owner=owner)
    [hand] = crew.started
    assert [hand.do() for _ in range(6)] == [1, 2, 11, 21, 3, 22]  # the first was given before anybody else came


def test_as_many_workers_start_as_there_is_work_for() -> None:
    pool, lane, crew = opened(3)
    ask(pool, lane, 1, 2)
    assert len(crew.started) == 2
    ask(pool, lane, 3, 4, 5)
    assert len(crew.started) == 3


def test_workers_are_given_jobs_ahead_once_it_is_known_how_long_one_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Lane, "job_seconds", 0.01)
    pool, lane, crew = opened(ahead=0.5)
    ask(pool, lane, *range(100))
    [hand] = crew.started
    assert len(hand.orders) == 1 + round(LOW / 0.01)
    hand.do()
    assert len(hand.orders) == 10 + 89 // PARTS  # a part, for others may come
    monkeypatch.setattr(Lane, "job_seconds", 1.0)
    before = len(hand.orders)
    assert [hand.do() for _ in range(before)] == list(range(1, before + 1))
    assert len(hand.orders) == 1


def test_what_an_owner_may_ask_for_is_bounded() -> None:
    pool, lane, _ = opened(most_jobs=2)
    *_, third = ask(pool, lane, 1, 2, 3, owner="a")
    with refuses("task.greedy", most=2):
        third.result(0)
    [other] = ask(pool, lane, 4, owner="b")
    assert not other.is_done


def test_a_worker_that_dies_is_replaced_and_at_its_third_death_the_job_is_to_blame() -> None:
    pool, lane, crew = opened()
    deadly, other = ask(pool, lane, 1, 2)
    for death in range(1, 4):
        hand = crew.started[-1]
        hand.say(Ready())
        hand.die()
        assert deadly.deaths == death
    with refuses("task.died") as caught:
        deadly.result(0)
    assert isinstance(caught.value, TaskFailed)
    assert caught.value.exit == Exit("it was told to", 3, ("the end",))
    crew.started[-1].do()
    assert other.result(0) == 4


def test_jobs_that_were_given_ahead_are_not_to_blame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Lane, "job_seconds", 0.01)
    pool, lane, crew = opened(ahead=0.5)
    jobs = ask(pool, lane, *range(20))
    crew.started[0].say(Ready())
    crew.started[0].do()
    given = [order.number for order in crew.started[0].orders]
    assert len(given) > 1
    crew.started[0].die()
    assert [job.deaths for job in jobs if job.number in given] == [1] + [0] * (len(given) - 1)
    hand = crew.started[-1]
    assert hand.orders[0].number == given[0]
    while hand.orders:
        hand.do()
    assert all(job.is_done for job in jobs)


def test_workers_that_never_get_ready_blame_no_job() -> None:
    pool, lane, crew = opened()
    [job] = ask(pool, lane, 1)
    for _ in range(pools.MOST_FAILED_STARTS):
        assert not job.is_done
        crew.started[-1].die()
    assert job.deaths == 0
    with pytest.raises(PalabreError, match="nobody works here"):
        job.result(0)


@pytest.mark.parametrize("lie", ["garbage", "another number", "another result"])
def test_a_worker_that_sends_what_nobody_asked_for_is_not_believed_any_more(lie: str) -> None:
    pool, lane, crew = opened()
    [job] = ask(pool, lane, 1)
    liar = crew.started[0]
    liar.say(Ready())
    if lie == "garbage":
        liar.on_line(b"{}")
    elif lie == "another number":
        liar.say(Result(77, to_raw(2), 0.0))
    else:
        liar.do(wrong=1)
    assert liar.is_ended
    assert not job.is_done
    liar.say(Result(job.number, to_raw(2), 0.0))  # too late
    assert not job.is_done
    crew.started[1].do()
    assert job.result(0) == 2


def test_a_job_is_stopped_whether_it_has_begun_or_waits() -> None:
    pool, lane, crew = opened()
    first, second = ask(pool, lane, 1, 2)
    first.stop()
    second.stop()
    [hand] = crew.started
    assert hand.stopped == [first.number]
    hand.do()
    assert hand.stopped == [first.number, second.number]


def test_a_job_that_is_cancelled_while_it_waits_is_never_given() -> None:
    pool, lane, crew = opened(most_jobs=2)
    _, second = ask(pool, lane, 1, 2)
    second.cancel()
    [third] = ask(pool, lane, 3)  # there is room again
    assert [crew.started[0].do(), crew.started[0].do()] == [1, 3]
    assert third.result(0) == 6


def test_jobs_that_wait_can_be_taken_back() -> None:
    pool, lane, crew = opened()
    jobs = ask(pool, lane, 1, 2, 3)
    assert pool.withdraw(lane) == jobs[:0:-1]
    crew.started[0].do()
    assert not crew.started[0].orders


def test_a_long_job_yields_to_others_and_goes_on_with_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    ends: list[Any] = []
    monkeypatch.setattr(Timers, "set", lambda self, key, seconds, function: ends.append((key[1], function)))
    pool, lane, crew = opened(slices=1.0)
    long = pool.submit(lane, Tenfold(1), owner="a")
    [hand] = crew.started
    hand.say(Began(long.number))
    [(kind, end_slice)] = ends
    assert kind == "slice"
    end_slice()
    assert not hand.stopped  # nobody waits
    [short] = ask(pool, lane, 5, owner="b")
    ends[-1][1]()
    assert hand.stopped == [long.number]
    hand.do()
    assert not long.is_done
    assert [hand.do(), hand.do()] == [5, 20]
    assert (short.result(0), long.result(0)) == (10, 40)


def opened_with_stand_in() -> tuple[Pool, Lane, Hands, Hands]:
    crew, plain = Hands(), Hands()
    stand_in = Lane(plain)
    lane = Lane(crew, stand_in=stand_in)
    return Pool(lane, stand_in), lane, crew, plain


def test_what_a_compiler_holds_up_is_done_in_another_lane() -> None:
    pool, lane, crew, plain = opened_with_stand_in()
    heard: list[Preparing] = []
    first, second = (pool.submit(lane, Hurried(number), on_preparing=heard.append) for number in (1, 2))
    assert not plain.started
    crew.started[0].say(Preparing(first.number, 0.5))
    assert len(heard) == 2  # for the one that waits, too
    [hand] = plain.started
    hand.do()
    hand.do()
    assert (first.result(0), second.result(0)) == (2, 4)
    assert crew.started[0].stopped == [first.number]  # and it goes on compiling
    assert not len(lane)
    crew.started[0].say(Preparing(first.number, 0.75))
    assert len(heard) == 2
    third = pool.submit(lane, Hurried(3))
    hand.do()
    assert third.result(0) == 6


def test_a_stand_in_that_has_nothing_is_asked_again_when_the_job_is_stopped() -> None:
    pool, lane, crew, plain = opened_with_stand_in()
    job = pool.submit(lane, Hurried(1))
    crew.started[0].say(Preparing(job.number, 0.0))
    [hand] = plain.started
    assert job.stand_in is not None
    hand.orders.clear()
    hand.say(Failed(job.stand_in.number, "task.stopped"))
    crew.started[0].say(Preparing(job.number, 0.5))
    assert not hand.orders  # the same would be of no use
    job.stop()
    hand.do()
    assert job.result(0) == 202


def test_a_stand_in_is_cancelled_with_its_job_and_when_that_is_done() -> None:
    pool, lane, crew, plain = opened_with_stand_in()
    cancelled = pool.submit(lane, Hurried(1))
    crew.started[0].say(Preparing(cancelled.number, 0.0))
    cancelled.cancel()
    done = pool.submit(lane, Hurried(2))
    sent = [cancelled.stand_in, done.stand_in]
    crew.started[0].do()
    crew.started[0].do()
    assert done.result(0) == 4
    assert [job is not None and job.future.cancelled() for job in sent] == [True, True]
    assert len(plain.started) == 1


def test_a_worker_that_does_not_answer_in_time_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    timers: list[tuple[str, float, Any]] = []
    monkeypatch.setattr(Timers, "set", lambda self, key, seconds, function: timers.append((key[1], seconds, function)))
    pool, lane, crew = opened(preparation=60.0)
    job = pool.submit(lane, Double(1), seconds=2.0)
    crew.started[0].say(Began(job.number))
    assert [timer[:2] for timer in timers] == [("late", 60.0), ("late", 2.0 + pools.GRACE)]
    timers[-1][2]()
    assert crew.started[0].is_ended
    with refuses("task.late"):
        job.result(0)


def test_when_the_pool_ends_what_is_left_has_failed() -> None:
    pool, lane, crew = opened()
    jobs = ask(pool, lane, 1, 2)
    pool.close()
    for job in [*jobs, *ask(pool, lane, 3)]:
        with refuses("task.closed"):
            job.result(0)
    assert all(hand.is_ended for hand in crew.started)
