"""What does tasks: a service, in whatever process or thread a worker has."""

import threading
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from palabre.core.errors import PalabreError
from palabre.core.plain import to_plain
from palabre.core.stopping import StopToken
from palabre.workers.messages import (
    Began,
    Failed,
    FromWorker,
    Order,
    Preparing,
    Progress,
    Result,
    Stopped,
    Task,
    TaskFailed,
    decoder,
    to_raw,
)
from palabre.workers.timers import Timers

PAUSE = 0.1  # seconds between two ticks of a task

Setup = TypeVar("Setup")
State = TypeVar("State")


class Running:
    """A running task, as its handler sees it."""

    def __init__(
        self,
        order: Order,
        send: Callable[[FromWorker], None],
        token: StopToken | None = None,
        timers: Timers | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.token = token or StopToken()
        self._timers = timers or Timers()
        self._order, self._send, self._clock = order, send, clock
        self._deadline: float | None = None
        self._on_tick: Callable[[], None] | None = None
        self._is_over = False
        self._lock = threading.Lock()

    def begin(self, on_tick: Callable[[], None] | None = None) -> None:
        """Start the clock: all is prepared. `on_tick` is called ten times a second, in the thread of the timers."""
        self._on_tick = on_tick
        if self._order.seconds is not None:
            self._deadline = self._clock() + self._order.seconds
        self._send(Began(self._order.number))
        self._set_timer()

    def report(self, report: object) -> None:
        """Send the pool a report on the progress."""
        self._send(Progress(self._order.number, to_raw(report)))

    def report_preparing(self, fraction: float, seconds: float | None) -> None:
        """Report that kernels are being compiled, how much of it is done, and how long all of it takes."""
        self._send(Preparing(self._order.number, fraction, seconds))

    def end(self) -> None:
        """End the task: `on_tick` is called no more."""
        self._is_over = True
        self._timers.cancel(self)
        with self._lock:  # a tick may be under way
            pass

    def tick(self) -> None:
        """Do what is due now: stop the task after its time, or else call `on_tick`; nothing once it is over."""
        with self._lock:
            if self._is_over:
                return
            if self._deadline is not None and self._clock() >= self._deadline:
                self.token.set()
            elif self._on_tick is not None and not self.token.is_set:
                self._on_tick()

    def _set_timer(self) -> None:
        """Have `tick` called when something is due: nothing is, once the task is stopped or over."""
        if self.token.is_set or self._is_over:
            return
        pauses = [] if self._on_tick is None else [PAUSE]
        if self._deadline is not None:
            pauses.append(max(0.0, self._deadline - self._clock()))
        if pauses:
            self._timers.set(self, min(pauses), self._on_timer)

    def _on_timer(self) -> None:
        self.tick()
        self._set_timer()


@dataclass(frozen=True)
class Service(Generic[Setup, State]):
    """What workers of a kind can do. A process can run a module that has one as `SERVICE`.

    `start` makes, from a setup, what is kept from task to task. A handler does a task with it: it returns the result,
    or raises a `PalabreError`, `TaskFailed` or `Stopped`.
    """

    setup: type[Setup]
    start: Callable[[Setup], State]
    handlers: Mapping[type[Task[Any]], Callable[[State, Any, Running], object]]
    on_idle: Callable[[State], None] | None = None  # called when there was nothing to do for a while
    on_end: Callable[[State], None] | None = None  # called when there is nothing more to do

    @cached_property
    def tasks(self) -> Any:
        """The type of all its tasks."""
        return reduce(or_, self.handlers)


class TaskRunner(Generic[State]):
    """Does the orders for a service, in this thread."""

    def __init__(self, service: Service[Setup, State], setup: bytes) -> None:
        """Set up the service; raises `PalabreError` if that fails."""
        self.service: Service[Any, State] = service
        self.state = service.start(msgspec.json.decode(setup, type=service.setup, dec_hook=_read_path))
        self.running: Running | None = None
        self._timers = Timers()  # of all tasks: a thread for each would cost more than many a task

    def do(self, order: Order, send: Callable[[FromWorker], None], token: StopToken) -> None:
        """Do a task and send its result or failure."""
        number, begin = order.number, time.process_time()
        running = self.running = Running(order, send, token, self._timers)

        def failed(error: TaskFailed) -> Failed:
            spent = time.process_time() - begin
            return Failed(number, error.id, to_plain(error.message), error.name, spent)

        answer: FromWorker
        try:
            task = decoder(self.service.tasks).decode(order.task)
            result = to_raw(self.service.handlers[type(task)](self.state, task, running))
            answer = Result(number, result, time.process_time() - begin)
        except Stopped:
            answer = failed(TaskFailed("task.stopped"))
        except TaskFailed as error:
            answer = failed(error)
        except PalabreError as error:
            name = getattr(error, "id", type(error).__name__)
            answer = failed(TaskFailed("task.refused", error.message, name=name))
        except Exception as error:  # of a user's game, or a mistake of ours
            traceback.print_exc()
            answer = failed(TaskFailed("task.broken", name=type(error).__name__))
        finally:
            running.end()
            self.running = None
        send(answer)

    def on_idle(self) -> None:
        """Let the service free what it can: there was nothing to do for a while."""
        if self.service.on_idle is not None:
            self.service.on_idle(self.state)

    def close(self) -> None:
        """End the service."""
        if self.service.on_end is not None:
            self.service.on_end(self.state)


def encoded(setup: object) -> bytes:
    """A setup as a worker reads it; it may have paths in it."""
    return msgspec.json.encode(setup, enc_hook=str)


def _read_path(kind: type, text: object) -> object:
    return kind(text)


class NoSetup(Struct, frozen=True):
    """The setup of a service that needs none."""


NO_SETUP = encoded(NoSetup())


def stateless(handlers: Mapping[type[Task[Any]], Callable[[None, Any, Running], object]]) -> Service[NoSetup, None]:
    """A service that keeps nothing from task to task."""
    return Service(NoSetup, lambda setup: None, handlers)
