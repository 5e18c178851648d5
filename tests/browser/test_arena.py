"""The arena, and the menu of the Avalam project, click by click."""

import contextlib
import random
import re
from pathlib import Path

from playwright.sync_api import Browser, expect

from palabre.web.refusal import in_language
from tests.browser.conftest import Visit
from tests.browser.tables import invite
from tests.browser.views import start_match
from tests.browser.visitor import FAST, Visitor, settings_script
from tests.command import PATIENCE
from tests.web.browsing import serving

AVALAM = "avalam"
COURSE = "avalam:course"


def test_a_match(operator: Visit) -> None:
    watcher = operator()
    start_match(watcher, "awele", ["idiot", "greedy", "idiot"], games=4)
    rows = watcher.page.locator(".standings tbody tr")
    expect(rows).to_have_count(3)
    expect(watcher.page.locator("p[data-id=progress]")).to_contain_text(re.compile(r"^\d+ of \d+ games"))
    expect(watcher.find("again")).to_be_visible()
    expect(rows.first).to_contain_text("greedy")
    expect(watcher.page.locator(".error-bar")).to_have_count(3)
    watcher.find("game-2").click()
    expect(watcher.page.get_by_role("heading", name="Game 2")).to_be_visible()
    expect(watcher.find("follow")).not_to_be_checked()
    watcher.find("last").click()
    expect(watcher.page.locator(".replay .status")).to_contain_text(re.compile(r"\d-\d|½"))
    watcher.page.locator(".cross button").first.click()
    expect(watcher.find("all-games")).to_be_visible()
    watcher.visit("/arena")
    expect(watcher.page.locator("[data-event]").first).to_be_visible()


def test_bots_are_called_by_names_that_people_understand(operator: Visit) -> None:
    watcher = operator()
    watcher.visit("/arena")
    watcher.find("game").select_option("awele")
    for number, level in enumerate(("1", "2")):
        seat = watcher.find(f"seat-{number}")
        seat.locator("[data-id=who]").select_option("level")
        seat.locator("[data-id=level]").fill(level)
    watcher.find("add").click()
    seat = watcher.find("seat-2")
    seat.locator("[data-id=who]").select_option("bot")
    seat.locator("[data-id=bot]").select_option("alphabeta")
    seat.locator("summary").click()
    seat.locator("[data-id=parameter-depth]").fill("1")
    seat.locator("[data-id=parameter-depth]").press("Tab")
    watcher.page.locator("input[data-id=games]").fill("2")
    watcher.find("start").click()
    watcher.page.wait_for_url(re.compile("/event/"))
    expect(watcher.find("again")).to_be_visible()
    titles = {"palabre:level=1": "Level 1", "palabre:level=2": "Level 2", "alphabeta:depth=1": "alphabeta"}
    for name, title in titles.items():
        for table in (".standings tbody th", ".cross tbody th", ".game-list td", ".replay .plate .name"):
            shown = watcher.page.locator(f'{table}[title="{name}"]')
            if table != ".replay .plate .name" or shown.count():  # two of the three are on the board
                expect(shown.first).to_contain_text(title)
    assert not re.search(r"level=|depth=", watcher.page.locator("#main").inner_text())
    watcher.page.locator(".cross button").first.click()
    expect(watcher.page.get_by_role("heading", name=re.compile("^Games of "))).not_to_contain_text("=")


# ------------------------------------------------------------------------------------ the menu of the Avalam project


def test_the_menu_offers_these_opponents(operator: Visit) -> None:
    """From the first page: the game, the opponent and its depth, Play; the score and whose turn it is stay in sight."""
    player = operator()
    for bot in ("other", "idiot", "alphabeta", "divine"):
        player.visit("/")
        player.page.locator(f'[data-game="{AVALAM}"]').click()
        player.page.get_by_role("radio", name=re.compile("course")).check()
        seat = player.find("seat-1")
        seat.locator("[data-id=who]").select_option("other" if bot == "other" else "bot")
        if bot != "other":
            seat.locator("[data-id=bot]").select_option(bot)
        if bot in ("alphabeta", "divine"):
            seat.locator("summary").click()
            seat.locator("[data-id=parameter-depth]").fill("1")
            seat.locator("[data-id=parameter-depth]").press("Tab")
        player.play_it()
        player.play(2, random.Random(1))
        assert len(player.moves) == (2 if bot == "other" else 4)
        expect(player.page.locator(".plate .score")).to_have_count(2)
        expect(player.page.locator(".plate.turn")).to_have_count(1)
        if bot in ("alphabeta", "divine"):
            expect(player.page.locator(f'.plate .name[title="{bot}:depth=1"]')).to_have_text(bot)


def test_the_menus_arena(operator: Visit) -> None:
    """Two bots, a number of games, and a table: game, bot 1, bot 2, winner."""
    watcher = operator()
    start_match(watcher, AVALAM, ["idiot", "greedy"], games=2)
    games = watcher.page.locator(".game-list tbody tr")
    expect(games).to_have_count(2)
    heads = watcher.page.locator(".game-list thead th").all_text_contents()
    assert heads[:4] == ["Game", "Bot 1", "Bot 2", "Winner"]
    watcher.find("again").click()
    watcher.page.wait_for_url(re.compile("/arena$"))


def ended(player: Visitor) -> None:
    player.begin("abalone:course,turns=2", "me", "other")
    player.play_to_the_end(random.Random(1))
    expect(player.find("end").get_by_role("heading")).to_be_visible()


def test_again_and_menu(operator: Visit) -> None:
    player = operator()
    ended(player)
    room = player.page.url
    player.find("again").click()
    player.page.wait_for_url(lambda url: "/play/" in url and url != room)
    expect(player.page.locator(".moves .move")).to_have_count(0)
    player.play_to_the_end(random.Random(1))
    player.find("menu").click()
    expect(player.page.locator(f'[data-game="{AVALAM}"]')).to_be_visible()


def test_a_guests_quit_leaves_the_table(operator: Visit, guest: Visit) -> None:
    host = operator()
    host.begin(COURSE, "me", "guest")
    player = invite(host, guest)
    player.find("resign").click()
    player.page.locator("button.sure").click()
    player.find("quit").click()
    player.page.wait_for_url(re.compile("/games$"))
    host.page.reload()  # The server is still there.
    expect(host.find("end")).to_be_visible()


def test_the_operators_quit_ends_the_server(chromium: Browser, tmp_path: Path) -> None:
    with serving(tmp_path) as server, contextlib.closing(chromium.new_context()) as context:
        context.add_init_script(settings_script({**FAST, "language": "en"}))
        player = Visitor(context, server)
        player.may_be_offline = True
        player.enter()
        ended(player)
        player.find("quit").dblclick()  # by accident
        expect(player.find("quit-no")).to_be_focused()
        expect(player.page.locator("[data-id=end] .wrong")).to_have_count(0)  # nothing is under way
        player.find("quit-no").click()
        expect(player.find("quit-yes")).to_have_count(0)
        other = Visitor(context, server)
        other.begin(COURSE, "me", "other")
        player.find("quit").click()
        under_way = in_language("end.quit_games", "en", count=1)
        expect(player.page.locator("[data-id=end] .wrong")).to_have_text([under_way])
        assert server.process.poll() is None
        other.page.close()
        player.find("quit-yes").click()
        expect(player.page.locator("#banner")).to_contain_text("The server has ended")
        server.process.communicate(timeout=PATIENCE)
        assert server.process.returncode == 0
        assert player.complaints == []
