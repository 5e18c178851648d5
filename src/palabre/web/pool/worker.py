"""A process that searches for the server: `python -m palabre.web.pool.worker`, started by `palabre.web.pool.thinking`.

One thread reads what the server says, so that a stop is heard at any time; the main thread does the jobs, one after
another; while a job is under way, a third thread tells what is known by now and ends what is to end. The process ends
when there is nothing more to read: the server is gone.
"""

import contextlib
import logging
import os
import queue
import signal
import threading
import time
import traceback
from typing import IO

from palabre.arena.guard import Forfeit
from palabre.core.errors import PalabreError
from palabre.core.system import end_with_parent
from palabre.core.temporary import leave
from palabre.web.plain import to_plain
from palabre.web.pool import jobs
from palabre.web.pool.jobs import EndRoom, Order, Setup, Stop
from palabre.web.pool.thinker import PAUSE, Running, Stopped, Thinker

HOUSEKEEPING = 60.0  # seconds

Orders = queue.SimpleQueue[Running | EndRoom]


class Server:
    """The server, as this process sees it; several threads tell it things."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    def tell(self, message: jobs.FromWorker) -> None:
        with self._lock, contextlib.suppress(OSError):  # the server is gone, and the reading thread ends us
            self._stream.write(jobs.to_line(message) + b"\n")
            self._stream.flush()


class PreparingReports(logging.Handler):
    """Reports what `palabre.compile` logs while a job is under way."""

    running: Running | None = None
    told = 0.0  # when, by `time.monotonic`

    def emit(self, record: logging.LogRecord) -> None:
        fraction = getattr(record, "fraction", None)
        is_due = time.monotonic() - self.told >= PAUSE
        if self.running is not None and fraction is not None and (is_due or fraction in (0.0, 1.0)):
            self.told = time.monotonic()
            self.running.report(jobs.Preparing(fraction, getattr(record, "seconds", None)))


def main() -> None:
    """Do jobs until there are no more."""
    messages = os.fdopen(os.dup(0), "rb")
    server = Server(os.fdopen(os.dup(1), "wb"))
    # Whoever prints, or reads what is typed, is at none of our pipes.
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends us
    end_with_parent()
    setup = jobs.to_worker.decode(messages.readline())
    assert isinstance(setup, Setup)
    orders: Orders = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(messages, server, orders), daemon=True).start()
    _work(Thinker(setup), server, orders)


def _listen(messages: IO[bytes], server: Server, orders: Orders) -> None:
    """Hear what the server says, until it is gone."""
    last: Running | None = None
    for line in messages:
        message = jobs.to_worker.decode(line)
        if isinstance(message, Order):
            last = Running(message, server.tell)
            orders.put(last)
        elif isinstance(message, EndRoom):
            orders.put(message)
        elif isinstance(message, Stop) and last is not None and last.number == message.number:
            last.stop()
    leave()  # at once, whatever job is under way


def _work(thinker: Thinker, server: Server, orders: Orders) -> None:
    from palabre.compile.collector import freeze_collector

    freeze_collector()
    reports = PreparingReports()
    logger = logging.getLogger("palabre.compile")
    logger.addHandler(reports)
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    server.tell(jobs.Ready())
    while True:
        try:
            order = orders.get(timeout=HOUSEKEEPING)
        except queue.Empty:
            thinker.kept.end_idle()
            continue
        if isinstance(order, EndRoom):
            with contextlib.suppress(PalabreError):  # of a place that makes no sense
                thinker.kept.end_room(order.room, order.place)
            continue
        reports.running = order
        answer = _answer(thinker, order)
        reports.running = None
        server.tell(answer)


def _answer(thinker: Thinker, running: Running) -> jobs.FromWorker:
    """The result of a job, or why there is none."""
    threading.Thread(target=running.attend, daemon=True).start()
    number = running.number
    try:
        return jobs.Finished(number, thinker.do(running))
    except Forfeit as error:
        return jobs.Failed(number, "thinking.forfeit", to_plain(error.message))
    except Stopped:
        return jobs.Failed(number, "thinking.stopped")
    except PalabreError as error:
        return jobs.Failed(number, "thinking.refused", to_plain(error.message))
    except Exception:  # of somebody's own game, or a mistake of ours
        traceback.print_exc()
        return jobs.Failed(number, "thinking.error")
    finally:
        running.end()


if __name__ == "__main__":
    main()
