"""What the process does that plays an event which was begun in the browser.

It stops as by Ctrl-C: what has been played is kept, and the same plan goes on later.
"""

import _thread
import signal
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from palabre.arena.event import EventProgress
from palabre.arena.rows import GameRow, Meeting, UnderWay
from palabre.web.events.plan import EventPlan, open_event
from palabre.web.events.stored import FINISHED, PLAN
from palabre.web.messages import EventGameUnderWay
from palabre.web.requests import Place
from palabre.workers.messages import Stopped, Task
from palabre.workers.service import Running, stateless

INTERVAL = 0.2  # seconds between two reports
LONG = 1.0  # seconds; a game that is over by then is not reported before it has ended
MOST_UNDER_WAY = 8  # games that are reported


class RunReport(msgspec.Struct, frozen=True):
    """How far an event has come."""

    done: int = 0
    scheduled: int = 0
    seconds_left: float | None = None
    under_way: list[EventGameUnderWay] = []
    is_finished: bool = False


class RunEvent(Task[RunReport], frozen=True):
    """What to play, where to keep it, and how many games at a time."""

    RESULT = REPORT = RunReport

    plan: EventPlan
    file: str
    workers: int


class Reporter:
    """Reports how far an event has come, not too often."""

    def __init__(self, game: str, on_progress: Callable[[RunReport], None]) -> None:
        self._game = game  # its spec
        self._on_progress = on_progress
        self._next = 0.0
        self._progress = EventProgress()
        self._under_way: dict[tuple[Meeting, int], UnderWay] = {}
        self._since: dict[tuple[Meeting, int], float] = {}  # when each of these was first reported

    def game_ended(self, row: GameRow, progress: EventProgress) -> None:
        self._progress = progress
        self._under_way.pop((row.meeting, row.rotation), None)
        self._since.pop((row.meeting, row.rotation), None)
        self._report_soon()

    def game_goes_on(self, game: UnderWay) -> None:
        self._under_way[game.meeting, game.rotation] = game
        self._since.setdefault((game.meeting, game.rotation), time.monotonic())
        self._report_soon()

    def _report_soon(self) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + INTERVAL
            self._on_progress(self.report())

    def report(self, *, is_finished: bool = False) -> RunReport:
        """How far it has come now."""
        long = time.monotonic() - LONG
        playing = [game for key, game in self._under_way.items() if self._since[key] <= long][:MOST_UNDER_WAY]
        games = [
            EventGameUnderWay(Place(self._game, game.start, list(game.moves)), list(game.bots)) for game in playing
        ]
        progress = self._progress
        return RunReport(progress.done, progress.scheduled, progress.seconds_left, games, is_finished)


def run(state: object, task: RunEvent, running: Running) -> RunReport:
    """Play an event to its end, or until it is stopped."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a pool has its processes ignore
    try:
        with running.token.calling(_thread.interrupt_main), open_event(task.plan, Path(task.file)) as event:
            event.store.keep_fact(PLAN, msgspec.to_builtins(task.plan))
            reporter = Reporter(event.store.settings.game, running.report)
            for _ in event.play(task.workers, watcher=reporter.game_ended, on_moves=reporter.game_goes_on):
                pass
            event.store.keep_fact(FINISHED, True)
    except KeyboardInterrupt:
        raise Stopped from None
    return reporter.report(is_finished=True)


SERVICE = stateless({RunEvent: run})
