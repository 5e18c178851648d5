"""Reports in a browser, opened from the disk: what they show, what they load, and whether they fit."""

import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

import palabre
from palabre.arena.match import Match
from palabre.core.record import Record
from palabre.web.report.bundle import bundle
from palabre.web.report.data import ReportData
from palabre.web.report.public import standalone_replay
from palabre.web.report.write import write_report
from tests.browser.visitor import DESKTOP, PATIENCE_MS, PHONE
from tests.test_translation import ENGLISH
from tests.web.reports import HOSTILE, data_of, event

Open = Callable[..., Page]
CELLS = "() => [...document.querySelectorAll('.cross tbody th')].map((cell) => cell.offsetHeight)"
SIZES = "() => [document.documentElement.scrollWidth - innerWidth, document.body.scrollHeight]"
# Versions of a bot, which no short event has.
VERSIONS: list[dict[str, Any]] = [
    {"bot": "x", "title": "x", "since": "2026-03-01", "games": 20, "rating": -40.0, "rating_error": 60.0},
    {"bot": "x", "title": "x, version 2", "since": "2026-03-08", "games": 30, "rating": 55.0, "rating_error": 50.0},
]


@pytest.fixture
def opened(chromium: Browser) -> Iterator[Open]:
    """Opens a file without a network; fails on any error, and on what is asked for outside the file's folder."""
    contexts = []
    complaints: list[str] = []

    def visit(file: Path, address: str = "", **options: Any) -> Page:
        context = chromium.new_context(**{"viewport": DESKTOP, "locale": "en-GB", "offline": True, **options})
        contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        expect.set_options(timeout=PATIENCE_MS)
        page = context.new_page()
        home = file.parent.resolve().as_uri()
        page.on("request", lambda asked: None if asked.url.startswith(home) else complaints.append(asked.url))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.goto(file.resolve().as_uri() + address)
        expect(page.locator(".replay .board").first).to_be_visible()
        return page

    yield visit
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    with event(HOSTILE) as store:
        write_report(store, folder, "<b>title")
    page = folder / "public" / "index.html"
    data = data_of(page)
    before = json.dumps(data["statistics"]["versions"])
    assert before == "[]"
    page.write_text(page.read_text(encoding="utf-8").replace('"versions":[]', f'"versions":{json.dumps(VERSIONS)}'))
    return page


def test_an_event_is_shown_as_on_the_server(hostile: Path, opened: Open) -> None:
    page = opened(hostile)
    expect(page.get_by_role("heading", level=1)).to_have_text("<b>title")
    expect(page.locator(".standings tbody tr")).to_have_count(len(HOSTILE))
    expect(page.locator(".standings th[scope=row]").filter(has_text="<script>alert(1)</script>")).to_have_count(1)
    expect(page.locator(".error-bar").first).to_be_visible()
    expect(page.locator(".game-list tbody tr")).to_have_count(2 * (len(HOSTILE) - 1))
    for heading in ("Standings", "Who beat whom", "Likelihood of superiority", "Thinking time", "Progress", "Games"):
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    expect(page.get_by_text("version 2")).to_be_visible()
    expect(page.locator("polyline.course")).to_have_count(1)
    page.locator(".cross button").first.click()
    expect(page.locator(".game-list tbody tr")).to_have_count(2)
    page.locator("[data-id=all-games]").click()
    expect(page.locator(".game-list tbody tr")).to_have_count(2 * (len(HOSTILE) - 1))
    for button in ("menu", "quit", "again", "follow", "analyse"):
        expect(page.locator(f"[data-id={button}]:visible")).to_have_count(0)


def test_the_replay_steps_to_the_ply_in_its_address(hostile: Path, opened: Open) -> None:
    page = opened(hostile, "#1@2")
    marked = page.locator(".moves .move[aria-current]")
    expect(marked).to_have_attribute("data-ply", "2")
    expect(page.get_by_role("heading", name="Game 1")).to_be_visible()
    expect(page.locator(".plate .name").first).to_have_text("../x")
    expect(page.locator(".moves .move").first).to_have_attribute("title", "../x, 0.1 s")
    page.keyboard.press("ArrowRight")
    expect(marked).to_have_attribute("data-ply", "3")
    assert page.url.endswith("#1@3")
    page.keyboard.press("End")
    expect(page.locator(".replay .status")).to_contain_text("error")
    page.evaluate("location.hash = '#4@1'")
    expect(page.get_by_role("heading", name="Game 4")).to_be_visible()
    expect(marked).to_have_attribute("data-ply", "1")
    page.evaluate("location.hash = '#99'")
    expect(page.locator("#notice")).to_contain_text("There is no game 99 in this report.")


def test_without_scripts_it_says_where_the_tables_are(hostile: Path, chromium: Browser) -> None:
    with contextlib.closing(chromium.new_context(java_script_enabled=False, offline=True)) as context:
        page = context.new_page()
        page.goto(hostile.as_uri())
        files = ("standings.csv", "games.csv", "games.txt")
        seen = page.inner_text("body")
        assert all(file in seen for file in files)
    assert all((hostile.parent / file).is_file() for file in files)


def test_axe_finds_nothing(hostile: Path, opened: Open) -> None:
    page = opened(hostile)
    for theme in ("light", "dark"):
        page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
        found = Axe().run(page, options={"resultTypes": ["violations"], "preload": False}).response["violations"]
        assert [f"{rule['id']}: {node['html'][:150]}" for rule in found for node in rule["nodes"]] == []


def test_it_fits_on_a_phone(hostile: Path, opened: Open) -> None:
    page = opened(hostile, viewport=PHONE)
    assert page.evaluate(SIZES)[0] <= 0


def test_a_class_of_sixty_fits_on_a_page(tmp_path: Path, opened: Open) -> None:
    """Names stay in one line, and the page scrolls downwards only; tables of all against all scroll on their own."""
    with event([f"The bot of group {number}" for number in range(60)]) as store:
        write_report(store, tmp_path, "friday")
    page = opened(tmp_path / "public" / "index.html", viewport={"width": 1200, "height": 800})
    wider, height = page.evaluate(SIZES)
    assert wider <= 0
    assert height < 12_000
    cells = page.evaluate(CELLS)
    assert len(cells) == 120
    assert max(cells) < 40


def test_a_report_is_french(tmp_path: Path, opened: Open) -> None:
    with Match(("greedy", "idiot"), palabre.game("awele"), 4) as match:
        for _ in match.play(0):
            pass
        write_report(match.store, tmp_path, "Tournoi", language="fr")
    page = opened(tmp_path / "public" / "index.html", "#2@5")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page.get_by_role("heading", name="Classement")).to_be_visible()
    expect(page.get_by_role("heading", name="Partie 2")).to_be_visible()
    assert ENGLISH.findall(page.locator("body").inner_text()) == []


def test_a_single_game_needs_no_other_file(tmp_path: Path, opened: Open) -> None:
    position = palabre.game("awele").start().play("C").play("d")
    file = tmp_path / "game.html"
    tags = {"Player1": "</script><script>alert(1)</script>", "Termination": "<!--<script>"}
    file.write_text(standalone_replay(Record(position.game, ("C", "d"), None, "1-0", tags), "en"), encoding="utf-8")
    assert msgspec.convert(data_of(file), ReportData).game is not None
    assert "</script" not in bundle("report.js")
    page = opened(file, "#1@1")
    expect(page.locator(".moves .move[aria-current]")).to_have_attribute("data-ply", "1")
    expect(page.locator(".plate .name").first).to_have_text(tags["Player1"])
    page.keyboard.press("End")
    expect(page.locator(".replay .status")).to_contain_text("1-0, <!--<script>")
