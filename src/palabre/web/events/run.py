"""The process that plays an event which was begun in the browser: the arena, told what to do through a pipe.

It reads one plan and tells how it goes in lines of JSON. When anything more comes, or the server is gone, it stops as
by Ctrl-C: what has been played is kept, and the same plan goes on later.
"""

import _thread
import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import msgspec

from palabre.arena.event import Progress
from palabre.arena.outcome import Meeting
from palabre.arena.rows import GameRow, UnderWay
from palabre.core.errors import PalabreError
from palabre.core.temporary import leave
from palabre.web.events.facts import FINISHED, PLAN
from palabre.web.events.plan import EventPlan, open_event
from palabre.web.plain import to_plain

TELL = 0.2  # seconds between two reports
LONG = 1.0  # seconds; a game that is over by then is not told of before it has ended
MOST_UNDER_WAY = 8  # games that are told of


class RunOrder(msgspec.Struct, frozen=True):
    """What to play, where to keep it, and how many games at a time."""

    plan: EventPlan
    file: str
    workers: int


class GameNow(msgspec.Struct, frozen=True):
    """A game that is being played."""

    players: list[str]
    start: str | None
    moves: list[str]


class RunReport(msgspec.Struct, frozen=True):
    """How it goes."""

    done: int = 0
    scheduled: int = 0
    seconds_left: float | None = None
    under_way: list[GameNow] = []
    is_finished: bool = False
    error: Any = None  # why it has ended, if not as it should: a message as plain data


class Teller:
    """Tells how an event goes, not too often."""

    def __init__(self, tell: Callable[[RunReport], None]) -> None:
        self._tell = tell
        self._next = 0.0
        self._progress = Progress()
        self._under_way: dict[tuple[Meeting, int], UnderWay] = {}
        self._since: dict[tuple[Meeting, int], float] = {}  # when each of these was first told of

    def game_ended(self, row: GameRow, progress: Progress) -> None:
        self._progress = progress
        self._under_way.pop((row.meeting, row.rotation), None)
        self._since.pop((row.meeting, row.rotation), None)
        self._tell_soon()

    def game_goes_on(self, game: UnderWay) -> None:
        self._under_way[game.meeting, game.rotation] = game
        self._since.setdefault((game.meeting, game.rotation), time.monotonic())
        self._tell_soon()

    def _tell_soon(self) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + TELL
            self._tell(self.report())

    def report(self, *, is_finished: bool = False, error: Any = None) -> RunReport:
        """How it goes now."""
        long = time.monotonic() - LONG
        playing = [game for key, game in self._under_way.items() if self._since[key] <= long][:MOST_UNDER_WAY]
        games = [GameNow(list(game.bots), game.start, list(game.moves)) for game in playing]
        progress = self._progress
        return RunReport(progress.done, progress.scheduled, progress.seconds_left, games, is_finished, error)


def run(order: RunOrder, tell: Callable[[RunReport], None]) -> None:
    """Play an event to its end, or until Ctrl-C."""
    teller = Teller(tell)
    try:
        with open_event(order.plan, Path(order.file)) as event:
            event.store.keep_fact(PLAN, msgspec.to_builtins(order.plan))
            for _ in event.play(order.workers, watcher=teller.game_ended, under_way=teller.game_goes_on):
                pass
            event.store.keep_fact(FINISHED, True)
    except PalabreError as error:
        tell(teller.report(error=to_plain(error.message)))
    else:
        tell(teller.report(is_finished=True))


def main() -> None:
    """Read an order, play it, and stop when told."""
    orders = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a bot prints is no report of ours
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started the server may have it ignored
    order = msgspec.json.decode(orders.readline(), type=RunOrder)
    threading.Thread(target=_stop_when_told, args=(orders,), daemon=True).start()

    def tell(report: RunReport) -> None:
        with suppress(OSError):  # the server is gone, and the thread that listens stops us
            answers.write(msgspec.json.encode(report) + b"\n")
            answers.flush()

    with suppress(KeyboardInterrupt):
        run(order, tell)
    leave()


def _stop_when_told(orders: IO[bytes]) -> None:
    orders.readline()
    _thread.interrupt_main()
