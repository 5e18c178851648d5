"""People who meet at a board, each at a browser of their own."""

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.visitor import Visitor
from tests.command import wait_until


def invite(host: Visitor, guest: Visit) -> Visitor:
    """Somebody who takes the free seat at the host's table by a link."""
    host.find("invite").click()
    link = host.page.locator("input[data-id=invitation]").input_value()
    invited = guest()
    invited.visit(link)
    expect(invited.page.locator(".room .board")).to_be_visible()
    return invited


def see_the_same(*visitors: Visitor) -> None:
    """Wait until all see the same moves and the same position."""
    first, *others = visitors
    wait_until(lambda: all((one.moves, one.cells) == (first.moves, first.cells) for one in others))
