"""A real server on the loopback interface, in a thread, with an application of one page and one socket."""

import contextlib
import http.client
import socket
import ssl
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from palabre.web.access import IN_SCOPE, Access, require
from palabre.web.gate import Gate, ServerNames
from palabre.web.refusal import Refused
from palabre.web.store import Browser
from tests.command import PATIENCE, wait_until


@dataclass
class Reply:
    """What a server has answered."""

    status: int
    headers: http.client.HTTPMessage
    text: str

    @property
    def cookie(self) -> str:
        """The cookie that it sets, as a browser sends it back."""
        return self.headers["Set-Cookie"].partition(";")[0]


def http_reply(
    port: int,
    path: str,
    *,
    method: str = "GET",
    cookie: str = "",
    body: str = "",
    headers: Mapping[str, str] | None = None,
    certificate: Path | None = None,
) -> Reply:
    """What a server on this machine answers, by TLS if a certificate is given; redirections are not followed."""
    if certificate is None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    else:
        context = ssl.create_default_context(cafile=str(certificate))
        context.check_hostname = False
        connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=PATIENCE, context=context)
    sent = {**(headers or {}), **({"Cookie": cookie} if cookie else {})}
    with contextlib.closing(connection):
        connection.request(method, path, body.encode() or None, sent)
        answer = connection.getresponse()
        return Reply(answer.status, answer.headers, answer.read().decode())


@dataclass
class Site:
    """A running server."""

    port: int
    gate: Gate
    seen: list[str]  # the paths that have reached the application

    @property
    def access(self) -> Access:
        return self.gate.access

    def forget(self, access: Access) -> None:
        """Begin anew with nobody let in."""
        self.gate.access = access
        self.seen.clear()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def origin(self) -> str:
        return f"http://{self.host}"

    def ask(self, path: str, *, method: str = "GET", cookie: str = "", body: str = "", **headers: str) -> Reply:
        """Send a request; `accept_language` stands for the header `Accept-Language`."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        return http_reply(self.port, path, method=method, cookie=cookie, body=body, headers=given)

    def come_in(self, link: str) -> str:
        """The cookie that a link gives."""
        reply = self.ask(link)
        assert reply.status == 303, reply.text
        return reply.cookie


def whose(connection: HTTPConnection) -> Browser:
    """The browser that the gate has let through."""
    browser = connection.scope[IN_SCOPE]
    assert isinstance(browser, Browser)
    return browser


def application(seen: list[str]) -> Starlette:
    """It says who asks, lets the operator alone change something, and echoes on a socket."""

    async def page(request: Request) -> Response:
        seen.append(request.url.path)
        return PlainTextResponse(f"{whose(request).id} {whose(request).role}")

    async def change(request: Request) -> Response:
        seen.append(request.url.path)
        try:
            require(whose(request), "operator")
        except Refused as refusal:
            return PlainTextResponse(refusal.id, 403)
        return PlainTextResponse("changed", headers={"Cache-Control": "no-cache"})

    async def echo(websocket: WebSocket) -> None:
        seen.append("/socket")
        await websocket.accept()
        async for text in websocket.iter_text():
            await websocket.send_text(f"{whose(websocket).role}: {text}")

    return Starlette(
        routes=[
            Route("/", page),
            Route("/play/{room}", page),
            Route("/change", change, methods=["POST"]),
            WebSocketRoute("/socket", echo),
        ]
    )


@contextlib.contextmanager
def running(access: Access) -> Iterator[Site]:
    """A server behind the gate, until the block ends."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        seen: list[str] = []
        gate = Gate(application(seen), access, ServerNames(listening.getsockname()[1]))
        server = uvicorn.Server(uvicorn.Config(gate, log_config=None, access_log=False, ws="websockets-sansio"))
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        wait_until(lambda: server.started)
        try:
            yield Site(gate.names.port, gate, seen)
        finally:
            server.should_exit = True
            thread.join(PATIENCE)
