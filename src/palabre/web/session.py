"""A browser that is connected: who it is, its language, what goes on for it, and what is still to be sent to it."""

import asyncio
import contextlib
import logging
from collections.abc import Coroutine
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from palabre.core.errors import PalabreError
from palabre.web.messages import Answer, Push, Refusal, write
from palabre.web.rates import Outbox
from palabre.web.refusal import Refused
from palabre.web.store import Browser, NotKept

log = logging.getLogger(__name__)

MOST_AT_ONCE = 30  # requests that are not answered yet, analyses among them
DONE = 1000  # the code with which a socket is closed usually
TOO_SLOW = 1013  # the code with which a socket is closed whose browser does not read


class Session:
    """One socket of a browser."""

    def __init__(self, socket: WebSocket, browser: Browser) -> None:
        self.browser = browser
        self.language = "en"
        self.entering: dict[str, int] = {}  # rooms that are still being drawn, and the numbers of the requests
        self._outbox = Outbox(lambda message: socket.send_text(message.decode()))
        self._asked: dict[int, asyncio.Task[None]] = {}  # what goes on, by the number of its request

    def send(self, message: Answer | Refusal | Push) -> None:
        """Send a message as soon as those before it have gone."""
        self._outbox.put(write(message))

    def refuse(self, ask: int, error: PalabreError) -> None:
        """Send why something is not done; what could not be stored is for the log, since it names files."""
        if isinstance(error, NotKept):
            log.error("%s", error)
            error = Refused("not_kept")
        self.send(Refusal(ask, getattr(error, "id", type(error).__name__), error.text(self.language)))

    def break_down(self, ask: int) -> None:
        """Send that a request has failed by a mistake of ours, which goes to the log: call it from `except`."""
        log.exception("a request has failed")
        self.refuse(ask, Refused("broken"))

    async def run_sender(self) -> int:
        """Send what is waiting until the browser is gone, or too slow; returns the code to close the socket with."""
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):  # the socket has been closed
            if not await self._outbox.run():
                return TOO_SLOW
        return DONE

    def start(self, ask: int, work: Coroutine[Any, Any, None]) -> None:
        """Let something go on for this browser until it is done or stopped, or the browser is gone."""
        self.stop(ask)
        if len(self._asked) >= MOST_AT_ONCE:
            work.close()
            raise Refused("too_fast")
        task = asyncio.create_task(self._guarded(ask, work))
        self._asked[ask] = task
        task.add_done_callback(lambda done: self._asked.pop(ask, None) if self._asked.get(ask) is done else None)

    async def _guarded(self, ask: int, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except PalabreError as error:
            self.refuse(ask, error)
        except Exception:
            self.break_down(ask)

    def stop(self, ask: int) -> None:
        """End what was asked for with this number."""
        task = self._asked.pop(ask, None)
        if task is not None:
            task.cancel()

    async def close(self) -> None:
        """End everything that goes on for this browser; what waits to be sent still goes."""
        tasks = list(self._asked.values())
        self._asked.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._outbox.close()
