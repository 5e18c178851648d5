"""Files of the operator's folders that do not work: the operator is told why, nobody else, and all else goes on."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.browser.visitor import DESKTOP, Visitor
from tests.web.browsing import serving


def test_the_operator_sees_why_a_game_is_missing(chromium: Browser, tmp_path: Path) -> None:
    file = tmp_path / "mine" / "hex.py"
    file.parent.mkdir()
    file.write_text("GAME = hexagons", encoding="utf-8")
    with serving(tmp_path, GAMES=str(file.parent)) as server:
        context = chromium.new_context(viewport=DESKTOP, locale="en-GB")
        visitor = Visitor(context, server)
        visitor.enter()
        sentence = "mine/hex.py cannot be loaded: NameError: name 'hexagons' is not defined (mine/hex.py, line 1)"
        expect(visitor.find("broken").locator("li")).to_have_text(sentence)
        visitor.page.locator("a.card").first.click()
        expect(visitor.find("seat-0")).to_be_visible()
        visitor.visit("/arena")
        assert "hex" not in visitor.find("game").inner_text()
        assert visitor.complaints == []
        context.close()
