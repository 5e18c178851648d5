"""WatchedBot: a user's bot in this process, without a sandbox, for its author.

It has the thread, the keyboard and the terminal, so that a debugger works. An endless loop ends all the same: when the
bot's time is over, its code is interrupted by a signal, and the traceback names the line. Compiled code cannot be
interrupted. If it does not return soon, its stack is printed, and the process ends with it.
"""

import contextlib
import faulthandler
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from types import FrameType
from typing import ClassVar, TypeVar

from palabre.bots.bot import Bot
from palabre.core.game import Game
from palabre.core.observations import Observation
from palabre.core.position import Move, Position
from palabre.core.words import Message, say
from palabre.play.failures import MEGABYTE, BotFailed, Failure, Limits, Turn
from palabre.play.guard import traceback_of
from palabre.play.judge import MoveTime, learning_time, no_end_of_learning
from palabre.play.stopwatch import STOPWATCH
from palabre.search.clock import Clock

Answer = TypeVar("Answer")

POLL = 0.2  # seconds between two looks at the clock, and between two interruptions
HARD = 5.0  # seconds for a bot to end once it has been interrupted
if sys.platform == "win32":
    SIGNAL = signal.SIGBREAK
else:
    SIGNAL = signal.SIGXCPU  # not SIGALRM, with which bots limit their own time


class Overdue(BaseException):
    """Interrupts a bot whose time is over. It is no `Exception`, which bots catch."""


class WatchedBot(Bot):
    """A bot in this process whose hooks have the same time as in a sandbox."""

    keeps_time: ClassVar[bool] = True

    def __init__(self, make: Callable[[], Bot], spec: str, limits: Limits) -> None:
        """`make` loads the bot, which is the first thing for which it has a limited time."""
        self.spec, self.limits = spec, limits
        self.bot = self._run(make, limits.loading)
        self.bot.spec = spec
        self.options = self.bot.options

    def learn(self, data: Sequence[Observation], budget: float) -> None:
        def reason(turn: Turn) -> Message:
            return no_end_of_learning(budget, turn.wall)

        self._run(lambda: self.bot.learn(data, budget), learning_time(budget), reason)

    def sit_down(self, game: Game, seat: int, seed: int = 0) -> None:
        self._run(lambda: self.bot.sit_down(game, seat, seed), self.limits.starting)

    def choose(self, position: Position, clock: Clock) -> Move | str:
        time = MoveTime.of(clock, self.limits)
        self.bot.thought = None
        answer = self._run(
            lambda: self.bot.choose(position, clock), time.patience, lambda turn: time.reason(turn, has_answered=False)
        )
        self.thought = self.bot.thought
        return answer

    def stop(self) -> None:
        self.bot.stop()

    def is_timed(self, position: Position, clock: Clock) -> bool:
        return self.bot.is_timed(position, clock)

    def end_game(self, position: Position) -> None:
        self._run(lambda: self.bot.end_game(position), self.limits.closing)

    def end_event(self) -> None:
        self._run(self.bot.end_event, self.limits.closing)

    def _run(
        self, hook: Callable[[], Answer], seconds: float, reason: Callable[[Turn], Message] | None = None
    ) -> Answer:
        """Call a hook; if it takes longer, it is interrupted, and a `BotFailed` has its traceback."""
        begin = STOPWATCH.now()
        try:
            with limited_time(seconds), limited_memory(self.limits.memory):
                return hook()
        except Overdue as error:
            turn = Turn(wall=STOPWATCH.now() - begin)
            why = say("forfeit.no_answer", seconds=turn.wall) if reason is None else reason(turn)
            raise BotFailed(Failure("time", why, traceback_of(_without_handler(error)), turn=turn)) from error


@contextlib.contextmanager
def limited_time(seconds: float) -> Iterator[None]:
    """Raise `Overdue` in what runs here when it has taken so many seconds, not counting those in a debugger.

    It works in the main thread alone, as signals do; and not under the debugger of an editor, which sees to itself.
    """
    if threading.current_thread() is not threading.main_thread() or "pydevd" in sys.modules:
        yield
        return
    watchdog = Watchdog(seconds)
    before = signal.signal(SIGNAL, watchdog.interrupt)
    try:
        with STOPWATCH.stopped_by_debuggers(), watchdog:
            yield
    finally:
        signal.signal(SIGNAL, before)


class Watchdog:
    """A thread that interrupts the main thread when a time is over; and a thread in C that ends the process."""

    def __init__(self, seconds: float) -> None:
        self._deadline = STOPWATCH.now() + seconds
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="palabre-watchdog", daemon=True)

    def __enter__(self) -> None:
        self._postpone_end()
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()
        faulthandler.cancel_dump_traceback_later()

    def interrupt(self, number: int, frame: FrameType | None) -> None:
        """Handle the signal, in the main thread."""
        if not self._is_over.is_set():
            raise Overdue(str(say("debug.overdue")))

    def _watch(self) -> None:
        while not self._is_over.wait(min(POLL, max(0.0, self._deadline - STOPWATCH.now()) or POLL)):
            late = STOPWATCH.now() - self._deadline
            if late > HARD and not STOPWATCH.is_stopped:
                os.write(2, f"{say('debug.stuck')}\n".encode())
                faulthandler.dump_traceback(2)
                os._exit(1)
            self._postpone_end()
            if late > 0 and not STOPWATCH.is_stopped:
                _signal_main_thread()

    def _postpone_end(self) -> None:
        """Have the process end with its stack if this thread does not run again, as code in C can bring about."""
        left = max(0.0, self._deadline - STOPWATCH.now())
        faulthandler.dump_traceback_later(left + HARD + POLL, exit=True, file=2)


def _signal_main_thread() -> None:
    """Interrupt the main thread, even if it sleeps."""
    if sys.platform == "win32":
        signal.raise_signal(SIGNAL)
    else:
        signal.pthread_kill(threading.main_thread().ident or 0, SIGNAL)


def _without_handler(error: Overdue) -> Overdue:
    """An error whose traceback ends in the code that was interrupted, not in the handler."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        if trace.tb_next.tb_frame.f_code is Watchdog.interrupt.__code__:
            trace.tb_next = None
        trace = trace.tb_next
    return error


@contextlib.contextmanager
def limited_memory(megabytes: int) -> Iterator[None]:
    """Have what runs here get a `MemoryError` if it takes so much more memory than the process has now (Linux only)."""
    if sys.platform != "linux":
        yield
        return
    import resource

    with open("/proc/self/statm", "rb") as file:  # noqa: PTH123 (it is read in each turn)
        data = int(file.read().split()[5]) * resource.getpagesize()
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limits = [limit for limit in (soft, hard, data + megabytes * MEGABYTE) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_DATA, (min(limits), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
