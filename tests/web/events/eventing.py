"""Events of a small game, begun as a browser would, and looked at."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from palabre.arena.store import read_store
from palabre.web.events.events import EventManager
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
async def server(folder: Path, reader: Reader = READER, **options: Any) -> AsyncIterator[EventManager]:
    events = EventManager(folder, reader, **options)
    try:
        yield events
    finally:
        await events.close()


def wish(*bots: str, game: str = GAME, format: str = "match", games: int = 10, **more: Any) -> StartEvent:
    return StartEvent(1, game, format, list(bots or ("greedy", "idiot")), games, **more)


async def until(events: EventManager, event: str, happened: Callable[[EventState], object]) -> EventState:
    """Wait for what the process of an event does."""
    session = Session()
    while True:  # `run` ends what hangs
        state = await events.watch(event, session)
        events.leave_all(session)
        if happened(state):
            return state
        await asyncio.sleep(0.05)


def has_ended(state: EventState) -> bool:
    return not state.is_running


def games_of(file: Path) -> list[tuple[Any, ...]]:
    with read_store(file) as store:
        return [(row.meeting, row.rotation, row.bots, row.moves) for row in store.games(superseded=True)]


class Beat:
    """The pauses between two looks at an event that is watched: each one ends when the test says so."""

    def __init__(self) -> None:
        self.seconds: set[float] = set()  # how long they were to be
        self._waiting: list[asyncio.Future[None]] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.add(seconds)
        self._waiting.append(asyncio.get_running_loop().create_future())
        await self._waiting[-1]

    async def tick(self) -> None:
        """Have everyone who watches look once."""
        await asyncio.sleep(0)  # whoever has just begun to watch comes to the first pause
        ended, self._waiting = [pause for pause in self._waiting if not pause.cancelled()], []
        for pause in ended:
            pause.set_result(None)
        while len(self._waiting) < len(ended):
            await asyncio.sleep(0.01)


# Counts the games that it has begun, in each process anew, and begins no more than a few until a file is there.
GATED = """
import time
from pathlib import Path
import palabre

class Gated(palabre.Bot):
    games = 0

    def start(self, game, seat):
        Gated.games += 1
        while Gated.games > {most} and not Path({gate!r}).exists():
            time.sleep(0.01)

    def choose(self, position, clock):
        return position.moves()[0]
"""


def gated(folder: Path, gate: Path, most: int) -> Reader:
    """A server's reader that also offers `bots/gated.py`, which plays so many games and waits for the gate then."""
    bots = folder / "bots"
    bots.mkdir()
    (bots / "gated.py").write_text(GATED.format(most=most, gate=str(gate)), encoding="utf-8")
    return Reader(ServerLimits(), Folders((bots,), READER.folders.games))
