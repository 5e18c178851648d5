"""The links that a server prints for others in the room, and what each of them lets one do."""

import random
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from palabre.web.refusal import in_language
from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor
from tests.web.browsing import Server, serving

GAME = "avalam:official"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that others can reach, as with `--host 0.0.0.0`."""
    with serving(tmp_path_factory.mktemp("links"), RATES="off", HOST="0.0.0.0") as running:
        yield running


def printed(server: Server, purpose: str) -> str:
    """The link that was printed for this purpose."""
    found = re.search(rf"to {purpose}, .*?(http\S+)", "".join(server.lines[:5]))
    assert found
    return found[1]


def come_by(visitor: Visitor, purpose: str) -> str:
    """Come in by a link for guests; the address that it leads to."""
    visitor.visit(printed(visitor.server, purpose))
    assert "token" not in visitor.page.url
    return visitor.page.url.rstrip("/")


def test_what_is_printed_is_true(server: Server) -> None:
    told = "".join(server.lines)
    assert "everybody who can reach this address" in told
    assert "--tls" in told
    assert printed(server, "play") != printed(server, "watch")


def test_a_watcher_finds_games_and_only_looks_on(operator: Visit, guest: Visit) -> None:
    host = operator()
    host.begin(GAME, "me", "other")
    name = host.page.url.rpartition("/")[2]
    watcher = guest()
    come_by(watcher, "watch")
    expect(watcher.page.get_by_role("heading", level=1)).to_have_text("Games")
    expect(watcher.page.locator("[data-game]")).to_have_count(0)  # no game to begin
    watcher.page.locator(f'[data-room="{name}"]').click()
    expect(watcher.page.locator(".room .board")).to_be_visible()
    host.click_a_move(random.Random(1))
    expect(watcher.page.locator(".moves .move")).to_have_count(1)
    expect(watcher.page.locator(".cell.lit, .word")).to_have_count(0)
    expect(watcher.find("move-field")).to_be_disabled()
    for action in ("undo", "hint", "draw", "resign", "stop"):
        expect(watcher.find(action)).to_be_disabled()
    expect(watcher.find("invite")).to_have_count(0)


def test_a_watcher_begins_no_event_and_asks_no_engine(guest: Visit) -> None:
    watcher = guest()
    address = come_by(watcher, "watch")
    watcher.visit(f"{address}/arena")
    expect(watcher.page.locator(".event-form")).to_have_count(0)
    watcher.visit(f"{address}/analyse?game=awele&moves=C")
    watcher.find("think").click()
    expect(watcher.page.locator(".engine-state")).to_contain_text(in_language("refusal.player_only", "en"))


def test_a_player_plays_but_has_no_say_in_the_server(operator: Visit, guest: Visit) -> None:
    host = operator()
    host.begin(GAME, "me", "other")
    player = guest()
    address = come_by(player, "play")
    expect(player.page.get_by_role("heading", level=1)).to_have_text("New game")
    player.visit(f"{address}/games")
    expect(player.page.locator("[data-room]")).to_have_count(0)  # those of others are not theirs
    player.visit(f"{address}/?game=avalam")
    player.page.locator(".more > summary").click()
    expect(player.find("seed")).to_be_visible()
    expect(player.find("bots_resign")).to_have_count(0)  # what a room allows is the operator's to say
    player.find("seat-1").locator("[data-id=who]").select_option("other")
    player.play_it()
    player.play(2, random.Random(1))
    player.visit(f"{address}/arena")
    expect(player.page.locator(".event-form")).to_have_count(0)
    player.visit(f"{address}/analyse?game=awele&moves=C")
    player.find("think").click()
    expect(player.page.locator(".lines li").first).to_be_visible()


def test_two_players_by_the_link_meet_at_a_board(guest: Visit) -> None:
    host, other = guest(), guest()
    address = come_by(host, "play")
    host.visit(f"{address}/?game=avalam")
    host.find("seat-1").locator("[data-id=who]").select_option("guest")
    host.play_it()
    link = host.page.locator("input[data-id=invitation]").input_value()
    assert link.startswith(printed(host.server, "play").partition("/enter")[0])  # as others reach the server
    expect(host.page.locator(".qr svg")).to_be_visible()
    expect(host.find("local-only")).to_have_count(0)
    come_by(other, "play")
    other.visit(link)
    assert host.click_a_move(random.Random(1))
    assert other.click_a_move(random.Random(1))
    expect(host.page.locator(".moves .move")).to_have_count(2)
