"""Who is let in, by real requests to a real server: links, cookies, names, origins, headers, sizes."""

import http.server
import socket
import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import quote

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from palabre.web.access import Access
from palabre.web.gate import LONGEST_BODY, LONGEST_TARGET, ServerNames, names_for
from palabre.web.refusal import Refused, in_language
from palabre.web.store import Browser, Invited, RoomRow, SeatRow, open_store
from tests.browser.chromium import launch
from tests.command import PATIENCE
from tests.programs import require
from tests.web.serving import Site, running

if TYPE_CHECKING:
    from playwright.sync_api import Playwright

PAGES = ("/", "/play/some-room", "/change", "/no/such/page", "/socket", "/join/", "/enter")
BROWSER = {"accept": "text/html,*/*;q=0.8"}  # what a browser says that wants a page


@pytest.fixture(scope="module")
def server() -> Iterator[Site]:
    with running(Access(open_store(None))) as site:
        yield site


@pytest.fixture
def site(server: Site) -> Site:
    """A server that knows nobody, and one room."""
    store = open_store(None)
    store.add_room(RoomRow("room", "game", None, 0, (SeatRow("person"),) * 2, None, {}, "opener"))
    server.forget(Access(store, guests=2))
    return server


def socket_status(site: Site, cookie: str, origin: str | None, host: str | None = None) -> int:
    """The status with which a socket is answered: 101 if it is opened."""
    try:
        headers = {"Cookie": cookie} | ({"Host": host} if host else {})
        with connect(
            f"ws://{site.host}/socket",
            origin=None if origin is None else Origin(origin),
            additional_headers=headers,
            open_timeout=PATIENCE,
            ping_interval=None,
        ) as opened:
            opened.send("hello")
            assert str(opened.recv()).endswith(": hello")
            return 101
    except InvalidStatus as error:
        return error.response.status_code


# ---------------------------------------------------------------------------------------------------- links and cookies


def test_the_operators_link_becomes_a_cookie_and_a_page_without_the_token(site: Site) -> None:
    reply = site.ask(f"{site.access.link('operator')}&to=/play/some-room")
    assert (reply.status, reply.headers["Location"]) == (303, "/play/some-room")
    flags = [part.strip() for part in reply.headers["Set-Cookie"].split(";")[1:]]
    assert set(flags) == {"Path=/", "HttpOnly", "SameSite=Strict", "Max-Age=15552000"}
    assert reply.cookie.startswith(f"palabre-{site.port}=")  # another server on this machine has its own
    assert site.ask("/", cookie=reply.cookie).text.endswith(" operator")


def test_a_link_works_once_and_the_next_one_replaces_the_last(site: Site) -> None:
    first = site.access.link("operator")
    second = site.access.link("operator")
    assert site.ask(first).status == 403
    assert site.ask(second).status == 303
    used = site.ask(second)
    assert (used.status, used.headers["Set-Cookie"]) == (403, None)
    guest = site.come_in(site.access.link("player"))
    assert site.ask(second, cookie=guest).headers["Location"] == "/"  # they are inside already, and stay who they are
    assert site.ask("/", cookie=guest).text.endswith(" player")


def test_of_many_who_use_a_link_at_once_one_is_let_in(site: Site) -> None:
    link, invitation = site.access.link("operator"), site.access.invitation("room", 1)
    with ThreadPoolExecutor(8) as threads:
        for path in (link, invitation):
            statuses = [reply.status for reply in threads.map(site.ask, [path] * 8)]
            assert sorted(statuses) == [303] + [403] * 7


@pytest.mark.parametrize("token", ["", "x", "%00", "é", "A" * 1900, "../../etc/passwd"])
def test_a_forged_link_is_refused(site: Site, token: str) -> None:
    site.access.link("operator")
    for path in (f"/enter?token={quote(token)}", f"/join/{quote(token)}"):
        reply = site.ask(path)
        assert (reply.status, reply.headers["Set-Cookie"]) == (403, None)


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("cookie", ["", "palabre-{port}=", "palabre-{port}=forged", "palabre-1={secret}", "x={secret}"])
def test_without_a_good_cookie_nothing_reaches_the_server(site: Site, path: str, cookie: str) -> None:
    secret = site.come_in(site.access.link("operator")).partition("=")[2]
    sent = cookie.format(port=site.port, secret=secret)
    for method in ("GET", "HEAD", "POST"):
        assert site.ask(path, method=method, cookie=sent, Origin=site.origin).status in (403, 405)
    assert socket_status(site, sent, site.origin) == 403
    assert site.seen == []


def test_only_hashes_are_kept(tmp_path: Path) -> None:
    with running(Access(open_store(tmp_path / "games"))) as site:
        site.access.store.add_room(RoomRow("room", "game", None, 0, (SeatRow("person"),), None, {}, "opener"))
        invitation = site.access.invitation("room", 0)
        link = site.access.link("operator")
        secret = site.come_in(link).partition("=")[2]
        dump = "\n".join(sqlite3.connect(tmp_path / "games").iterdump())
        for known in (secret, link.partition("=")[2], invitation.rpartition("/")[2]):
            assert len(known) >= 22
            assert known not in dump


def test_guests_come_in_up_to_a_number_and_stay_who_they_are(site: Site) -> None:
    link = site.access.link("player")
    first, second = site.come_in(link), site.come_in(link)
    who = site.ask("/", cookie=first).text
    assert who.endswith(" player")
    assert site.ask("/", cookie=second).text != who
    refused = site.ask(link, accept_language="fr", **BROWSER, sec_fetch_site="none")
    assert refused.status == 403
    assert "autant d’invités" in refused.text
    again = site.ask(link, cookie=first)
    assert (again.status, again.headers["Set-Cookie"]) == (303, None)
    assert site.ask("/", cookie=first).text == who


def test_a_known_browser_keeps_the_better_of_its_roles(site: Site) -> None:
    cookie = site.come_in(site.access.link("watcher"))
    assert site.ask(site.access.link("operator"), cookie=cookie).headers["Set-Cookie"] is None
    who = site.ask("/", cookie=cookie).text
    assert who.endswith(" operator")
    site.ask(site.access.link("player"), cookie=cookie)
    assert site.ask("/", cookie=cookie).text == who


@pytest.mark.parametrize("role", ["watcher", "player"])
def test_others_than_the_operator_may_not_do_what_is_theirs(site: Site, role: str) -> None:
    cookie = site.come_in(site.access.link(role))  # type: ignore[arg-type]
    refused = site.ask("/change", method="POST", cookie=cookie, Origin=site.origin)
    assert (refused.status, refused.text) == (403, "operator_only")
    cookie = site.come_in(site.access.link("operator"))
    assert site.ask("/change", method="POST", cookie=cookie, Origin=site.origin).text == "changed"


def test_an_invitation_makes_a_player_and_is_told_to_the_room(site: Site) -> None:
    joined: list[tuple[Invited, Browser]] = []
    site.access.on_join = lambda invited, browser: joined.append((invited, browser))
    older, newer = site.access.invitation("room", 1), site.access.invitation("room", 1)
    assert site.ask(older).status == 403
    reply = site.ask(newer)
    assert (reply.status, reply.headers["Location"]) == (303, "/play/room")
    [(invited, browser)] = joined
    assert (invited, browser.role) == (Invited("room", 1), "player")
    assert site.ask("/", cookie=reply.cookie).text == f"{browser.id} player"
    assert site.ask(newer).status == 403
    assert site.ask(newer, cookie=site.come_in(site.access.link("player"))).status == 403
    again = site.ask(newer, cookie=reply.cookie)  # as by a bookmark
    assert (again.status, again.headers["Location"]) == (303, "/play/room")
    assert len(joined) == 1


def test_those_who_are_invited_count_as_guests(site: Site) -> None:
    link, invitations = site.access.link("player"), [site.access.invitation("room", seat) for seat in range(4)]
    guest = site.come_in(link)
    invited = site.come_in(invitations[0])
    for refused in (link, invitations[1]):
        assert site.ask(refused).status == 403
    assert site.ask(invitations[1], cookie=guest).status == 303  # who is here already may sit down
    assert site.ask(invitations[2], cookie=site.come_in(site.access.link("operator"))).status == 303
    assert site.ask(invitations[0], cookie=invited).status == 303  # as by a bookmark
    watcher = site.access.link("watcher")
    assert site.ask(watcher).status == 403


def test_an_invitation_that_the_room_refuses_is_still_good_and_no_guest_is_counted(site: Site) -> None:
    def refuse(invited: Invited, browser: Browser) -> None:
        raise Refused("bad_invitation")

    invitation = site.access.invitation("room", 0)
    usual, site.access.on_join = site.access.on_join, refuse
    for _ in range(5):  # more than there may be guests
        assert site.ask(invitation).status == 403
    site.access.on_join = usual
    assert site.ask(invitation).status == 303


def test_looking_at_a_link_does_not_use_it_up(site: Site) -> None:
    link = site.access.link("operator")
    assert site.ask(link, method="HEAD").status == 405
    assert site.ask(link, sec_purpose="prefetch;prerender").status == 405
    assert site.ask(link, method="POST", Origin=site.origin).status == 405
    assert site.ask(link).status == 303


def test_the_first_browser_of_the_operator_is_shown_a_page_and_the_next_link_is_told(site: Site) -> None:
    used: list[bool] = []
    site.access.on_link_used = lambda: used.append(True)
    site.access.first_page = lambda browser: f"/play/{browser.role}"
    assert site.ask(site.access.link("operator")).headers["Location"] == "/play/operator"
    assert site.ask(site.access.link("operator")).headers["Location"] == "/"
    assert used == [True, True]


@pytest.mark.parametrize(
    "wish", ["https://elsewhere.example/", "//elsewhere.example", "/%5Celsewhere.example", "elsewhere", "/%0D%0Ax:y"]
)
def test_a_link_leads_to_no_other_server(site: Site, wish: str) -> None:
    reply = site.ask(f"{site.access.link('operator')}&to={wish}")
    assert (reply.status, reply.headers["Location"]) == (303, "/")


# ------------------------------------------------------------------------------------------- links on pages elsewhere


def test_who_follows_a_link_on_another_page_is_asked_again_before_it_is_used(site: Site) -> None:
    """A browser sends a strict cookie only with the second request, which comes from a page of ours."""
    cookie = site.come_in(site.access.link("player"))
    invitation = site.access.invitation("room", 1)
    for elsewhere in ({"sec_fetch_site": "cross-site"}, {}):  # without TLS browsers do not say where they come from
        bounced = site.ask(invitation, **BROWSER, **elsewhere)
        assert bounced.status == 200
        assert f'content="0; url={invitation}?again=1"' in bounced.text
        assert bounced.headers["Set-Cookie"] is None
    joined = site.ask(f"{invitation}?again=1", cookie=cookie, **BROWSER)
    assert (joined.status, joined.headers["Set-Cookie"]) == (303, None)


def test_a_link_to_a_page_works_from_elsewhere(site: Site) -> None:
    cookie = site.come_in(site.access.link("player"))
    bounced = site.ask("/play/a%20room?ply=3", **BROWSER, sec_fetch_site="cross-site")
    assert 'url=/play/a%20room?ply=3&amp;again=1"' in bounced.text
    back = site.ask("/play/a%20room?ply=3&again=1", cookie=cookie, **BROWSER)
    assert (back.status, back.headers["Location"]) == (303, "/play/a%20room?ply=3")
    stranger = site.ask("/play/a%20room?ply=3&again=1", **BROWSER)
    assert stranger.status == 403
    assert in_language("refusal.not_let_in", "en") in stranger.text


def test_nobody_is_sent_on_to_another_server(site: Site) -> None:
    bounced = site.ask("//elsewhere.example/", **BROWSER)
    assert 'url=/?again=1"' in bounced.text
    cookie = site.come_in(site.access.link("player"))
    assert site.ask("//elsewhere.example/?again=1", cookie=cookie, **BROWSER).headers["Location"] == "/"


# ------------------------------------------------------------------------------------------------ names and origins


@pytest.mark.parametrize(
    "host",
    ["elsewhere.example", "elsewhere.example:{port}", "127.0.0.1:1", "127.0.0.1", "", "[::1", "192.168.0.7:{port}"],
)
def test_the_server_answers_to_its_own_names_only(site: Site, host: str) -> None:
    cookie = site.come_in(site.access.link("operator"))
    sent = host.format(port=site.port)
    assert site.ask("/", cookie=cookie, Host=sent).status in (400, 421)
    assert site.ask(site.access.link("operator"), Host=sent).status in (400, 421)
    assert socket_status(site, cookie, f"http://{sent}", sent) in (400, 403)
    assert site.seen == []


@pytest.mark.parametrize("host", ["localhost:{port}", "LOCALHOST:{port}", "127.0.0.1:{port}", "[::1]:{port}"])
def test_names_of_this_machine_are_its_own(site: Site, host: str) -> None:
    cookie = site.come_in(site.access.link("operator"))
    assert site.ask("/", cookie=cookie, Host=host.format(port=site.port)).status == 200


@pytest.mark.parametrize(
    "origin",
    [None, "null", "http://elsewhere.example", "https://{host}", "http://127.0.0.1:1", "http://localhost:{port}"],
)
def test_sockets_and_changes_must_come_from_our_own_pages(site: Site, origin: str | None) -> None:
    cookie = site.come_in(site.access.link("operator"))
    sent = None if origin is None else origin.format(host=site.host, port=site.port)
    assert socket_status(site, cookie, sent) == 403
    headers = {} if sent is None else {"Origin": sent}
    assert site.ask("/change", method="POST", cookie=cookie, **headers).status == 403
    assert site.seen == []
    assert socket_status(site, cookie, site.origin) == 101


def test_a_public_server_trusts_addresses_its_own_names_and_its_proxys() -> None:
    names = names_for("0.0.0.0", 8017, ["Games.Example"], ["desk"])
    for host in ("192.168.0.7:8017", "desk:8017", "localhost:8017", "games.example", "games.example:8443"):
        assert names.include(host, "http"), host
    for host in ("elsewhere.example:8017", "192.168.0.7", "desk:80", "games.example.elsewhere", "192.168.0.7:8017:1"):
        assert not names.include(host, "http"), host
    assert names_for("desk.example", 443, [], ["other"]).include("desk.example", "https")
    assert not names_for("127.0.0.1", 8017, [], ["desk"]).include("desk:8017", "http")
    assert names_for("::1", 8017, [], []) == ServerNames(8017)


# ------------------------------------------------------------------------------------------------ headers and sizes


def test_every_answer_has_the_headers_of_a_careful_server(site: Site) -> None:
    cookie = site.come_in(site.access.link("operator"))
    replies = [
        site.ask("/", cookie=cookie),
        site.ask("/no/such/page", cookie=cookie),
        site.ask(site.access.link("operator")),
        site.ask("/"),
        site.ask("/", **BROWSER),
        site.ask("/", Host="elsewhere.example"),
        site.ask("/change", method="POST", cookie=cookie),
    ]
    assert [reply.status for reply in replies] == [200, 404, 303, 403, 200, 421, 403]
    for reply in replies:
        policy = reply.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none';")
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert reply.headers["Referrer-Policy"] == "no-referrer"
        assert reply.headers["X-Content-Type-Options"] == "nosniff"
        assert reply.headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert reply.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert reply.headers["Cache-Control"] == "no-store"
    changed = site.ask("/change", method="POST", cookie=cookie, Origin=site.origin)
    assert changed.headers["Cache-Control"] == "no-cache"  # as it says itself


def test_what_is_too_long_or_odd_is_refused_before_it_is_read(site: Site) -> None:
    cookie = site.come_in(site.access.link("operator"))
    post = {"method": "POST", "cookie": cookie, "Origin": site.origin}
    assert site.ask("/change", body="x" * LONGEST_BODY, **post).status == 200
    assert site.ask("/change", body="x" * (LONGEST_BODY + 1), **post).status == 413
    assert site.ask(f"/{'x' * LONGEST_TARGET}", cookie=cookie).status == 414
    assert site.ask(f"/?{'x' * LONGEST_TARGET}", cookie=cookie).status == 414
    assert site.ask("/", method="DELETE", cookie=cookie, Origin=site.origin).status == 405
    with socket.create_connection(("127.0.0.1", site.port)) as raw:
        lines = (f"Host: {site.host}", f"Origin: {site.origin}", f"Cookie: {cookie}", "Transfer-Encoding: chunked")
        raw.sendall(("POST /change HTTP/1.1\r\n" + "\r\n".join(lines) + "\r\n\r\n1\r\nx\r\n0\r\n\r\n").encode())
        assert raw.recv(100).startswith(b"HTTP/1.1 411 ")


# -------------------------------------------------------------------------------------------------- a real browser


class Elsewhere(http.server.BaseHTTPRequestHandler):
    """A page of somebody else, with a link to each of ours."""

    links: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write("".join(f"<p><a href='{link}'>follow</a>" for link in self.links).encode())

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.mark.browser
@pytest.mark.needs("chromium")
def test_a_real_browser_follows_links_on_a_page_elsewhere_and_stays_who_it_is(
    site: Site, playwright: "Playwright"
) -> None:
    invitation, guests = site.access.invitation("room", 1), site.access.link("player")
    Elsewhere.links = [site.origin + path for path in (guests, "/play/some-room?ply=3", invitation, invitation)]
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as other:
        threading.Thread(target=other.serve_forever).start()
        try:
            browser = launch(playwright, require("chromium"))
            page = browser.new_page()
            page.set_default_timeout(1000 * PATIENCE)
            seen = []
            for number in (0, 0, 1, 2, 3):
                page.goto(f"http://localhost:{other.server_address[1]}/")  # not 127.0.0.1: another site
                page.get_by_text("follow").nth(number).click()
                page.wait_for_url(lambda url: url.startswith(site.origin) and "again" not in url)
                page.get_by_text("player").wait_for()
                seen.append((page.url.removeprefix(site.origin), page.locator("body").inner_text()))
            browser.close()
        finally:
            other.shutdown()
    assert [path for path, _ in seen] == ["/", "/", "/play/some-room?ply=3", "/play/room", "/play/room"]
    assert len({who for _, who in seen}) == 1
