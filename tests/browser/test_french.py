"""The page in French: nothing of any view is left in English."""

import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

import palabre
from palabre.core.game_words import sentence
from palabre.core.plain import stored
from palabre.core.record import termination_tags
from palabre.core.words import say, texts
from palabre.web.refusal import in_language
from tests.browser.conftest import Visit
from tests.browser.views import VIEWS
from tests.browser.visitor import Visitor
from tests.test_translation import ENGLISH, HOMES, LONGEST_NAME
from tests.web.browsing import Server, serving

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


SICK = """from palabre import Bot
class Sick(Bot):
    def choose(self, position, clock):
        raise ValueError("this is what the bot says")
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with our games alone: those of others are shown in their own words; and with a bot that fails."""
    bots = tmp_path_factory.mktemp("bots", numbered=False)
    bots.chmod(0o755)
    (bots / "sick.py").write_text(SICK, encoding="utf-8")
    with serving(tmp_path_factory.mktemp("french"), bots, GAMES="", RATES="off") as running:
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
    tab: Visit, view: Callable[[Visitor], None], untranslated: re.Pattern[str], ids: set[str]
) -> None:
    visitor = tab({"speed": "off", "language": "fr"}, locale="fr-FR")
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


def is_french(text: str) -> bool:
    """Whether no English sentence is in a text; what Python and SQLite say stands in brackets or after a colon."""
    return not ENGLISH.search(text)


def test_the_arena_tells_what_is_wrong_in_french(operator: Visit, server: Server) -> None:
    """Files that are no events."""
    (server.folder / "texte.event").write_text("milk, bread", encoding="utf-8")
    (server.folder / "notes.txt").write_text("milk, bread", encoding="utf-8")
    (server.folder / "foreign.txt").write_text('[Game "/mine/hex.py"]\n[Result "*"]\n\n*\n', encoding="utf-8")
    reader = operator({"language": "fr"})
    reader.visit("/arena")
    wrong = reader.page.locator(".events .wrong")
    expect(wrong).to_have_count(3)
    for text in wrong.all_text_contents():
        assert is_french(text), text
    reader.open("/event/texte.event")
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("Impossible d’afficher cette page")
    assert is_french(reader.page.locator("#main").inner_text())


def test_bots_and_endings_of_an_event_are_french(operator: Visit, server: Server) -> None:
    record = '[Game "awele"]\n[Player1 "palabre:level=3"]\n[Player2 "alphabeta:depth=2"]\n'
    why = say("game.loses", player=2, reason=say("forfeit.late_for_move", seconds=1.25, allowed=0.5))
    tags = termination_tags(palabre.game("awele"), str(why), stored(why))
    endings = "".join(f"[{tag} {json.dumps(value)}]\n" for tag, value in tags.items())
    text = f'{record}[Result "1-0"]\n{endings}\nC c A 1-0\n'
    (server.folder / "parties.txt").write_text(text, encoding="utf-8")
    reader = operator({"language": "fr", "speed": "off"})
    reader.visit("/event/parties.txt")
    row = reader.page.locator(".game-list tbody tr")
    expect(row).to_contain_text("Niveau 3")
    expect(row).to_contain_text("alphabeta")
    expect(row).to_contain_text("alphabeta perd : temps : 1,25 s pour un coup, 0,50 s étaient permises")
    reader.find("last").click()
    expect(reader.page.locator(".replay .status")).to_contain_text("alphabeta perd")
    assert is_french(reader.page.locator("#main").inner_text())


def test_why_a_game_has_ended_is_french(operator: Visit) -> None:
    """Also after the server has been started again: the store keeps what was meant, not a sentence."""
    player = operator({"language": "fr", "speed": "off"})
    player.may_be_offline = True
    player.begin("awele", "me", "greedy")
    for _ in range(2):
        player.find("resign").click()
    end = player.find("end")
    resigned = sentence(in_language("ended.resigns", "fr", player="Joueur 1"))
    expect(end).to_contain_text(resigned)
    player.server.kill()
    player.server.start()
    expect(player.page.locator("#banner")).to_be_hidden()
    player.page.reload()
    expect(end).to_contain_text(resigned)


@pytest.mark.usefixtures("sandboxes")
def test_why_a_bot_has_failed_is_french(operator: Visit) -> None:
    """In its sandbox; what it says itself is a quotation."""
    player = operator({"language": "fr", "speed": "off"})
    player.begin("awele", "me", "bots/sick.py")
    player.type_moves("C")
    why = (
        "bots/sick.py perd : erreur ValueError : « this is what the bot says » (sick.py, ligne 4 : « raise ValueError("
    )
    expect(player.find("end")).to_contain_text(why)
    assert is_french(re.sub("«.*?»", "", player.page.locator("#main").inner_text()))


def test_the_replay_page_is_french(operator: Visit, tmp_path: Path) -> None:
    player = operator({"language": "fr", "speed": "off"})
    player.begin("penguins", "me", "other")
    player.play(2, random.Random(1))
    for _ in range(2):
        player.find("resign").click()
    expect(player.find("end")).to_be_visible()
    player.page.locator(".share summary").click()
    with player.page.expect_download() as waiting:
        player.find("download-html").click()
    waiting.value.save_as(tmp_path / "partie.html")
    reader = Visitor(player.context, player.server)
    reader.page.goto((tmp_path / "partie.html").as_uri())
    expect(reader.page.locator("html")).to_have_attribute("lang", "fr")
    expect(reader.page.get_by_role("list", name="Coups")).to_be_visible()
    reader.page.keyboard.press("End")
    expect(reader.page.locator(".replay .status")).to_contain_text("abandonne")
    seen: list[str] = reader.page.evaluate(VISIBLE)
    assert [text for text in seen if not is_french(text)] == []


def test_an_address_that_leads_nowhere_is_told_in_french(operator: Visit) -> None:
    reader = operator({"language": "fr"})
    reader.visit("/nowhere")
    expect(reader.page.locator("#main")).to_contain_text(in_language("route.unknown", "fr", path="/nowhere"))
    assert len(reader.complaints) == 1  # of the browser, that there is nothing
    reader.complaints.clear()


def test_errors_are_french(operator: Visit) -> None:
    player = operator({"language": "fr"})
    player.begin("awele", "me", "other")
    player.find("move-field").fill("Z")
    player.find("move-field").press("Enter")
    expect(player.page.get_by_role("alert")).to_be_visible()
    assert not ENGLISH.search(player.page.get_by_role("alert").inner_text())
