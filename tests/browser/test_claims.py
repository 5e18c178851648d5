"""Somebody who has gone for long loses, if the other says so. Here long is a second, and not two minutes."""

import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.tables import invite
from tests.command import wait_until
from tests.web.browsing import Server, serving

GAME = "avalam:official"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("claims"), RATES="off", CLAIM_AFTER="1") as running:
        yield running


def test_a_game_is_claimed_against_somebody_who_is_gone(operator: Visit, guest: Visit) -> None:
    host = operator()
    host.begin(GAME, "me", "guest")
    invited = invite(host, guest)
    expect(host.page.locator(".plate.away")).to_have_count(0)
    room = invited.page.url
    host.click_a_move(random.Random(1))
    invited.next_clicks()
    invited.visit("/games")
    expect(host.page.locator(".plate.away")).to_contain_text("away")
    expect(host.find("claim")).to_be_visible()
    invited.visit(room)  # They come back in time.
    expect(host.find("claim")).to_have_count(0)
    expect(host.page.locator(".plate.away")).to_have_count(0)
    invited.page.close()
    host.find("claim").click()
    end = host.find("end")
    expect(end.get_by_role("heading")).to_have_text("You win!")
    expect(end).to_contain_text("left")


def test_a_game_is_claimed_against_somebody_who_does_not_come_back_after_a_restart(
    operator: Visit, guest: Visit
) -> None:
    host = operator()
    host.begin(GAME, "me", "guest")
    invited = invite(host, guest)
    host.may_be_offline = invited.may_be_offline = True
    host.server.kill()
    invited.page.close()
    host.server.start()
    host.find("claim").click()
    expect(host.find("end").get_by_role("heading")).to_have_text("You win!")


def test_nothing_is_claimed_while_a_seat_is_free(operator: Visit) -> None:
    """When a claim might be due, the server has the page look again; there is none."""
    host = operator()
    news: list[str] = []
    host.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: news.append(str(frame))))
    host.begin(GAME, "me", "guest")
    news.clear()
    host.page.reload()
    wait_until(lambda: host.find("invite").count() and any("RoomChanged" in frame for frame in news))
    host.find("invite").click()
    expect(host.page.locator("input[data-id=invitation]")).to_be_visible()
    expect(host.find("claim")).to_have_count(0)
