"""Buckets, quotas and outboxes: what is too much is refused, and nothing piles up."""

import asyncio

import pytest

from palabre.web.rates import FORGET_AT, Outbox, Quota, RateLimit
from palabre.web.refusal import Refused
from tests.command import PATIENCE
from tests.messages import refuses


class Clock:
    """A clock that a test sets."""

    now = 1_000.0

    def __call__(self) -> float:
        return self.now


def takes(limit: RateLimit, key: str) -> int:
    """How many tokens a key gets before it is refused."""
    for taken in range(10_000):
        try:
            limit.take(key)
        except Refused:
            return taken
    raise AssertionError("it is never refused")


def test_a_bucket_holds_a_burst_and_fills_again() -> None:
    clock = Clock()
    limit = RateLimit("too_fast", per_second=2, burst=10, clock=clock)
    assert takes(limit, "one") == 10
    with refuses("refusal.too_fast"):
        limit.take("one")
    assert takes(limit, "one") == 0  # being refused costs nothing, and gains nothing
    clock.now += 1.5
    assert takes(limit, "one") == 3
    assert takes(limit, "two") == 10  # each has their own
    clock.now += 1_000
    assert takes(limit, "one") == 10


def test_those_who_do_not_ask_any_more_are_forgotten() -> None:
    clock = Clock()
    limit = RateLimit("too_fast", per_second=1, burst=2, clock=clock)
    for number in range(20 * FORGET_AT):
        clock.now += 0.01
        limit.take(number)
    assert len(limit._full_at) <= FORGET_AT
    assert takes(limit, "new") == 2


def test_a_quota_is_for_each_and_for_all_and_is_given_back() -> None:
    quota = Quota("too_many_pages", each=2, total=3)
    with quota.hold("one"):
        with quota.hold("one"):
            with pytest.raises(Refused), quota.hold("one"):
                pass
            with quota.hold("two"), pytest.raises(Refused), quota.hold("three"):
                pass
            with pytest.raises(ZeroDivisionError), quota.hold("two"):
                raise ZeroDivisionError
        with quota.hold("one"), quota.hold("two"):
            pass
    assert not quota._held


def test_an_outbox_sends_in_order_and_what_waits_when_it_is_closed() -> None:
    sent: list[bytes] = []

    async def scenario() -> bool:
        async def send(message: bytes) -> None:
            await asyncio.sleep(0)
            sent.append(message)

        outbox = Outbox(send)
        outbox.put(b"1")
        run = asyncio.create_task(outbox.run())
        while not sent:
            await asyncio.sleep(0)
        outbox.put(b"2")
        outbox.put(b"3")
        outbox.close()
        outbox.put(b"too late")
        return await run

    assert asyncio.run(scenario())
    assert sent == [b"1", b"2", b"3"]


@pytest.mark.parametrize(("messages", "size"), [(11, 1), (3, 400)])
def test_a_browser_that_does_not_read_is_given_up(messages: int, size: int) -> None:
    async def scenario() -> bool:
        async def never(message: bytes) -> None:
            await asyncio.Event().wait()

        outbox = Outbox(never, most_messages=10, most_bytes=1_000)
        run = asyncio.create_task(outbox.run())
        await asyncio.sleep(0)
        for _ in range(messages + 1):  # the first is on its way
            outbox.put(b"x" * size)
            await asyncio.sleep(0)
        return await asyncio.wait_for(run, PATIENCE)

    assert not asyncio.run(scenario())


def test_what_fails_in_sending_and_a_task_that_is_cancelled_end_it() -> None:
    async def broken(message: bytes) -> None:
        raise ConnectionResetError

    async def scenario() -> None:
        outbox = Outbox(broken)
        outbox.put(b"x")
        with pytest.raises(ConnectionResetError):
            await outbox.run()
        waiting = Outbox(broken)
        run = asyncio.create_task(waiting.run())
        await asyncio.sleep(0)
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run

    asyncio.run(scenario())
