"""Sounds: none unless one asks for them, then with every move. What is counted are the notes of the real thing."""

import random

from tests.browser.conftest import Visit
from tests.browser.tables import invite
from tests.browser.visitor import Visitor
from tests.command import wait_until

# Counts the contexts that are made and the notes that begin, and lets them.
COUNTING = """
window.contexts = [];
window.notes = [];
const { AudioContext: Real } = window;
window.AudioContext = class extends Real {
  constructor(...words) {
    super(...words);
    window.contexts.push(this);
  }
};
const { start } = AudioScheduledSourceNode.prototype;
AudioScheduledSourceNode.prototype.start = function (...words) {
  window.notes.push(this.frequency.value);
  return start.apply(this, words);
};
"""


def notes(player: Visitor) -> int:
    """How many notes have begun, since this was asked the last time."""
    count: int = player.page.evaluate("window.notes.splice(0).length")
    return count


def untouched(tab: Visitor, what: str) -> int:
    """A number of a page, which must not believe that it was touched: usually looking into it counts as a click."""
    session = tab.context.new_cdp_session(tab.page)
    count: int = session.send("Runtime.evaluate", {"expression": what})["result"]["value"]
    session.detach()
    return count


def test_there_is_no_sound_until_it_is_switched_on_and_then_with_every_move(operator: Visit) -> None:
    player = operator({"speed": "fast"})
    player.context.add_init_script(COUNTING)
    player.begin("awele", "me", "other")
    player.play(3, random.Random(1))
    assert notes(player) == 0
    assert player.page.evaluate("window.contexts.length") == 0
    player.page.locator("#top summary").click()
    player.find("setting-sound").check()
    player.page.keyboard.press("Escape")
    player.play(1, random.Random(1))
    assert notes(player) >= 4  # one for each seed that lands
    player.page.wait_for_function("() => window.contexts[0].state === 'running'")
    player.choose(speed="off")
    for _ in range(2):
        player.play(1, random.Random(1))
        assert notes(player) > 0  # also where nothing is seen to move
    player.page.locator("#top summary").click()
    player.find("setting-sound").uncheck()
    player.page.keyboard.press("Escape")
    player.play(1, random.Random(1))
    assert notes(player) == 0


def test_a_page_that_was_not_touched_is_silent_and_sounds_later(operator: Visit, guest: Visit) -> None:
    """Browsers do not let it sound, and warn; what was held back must not be heard all at once."""
    host = operator()
    room = host.begin("awele", "me", "guest")
    invited = invite(host, guest)
    host.click_a_move(random.Random(1))
    invited.next_clicks()
    host.page.evaluate("localStorage['palabre.settings'] = JSON.stringify({ speed: 'off', sound: true })")
    host.context.add_init_script(COUNTING)
    tab = Visitor(host.context, host.server)
    tab.open(room)
    assert invited.click_a_move(random.Random(1))
    wait_until(lambda: untouched(tab, "document.querySelectorAll('.moves .move').length") == 2)
    assert untouched(tab, "window.notes.length + window.contexts.length") == 0
    tab.next_clicks()
    assert tab.click_a_move(random.Random(1))
    tab.page.wait_for_function("() => window.notes.length > 0 && window.contexts[0].state === 'running'")
    assert tab.complaints == []
