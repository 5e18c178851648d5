"""How much a browser may ask for: messages a second, things at once, and answers that it has not read yet.

Strangers, who have not been let in, pay for their requests as well, together with all others at their address.
"""

import asyncio
import contextlib
import time
import types
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Generator, Hashable, Iterator
from typing import Any

from palabre.web.refusal import Refused

FORGET_AT = 1_000  # keys; then those that have not asked for long are forgotten
WORK_SHARE = 0.2  # seconds of processor time a second that a browser may have used for its answers
WORK_BURST = 5.0  # and at once: some twenty long games
STRANGERS_SHARE, STRANGERS_BURST = 0.05, 1.0  # the same for the requests of all strangers at one address
MOST_WAITING = 20  # requests of one browser or address until some processor time has come back


class RateLimit:
    """A bucket of tokens for each key: it holds `burst`, and `per_second` come back until it is full."""

    def __init__(
        self, refusal: str, *, per_second: float, burst: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._refusal = refusal
        self._per_second = per_second
        self.burst = burst
        self._clock = clock
        self._full_at: dict[Hashable, float] = {}  # when the bucket of a key will be full again

    def take(self, key: Hashable) -> None:
        """Take one token, or raise `Refused` if there is none."""
        now = self._clock()
        full_at = max(self._full_at.get(key, now), now) + 1 / self._per_second
        if (full_at - now) * self._per_second > self.burst + 1e-6:
            raise Refused(self._refusal)
        self._note(key, full_at, now)

    def require(self, key: Hashable) -> None:
        """Raise `Refused` if there is nothing left; what it costs is not known yet, and is charged afterwards."""
        now = self._clock()
        if (self._full_at.get(key, now) - now) * self._per_second >= self.burst:
            raise Refused(self._refusal)

    def seconds_left(self, key: Hashable) -> float:
        """After how many seconds there is something left."""
        return max(0.0, self._full_at.get(key, 0.0) - self._clock() - self.burst / self._per_second)

    def charge(self, key: Hashable, tokens: float) -> None:
        """Take what something has cost, also if there is not so much: then it has to come back first."""
        now = self._clock()
        self._note(key, max(self._full_at.get(key, now), now) + tokens / self._per_second, now)

    def _note(self, key: Hashable, full_at: float, now: float) -> None:
        if key not in self._full_at and len(self._full_at) >= FORGET_AT:
            self._full_at = {known: moment for known, moment in self._full_at.items() if moment > now}
        self._full_at[key] = full_at


class Quota:
    """How many things each key may have at once, and all of them together."""

    def __init__(self, refusal: str, *, each: int, total: int) -> None:
        self._refusal = refusal
        self.each = each
        self._total = total
        self._held: Counter[Hashable] = Counter()

    @contextlib.contextmanager
    def hold(self, key: Hashable) -> Iterator[None]:
        """Have one of them for a while, or raise `Refused` if there are too many."""
        if self._held[key] >= self.each or self._held.total() >= self._total:
            if not self._held[key]:
                del self._held[key]
            raise Refused(self._refusal)
        self._held[key] += 1
        try:
            yield
        finally:
            self._held[key] -= 1
            if not self._held[key]:
                del self._held[key]


class Accounts:
    """Processor time of the event loop for requests over HTTP. Owners who have used it up wait for more."""

    def __init__(self, *, per_second: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._budget = RateLimit("too_costly", per_second=per_second, burst=burst, clock=clock)
        self._waiting = Quota("too_fast", each=MOST_WAITING, total=50 * MOST_WAITING)

    async def wait(self, owner: Hashable) -> None:
        """Wait until there is something left; `Refused` if too many requests of the same owner do that already."""
        seconds = self._budget.seconds_left(owner)
        if seconds > 0:
            with self._waiting.hold(owner):
                await asyncio.sleep(seconds)

    def charge(self, owner: Hashable, seconds: float) -> None:
        """Take what a request has cost."""
        self._budget.charge(owner, seconds)


@types.coroutine
def metered(
    work: Awaitable[None], charge: Callable[[float], None], meter: Callable[[], float] = time.thread_time
) -> Generator[Any, Any, None]:
    """Do some work of the event loop, and charge what each step takes; what others do in between costs nothing."""
    steps = work.__await__()
    error: BaseException | None = None
    while True:
        begin = meter()
        try:
            awaited = next(steps) if error is None else steps.throw(error)
        except StopIteration:
            return
        finally:
            charge(meter() - begin)
        error = None
        try:
            yield awaited
        except BaseException as raised:  # for the work, as is the end of the task
            error = raised


class BrowserLimits:
    """The rates and quotas of a server, by browser."""

    def __init__(self) -> None:
        self.messages = RateLimit("too_fast", per_second=20, burst=100)
        self.work = RateLimit("too_costly", per_second=WORK_SHARE, burst=WORK_BURST)
        self.rooms = RateLimit("too_many_rooms", per_second=120 / 3600, burst=60)
        self.analyses = Quota("too_many_analyses", each=4, total=200)
        self.sockets = Quota("too_many_pages", each=20, total=1_000)


class Outbox:
    """Messages on their way to a browser. One that does not read them is given up, so that they cannot pile up."""

    def __init__(
        self, send: Callable[[bytes], Awaitable[None]], *, most_messages: int = 1_000, most_bytes: int = 4_000_000
    ) -> None:
        self._send = send
        self._most_messages = most_messages
        self._most_bytes = most_bytes
        self._waiting: deque[bytes] = deque()
        self._bytes = 0
        self._changed = asyncio.Event()
        self._is_closed = False
        self._is_too_slow = False
        self._sender: asyncio.Task[None] | None = None

    def put(self, message: bytes) -> None:
        """Send a message as soon as the browser has read those before it; it returns at once."""
        if self._is_closed:
            return
        self._waiting.append(message)
        self._bytes += len(message)
        self._changed.set()
        if len(self._waiting) > self._most_messages or self._bytes > self._most_bytes:
            self._is_closed = self._is_too_slow = True
            self._waiting.clear()
            if self._sender is not None:
                self._sender.cancel()

    def close(self) -> None:
        """Send what waits, then let `run` end."""
        self._is_closed = True
        self._changed.set()

    async def run(self) -> bool:
        """Send messages until `close`; False if the browser does not read them and has to be given up."""
        self._sender = asyncio.create_task(self._send_all())
        try:
            await self._sender
        except asyncio.CancelledError:
            if not self._is_too_slow:
                raise
        return not self._is_too_slow

    async def _send_all(self) -> None:
        while True:
            while self._waiting:
                message = self._waiting.popleft()
                await self._send(message)
                self._bytes -= len(message)
            if self._is_closed:
                return
            self._changed.clear()
            await self._changed.wait()
