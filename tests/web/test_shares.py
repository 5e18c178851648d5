"""What one browser may have: the rates and quotas that the documents promise, where requests come in."""

import contextlib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from palabre.web.rates import (
    MOST_WAITING,
    STRANGERS_BURST,
    STRANGERS_SHARE,
    WORK_BURST,
    WORK_SHARE,
    BrowserLimits,
    RateLimit,
)
from tests.web.test_rooms import Here, run

PLACE = {"game": "awele", "moves": ["C", "d"]}


def held(limit: RateLimit) -> RateLimit:
    """The same limit; no time passes, so that nothing comes back."""
    return RateLimit(limit._refusal, per_second=limit._per_second, burst=limit.burst, clock=lambda: 0.0)


async def refused(here: Here, count: int, kind: str, **fields: Any) -> Counter[str]:
    """How many of so many requests of a browser are refused, by the reason; it has as many pages as it wants."""
    answers = [await here.ask(here.session("mine"), kind, **fields) for _ in range(count)]
    return Counter(getattr(answer, "id", "") for answer in answers)


def test_the_numbers_are_those_of_the_documents() -> None:
    limits, told = BrowserLimits(), (Path(__file__).parents[2] / "docs" / "browser.md").read_text(encoding="utf-8")
    assert (limits.messages._per_second, limits.messages.burst) == (20, 100)
    assert (3600 * limits.rooms._per_second, limits.rooms.burst) == (120, 60)
    assert (limits.analyses.each, limits.sockets.each, limits.sockets._total) == (4, 20, 1_000)
    assert (WORK_BURST, WORK_SHARE, STRANGERS_BURST, STRANGERS_SHARE, MOST_WAITING) == (5, 0.2, 1, 0.05, 20)
    words = "20 messages a second (100 at once), 120 new games an hour (60 at once), 4 analyses at a time"
    assert words in " ".join(told.split())


def test_messages_come_at_a_rate(tmp_path: Path) -> None:
    async def scenario(here: Here) -> None:
        here.server.context.limits.messages = held(here.server.context.limits.messages)
        assert await refused(here, 130, "Rooms") == {"": 100, "too_fast": 30}
        assert getattr(await here.ask(here.session("another"), "Rooms"), "id", "") == ""

    run(tmp_path, scenario)


@pytest.mark.parametrize("kind", ["OpenRoom", "Rematch"])
def test_new_games_come_at_a_rate(tmp_path: Path, kind: str) -> None:
    async def scenario(here: Here) -> None:
        room = await here.room()
        here.server.context.limits.rooms = RateLimit("too_many_rooms", per_second=1, burst=2, clock=lambda: 0.0)
        for _ in range(2):
            here.server.context.limits.rooms.take("mine")
        seats = [{"who": "me"}, {"who": "guest"}]
        fields = {"place": PLACE, "seats": seats} if kind == "OpenRoom" else {"room": room}
        assert await refused(here, 3, kind, **fields) == {"too_many_rooms": 3}

    run(tmp_path, scenario)


@pytest.mark.parametrize("kind", ["Hint", "Analyse", "Review"])
def test_few_analyses_go_on_at_once(tmp_path: Path, kind: str) -> None:
    async def scenario(here: Here) -> None:
        with contextlib.ExitStack() as stack:
            for _ in range(here.server.context.limits.analyses.each):
                stack.enter_context(here.server.context.limits.analyses.hold("mine"))
            assert await refused(here, 2, kind, place=PLACE) == {"too_many_analyses": 2}

    run(tmp_path, scenario)
