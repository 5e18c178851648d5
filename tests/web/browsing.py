"""Browsers without a screen: the real server in a process of its own, and sockets that speak its protocol."""

import contextlib
import http.client
import json
import random
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from websockets.sync.client import connect
from websockets.typing import Origin

from tests.command import PATIENCE, PLAIN, environment

START = """
import os, sys
from pathlib import Path
from palabre.web.run import ServerSettings, serve
from palabre.web.server import make_app
if os.environ.get("RATES") == "off":  # for tests of what lies behind them
    from palabre.web.rates import RateLimit
    RateLimit.take = RateLimit.require = lambda self, key: None
from palabre.web import rates
rates.WORK_BURST = 1e6  # seconds: what a browser may use up must not depend on the machine
if "CLAIM_AFTER" in os.environ:  # seconds, for tests that cannot wait for two minutes
    from palabre.web import live, room
    room.CLAIM_AFTER = live.CLAIM_AFTER = float(os.environ["CLAIM_AFTER"])
if "DESCRIPTORS" in os.environ:  # how many files the server may open
    import resource
    resource.setrlimit(resource.RLIMIT_NOFILE, (int(os.environ["DESCRIPTORS"]),) * 2)
from palabre.web import run
usual = run._config
def patient(app, settings):
    config = usual(app, settings)
    config.ws_ping_interval = None  # a browser that answers a ping late is not gone: the machine is busy
    return config
run._config = patient
from palabre.web.pool.thinking import SearchPool
SearchPool.__init__.__kwdefaults__["grace"] = 300.0  # seconds: a search that ends late does not hang
port, data, *bots = sys.argv[1:]
games = tuple(Path(name) for name in os.environ["GAMES"].split(os.pathsep) if name)
seconds = float(os.environ.get("SECONDS", ServerSettings.seconds))
host = os.environ.get("HOST", "127.0.0.1")
settings = ServerSettings(data=Path(data), host=host, port=int(port), seconds=seconds, opens_browser=False,
                    workers=1, games=games, bots=tuple(map(Path, bots)), events=(Path(data).parent,))
serve(settings, make_app, lambda line: print(line, flush=True))
"""
EXAMPLES = Path(__file__).parent.parent.parent / "examples"
QUIET_PORTS = range(20_000, 32_000)  # from which no system takes ports for connections that others open


def free_port() -> int:
    """A port that is free, and that nothing else takes while a server is down and comes back."""
    for port in random.SystemRandom().sample(QUIET_PORTS, 100):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no port is free")


class Refusal(Exception):
    """The server has refused something."""

    def __init__(self, answer: dict[str, Any]) -> None:
        super().__init__(answer["text"])
        self.id: str = answer["id"]


class Browser:
    """One socket of a browser; a cookie may have several."""

    def __init__(self, port: int, cookie: str, language: str = "en") -> None:
        self.port, self.cookie = port, cookie
        self._closing = contextlib.ExitStack()
        opening = connect(
            f"ws://127.0.0.1:{port}/socket",
            origin=Origin(f"http://127.0.0.1:{port}"),
            additional_headers={"Cookie": cookie},
            max_size=10_000_000,
            open_timeout=PATIENCE,
            ping_interval=None,  # a server that answers a ping late is not gone: the machine is busy
        )
        self._socket = self._closing.enter_context(opening)
        self._asked = 0
        self.pushed: list[dict[str, Any]] = []  # what was told and not yet looked at
        self.welcome = self.ask("Hello", language=language)

    def close(self) -> None:
        self._closing.close()

    def send(self, text: str | bytes) -> None:
        """Send anything."""
        self._socket.send(text)

    def receive(self, seconds: float = PATIENCE) -> dict[str, Any]:
        """The next message."""
        message: dict[str, Any] = json.loads(self._socket.recv(timeout=seconds))
        return message

    def ask(self, kind: str, **fields: Any) -> Any:
        """The answer to a request; what is pushed meanwhile is kept."""
        self._asked += 1
        self.send(json.dumps({"kind": kind, "ask": self._asked, **fields}))
        while True:
            message = self.receive()
            if message["kind"] in ("Answer", "Refusal") and message["ask"] == self._asked:
                if message["kind"] == "Refusal":
                    raise Refusal(message)
                return message.get("result")
            self.pushed.append(message)

    @property
    def last_ask(self) -> int:
        return self._asked

    def wait(self, kind: str, matches: Callable[[dict[str, Any]], object] = lambda message: True) -> dict[str, Any]:
        """The next push of a kind that matches; those before it are dropped."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            message = self.pushed.pop(0) if self.pushed else self.receive()
            if message["kind"] == kind and matches(message):
                return message
        raise AssertionError(f"no {kind} has come")

    def drain(self, answers: int) -> Iterator[dict[str, Any]]:
        """All messages until so many requests have been answered."""
        while answers:
            message = self.receive()
            answers -= message["kind"] in ("Answer", "Refusal")
            yield message

    def open_room(self, game: str, *seats: str, **settings: Any) -> str:
        """Begin a game: `me`, `guest` or a bot in each seat."""
        wishes = [{"who": seat} if seat in ("me", "guest") else {"who": "bot", "bot": seat} for seat in seats]
        place = settings.pop("place", {"game": game})
        return str(self.ask("OpenRoom", place=place, seats=wishes, **settings)["name"])

    def after_move(self, room: str, ply: int) -> dict[str, Any]:
        """What is told of a room once it has so many plies."""
        return self.wait(
            "RoomChanged",
            lambda told: (
                told["room"] == room and told["since"] is not None and told["since"] + len(told["plies"]) > ply
            ),
        )


class Server:
    """A server, and the links that it prints."""

    def __init__(self, folder: Path, bots: Path | None = None, **settings: str) -> None:
        self.folder, self.bots = folder, bots
        self.settings = {"GAMES": str(EXAMPLES), **settings}
        self.lines: list[str] = []
        self.port = free_port()  # the same one after a restart

    def start(self) -> None:
        words = [str(self.port), str(self.folder / "games.db"), *([str(self.bots)] if self.bots else [])]
        with (self.folder / "server.log").open("a") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", START, *words],
                env=environment(None, **{**PLAIN, **self.settings}),
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        self.lines = []
        self.link = self._next_link()

    def _next_link(self) -> str:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)
            if found := re.fullmatch(r"  http\S+?(/enter\?token=\S+)\n", line):  # a line of its own: the operator's
                return found[1]
        raise AssertionError((self.folder / "server.log").read_text())

    @property
    def log(self) -> str:
        return (self.folder / "server.log").read_text()

    def get(self, path: str, cookie: str = "") -> tuple[int, http.client.HTTPMessage, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        with contextlib.closing(connection):
            connection.request("GET", path, headers={"Cookie": cookie} if cookie else {})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()

    def cookie(self, link: str) -> str:
        """The cookie that a link gives."""
        status, headers, body = self.get(link)
        assert status == 303, body
        return str(headers["Set-Cookie"]).partition(";")[0]

    def operator(self, language: str = "en") -> Browser:
        """A new browser of the operator."""
        with self.used_link() as link:
            cookie = self.cookie(link)
        return Browser(self.port, cookie, language)

    @contextlib.contextmanager
    def used_link(self) -> Iterator[str]:
        """The operator's link, to be used in the block; the server then prints a new one."""
        yield self.link
        self.link = self._next_link()

    def kill(self, by: signal.Signals = signal.SIGKILL) -> None:
        """End the server, by default as a crash of the machine would."""
        self.process.send_signal(by)
        self.process.communicate(timeout=PATIENCE)


@contextlib.contextmanager
def serving(folder: Path, bots: Path | None = None, **settings: str) -> Iterator[Server]:
    """A server until the block ends."""
    server = Server(folder, bots, **settings)
    server.start()
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.kill()


def two_people(server: Server, operator: Browser, guest: Browser, game: str = "awele", **settings: Any) -> str:
    """A room with the operator in the first seat and the guest in the second, and both look at it."""
    room = operator.open_room(game, "me", "guest", **settings)
    path = operator.ask("Invite", room=room, seat=1)["path"]
    status, headers, _ = server.get(path, guest.cookie)
    assert (status, headers["Location"]) == (303, f"/play/{room}")
    assert server.get(path, operator.cookie)[0] == 403, "an invitation is good for one browser"
    for browser in (operator, guest):
        browser.ask("Enter", room=room)
    return room
