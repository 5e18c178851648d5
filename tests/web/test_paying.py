"""Requests over HTTP cost what they take of the event loop: strangers pay by address, browsers by themselves."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from palabre.web.access import Access, hashed
from palabre.web.connections import SPENT
from palabre.web.gate import Gate, ServerNames
from palabre.web.rates import MOST_WAITING, STRANGERS_BURST, STRANGERS_SHARE, WORK_BURST, WORK_SHARE, metered
from palabre.web.store import Browser, RoomRow, SeatRow, open_store
from tests.command import PATIENCE

PORT = 8017
STEP = 0.1  # seconds of processor time that each measurement finds
NEAR, FAR = "192.0.2.1", "192.0.2.2"
COOKIES = {"anna": "a" * 30, "bob": "b" * 30}


class Site:
    """A gate whose clocks a test sets; everything that is measured takes the same processor time."""

    def __init__(self) -> None:
        store = open_store(None)
        for name, secret in COOKIES.items():
            store.add_browser(Browser(name, "watcher"), hashed(secret))
        seats = (SeatRow("person"),)
        store.add_room(RoomRow("room", "game", None, 0, seats, None, {}, "opener"))
        self.now = self.busy = 0.0
        self.waited: list[float] = []
        self.access = Access(store, guests=5)
        self.gate = self.entrance = Gate(
            self.application, self.access, ServerNames(PORT), lambda: self.now, self._meter
        )

    def _meter(self) -> float:
        self.busy += STEP
        return self.busy

    async def sleep(self, seconds: float) -> None:
        """In the place of asyncio's: time passes at once."""
        self.waited.append(seconds)
        self.now += seconds

    async def application(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def ask(
        self,
        path: str = "/",
        *,
        place: str = NEAR,
        cookie: str = "",
        kind: str = "http",
        spent: float = 0.0,
        proxy_for: str = "",
    ) -> int:
        """The status with which a request is answered."""
        headers = [(b"host", f"localhost:{PORT}".encode()), (b"origin", f"http://localhost:{PORT}".encode())]
        if cookie:
            headers.append((b"cookie", f"palabre-{PORT}={COOKIES[cookie]}".encode()))
        if proxy_for:
            headers.append((b"x-forwarded-for", proxy_for.encode()))
        path, _, query = path.partition("?")
        scope = {
            "type": kind,
            "method": "GET",
            "scheme": "ws" if kind == "websocket" else "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": headers,
            "server": ("127.0.0.1", PORT),
            "client": (place, 50_000),
            "state": {SPENT: spent},
        }
        status = 403

        async def send(message: MutableMapping[str, Any]) -> None:
            nonlocal status
            status = message.get("status", status)

        async def receive() -> MutableMapping[str, Any]:
            raise AssertionError("nothing is read")

        await self.entrance(scope, receive, send)
        return status

    async def exhaust(self, **options: Any) -> int:
        """How many requests are answered before one has to wait."""
        for count in range(10_000):
            await self.ask(**options)
            if self.waited:
                return count
        raise AssertionError("nobody ever waits")


def run(scenario: Callable[[Site], Awaitable[None]], monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        site = Site()
        monkeypatch.setattr(asyncio, "sleep", site.sleep)
        await scenario(site)

    asyncio.run(asyncio.wait_for(scene(), PATIENCE))


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_strangers_wait_when_they_have_used_up_what_their_address_may(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(site: Site) -> None:
        count = await site.exhaust(kind=kind)
        assert 1 < count <= STRANGERS_BURST / STEP
        site.waited.clear()
        assert await site.ask(kind=kind) == 403
        assert site.waited
        begin = site.now
        for _ in range(50):
            await site.ask(kind=kind)
        assert STRANGERS_SHARE * (site.now - begin) + STRANGERS_BURST >= 50 * STEP, "it may use no more than its share"

    run(scenario, monkeypatch)


def test_reading_a_request_is_part_of_its_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(site: Site) -> None:
        assert await site.exhaust(spent=STRANGERS_BURST) == 1

    run(scenario, monkeypatch)


def test_nobody_waits_for_strangers_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(site: Site) -> None:
        await site.exhaust()
        site.waited.clear()
        assert await site.ask(place=FAR) == 403
        assert await site.ask(cookie="anna") == 200
        assert not site.waited

    run(scenario, monkeypatch)


def test_behind_a_proxy_strangers_have_addresses_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(site: Site) -> None:
        site.entrance = ProxyHeadersMiddleware(site.gate)  # type: ignore[arg-type,assignment]
        await site.exhaust(place="127.0.0.1", proxy_for=NEAR)
        site.waited.clear()
        await site.ask(place="127.0.0.1", proxy_for=FAR)
        assert not site.waited
        await site.ask(place="127.0.0.1", proxy_for=NEAR)
        assert site.waited

    run(scenario, monkeypatch)


@pytest.mark.parametrize(
    ("one", "other", "are_one"),
    [
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", True),  # who has one of these addresses has all
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("fe80::1%eth0", "fe80::2%eth0", True),
        ("what a proxy says", "and what another says", False),
    ],
)
def test_what_an_address_is(one: str, other: str, are_one: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(site: Site) -> None:
        await site.exhaust(place=one)
        site.waited.clear()
        await site.ask(place=other)
        assert bool(site.waited) == are_one

    run(scenario, monkeypatch)


def test_whoever_has_a_good_link_comes_in_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also beside somebody who floods the server from the same address."""

    async def scenario(site: Site) -> None:
        await site.exhaust()
        site.waited.clear()
        for path in (site.access.link("operator"), site.access.link("player"), site.access.invitation("room", 0)):
            assert await site.ask(path) == 303
        assert not site.waited

    run(scenario, monkeypatch)


def test_too_many_who_wait_are_refused_and_that_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(site: Site) -> None:
        await site.exhaust()
        gate = asyncio.Event()

        async def wait(seconds: float) -> None:
            await gate.wait()

        monkeypatch.setattr(asyncio, "sleep", wait)
        await asyncio.gather(asyncio.create_task(site.ask("/first")), flood(gate, site))

    async def flood(gate: asyncio.Event, site: Site) -> None:
        waiting = [asyncio.create_task(site.ask()) for _ in range(MOST_WAITING)]
        more = [asyncio.create_task(site.ask()) for _ in range(5 * MOST_WAITING)]
        assert set(await asyncio.gather(*more)) == {429}
        before = site.gate._strangers._budget.seconds_left(NEAR)
        assert await site.ask(kind="websocket") == 403
        assert site.gate._strangers._budget.seconds_left(NEAR) == before
        gate.set()
        statuses = await asyncio.gather(*waiting)
        assert sorted(statuses) == [*[403] * (MOST_WAITING - 1), 429]

    run(scenario, monkeypatch)


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_a_browser_pays_for_its_pages_and_sockets(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(site: Site) -> None:
        count = await site.exhaust(cookie="anna", kind=kind)
        assert STRANGERS_BURST / STEP < count <= WORK_BURST / STEP
        begin = site.now
        for _ in range(50):
            assert await site.ask(cookie="anna") == 200
        assert WORK_SHARE * (site.now - begin) + WORK_BURST >= 50 * STEP
        site.waited.clear()
        assert await site.ask(cookie="bob") == 200
        assert not site.waited

    run(scenario, monkeypatch)


def test_what_others_do_in_between_costs_nothing() -> None:
    """And what is thrown into the work, such as its end, arrives there."""
    busy, charged, seen = [0.0], [0.0], []

    def charge(seconds: float) -> None:
        charged[0] += seconds

    async def work() -> None:
        busy[0] += 1
        await asyncio.sleep(0)
        busy[0] += 2
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError as error:
            seen.append(error)
            busy[0] += 4
            raise

    async def scene() -> None:
        task = asyncio.ensure_future(asyncio.wait_for(metered(work(), charge, lambda: busy[0]), PATIENCE))
        for _ in range(5):
            await asyncio.sleep(0)
            busy[0] += 100
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(scene())
    assert charged == [7]
    assert len(seen) == 1
