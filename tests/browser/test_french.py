"""The page in French: nothing of any view is left in English."""

import random
import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from palabre.core.words import texts
from tests.browser.conftest import Visit
from tests.browser.views import VIEWS
from tests.browser.visitor import Visitor
from tests.test_translation import HOMES, LONGEST_NAME
from tests.web.browsing import Server, serving

# Words without which hardly any English sentence does, and that are no French ones.
ENGLISH = re.compile(r"\b(the|of|and|with|is|are|was|by|for|you|your|this|that|has|have|from|into|where|what)\b", re.I)

# All that can be seen or heard.
VISIBLE = """() => {
  const found = new Set([document.title]);
  const names = ["aria-label", "aria-valuetext", "title", "placeholder", "alt"];
  const hidden = "[hidden], script, style, noscript, details:not([open]) > :not(summary)";
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    if (element.closest(hidden)) continue;
    if (node.nodeType === Node.TEXT_NODE) found.add(node.textContent.trim());
    else for (const name of names) found.add(node.getAttribute(name) ?? "");
  }
  return [...found].filter(Boolean);
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with our games alone: those of others are shown in their own words."""
    with serving(tmp_path_factory.mktemp("french"), GAMES="", RATES="off") as running:
        yield running


@pytest.fixture(scope="session")
def untranslated() -> re.Pattern[str]:
    """Any English text of a catalogue that is longer than a name and different in French."""
    found = []
    for home in map(str, HOMES):
        french = texts(home, "fr")
        for id, forms in texts(home, "en").items():
            found += [form for form in forms if form not in french[id] and len(form.split()) > LONGEST_NAME]
    return re.compile("|".join(re.sub(r"\\\{.*?\\\}", ".+", re.escape(text)) for text in found))


@pytest.fixture(scope="session")
def ids() -> set[str]:
    return {id for home in HOMES for id in texts(str(home), "en") if "." in id}


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.__name__)
def test_all_is_french(
    operator: Visit, view: Callable[[Visitor], None], untranslated: re.Pattern[str], ids: set[str]
) -> None:
    visitor = operator({"speed": "off", "language": "fr"}, locale="fr-FR")
    view(visitor)
    seen: list[str] = visitor.page.evaluate(VISIBLE)
    assert [text for text in seen if ENGLISH.search(text) or untranslated.search(text)] == []
    assert ids.isdisjoint(seen)
    expect(visitor.page.locator("html")).to_have_attribute("lang", "fr")


def test_the_browsers_language_is_spoken_first(guest: Visit) -> None:
    visitor = guest({}, locale="fr-CH")
    visitor.enter()
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text("Nouvelle partie")


def test_the_language_changes_in_the_middle_of_a_game(operator: Visit) -> None:
    player = operator()
    player.begin("awele", "me", "other")
    player.play(3, random.Random(1))
    moves, cells = player.moves, player.cells
    player.choose(language="fr")
    expect(player.find("undo")).to_have_text("Reprendre")
    player.next_clicks()
    assert player.moves == moves
    assert player.cells != cells  # graines, and no longer seeds
    player.play(1, random.Random(1))
    player.choose(language="en")
    expect(player.find("undo")).to_have_text("Undo")
    assert len(player.moves) == 4


def test_errors_are_french(operator: Visit) -> None:
    player = operator({"language": "fr"})
    player.begin("awele", "me", "other")
    player.find("move-field").fill("Z")
    player.find("move-field").press("Enter")
    expect(player.page.get_by_role("alert")).to_be_visible()
    assert not ENGLISH.search(player.page.get_by_role("alert").inner_text())
