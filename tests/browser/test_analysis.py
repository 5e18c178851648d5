"""Analysis of positions and games, and the ways into it and out of it."""

import random
import re
from pathlib import Path

from playwright.sync_api import expect

import palabre
from palabre.core.record import read_records
from palabre.web.refusal import in_language
from tests.browser.conftest import Visit
from tests.browser.visitor import DESKTOP, Visitor

GAME = "awele"


def test_lines_appear_and_arrows_on_request_only(operator: Visit) -> None:
    reader = operator()
    reader.visit(f"/analyse?game={GAME}")
    expect(reader.page.locator(".lines li")).to_have_count(0)  # Nobody has asked for a line yet.
    reader.find("think").click()
    expect(reader.page.locator(".lines li")).to_have_count(3)
    expect(reader.page.locator(".engine-state")).to_contain_text(re.compile(r"depth \d+ · .*nodes"))
    expect(reader.page.locator(".arrow")).to_have_count(0)
    reader.find("arrows").click()
    expect(reader.page.locator(".arrow").first).to_be_visible()
    reader.find("arrows").click()
    expect(reader.page.locator(".arrow")).to_have_count(0)
    reader.find("lines").select_option("1")
    expect(reader.page.locator(".lines li")).to_have_count(1)


def test_two_engines_side_by_side(operator: Visit) -> None:
    reader = operator()
    reader.visit(f"/analyse?game={GAME}")
    reader.find("second").click()
    engines = reader.page.locator(".engine")
    expect(engines).to_have_count(2)
    for silent in ("idiot", "greedy"):  # They play, and have nothing to say of a position.
        expect(reader.page.locator(f"[data-id=engine] option[value={silent}]")).to_have_count(0)
    for engine, bot in zip(engines.all(), ("alphabeta", "mcts"), strict=True):
        engine.locator("[data-id=engine]").select_option(bot)
        engine.locator("[data-id=think]").click()
    for engine in engines.all():
        expect(engine.locator(".lines li").first).to_be_visible()


def test_shares_of_three_players(operator: Visit) -> None:
    reader = operator()
    reader.visit("/analyse?game=penguins:players=3")
    reader.find("think").click()
    expect(reader.page.locator(".lines li").first).to_be_visible()
    expect(reader.page.locator(".chance-bar .part")).to_have_count(3)
    expect(reader.page.locator(".chance-bar")).not_to_have_class(re.compile("unknown"))


def test_variations_and_steps(operator: Visit) -> None:
    reader = operator()
    reader.visit(f"/analyse?game={GAME}&moves=C+c+A")
    seen = reader.cells
    reader.page.keyboard.press("ArrowLeft")
    reader.page.keyboard.press("ArrowLeft")
    reader.find("move-field").fill("f")
    reader.find("move-field").press("Enter")
    expect(reader.page.locator(".variation .move")).to_have_count(1)
    expect(reader.page.locator(".variation .move[aria-current]")).to_contain_text("f")
    reader.page.locator(".moves li > .move").last.click()
    assert reader.cells == seen  # The game itself is as it was.


def review(reader: Visitor) -> None:
    """A game in which player 1 gives seeds away."""
    reader.visit(f"/analyse?game={GAME}&moves=A+a+B+b+C+c+D+d+E+e#review")
    expect(reader.page.locator(".graph")).to_be_visible()


def test_a_review_marks_mistakes_in_any_language(operator: Visit) -> None:
    reader = operator()
    review(reader)
    expect(reader.page.locator(".graph .dot")).not_to_have_count(0)
    marked = reader.page.locator(".moves .move .mistake")
    expect(marked).to_have_count(reader.page.locator(".graph .dot").count())
    expect(reader.page.locator(".counts li")).to_have_count(2)
    assert re.search(r"\d inaccurac(y|ies) \(\?!\), \d mistakes? \(\?\)", reader.page.locator(".counts").inner_text())
    worst = reader.page.locator("[data-id^=worst]").first
    seat = int((worst.get_attribute("data-id") or "")[-1])
    worst.click()
    expect(reader.page.locator(".puzzle")).to_contain_text(in_language("review.find_better", "en").partition("?")[0])
    about = reader.page.locator(".moves .move[aria-current]")
    assert re.search(rf"\b{about.inner_text().split()[0]} costs", reader.page.locator(".puzzle").inner_text())
    assert (int(about.get_attribute("data-ply") or 0) - 1) % 2 == seat
    for part in (".table .board", "[data-id=answer]"):
        box = reader.page.locator(part).bounding_box()
        assert box
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= DESKTOP["height"], part
    expect(reader.page.locator(".arrow")).to_have_count(0)  # The answer is not given away.
    assert "Better was" not in reader.page.locator(".puzzle").inner_text()
    reader.find("answer").click()
    expect(reader.page.locator(".puzzle")).to_contain_text("Better was")
    expect(reader.page.locator(".variation .move[aria-current]")).to_be_visible()
    moves, mistakes = reader.page.locator(".moves li > .move").count(), marked.count()
    reader.choose(language="fr")  # The game and its review stay.
    expect(reader.page.locator(".graph")).to_be_visible()
    expect(reader.page.locator(".moves li > .move")).to_have_count(moves)
    expect(reader.page.locator(".variation .move[aria-current]")).to_be_visible()
    expect(marked).to_have_count(mistakes)


def test_a_review_from_a_table_is_about_its_reader(operator: Visit) -> None:
    reader = operator()
    reader.visit(f"/analyse?game={GAME}&moves=A+a+B+b+C+c+D+d+E+e&name=Awa&name=Binta&seat=1#review")
    expect(reader.page.locator(".counts li")).to_have_count(2)
    expect(reader.page.locator(".counts li").first).to_contain_text("Binta: ")
    expect(reader.page.locator(".above .plate .name")).to_have_text("Awa")  # The board is seen from the reader's side.
    expect(reader.page.locator(".below .plate .name")).to_have_text("Binta")
    expect(reader.page.locator(".table .board")).to_have_class(re.compile(r"\bflipped\b"))
    reader.find("last").click()
    expect(reader.find("told")).to_contain_text("Binta")  # Who moved is called as in the strip.
    expect(reader.page.locator(".chance-bar")).not_to_have_class(re.compile("unknown"))


def test_analysis_and_review_leave_the_board_as_it_was_at_the_table(operator: Visit) -> None:
    player = operator()
    player.begin(GAME, "idiot", "me")
    player.play(1, random.Random(1))
    names = [player.page.locator(f".{side} .plate .name").inner_text() for side in ("above", "below")]
    flipped = re.compile(r"\bflipped\b")
    expect(player.page.locator(".table .board")).to_have_class(flipped)
    for way in ("analyse", "review"):
        player.find(way).click()
        expect(player.page.locator(".analysis .board")).to_have_class(flipped)
        shown = [player.page.locator(f".{side} .plate .name").inner_text() for side in ("above", "below")]
        assert shown == names
        player.page.go_back()
        for _ in range(2 if way == "analyse" else 0):
            player.find("resign").click()


def test_a_lesson_is_tried_on_the_board(operator: Visit) -> None:
    reader = operator()
    reader.visit(f"/rules/{GAME}")
    reader.find("part-lessons").click()
    expect(reader.page.locator("h1")).to_contain_text("five lessons")
    reader.page.get_by_role("link", name="Try it on the board").first.click()
    expect(reader.page.locator(".analysis .board")).to_be_visible()
    expect(reader.page.locator(".plate .score").first).to_have_text("10")
    expect(reader.page.locator(".cell.lit").first).to_be_visible()
    reader.page.locator('[data-cell="d"]').click(force=True)
    expect(reader.find("told")).to_have_text(in_language("reason.not_yours", "en", player="Player 2"))


def test_play_on_from_here(operator: Visit) -> None:
    reader = operator()
    reader.visit(f"/analyse?game={GAME}&moves=C+c+A#2")
    reader.find("play-on").click()
    reader.find("seat-1").locator("[data-id=who]").select_option("other")
    reader.play_it()
    expect(reader.page.locator(".moves .move")).to_have_text(["C", "c"])
    reader.play(1, random.Random(1))


def copy(reader: Visitor, part: str) -> str:
    """What the clipboard holds after a click."""
    reader.find(f"copy-{part}").click()
    notice = reader.page.get_by_role("alert")
    expect(notice).to_contain_text("Copied.")
    notice.get_by_role("button").click()
    copied: str = reader.page.evaluate("navigator.clipboard.readText()")
    return copied


def test_texts_are_pasted(operator: Visit) -> None:
    reader = operator()
    reader.visit("/analyse")
    reader.page.locator(".paste-box select").select_option("awele:abapa")
    reader.find("paste").fill("what is this?")
    reader.find("open-text").click()
    expect(reader.page.get_by_role("alert")).to_be_visible()
    reader.find("paste").fill(palabre.game("abalone").start().text)
    reader.find("open-text").click()
    expect(reader.page.locator(".heading .quiet")).to_contain_text("Abalone")
    expect(reader.page.get_by_role("alert")).to_have_text(
        re.compile(re.escape(in_language("share.other_game", "en", game="Abalone")))
    )
    reader.context.grant_permissions(["clipboard-read", "clipboard-write"])
    reader.visit("/analyse?game=awele:abapa&moves=C+c")
    seen = reader.cells
    reader.page.locator(".share summary").click()
    for part, moves in (("game", 2), ("position", 0)):
        reader.find("paste").fill(copy(reader, part))
        reader.find("open-text").click()
        expect(reader.find("paste")).to_have_value("")  # The view is new: the one before held the text.
        expect(reader.page.locator(".moves .move")).to_have_count(moves)
        assert reader.cells == seen
        reader.page.locator(".share summary").click()


def test_a_link_to_a_position(operator: Visit) -> None:
    reader = operator()
    reader.context.grant_permissions(["clipboard-read", "clipboard-write"])
    reader.begin(GAME, "me", "other")
    reader.play(3, random.Random(1))
    reader.page.locator(".share summary").click()
    other = Visitor(reader.context, reader.server)
    other.visit(copy(reader, "link"))
    expect(other.page.locator(".moves .move")).to_have_count(3)
    assert other.cells == reader.cells
    assert other.complaints == []


def test_downloads(operator: Visit, tmp_path: Path) -> None:
    reader = operator()
    reader.begin(GAME, "me", "other")
    reader.play(3, random.Random(1))
    moves = reader.moves
    reader.page.locator(".share summary").click()
    kept = {}
    for ending in ("txt", "svg", "html"):
        with reader.page.expect_download() as waiting:
            reader.find(f"download-{ending}").click()
        kept[ending] = tmp_path / f"game.{ending}"
        waiting.value.save_as(kept[ending])
    [record] = read_records(kept["txt"].read_text())
    assert list(record.moves) == moves
    picture = Visitor(reader.context, reader.server)
    picture.open(kept["svg"].as_uri())
    expect(picture.page.locator("svg").first).to_be_visible()
    picture.page.goto(kept["html"].as_uri())
    expect(picture.page.locator("svg").first).to_be_visible()
    assert picture.complaints == []
