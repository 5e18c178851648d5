"""What may happen in the middle of a game: undo, reload, lost connections, a server that dies, others at the table."""

import random
import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.tables import invite, see_the_same
from tests.browser.visitor import Visitor

GAME = "avalam:official"
# Where the first move of the list is, asked for at once: the list is made anew with every move.
FIRST_MOVE = """() => {
  const { x, y } = document.querySelector('.moves .move[data-ply="1"]').getBoundingClientRect();
  return [x + 10, y + 10];
}"""


def test_undo_takes_back_a_pair_against_a_bot(operator: Visit) -> None:
    player = operator()
    player.begin(GAME, "me", "idiot")
    first = player.cells
    player.play(1, random.Random(1))
    assert player.cells != first
    player.find("undo").click()
    expect(player.page.locator(".moves .move")).to_have_count(0)
    assert player.cells == first
    player.next_clicks()


def test_reload_in_the_middle(operator: Visit) -> None:
    player = operator()
    player.begin(GAME, "me", "other")
    player.play(5, random.Random(1))
    seen = player.moves, player.cells
    player.page.reload()
    player.next_clicks()
    assert (player.moves, player.cells) == seen
    player.play(1, random.Random(1))
    assert len(player.moves) == 6


def test_the_server_is_killed_and_comes_back(operator: Visit) -> None:
    player = operator()
    player.may_be_offline = True
    player.begin(GAME, "me", "idiot")
    player.play(2, random.Random(1))
    seen = player.moves, player.cells
    player.server.kill()
    expect(player.page.locator("#banner")).to_be_visible()
    assert player.moves == seen[0]  # what is on the board stays there
    expect(player.page.locator(".plate .clock")).to_have_count(2)
    expect(player.page.locator(".plate .clock").filter(visible=True)).to_have_count(0)  # this game has none
    player.server.start()
    expect(player.page.locator("#banner")).to_be_hidden()
    player.next_clicks()
    assert (player.moves, player.cells) == seen
    player.play(1, random.Random(1))
    assert len(player.moves) == 6


def test_a_lost_connection(operator: Visit) -> None:
    """Somebody else moves on meanwhile: here a second tab of the same browser."""
    player = operator()
    player.may_be_offline = True
    address = player.begin(GAME, "me", "other")
    player.play(1, random.Random(1))
    # Going offline leaves open sockets alone, so the next message also closes its own, as a lost network would.
    player.page.evaluate("""() => {
      const { send } = WebSocket.prototype;
      WebSocket.prototype.send = function () { WebSocket.prototype.send = send; this.close(); };
    }""")
    player.context.set_offline(True)
    player.click_a_move(random.Random(1))
    expect(player.page.locator("#banner")).to_be_visible()
    expect(player.page.locator("#notice")).to_be_visible()  # The move may have been lost, and one is told.
    player.context.set_offline(False)
    other = Visitor(player.context, player.server)
    other.visit(address)
    other.play(1, random.Random(1))
    expect(player.page.locator("#banner")).to_be_hidden()  # It comes back by itself.
    see_the_same(player, other)
    assert len(player.moves) == 2
    player.play(1, random.Random(1))
    assert other.complaints == []


@pytest.fixture
def table(operator: Visit, guest: Visit) -> tuple[Visitor, Visitor]:
    """Two people at a board, in two browsers."""
    host = operator()
    host.begin(GAME, "me", "guest")
    return host, invite(host, guest)


def test_two_browsers_play_and_take_back(table: tuple[Visitor, Visitor]) -> None:
    host, invited = table
    luck = random.Random(1)
    for mover in (host, invited, host, invited):
        assert mover.click_a_move(luck)
    host.next_clicks()
    see_the_same(host, invited)
    assert len(host.moves) == 4
    expect(invited.page.locator(".cell.lit")).to_have_count(0)  # It is not their turn.
    invited.find("undo").click()
    expect(invited.find("undo")).to_be_disabled()  # It has been asked for.
    expect(host.find("accept")).to_be_visible()
    expect(invited.find("accept")).to_have_count(0)  # Nobody answers themselves.
    host.find("decline").click()
    expect(invited.find("undo")).to_be_enabled()
    assert len(host.moves) == 4
    invited.find("undo").click()
    host.find("accept").click()
    expect(host.page.locator(".moves .move")).to_have_count(3)
    see_the_same(host, invited)
    invited.next_clicks()


def test_a_draw_is_offered(operator: Visit, guest: Visit) -> None:
    host = operator()
    host.begin("abalone:official", "me", "guest")
    invited = invite(host, guest)
    host.click_a_move(random.Random(1))
    invited.next_clicks()
    host.find("draw").click()
    expect(host.find("draw")).to_be_disabled()
    expect(invited.page.locator(".offer")).to_contain_text("draw")
    invited.find("decline").click()
    expect(host.find("draw")).to_be_enabled()
    expect(host.find("end")).to_have_count(0)
    host.find("draw").click()
    expect(invited.find("accept")).to_be_visible()
    assert invited.click_a_move(random.Random(1))  # To move on is an answer, too.
    expect(host.page.locator(".moves .move")).to_have_count(2)
    expect(invited.find("accept")).to_have_count(0)
    invited.find("draw").click()
    host.find("accept").click()
    for visitor in (host, invited):
        expect(visitor.find("end").get_by_role("heading")).to_have_text("A draw")


def test_a_press_is_not_lost_when_news_come_before_it_ends(operator: Visit) -> None:
    """Bots move while somebody presses on the first move of the list, which is made anew under the pointer."""
    watcher = operator()
    watcher.begin("abalone:official", "idiot", "idiot")  # a game that lasts
    first = watcher.page.locator('.moves .move[data-ply="1"]')
    expect(first).to_be_visible()
    watcher.page.keyboard.press("Home")  # Whoever looks at the beginning stays there, and the list with them.
    expect(watcher.status).to_have_text(re.compile(r"^Position 0 of \d+$"))
    watcher.page.mouse.move(*watcher.page.evaluate(FIRST_MOVE))
    watcher.page.mouse.down()
    seen = watcher.page.locator(".moves .move").count()
    expect(watcher.page.locator(".moves .move")).not_to_have_count(seen)
    watcher.page.mouse.up()
    expect(watcher.status).to_have_text(re.compile(r"^Position 1 of \d+$"))


def test_resigning_and_a_rematch(table: tuple[Visitor, Visitor]) -> None:
    host, invited = table
    room = host.page.url
    host.find("resign").click()
    host.page.locator("button.sure").click()  # Giving up takes two clicks.
    expect(host.find("end").get_by_role("heading")).not_to_have_text("You win!")
    expect(invited.find("end").get_by_role("heading")).to_have_text("You win!")
    host.find("again").click()
    invited.find("accept").click()
    for visitor in table:
        visitor.page.wait_for_url(lambda url: url != room)
        expect(visitor.find("end")).to_have_count(0)
    assert invited.click_a_move(random.Random(1))  # The seats have been swapped.
    assert host.click_a_move(random.Random(1))
    see_the_same(host, invited)


def test_a_watcher_sees_and_cannot_move(table: tuple[Visitor, Visitor], operator: Visit, guest: Visit) -> None:
    host, invited = table
    elsewhere = operator()
    elsewhere.begin(GAME, "me", "guest")
    watcher = invite(elsewhere, guest)  # somebody who has been let in, but not to this table
    watcher.visit(host.page.url)
    host.click_a_move(random.Random(1))
    invited.next_clicks()
    see_the_same(host, watcher)
    expect(watcher.page.locator(".cell.lit, .word")).to_have_count(0)
    expect(watcher.find("move-field")).to_be_disabled()
    for action in ("undo", "hint", "draw", "resign"):
        expect(watcher.find(action)).to_be_disabled()
