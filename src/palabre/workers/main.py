"""The main loop of every process that works: `python -c "from palabre.workers.main import main; main(MODULE)"`.

One thread reads what the pool sends, so that a stop takes effect at any time; the main thread does the tasks. The
process ends when there is nothing more to read: the pool is gone.
"""

import contextlib
import importlib
import logging
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import IO, Any, Protocol

from palabre.core.errors import PalabreError
from palabre.core.plain import to_plain
from palabre.core.stopping import StopToken
from palabre.core.temporary import leave
from palabre.workers.messages import Failed, FromWorker, Order, Ready, Stop, to_line, to_worker
from palabre.workers.service import PAUSE, Service, TaskRunner

PARTING = 0.5  # seconds for a task to stop when the pool is gone
IDLE = 60.0  # seconds without a task after which `on_idle` is called


class Pipes:
    """The pipes to and from the pool. Several threads write."""

    def __init__(self) -> None:
        self._input = os.fdopen(os.dup(0), "rb")
        self._output: IO[bytes] = os.fdopen(os.dup(1), "wb")
        self._lock = threading.Lock()
        # Code that prints, or reads what is typed, is at none of our pipes.
        os.dup2(2, 1)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)

    def read(self) -> bytes:
        """The next line; nothing if the pool is gone."""
        return self._input.readline()

    def send(self, message: FromWorker) -> None:
        """Send a message; if the pool is gone, the thread that reads ends the process."""
        with self._lock, contextlib.suppress(OSError):
            self._output.write(to_line(message))
            self._output.flush()


class Channel(Protocol):
    """What a worker reads lines from, and sends messages to."""

    def read(self) -> bytes: ...

    def send(self, message: FromWorker) -> None: ...


class Orders:
    """The orders of a worker: one thread reads them, another does them."""

    def __init__(self, channel: Channel, abandon: Callable[[], object]) -> None:
        """`abandon` is called where the pool is gone while a task is under way that does not stop soon."""
        self._channel, self._abandon = channel, abandon
        self._queue: queue.SimpleQueue[Order | None] = queue.SimpleQueue()
        self._tokens: dict[int, StopToken] = {}  # of the orders that are not done
        self._is_over = False
        self._is_idle = threading.Event()
        self._is_idle.set()
        self._lock = threading.Lock()

    def read(self) -> None:
        """Read until there is nothing more."""
        while line := self._channel.read():
            message = to_worker.decode(line)
            if isinstance(message, Stop):
                with self._lock:
                    token = self._tokens.get(message.number)
                if token is not None:
                    token.set()
            else:
                with self._lock:
                    self._tokens[message.number] = StopToken()
                self._queue.put(message)
        with self._lock:
            self._is_over = True
            tokens = list(self._tokens.values())
        self._queue.put(None)
        for token in tokens:
            token.set()
        if not self._is_idle.wait(PARTING):
            self._abandon()

    def do(self, runner: TaskRunner[Any]) -> None:
        """Do the orders until there are no more."""
        while True:
            try:
                order = self._queue.get(timeout=IDLE)
            except queue.Empty:
                runner.on_idle()
                continue
            with self._lock:
                if order is None or self._is_over:
                    return
                self._is_idle.clear()
                token = self._tokens[order.number]
            runner.do(order, self._channel.send, token)
            with self._lock:
                self._is_idle.set()
                del self._tokens[order.number]


def set_up(service: Service[Any, Any], setup: bytes, channel: Channel) -> TaskRunner[Any] | None:
    """The service, ready; None if it cannot be set up, which is sent to the pool."""
    try:
        runner: TaskRunner[Any] = TaskRunner(service, setup)
    except PalabreError as error:
        channel.send(Failed(0, "task.refused", to_plain(error.message), type(error).__name__))
        return None
    channel.send(Ready())
    return runner


class PreparingReports(logging.Handler):
    """Reports what `palabre.compile` logs while a task is under way."""

    def __init__(self, runner: TaskRunner[Any]) -> None:
        super().__init__()
        self._runner = runner
        self._last = 0.0  # when, by `time.monotonic`

    def emit(self, record: logging.LogRecord) -> None:
        fraction = getattr(record, "fraction", None)
        is_due = time.monotonic() - self._last >= PAUSE
        running = self._runner.running
        if running is not None and fraction is not None and (is_due or fraction in (0.0, 1.0)):
            self._last = time.monotonic()
            running.report_preparing(fraction, getattr(record, "seconds", None))
        if record.levelno >= logging.WARNING:
            print(record.getMessage(), file=sys.stderr, flush=True)


def main(module: str) -> None:
    """Do the tasks of the service in a module until there are no more."""
    pipes = Pipes()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that has the pool
    setup = pipes.read()
    orders = Orders(pipes, leave)
    threading.Thread(target=orders.read, daemon=True).start()
    runner = set_up(importlib.import_module(module).SERVICE, setup, pipes)
    if runner is None:
        leave()
    reports = PreparingReports(runner)
    logger = logging.getLogger("palabre.compile")
    logger.addHandler(reports)
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    orders.do(runner)
    runner.close()
    sys.stderr.flush()
    leave()
