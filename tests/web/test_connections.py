"""Silent, slow and noisy connections: they are closed, and shut nobody out."""

import asyncio
import itertools
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from palabre.web import connections, run
from palabre.web.connections import (
    CONTROL_BURST,
    HEAD_SECONDS,
    MOST_CONNECTIONS,
    MOST_FRAGMENTS,
    PIECE,
    REQUEST_SECONDS,
    SPENT,
    Bounds,
    SocketConnection,
    most_connections,
)
from tests.command import PATIENCE

HALF = b"GET / HTTP/1.1\r\nHost: here\r\n"
WHOLE = HALF + b"\r\n"
UPGRADE = (
    HALF + b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n"
)
UNMASKED = b"\x80\0\0\0\0"  # the rest of a frame without content
PING, PONG, PART, EMPTY_PART = b"\x89" + UNMASKED, b"\x8a" + UNMASKED, b"\x00\x81\0\0\0\0x", b"\x00" + UNMASKED
FIRST_PART, LAST_PART = b"\x01\x81\0\0\0\0x", b"\x80\x81\0\0\0\0x"
REFUSED = b"\x03\xf0too many frames"  # 1008


class Loop(asyncio.SelectorEventLoop):
    """An event loop whose clock a test sets forward."""

    ahead = 0.0

    def time(self) -> float:
        return super().time() + self.ahead


class Site:
    """A server within bounds, in the loop of the test."""

    def __init__(self, bounds: Bounds, port: int) -> None:
        self.bounds, self.port = bounds, port
        self.spent: list[float] = []  # for reading each request
        self._writers: list[asyncio.StreamWriter] = []

    async def connect(self, data: bytes = b"") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(data)
        self._writers.append(writer)
        return reader, writer

    async def close(self) -> None:
        for writer in self._writers:
            writer.close()
        await asyncio.gather(*(writer.wait_closed() for writer in self._writers), return_exceptions=True)

    async def socket(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await self.connect(UPGRADE)
        head = await reader.readuntil(b"\r\n\r\n")
        assert b" 101 " in head
        return reader, writer


@asynccontextmanager
async def serving(bounds: Bounds) -> AsyncIterator[Site]:
    """Such a server; it answers without reading a body, except at /late, and echoes the lengths of messages."""

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            while (event := await receive())["type"] == "websocket.receive":
                await send({"type": "websocket.send", "text": f"got {len(event['text'])}"})
            return
        site.spent.append(scope["state"][SPENT])
        if scope["path"] == "/late":
            await asyncio.Event().wait()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]})
        await send({"type": "http.response.body", "body": b"done"})

    config = uvicorn.Config(
        application,
        http=bounds.http_protocol(),
        ws=SocketConnection,
        ws_per_message_deflate=False,
        ws_ping_interval=None,
        timeout_keep_alive=10**6,  # so that our own limits are what closes
        log_config=None,
        access_log=False,
        lifespan="off",
    )
    config.load()
    state, loop = ServerState(), asyncio.get_running_loop()
    protocol = bounds.http_protocol()
    server = await loop.create_server(lambda: protocol(config, state, {}), "127.0.0.1", 0)
    site = Site(bounds, server.sockets[0].getsockname()[1])
    try:
        yield site
    finally:
        await site.close()
        server.close()
        for connection in list(state.connections):
            connection.transport.abort()
        for task in list(state.tasks):
            task.cancel()
        await asyncio.gather(*state.tasks, return_exceptions=True)


def play(scenario: Callable[[Site, Loop], Awaitable[None]], bounds: Bounds | None = None) -> None:
    """Run a scenario with a server of its own."""

    async def scene() -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, Loop)
        async with asyncio.timeout(PATIENCE), serving(bounds or Bounds()) as site:
            await scenario(site, loop)

    with asyncio.Runner(loop_factory=Loop) as runner:
        runner.run(scene())


async def until(condition: Callable[[], object]) -> None:
    while not condition():
        await asyncio.sleep(0)


def test_those_that_wait_for_longest_give_way_to_whoever_comes() -> None:
    async def scenario(site: Site, loop: Loop) -> None:
        silent = [await site.connect(HALF if number % 2 else b"") for number in range(20)]
        for _ in range(3):
            reader, writer = await site.connect(WHOLE)
            assert (await reader.readuntil(b"done")).startswith(b"HTTP/1.1 200")
            assert len(site.bounds.waiting) <= 5
            writer.close()
        for reader, _ in silent[:15]:
            with pytest.raises((ConnectionResetError, asyncio.IncompleteReadError)):
                await reader.readexactly(1)

    play(scenario, Bounds(most_waiting=5))


def test_all_connections_together_stay_below_their_number() -> None:
    async def scenario(site: Site, loop: Loop) -> None:
        sockets = [await site.socket() for _ in range(4)]
        for _ in range(10):
            await site.connect(HALF)
        reader, _ = await site.connect(WHOLE)  # takes the place of one that waits
        assert (await reader.readuntil(b"done")).startswith(b"HTTP/1.1 200")
        assert len(site.bounds.waiting) == 2
        for reader, writer in sockets:  # nobody who is inside has been closed
            writer.write(b"\x81\x81\0\0\0\0x")
            assert await reader.readexactly(7) == b"\x81\x05got 1"

    play(scenario, Bounds(most=6))


@pytest.mark.parametrize(
    ("first", "drop"),
    [
        (b"", b""),
        (HALF, b""),
        (HALF, b"x"),  # a head that never ends
        (UPGRADE[:-2], b""),
        (HALF + b"Content-Length: 1000\r\n\r\n", b""),  # it is answered, and the body never ends
        (HALF + b"Content-Length: 1000\r\n\r\n", b"x"),
        (HALF + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
        (WHOLE, b"G"),  # the second request never ends
    ],
)
def test_a_request_that_does_not_arrive_is_given_up_however_slowly_it_goes_on(first: bytes, drop: bytes) -> None:
    async def scenario(site: Site, loop: Loop) -> None:
        reader, writer = await site.connect(first)
        await until(lambda: site.bounds.waiting)
        if first.endswith(b"\r\n\r\n"):
            await reader.readuntil(b"done")
        for _ in range(3):
            loop.ahead += HEAD_SECONDS / 3 + 0.1
            writer.write(drop)
            for _ in range(10):
                await asyncio.sleep(0)
        with pytest.raises((ConnectionResetError, asyncio.IncompleteReadError)):
            await reader.readexactly(1)
        assert not site.bounds.waiting

    play(scenario)


def test_a_request_that_is_worked_on_has_longer_and_is_no_longer_waiting() -> None:
    async def scenario(site: Site, loop: Loop) -> None:
        reader, _ = await site.connect(WHOLE.replace(b" / ", b" /late "))
        await until(lambda: site.bounds.waiting)
        await until(lambda: not site.bounds.waiting)
        loop.ahead += HEAD_SECONDS + 1
        await asyncio.sleep(0.01)
        assert not reader.at_eof()
        loop.ahead += REQUEST_SECONDS
        with pytest.raises((ConnectionResetError, asyncio.IncompleteReadError)):
            await reader.readexactly(1)

    play(scenario)


def test_a_socket_may_be_silent_and_a_kept_connection_is_used_again() -> None:
    async def scenario(site: Site, loop: Loop) -> None:
        reader, writer = await site.socket()
        again, writer_again = await site.connect()
        for _ in range(5):
            loop.ahead += HEAD_SECONDS - 1
            writer_again.write(WHOLE)
            await again.readuntil(b"done")
        writer.write(b"\x81\x81\0\0\0\0x")
        assert await reader.readexactly(7) == b"\x81\x05got 1"

    play(scenario)


@pytest.mark.parametrize("frames", [PING * 10_000, PONG * 10_000, PING * 100 + PONG * 100])
def test_a_flood_of_control_frames_ends_the_socket(frames: bytes) -> None:
    async def scenario(site: Site, loop: Loop) -> None:
        reader, writer = await site.socket()
        writer.write(frames)
        told = b""
        while REFUSED not in told:
            told += await reader.readexactly(1)
        assert told.count(b"\x8a\x00") <= CONTROL_BURST + PIECE // len(PING)

    play(scenario)


def test_pings_now_and_then_are_answered() -> None:
    async def scenario(site: Site, loop: Loop) -> None:
        reader, writer = await site.socket()
        for _ in range(2 * CONTROL_BURST):
            loop.ahead += 2
            writer.write(PING)
            assert await reader.readexactly(2) == b"\x8a\x00"

    play(scenario)


@pytest.mark.parametrize("part", [PART, EMPTY_PART])
def test_a_message_in_too_many_parts_ends_the_socket(part: bytes) -> None:
    async def scenario(site: Site, loop: Loop) -> None:
        reader, writer = await site.socket()
        writer.write(FIRST_PART + PART * 100 + LAST_PART)
        assert await reader.readexactly(9) == b"\x81\x07got 102"
        writer.write(FIRST_PART + part * (2 * MOST_FRAGMENTS))
        with pytest.raises((ConnectionResetError, asyncio.IncompleteReadError)):
            await reader.readexactly(100)

    play(scenario)


def test_what_arrives_at_once_is_handled_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others have their turn between two of them."""
    sizes: list[int] = []

    def note(protocol: Any) -> None:
        handle = protocol.data_received

        def data_received(self: Any, data: bytes) -> None:
            sizes.append(len(data))
            handle(self, data)

        monkeypatch.setattr(protocol, "data_received", data_received)

    note(H11Protocol)
    note(WebSocketsSansIOProtocol)

    async def scenario(site: Site, loop: Loop) -> None:
        reader, writer = await site.socket()
        writer.write(b"\x81\xff" + (90_000).to_bytes(8, "big") + bytes(4) + b"x" * 90_000)
        assert await reader.readexactly(11) == b"\x81\x09got 90000"
        for _ in range(50):
            writer.write((b"\x81\xfe" + (1_000).to_bytes(2, "big") + bytes(4) + b"x" * 1_000) * 100)
            assert await reader.readexactly(1_000) == b"\x81\x08got 1000" * 100
        reader, _ = await site.connect(b"GET / HTTP/1.1\r\n" + b"Cookie: x=y\r\n" * 20_000 + b"\r\n")
        assert (await reader.readline()).split()[1] in (b"400", b"431")

    play(scenario)
    assert max(sizes) <= PIECE


def test_a_request_knows_what_reading_it_has_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each piece of it costs a second here; what has been paid for is not part of the next request."""
    busy = itertools.count()
    monkeypatch.setattr(connections, "time", SimpleNamespace(thread_time=lambda: next(busy)))

    async def scenario(site: Site, loop: Loop) -> None:
        reader, writer = await site.connect(HALF + b"Accept: " + 3 * PIECE * b"x" + b"\r\n\r\n")
        await reader.readuntil(b"done")
        [long] = site.spent
        assert long > 3
        writer.write(WHOLE)
        await reader.readuntil(b"done")
        assert site.spent[-1] < long

    play(scenario)


def test_nothing_is_compressed_so_that_no_few_bytes_become_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "log_to_stderr", lambda: None)
    monkeypatch.setattr(connections, "raise_descriptor_limit", lambda: 1024)
    config = run._config(lambda scope, receive, send: asyncio.sleep(0), run.ServerSettings())
    assert not config.ws_per_message_deflate
    protocol = config.http
    assert isinstance(protocol, type)
    assert issubclass(protocol, connections.HttpConnection)
    assert protocol.bounds.most_waiting < protocol.bounds.most < 1024


@pytest.mark.parametrize(("descriptors", "most"), [(256, 56), (1_024, 824), (100_000, MOST_CONNECTIONS), (10, 1)])
def test_connections_leave_descriptors_for_everything_else(descriptors: int, most: int) -> None:
    assert most_connections(descriptors) == most


@pytest.mark.processes
@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
def test_the_limit_of_descriptors_is_raised_as_far_as_allowed() -> None:
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (100, 300));"
        "from palabre.web.connections import raise_descriptor_limit as raised;"
        "print(raised(), resource.getrlimit(resource.RLIMIT_NOFILE)[0])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=PATIENCE)
    assert done.stdout == "300 300\n"
