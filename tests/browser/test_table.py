"""What one meets at a table against a bot: its answer comes after one's own move, clicks and hints are explained."""

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, WebSocket, expect

from palabre.web.refusal import in_language
from tests.browser.conftest import Visit
from tests.browser.test_drag import lift
from tests.browser.test_phone import PHONES
from tests.browser.visitor import Visitor
from tests.command import wait_until

REST_MS = 500  # from the landing of one's own move to the answer, as room.js has it


class Received:
    """Who played the moves that the server has sent to a page."""

    def __init__(self, player: Visitor) -> None:
        self.movers: list[int] = []
        player.page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._take)

    def _take(self, frame: Any) -> None:
        message = json.loads(frame)
        if message["kind"] == "RoomChanged":
            self.movers += [ply["mover"] for ply in message["plies"]]


def wait_for(player: Visitor, received: Received, movers: list[int]) -> None:
    """Wait until the page has received these moves."""
    # While the page answers, Playwright reports what has come.
    wait_until(lambda: player.page.evaluate("true") and received.movers == movers)


def test_an_answer_is_shown_when_ones_own_move_has_been_seen(operator: Visit) -> None:
    """By the clock of the page, which stands until the test lets it go on."""
    for options in ({}, {"reduced_motion": "reduce"}):
        player = operator(**options)
        received = Received(player)
        player.begin("awele", "me", "idiot")
        player.page.clock.install()
        player.page.clock.pause_at(player.page.evaluate("Date.now() + 1000"))
        player.find("move-field").fill("C")
        player.find("move-field").press("Enter")
        moves = player.page.locator(".moves .move")
        expect(moves).to_have_count(1)
        wait_for(player, received, [0, 1])
        player.page.clock.run_for(REST_MS - 1)
        expect(player.page.locator('.plate.turn.thinking:not(.away)[data-seat="1"]')).to_be_attached()
        expect(moves).to_have_count(1)
        player.page.clock.run_for(1)
        expect(moves).to_have_count(2)
        expect(player.page.locator(".cell.lit").first).to_be_attached()
        names = player.page.locator(".plate .name").all_text_contents()
        expect(player.find("told")).to_contain_text(names[0])  # The bot sits above, and has one name everywhere.
        assert names[0] in (moves.last.get_attribute("title") or "")


def test_a_hint_is_marked_on_the_board_and_named_where_cells_have_names(operator: Visit) -> None:
    player = operator()
    player.begin("awale", "me", "idiot")
    player.find("hint").click()
    hinted = player.page.locator(".cell.hinted")
    expect(hinted).to_have_count(1)
    cell = hinted.get_attribute("data-cell") or ""
    expect(player.find("told")).to_contain_text(cell)
    player.page.keyboard.press("Escape")
    expect(hinted).to_have_count(0)
    player.choose(coordinates="off")
    player.find("hint").click()
    expect(hinted).to_have_count(1)
    cell = hinted.get_attribute("data-cell") or ""  # It may be another one: the engine thinks for some time.
    expect(player.find("told")).not_to_contain_text(cell)
    expect(player.page.locator("#live")).to_contain_text(cell)  # A screen reader says its name.
    player.page.keyboard.press("Escape")
    expect(hinted).to_have_count(0)
    phone = operator(**PHONES)
    phone.begin("avalam:official", "me", "idiot")
    phone.find("hint").click()
    expect(phone.page.locator(".cell.hinted")).to_have_count(2)
    expect(phone.page.locator(".arrow")).to_have_count(1)
    expect(phone.find("told")).to_have_text(in_language("room.hinted_here", "en"))


def test_rules_open_beside_the_game(operator: Visit) -> None:
    player = operator()
    address = player.begin("awele", "me", "other")
    player.type_moves("C")
    player.page.keyboard.press("ArrowLeft")
    player.find("move-field").fill("A")
    player.find("move-field").press("Enter")
    tried = player.page.locator(".variation .move")
    expect(tried).to_have_count(1)
    sheet = player.page.locator("#sheet")
    beside, in_the_header = player.find("rules"), player.find("nav.rules")
    ways: list[tuple[Locator, Callable[[], object]]] = [
        (beside, player.page.go_back),
        (beside, lambda: player.page.keyboard.press("Escape")),
        (beside, player.find("close-rules").click),
        (in_the_header, player.find("close-rules").click),
        (in_the_header, in_the_header.click),
    ]
    for link, close in ways:
        link.click()
        expect(sheet.locator("h1")).to_be_visible()
        expect(player.find("close-rules")).to_be_focused()
        expect(player.page.locator(".room .board")).to_be_visible()
        close()
        expect(sheet).to_be_hidden()
        expect(link).to_be_focused()
        expect(tried).to_have_count(1)  # Nothing has been left, or lost.
        assert player.page.url == address
    beside.click()
    player.page.locator("#top [data-id='nav.games']").click()
    expect(player.page.locator(".rooms")).to_be_visible()
    expect(sheet).to_be_hidden()
    in_the_header.click()  # There is no board to stay at.
    expect(player.page).to_have_url(re.compile("/rules$"))


def test_a_link_is_shown_until_the_guest_has_come(operator: Visit, guest: Visit) -> None:
    host = operator()
    host.begin("awele", "me", "guest")
    field = host.page.locator("input[data-id=invitation]")
    expect(field).to_be_visible()
    link = field.input_value()
    expect(host.find("local-only").locator("code")).to_have_text("palabre play --host 0.0.0.0")  # a loopback address
    expect(host.page.locator(".qr")).to_have_count(0)
    host.find("invite").click()
    expect(field).to_be_focused()
    assert field.input_value() == link  # Another one would make this one void.
    guest().visit(link)
    expect(field).to_have_count(0)
    expect(host.find("invite")).to_have_count(0)


def test_a_wrong_click_says_why(operator: Visit) -> None:
    player = operator({"speed": "off", "language": "fr"})
    player.begin("awele", "me", "idiot")
    player.page.locator('.cell[data-cell="d"]').click(force=True)
    name = player.page.locator('.plate[data-seat="1"] .name').inner_text()
    expect(player.find("told")).to_have_text(in_language("reason.not_yours", "fr", player=name))
    player.begin("avalam:official", "me", "idiot")
    lift(player, "f9", "a6")
    player.page.mouse.up()
    expect(player.find("told")).to_contain_text("a6")
    expect(player.find("told")).to_contain_text("f9")
