"""Starting and ending the server: its port, its links, what it prints.

ServerSettings          what the operator chose on the command line
Parts             what the application gets: settings, store, access, and the way to end the server
serve(…)          runs an application behind the gate until Ctrl-C, or until the operator quits in the browser
"""

import asyncio
import contextlib
import ipaddress
import logging
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from palabre.core.errors import PalabreError
from palabre.core.files import data_folder
from palabre.core.words import say
from palabre.web.access import Access
from palabre.web.connections import MOST_AT_ONCE, Bounds, SocketConnection
from palabre.web.gate import Gate, names_for
from palabre.web.requests import LONGEST_MESSAGE, OpenRoom
from palabre.web.sparse import log_to_stderr
from palabre.web.store import DAY, NotKept, ServerStore, open_store

LOOPBACK = "127.0.0.1"
FIRST_PORT, PORTS_TO_TRY = 8017, 20
GUESTS = 50
SECONDS_TO_CLOSE = 3  # for answers and sockets that are open when the server ends
AT_ONCE = 130  # exit code of a second Ctrl-C

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class ServerSettings:
    """What the operator chose."""

    host: str = LOOPBACK
    port: int | None = None  # None for the first free one
    names: tuple[str, ...] = ()  # by which a proxy makes the server known
    tls: tuple[Path, Path] | None = None  # certificate and key
    data: Path | None = None  # None for the usual file
    bots: tuple[Path, ...] = ()  # files and folders that browsers may name
    games: tuple[Path, ...] = ()
    broken: tuple[tuple[Path, str], ...] = ()  # games among these that break a law, and the sentences that say so
    events: tuple[Path, ...] = ()  # folders of events that are shown
    workers: int = 2
    seconds: float = 5.0  # the most that a bot may think about a move
    guests: int = GUESTS
    forgets_guests: bool = False  # whether those who came before must come by a new link
    opens_browser: bool = True
    opening: OpenRoom | None = None  # the game to open for the operator

    @property
    def is_public(self) -> bool:
        """Whether others than this machine can reach the server, by themselves or through a proxy."""
        if self.names:
            return True
        try:
            return not ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host != "localhost"


@dataclass(frozen=True)
class Parts:
    """What an application is made of. `on_end` is awaited when the server ends, before sockets are closed."""

    settings: ServerSettings
    store: ServerStore
    address: str  # by which others reach the server; empty if only this machine does
    events: Path  # the folder for events that are begun in the browser
    access: Access
    quit: Callable[[], None]
    on_end: list[Callable[[], Awaitable[None]]] = field(default_factory=list)


def serve(settings: ServerSettings, make_app: Callable[[Parts], ASGIApp], print_line: Callable[[str], None]) -> None:
    """Run a server until it is ended; `print_line` prints a line for the operator."""
    _refuse_bad_certificate(settings)
    file = settings.data or usual_file()
    with contextlib.closing(open_store(file)) as store, contextlib.ExitStack() as stack:
        listening = stack.enter_context(contextlib.closing(_listen(settings)))
        port = listening.getsockname()[1]
        address = _address(settings, port)
        store.announce(address)
        store.clean()
        if settings.forgets_guests:
            store.forget_guests()
        access = Access(store, guests=settings.guests)
        names = names_for(settings.host, port, settings.names, _own_names())
        server: _Server
        reached = address if settings.is_public else ""
        events = file.with_name(f"{file.stem}-events")
        parts = Parts(settings, store, reached, events, access, lambda: server.end())
        server = _Server(_config(Gate(make_app(parts), access, names), settings), parts)
        stack.enter_context(_ended_by_signals(server))
        _print_links(settings, access, address, port, file, print_line)
        server.run([listening])
    print_line(str(say("server.over", file=file)))


def usual_file() -> Path:
    """Where games are kept by default."""
    return data_folder() / "games.db"


# ---------------------------------------------------------------------------------------------------------- addresses


def _listen(settings: ServerSettings) -> socket.socket:
    """A socket that listens at the port, or at the first one that is free."""
    tried = [settings.port] if settings.port is not None else range(FIRST_PORT, FIRST_PORT + PORTS_TO_TRY)
    for port in tried:
        try:
            return _bind(settings.host, port)
        except socket.gaierror as error:
            raise PalabreError(say("server.no_address", host=settings.host, error=error.strerror)) from error
        except OSError as error:
            problem = error
    params = {"host": settings.host, "port": tried[0], "error": problem.strerror}
    if settings.port is not None:
        raise PalabreError(say("server.taken", **params))
    raise PalabreError(say("server.none_free", **params, last=tried[-1]))


def _bind(host: str, port: int) -> socket.socket:
    [(family, kind, protocol, _, place), *_] = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    bound = socket.socket(family, kind, protocol)
    try:
        if sys.platform != "win32":  # there it would let two servers have the same port
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(place)
        bound.listen()  # those who come early wait, and are not turned away
    except BaseException:
        bound.close()
        raise
    return bound


def _address(settings: ServerSettings, port: int) -> str:
    """The address to print, by which the server can be reached; a proxy is expected to do TLS at the usual port."""
    if settings.names and settings.tls is None:
        return f"https://{settings.names[0]}"
    if settings.names:  # our own TLS: people come to this port
        return f"https://{settings.names[0]}:{port}"
    scheme = "https" if settings.tls is not None else "http"
    host = _reachable() if settings.host in ("0.0.0.0", "::") else settings.host
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def _reachable() -> str:
    """The address of this machine in its network. Nothing is sent: the system only looks up which one it would use."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # an address reserved for documentation
        return str(probe.getsockname()[0])
    return LOOPBACK


def _own_names() -> list[str]:
    name = socket.gethostname()
    return [name, f"{name}.local"]


def _refuse_bad_certificate(settings: ServerSettings) -> None:
    if settings.tls is not None:
        import ssl

        try:
            ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(*settings.tls)
        except (OSError, ssl.SSLError) as error:
            files = " ".join(map(str, settings.tls))
            raise PalabreError(say("server.certificate", files=files, error=error.strerror or error)) from error


# -------------------------------------------------------------------------------------------------- what is printed


def _print_links(
    settings: ServerSettings, access: Access, address: str, port: int, file: Path, print_line: Callable[[str], None]
) -> None:
    link = address + access.link("operator")
    shows = settings.opens_browser and has_display()
    behind = say("server.behind", port=port) if settings.names and settings.tls is None else ""
    print_line(str(say("server.runs", address=address, behind=behind, file=file)))
    if settings.is_public:
        print_line(str(say("server.public")))
        print_line(str(say("server.to_play", guests=settings.guests, link=address + access.link("player"))))
        print_line(str(say("server.to_watch", link=address + access.link("watcher"))))
        if address.startswith("http:"):
            print_line(str(say("server.unencrypted")))
    print_line(str(say("server.opened" if shows else "server.open", link=link)))

    def print_next() -> None:
        print_line(str(say("server.link_used", link=address + access.link("operator"))))

    access.on_link_used = print_next
    if shows:
        threading.Thread(target=_show, args=(link,), daemon=True).start()


def has_display() -> bool:
    """Whether a browser can be shown here: elsewhere the system might start one in the terminal."""
    if sys.platform in ("win32", "darwin"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))


def _show(link: str) -> None:
    with contextlib.suppress(webbrowser.Error, OSError):  # the link has been printed
        webbrowser.open(link)


# ---------------------------------------------------------------------------------------------------------- the server


def _config(app: ASGIApp, settings: ServerSettings) -> uvicorn.Config:
    log_to_stderr()
    bounds = Bounds.usual()
    certificate, key = settings.tls or (None, None)
    return uvicorn.Config(
        app,
        lifespan="on",
        log_config=None,
        access_log=False,  # links have tokens in them
        server_header=False,
        proxy_headers=bool(settings.names),
        timeout_graceful_shutdown=SECONDS_TO_CLOSE,
        backlog=MOST_AT_ONCE,
        http=bounds.http_protocol(),
        ws=SocketConnection,
        ws_max_size=LONGEST_MESSAGE,
        ws_per_message_deflate=False,  # a few bytes would become a long message
        ssl_certfile=certificate,
        ssl_keyfile=key,
    )


class _Server(uvicorn.Server):
    """Ends at the first Ctrl-C as it should, at the second one at once."""

    def __init__(self, config: uvicorn.Config, parts: Parts) -> None:
        super().__init__(config)
        self._parts = parts

    def end(self) -> None:
        self.should_exit = True

    def handle_exit(self, sig: int, frame: object) -> None:
        if self.should_exit and sig == signal.SIGINT:
            os._exit(AT_ONCE)
        self.end()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._cleaning = asyncio.create_task(self._clean_daily())

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._cleaning.cancel()
        for function in self._parts.on_end:
            await function()
        await super().shutdown(sockets)

    async def _clean_daily(self) -> None:
        while True:
            await asyncio.sleep(DAY)
            try:
                self._parts.store.clean()
            except NotKept as error:
                logger.error("%s", error)


@contextlib.contextmanager
def _ended_by_signals(server: _Server) -> Iterator[None]:
    """Have Ctrl-C end a server that has printed its links but not begun to run; uvicorn handles it after that."""
    before = {number: signal.signal(number, server.handle_exit) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
