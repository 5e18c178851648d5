"""Events of a small game, begun as a browser would, and looked at."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from palabre.arena.store import read_store
from palabre.web.events.events import Events
from palabre.web.limits import Folders, ServerLimits
from palabre.web.messages import EventChanged, EventState, Push
from palabre.web.reading import Reader
from palabre.web.requests import StartEvent
from palabre.web.store import Browser
from tests import take_away
from tests.command import PATIENCE

GAME = "tests/take_away.py"  # as browsers know it
ENDLESS = 100_000  # games
READER = Reader(ServerLimits(), Folders(games=(Path(take_away.__file__),)))


class Session:
    """A browser that keeps what it is sent."""

    def __init__(self, role: Any = "operator", language: str = "en") -> None:
        self.browser = Browser("b", role)
        self.language = language
        self.sent: list[Push] = []

    def send(self, message: Push) -> None:
        self.sent.append(message)

    @property
    def states(self) -> list[EventState]:
        return [message.state for message in self.sent if isinstance(message, EventChanged)]


def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(work(), PATIENCE))


@asynccontextmanager
async def server(folder: Path, reader: Reader = READER, **options: Any) -> AsyncIterator[Events]:
    events = Events(folder, reader, **options)
    try:
        yield events
    finally:
        await events.close()


def wish(*bots: str, game: str = GAME, format: str = "match", games: int = 10, **more: Any) -> StartEvent:
    return StartEvent(1, game, format, list(bots or ("greedy", "idiot")), games, **more)


async def until(events: Events, event: str, happened: Callable[[EventState], object]) -> EventState:
    """Wait for what the process of an event does."""
    session = Session()
    deadline = time.monotonic() + PATIENCE
    while True:
        state = await events.watch(event, session)
        events.leave_all(session)
        if happened(state):
            return state
        assert time.monotonic() < deadline, state
        await asyncio.sleep(0.05)


def has_ended(state: EventState) -> bool:
    return not state.is_running


def games_of(file: Path) -> list[tuple[Any, ...]]:
    with read_store(file) as store:
        return [(row.meeting, row.rotation, row.bots, row.moves) for row in store.games(superseded=True)]
