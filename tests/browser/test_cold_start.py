"""The very first game on a machine: people move at once, and a bot says how long it is being prepared."""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.visitor import DESKTOP, FAST, Visitor, settings_script
from tests.web.browsing import serving
from tests.web.held import held_game


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    """The compiler is half-way and goes no further until this file is there."""
    return tmp_path / "gate"


@pytest.fixture
def newcomer(chromium: Browser, tmp_path: Path, gate: Path) -> Iterator[Visitor]:
    """Somebody on a machine on which nothing has been compiled yet."""
    folder = tmp_path / "mine"
    folder.mkdir()
    held_game(folder, gate)
    settings: dict[str, Any] = {"GAMES": str(folder), "NUMBA_DISABLE_JIT": "0"}
    settings["PALABRE_CACHE"] = str(tmp_path / "cache")
    with serving(tmp_path, **settings) as server:
        context = chromium.new_context(viewport=DESKTOP, locale="en-GB")
        context.add_init_script(settings_script(FAST))
        visitor = Visitor(context, server)
        visitor.enter()
        yield visitor
        context.close()
        assert visitor.complaints == []


def begin(visitor: Visitor, bots_seat: int) -> None:
    """A game against full strength, which has to be compiled."""
    visitor.visit("/?game=mine/held.py:heap=30")
    visitor.find(f"seat-{1 - bots_seat}").locator("[data-id=who]").select_option("me")
    seat = visitor.find(f"seat-{bots_seat}")
    seat.locator("[data-id=who]").select_option("level")
    seat.locator("[data-id=level]").fill("10")
    visitor.page.locator("button[data-id=play]").click()
    visitor.page.wait_for_url(re.compile("/play/"))


def test_a_bot_that_is_being_prepared_says_so_and_can_be_told_to_move_now(newcomer: Visitor, gate: Path) -> None:
    begin(newcomer, bots_seat=0)
    state = newcomer.page.locator(".plate .state")
    expect(state.filter(has_text="preparing, about")).to_have_text(re.compile(r"^preparing, about \d+ s$"))
    newcomer.find("stop").click()
    expect(newcomer.page.locator(".moves .move")).to_have_count(1)  # A low level has moved for it.
    newcomer.click_a_move(random.Random(1))
    expect(state.filter(has_text="preparing, about")).to_have_count(1)  # The compiler goes on.
    gate.touch()
    expect(newcomer.page.locator(".moves .move")).to_have_count(3)


def test_people_move_at_once_and_see_how_far_the_compiler_is(newcomer: Visitor, gate: Path) -> None:
    begin(newcomer, bots_seat=1)
    newcomer.click_a_move(random.Random(1))
    expect(newcomer.page.locator(".moves .move")).to_have_count(1)
    progress = newcomer.page.locator(".plate progress")
    expect(progress).to_have_attribute("aria-label", re.compile(r"^preparing, about \d+ s$"))
    expect(progress).not_to_have_attribute("value", "0")  # It was begun before it was the bot's turn.
