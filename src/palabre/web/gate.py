"""The gate in front of the server: what every request and every socket must pass, and the headers of every answer.

The Host must be a name of this server: otherwise a page elsewhere could have its own name point here and read what it
likes (DNS rebinding). What changes anything, and every WebSocket, must come from a page of ours: the Origin says so.
Everything but the two doors, `/enter` and `/join`, is for browsers that have been let in. The sender of a request pays
for the time that it takes of the event loop: a browser by itself, strangers with all others at their address.
"""

import ipaddress
import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from urllib.parse import quote, urlencode

from starlette.datastructures import MutableHeaders, QueryParams
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from palabre.web.access import Access, is_secure
from palabre.web.connections import SPENT
from palabre.web.door import bounce_page, door_page
from palabre.web.rates import STRANGERS_BURST, STRANGERS_SHARE, WORK_BURST, WORK_SHARE, Accounts, metered
from palabre.web.refusal import Refused
from palabre.web.store import NotKept

logger = logging.getLogger(__name__)

SAFE_METHODS = ("GET", "HEAD")
LONGEST_TARGET = 2_000  # bytes of a path with its query
LONGEST_BODY = 100_000  # bytes
LONGEST_PATH = 200  # characters of the path that a browser is shown after the door
AGAIN = "again"  # marks the second attempt of a browser that came from elsewhere
PORTS = {"http": 80, "https": 443}
SITE = 8  # bytes of an address of version 6 that a network gives to a customer, who chooses the others

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; media-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",  # unless the answer says otherwise
}
# What only documents heed. Scripts and styles are many and small, and these would be a third of each.
FOR_DOCUMENTS = {"Content-Security-Policy", "Permissions-Policy", "Cross-Origin-Opener-Policy"}
NO_DOCUMENTS = ("text/javascript", "text/css")
# Browsers heed this where no one can listen in: by TLS, and on this machine. Elsewhere they complain of it.
HEADERS_OF_THE_TRUSTED = {**HEADERS, "Cross-Origin-Opener-Policy": "same-origin"}


@dataclass(frozen=True)
class ServerNames:
    """By which names this server may be called. An address can be trusted as a name: no page can have it point here."""

    port: int
    names: frozenset[str] = frozenset({"localhost"})
    is_public: bool = False  # whether any address may be ours, or only those of this machine itself
    forwarded: frozenset[str] = frozenset()  # names under which a proxy passes requests on, from any port of its own

    def include(self, host: str, scheme: str) -> bool:
        """Whether a Host header is one of ours."""
        name, port = _split_host(host.lower(), PORTS[scheme])
        if name in self.forwarded:
            return True
        return port == self.port and (name in self.names or self._is_our_address(name))

    def _is_our_address(self, name: str) -> bool:
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return False
        return self.is_public or address.is_loopback


class Gate:
    """Wraps an ASGI application. `clock` and `meter` read the time, and the processor time of this thread."""

    def __init__(
        self,
        app: ASGIApp,
        access: Access,
        names: ServerNames,
        clock: Callable[[], float] = time.monotonic,
        meter: Callable[[], float] = time.thread_time,
    ) -> None:
        self.app = app
        self.access = access
        self.names = names
        self._meter = meter
        self._browsers = Accounts(per_second=WORK_SHARE, burst=WORK_BURST, clock=clock)
        self._strangers = Accounts(per_second=STRANGERS_SHARE, burst=STRANGERS_BURST, clock=clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        begin = self._meter()
        connection = HTTPConnection(scope)
        is_socket = scope["type"] == "websocket"
        sent = send if is_socket else _with_headers(connection, send)
        answer = self._refusal(connection)
        browser = None if answer is not None else self.access.browser(connection)
        if not is_socket:
            answer = answer or self._at_door(connection)
            if answer is not None and "set-cookie" in answer.headers:  # who is let in need not wait
                await answer(scope, receive, sent)
                return
        owner = _place(connection) if browser is None else browser.id
        account = self._strangers if browser is None else self._browsers
        try:
            await account.wait(owner)
        except Refused as busy:
            answer = _plain(429, str(busy), {"Connection": "close"})
            await (_turn_away if is_socket else answer)(scope, receive, sent)
            return
        account.charge(owner, scope.get("state", {}).get(SPENT, 0.0) + self._meter() - begin)
        asked = _turn_away if is_socket and browser is None else answer or self.app
        await metered(asked(scope, receive, sent), partial(account.charge, owner), self._meter)

    # ----------------------------------------------------------------------------------------------- what is refused

    def _refusal(self, connection: HTTPConnection) -> Response | None:
        """What is wrong with a request, from any sender."""
        scope, headers = connection.scope, connection.headers
        scheme = "https" if is_secure(connection) else "http"
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self.names.include(hosts[0], scheme):
            return _plain(421, "This server does not go by that name.")
        is_socket = scope["type"] == "websocket"
        is_harmless = not is_socket and scope["method"] in SAFE_METHODS
        if not is_harmless and headers.getlist("origin") != [f"{scheme}://{hosts[0]}"]:
            return _plain(403, "This request does not come from a page of this server.")
        if is_socket:
            return None
        if len(scope.get("raw_path", b"")) + len(scope["query_string"]) > LONGEST_TARGET:
            return _plain(414, "This address is too long.")
        if scope["method"] not in (*SAFE_METHODS, "POST"):
            return _plain(405, "This server knows GET, HEAD and POST.")
        if "transfer-encoding" in headers:
            return _plain(411, "Say how long the body is.")
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or len(length) > 9 or int(length) > LONGEST_BODY:
            return _plain(413, "This is too long.")
        return None

    # ---------------------------------------------------------------------------------------------------- the doors

    def _at_door(self, connection: HTTPConnection) -> Response | None:
        """The answer to a browser that comes in, or must stay outside; None for those that are inside."""
        path, query = connection.scope["path"], connection.query_params
        browser = self.access.browser(connection)
        is_door = path == "/enter" or path.startswith("/join/")
        if browser is not None and not is_door:
            return _unmarked(path, query) if AGAIN in query else None
        if browser is None and _may_have_cookie(connection):
            return bounce_page(connection, _address(path, [*query.multi_items(), (AGAIN, "1")]))
        if not is_door:
            return door_page(connection, Refused("not_let_in"))
        if connection.scope["method"] != "GET" or "prefetch" in connection.headers.get("sec-purpose", ""):
            return _plain(405, "Open this link in a browser.")  # it has not been used up
        try:
            if path == "/enter":
                entered = self.access.enter(query.get("token", ""), browser)
            else:
                entered = self.access.join(path.removeprefix("/join/"), browser)
        except Refused as refusal:
            return door_page(connection, refusal)
        except NotKept as error:
            logger.error("%s", error)
            return door_page(connection, Refused("not_kept"))
        answer = RedirectResponse(entered.path or _own_path(query.get("to", "/")), 303)
        if entered.secret is not None:
            answer.headers["Set-Cookie"] = self.access.cookie(connection, entered.secret)
        return answer


async def _turn_away(scope: Scope, receive: Receive, send: Send) -> None:
    """Refuse a socket before it is accepted, which is an answer 403."""
    await send({"type": "websocket.close", "code": 1008})


def _with_headers(connection: HTTPConnection, send: Send) -> Send:
    """Sends answers with the headers that all of them have, or all documents."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            is_document = not headers.get("content-type", "").startswith(NO_DOCUMENTS)
            for name, value in (HEADERS_OF_THE_TRUSTED if _is_trusted(connection) else HEADERS).items():
                if is_document or name not in FOR_DOCUMENTS:
                    headers.setdefault(name, value)
        await send(message)

    return send_with_headers


def _place(connection: HTTPConnection) -> str:
    """From where a stranger sends a request."""
    host = "" if connection.client is None else connection.client.host
    try:
        address = ipaddress.IPv6Address(host)
    except ValueError:  # of version 4, or what a proxy says
        return host
    return str(address.ipv4_mapped or address.packed[:SITE].hex())


def _may_have_cookie(connection: HTTPConnection) -> bool:
    """Whether a page is asked for without a cookie that the browser may have.

    If a person follows a link on a page elsewhere, their browser keeps a cookie with SameSite=Strict to itself, also
    in the redirection that follows. It sends it with the next request, which comes from a page of ours.
    """
    headers = connection.headers
    is_page = connection.scope["method"] == "GET" and "text/html" in headers.get("accept", "")
    is_certain = headers.get("sec-fetch-site") in ("none", "same-origin") or AGAIN in connection.query_params
    return is_page and not is_certain


def _unmarked(path: str, query: QueryParams) -> Response:
    """The way to the same page, without what marks a second attempt."""
    return RedirectResponse(_address(path, [entry for entry in query.multi_items() if entry[0] != AGAIN]), 303)


def _address(path: str, query: list[tuple[str, str]]) -> str:
    return _own_path(quote(path)) + (f"?{urlencode(query)}" if query else "")


def _own_path(path: str) -> str:
    """Where a browser wants to go, if that is a path of ours and not another server."""
    is_ours = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if is_ours and len(path) <= LONGEST_PATH else "/"


def _is_trusted(connection: HTTPConnection) -> bool:
    """Whether no one else can listen in: by TLS, or on this machine."""
    server = connection.scope.get("server") or ("", 0)
    try:
        return is_secure(connection) or ipaddress.ip_address(server[0]).is_loopback
    except ValueError:
        return False


def _plain(status: int, text: str, headers: dict[str, str] | None = None) -> Response:
    return PlainTextResponse(f"{text}\n", status, headers)


def _split_host(host: str, usual_port: int) -> tuple[str, int | None]:
    """Name and port of a Host header; the port is None if it is none."""
    name, colon, port = host.rpartition(":")
    if not colon or host.endswith("]"):
        name, port = host, str(usual_port)
    number = int(port) if port.isascii() and port.isdigit() and len(port) <= 5 else None
    return name.removeprefix("[").removesuffix("]"), number


def names_for(host: str, port: int, more: Iterable[str], own_names: Iterable[str]) -> ServerNames:
    """The names of a server that listens at a host, which may be an address or a name."""
    try:
        address = ipaddress.ip_address(host)
        is_public, given = not address.is_loopback, set[str]()
    except ValueError:
        is_public, given = host != "localhost", {host.lower()}
    own = {name.lower() for name in own_names} if is_public else set()
    return ServerNames(
        port, frozenset({"localhost", *given, *own}), is_public, frozenset(name.lower() for name in more)
    )
