"""Messages that no page would send: random, oversized, out of order, forged. The server stands, and stays small."""

import contextlib
import json
import random
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from palabre.web import requests
from palabre.web.rates import BrowserLimits
from tests.command import PATIENCE, wait_until
from tests.web.browsing import Browser, Server, serving

pytestmark = pytest.mark.processes

MESSAGES, WITH_DEEP = 10_000, 100_000
AT_ONCE = 50  # messages that are sent before their answers are read
WARMED_UP = 5_000  # messages after which memory is measured first
MOST_PAGES = BrowserLimits().sockets.each  # of one browser at a time
GROWTH = 60.0  # megabytes by which the server may grow after that
LONGEST_LOG = 2_000  # characters
KINDS = {str(kind.__struct_config__.tag): kind for kind in requests.AnyRequest.__args__}
SENT = [name for name, kind in KINDS.items() if kind is not requests.QuitServer]
WORDS = (
    *(
        "",
        "awele",
        "abalone:official",
        "penguins:players=4",
        "awele:stop=99",
        "examples/othello.py",
        "../../etc/passwd",
    ),
    *("C", "a", "A B", "random", "palabre:level=1", "mcts:nodes=10", "ugi:sh", "\0", "\u202e", "<script>", "é" * 99),
    *("bot", "me", "guest", "en", "fr", "free", "match", "4,4,4,4,4,4/4,4,4,4,4,4 0,0 1 0", "=1+1", "../x", "nowhere"),
)
HEAVY = {"Analyse", "Review", "Hint", "StartEvent"}  # tried less often: each may keep a process busy for a second


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that believes in nobody, but does not tell them to slow down, so that every message is handled."""
    with serving(tmp_path_factory.mktemp("fuzz"), RATES="off") as running:
        yield running


class Nonsense:
    """Makes messages; the same seed makes the same ones."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.rooms = ["nowhere"]

    def message(self, number: int) -> str:
        """A message that is right in its form, nearly right, or no message at all."""
        luck = self.dice.random()
        if luck < 0.02:
            return "".join(chr(self.dice.randrange(1, 0x250)) for _ in range(self.dice.randrange(200)))
        whole = self.request(number)
        if luck < 0.05:
            text = json.dumps(whole)
            cut = self.dice.randrange(len(text))
            return text[:cut] + self.dice.choice(["", "{", "]", '"', "9" * 50]) + text[cut + 1 :]
        if luck < 0.06:
            whole[self.dice.choice([*whole, "extra"])] = self.value(4)
        return json.dumps(whole)

    def request(self, number: int) -> dict[str, Any]:
        kind = self.dice.choice(SENT)
        if kind in HEAVY and self.dice.random() > 0.02:
            kind = "Hello"
        fields = {
            field.encode_name: self.field(field.type, field.encode_name)
            for field in msgspec.structs.fields(KINDS[kind])
            if field.encode_name != "ask" and (field.required or self.dice.random() < 0.5)
        }
        return {"kind": kind, "ask": number, **fields}

    def field(self, kind: Any, name: str) -> Any:
        """A value of the right type, most of the time."""
        if name == "room":
            return self.dice.choice(self.rooms)
        if name == "language":
            return self.dice.choice(["en", "fr"])
        if self.dice.random() < 0.02:
            return self.value(3)
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            return {
                field.encode_name: self.field(field.type, field.encode_name)
                for field in msgspec.structs.fields(kind)
                if field.required or self.dice.random() < 0.5
            }
        text = str(kind)
        if "list" in text or "SeatWish" in text:
            inner = requests.SeatWish if "SeatWish" in text else str
            return [self.field(inner, "item") for _ in range(self.dice.choice([0, 1, 2, 2, 2, 3, 9]))]
        if "Place" in text:
            return self.field(requests.Place, "place")
        if "bool" in text:
            return self.dice.random() < 0.5
        if "int" in text or "float" in text:
            return self.dice.choice([0, 1, 2, 3, 0.5, -1, 10**9, 10**30])
        return self.dice.choice(WORDS)

    def value(self, depth: int) -> Any:
        """Anything that JSON can say."""
        if depth == 0:
            return self.dice.choice([None, True, 0, -1, 1e308, 2**70, "", "x" * self.dice.choice([1, 100, 5000])])
        return self.dice.choice([[self.value(depth - 1)] * 3, {"kind": self.value(depth - 1)}, self.value(0)])


def memory(server: Server) -> float:
    """Megabytes that the server's own process has."""
    fields = Path(f"/proc/{server.process.pid}/status").read_text().split("VmRSS:")[1].split()
    return int(fields[0]) / 1024


def test_messages_without_sense_leave_the_server_standing(server: Server, pytestconfig: pytest.Config) -> None:
    number_of = WITH_DEEP if pytestconfig.getoption("deep") else MESSAGES
    operator = server.operator()
    nonsense = Nonsense(13)
    browser = Browser(server.port, operator.cookie)
    measured: list[float] = []
    answered = refused = 0
    for first in range(0, number_of, AT_ONCE):
        try:
            for number in range(first, first + AT_ONCE):
                browser.send(nonsense.message(number))
            for told in browser.drain(AT_ONCE):
                answered += told["kind"] == "Answer"
                refused += told["kind"] == "Refusal"
                if told["kind"] == "Refusal":
                    assert told["id"] != "broken", (told, server.log)
                name = (told.get("result") or {}) if told["kind"] == "Answer" else {}
                if isinstance(name, dict) and set(name) == {"name"}:
                    nonsense.rooms = [*nonsense.rooms[-20:], name["name"]]
        except ConnectionClosed:  # after too many messages that cannot be read
            browser = Browser(server.port, operator.cookie)
        if first >= WARMED_UP and first % 1_000 == 0:
            measured.append(memory(server))
    assert answered > number_of / 10
    assert refused > number_of / 10
    assert measured[-1] - measured[0] < GROWTH, measured
    assert len(server.log) < LONGEST_LOG, server.log
    assert operator.ask("Hello", language="en")["role"] == "operator"


def test_a_message_that_is_too_long_ends_the_socket_and_nothing_else(server: Server) -> None:
    operator = server.operator()
    other = Browser(server.port, operator.cookie)
    with pytest.raises(ConnectionClosed):
        other.ask("ReadText", text="x" * 3_000_000)
    assert operator.ask("Hello", language="en")["role"] == "operator"


def test_a_browser_that_never_reads_is_let_go(server: Server) -> None:
    operator = server.operator()
    deaf = Browser(server.port, operator.cookie)
    others = [Browser(server.port, operator.cookie) for _ in range(MOST_PAGES - 2)]
    with pytest.raises(InvalidStatus):
        Browser(server.port, operator.cookie)
    before = memory(server)

    def is_let_go() -> bool:
        with contextlib.suppress(ConnectionClosed):
            for number in range(20):  # each is answered by 80 kB
                deaf.send(json.dumps({"kind": "Catalogue", "ask": number}))
        with contextlib.suppress(InvalidStatus):
            others.append(Browser(server.port, operator.cookie))
        return len(others) == MOST_PAGES - 1

    wait_until(is_let_go)
    assert memory(server) - before < GROWTH
    with pytest.raises(ConnectionClosed):
        list(deaf.drain(10**6))
    assert operator.ask("Hello", language="en")["role"] == "operator"
    for browser in others:
        browser.close()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: ", b"GET /socket HTTP/1.1\r\nUpgrade: websocket\r\n"])
def test_half_requests_without_a_cookie_shut_nobody_out_and_fill_no_log(tmp_path: Path, sent: bytes) -> None:
    with serving(tmp_path, DESCRIPTORS="300") as server, contextlib.ExitStack() as opened:
        operator = server.operator()
        for number in range(400):  # more than it may open files
            raw = opened.enter_context(socket.create_connection(("127.0.0.1", server.port), PATIENCE))
            with contextlib.suppress(ConnectionError):  # it has given way already
                raw.sendall(sent)
            if number % 100 == 99:
                assert operator.ask("Hello", language="en")["role"] == "operator"
                Browser(server.port, operator.cookie).close()
                assert operator.ask("WriteText", place={"game": "awele", "moves": ["C"]})
        assert len(server.log.splitlines()) == 1, server.log
