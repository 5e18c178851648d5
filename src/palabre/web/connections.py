"""Connections to the server: how many there may be, how long a request may take, and how much is read at a time.

Anyone who can reach the port can open connections; nothing here asks who they are. A connection that waits for its
request gives way to newer ones, so that silent ones shut no others out. What arrives is handled in pieces, so that
whatever one connection sends, the others have their turn in between.
"""

import asyncio
import contextlib
import logging
import time
from dataclasses import dataclass, field
from typing import Any, ClassVar, cast

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame

from palabre.web.rates import RateLimit
from palabre.web.refusal import Refused

MOST_CONNECTIONS = 4_000
MOST_AT_ONCE = 128  # that are accepted before others have their turn
HEAD_SECONDS = 10.0  # until a request has arrived, from the connection or from the end of the last answer
REQUEST_SECONDS = 120.0  # until it has been answered
PIECE = 4_096  # bytes that are handled before others have their turn
MOST_FRAGMENTS = 1_000  # of one message; browsers send one or a few
CONTROL_FRAMES, CONTROL_BURST = 1.0, 50  # a second, and at once, for one socket; browsers only answer pings
DESCRIPTORS = 8_192  # wanted: for connections, files, and the pipes of processes
KEPT_BACK = 200  # descriptors that connections leave for everything else
SPENT = "palabre.spent"  # where the state of a request has the processor seconds that reading it has taken

logger = logging.getLogger(__name__)


def raise_descriptor_limit() -> int:
    """Allow this process as many descriptors as it may have, up to those wanted; returns how many these are."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(DESCRIPTORS, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(ValueError, OSError):  # some systems allow less than they say
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            return wanted
    return DESCRIPTORS if soft == resource.RLIM_INFINITY else soft


def most_connections(descriptors: int) -> int:
    """How many connections there may be at once with so many descriptors."""
    return max(1, min(MOST_CONNECTIONS, descriptors - KEPT_BACK))


@dataclass
class Bounds:
    """What all connections of a server share."""

    most: int = MOST_CONNECTIONS
    most_waiting: int = MOST_CONNECTIONS // 2  # that have not sent a whole request
    waiting: "dict[HttpConnection, None]" = field(default_factory=dict)  # for their requests, the oldest first

    @classmethod
    def usual(cls) -> "Bounds":
        """Those of a server on this machine, whose descriptors it raises to what is wanted."""
        most = most_connections(raise_descriptor_limit())
        return cls(most, most // 2)

    def make_room(self, connections: int) -> None:
        """Close those that have waited longest, if there are too many of them or too many connections in all."""
        surplus = max(len(self.waiting) - self.most_waiting, min(connections - self.most, len(self.waiting)))
        for connection in list(self.waiting)[: max(0, surplus)]:
            logger.warning("too many connections: those that have sent no request for longest are closed")
            connection.drop()

    def http_protocol(self) -> "type[HttpConnection]":
        """The class of HTTP connections within these bounds."""
        return cast("type[HttpConnection]", type("BoundedHttpConnection", (HttpConnection,), {"bounds": self}))


class _InPieces(asyncio.Protocol):
    """A connection that handles what arrives in pieces, with a turn for others after each."""

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    _arrived = b""  # and not handled yet: the rest is handled when others have had their turn

    def data_received(self, data: bytes) -> None:
        if self._arrived or len(data) > PIECE:
            is_scheduled, self._arrived = bool(self._arrived), self._arrived + data
            if not is_scheduled:
                self._handle_piece()
        elif self._takes_data():
            super().data_received(data)

    def _takes_data(self) -> bool:
        """Whether it is open, and what arrives is of use."""
        raise NotImplementedError

    def _is_held_up(self) -> bool:
        """Whether the protocol itself has paused the reading."""
        raise NotImplementedError

    def _handle_piece(self) -> None:
        if not self._takes_data():
            self._arrived = b""
            return
        piece, self._arrived = self._arrived[:PIECE], self._arrived[PIECE:]
        super().data_received(piece)
        if self._arrived:
            self.transport.pause_reading()
            self.loop.call_soon(self._handle_piece)
        elif not self._is_held_up() and not self.transport.is_closing():
            self.transport.resume_reading()


class HttpConnection(_InPieces, H11Protocol):
    """An HTTP connection, within `bounds` and with a limit of time for each request."""

    bounds: ClassVar[Bounds]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._deadline: asyncio.TimerHandle | None = None
        self._spent = 0.0  # processor seconds for reading the request
        self._await_request()
        self.bounds.make_room(len(self.connections))

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def handle_events(self) -> None:
        before, begin = self.cycle, time.thread_time()
        super().handle_events()
        self._spent += time.thread_time() - begin
        if self.cycle is not before and not self.cycle.response_complete:
            self.scope["state"][SPENT], self._spent = self._spent, 0.0
            self.bounds.waiting.pop(self, None)
            self._set_deadline(REQUEST_SECONDS)

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._leave()
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        self._await_request()
        super().on_response_complete()

    def drop(self) -> None:
        """Close it at once."""
        self._leave()
        self.transport.abort()

    def _await_request(self) -> None:
        self.bounds.waiting.pop(self, None)
        self.bounds.waiting[self] = None  # at the end: it waits from now on
        self._set_deadline(HEAD_SECONDS)

    def _leave(self) -> None:
        self.bounds.waiting.pop(self, None)
        self._arrived = b""
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _set_deadline(self, seconds: float) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = self.loop.call_later(seconds, self.drop)

    def _takes_data(self) -> bool:
        return not self.transport.is_closing() and self._deadline is not None

    def _is_held_up(self) -> bool:
        return self.flow.read_paused


class SocketConnection(_InPieces, WebSocketsSansIOProtocol):
    """A WebSocket connection, with limits for frames that are no messages by themselves."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        burst = CONTROL_BURST
        self._control = RateLimit("too_fast", per_second=CONTROL_FRAMES, burst=burst, clock=self.loop.time)

    async def receive(self) -> Any:
        message = await super().receive()
        if self._arrived:  # it comes first
            self.transport.pause_reading()
        return message

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) >= MOST_FRAGMENTS:
            self._refuse()
        elif not self.close_sent:
            super().handle_cont(event)

    def handle_ping(self) -> None:
        if self._has_control_frame():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._has_control_frame():
            super().handle_pong(event)

    def _has_control_frame(self) -> bool:
        """Whether this socket may send another control frame."""
        try:
            self._control.take(None)
        except Refused:
            self._refuse()
            return False
        return not self.close_sent

    def _refuse(self) -> None:
        """Close a socket whose frames no browser would send."""
        if not self.close_sent:
            self.conn.fail(CloseCode.POLICY_VIOLATION, "too many frames")
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.transport.close()

    def _takes_data(self) -> bool:
        return not self.disconnected and not self.transport.is_closing()

    def _is_held_up(self) -> bool:
        return self.read_paused
