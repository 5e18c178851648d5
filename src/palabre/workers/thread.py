"""A thread of this process that does tasks: it costs no start, and is no faster than one."""

import queue
import threading
from typing import Any

from palabre.core.errors import PalabreError
from palabre.workers.job import Lane, Machine, OnLine, Recruiter
from palabre.workers.main import Orders, set_up
from palabre.workers.messages import Exit, FromWorker, to_line
from palabre.workers.service import Service


class Thread:
    """Does tasks as a process would. One that is running when it is closed goes on, without a result."""

    pid = None

    def __init__(self, service: Service[Any, Any], setup: bytes, on_line: OnLine) -> None:
        self._on_line = on_line
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._service, self._setup = service, setup
        self._is_closed = False
        threading.Thread(target=self._run, daemon=True).start()

    def send(self, line: bytes) -> None:
        """Have an order done."""
        self._lines.put(line)

    def end(self) -> None:
        """Do no more orders."""
        self._is_closed = True
        self._lines.put(b"")

    kill = end

    def close(self, patience: float = 0.0) -> None:
        """Do no more orders; the one under way is left to itself."""
        self.end()

    def exit_report(self) -> Exit:
        """How it ended."""
        return Exit("its thread has ended")

    def _run(self) -> None:
        channel = _Channel(self)
        orders = Orders(channel, lambda: None)
        try:
            runner = set_up(self._service, self._setup, channel)
            if runner is not None:
                threading.Thread(target=orders.read, daemon=True).start()
                orders.do(runner)
                runner.close()
        finally:
            self._on_line(None)

    def receive(self) -> bytes:
        """The next line that was sent."""
        return self._lines.get()

    def answer(self, message: FromWorker) -> None:
        """Send a message to the pool, if it still wants any."""
        if not self._is_closed:
            self._on_line(to_line(message))


class _Channel:
    """To and from the pool, without a pipe."""

    def __init__(self, thread: Thread) -> None:
        self.read, self.send = thread.receive, thread.answer


class ThreadCrew:
    """One thread of this process."""

    capacity = 1

    def __init__(self, service: Service[Any, Any], setup: bytes) -> None:
        self._service, self._setup = service, setup
        self._machine = Machine("this process", 1)

    def open(self, pool: Recruiter, lane: Lane) -> None:
        """Workers may be asked for from now on."""
        self._pool, self._lane = pool, lane

    def start(self, count: int) -> None:
        """Start the thread."""
        self._pool.add(self._lane, self._machine, lambda on_line: Thread(self._service, self._setup, on_line))

    def give_up(self, machine: Machine, exit: Exit) -> None:
        """It could not be set up."""
        raise PalabreError(str(exit))

    def close(self) -> None:
        """All workers have ended."""
