"""One Chromium for each process of tests, one server for each file, and a fresh profile for each visitor or file."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Playwright

from tests.browser.chromium import launch
from tests.browser.visitor import DESKTOP, FAST, Visitor, settings_script
from tests.programs import require
from tests.web.browsing import EXAMPLES, Server, serving

Visit = Callable[..., Visitor]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all tests of this folder."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker("browser")


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """A browser without windows."""
    browser = launch(playwright, require("chromium"))
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that also offers our examples and a game of three players."""
    games = os.pathsep.join([str(EXAMPLES), str(Path(__file__).with_name("three_in_turn.py"))])
    with serving(tmp_path_factory.mktemp("server"), GAMES=games, RATES="off") as running:
        yield running


def new_context(chromium: Browser, settings: dict[str, str], options: dict[str, Any]) -> BrowserContext:
    """A fresh profile with these settings of the page."""
    context = chromium.new_context(**{"viewport": DESKTOP, "locale": "en-GB", **options})
    context.add_init_script(settings_script(settings))
    return context


@pytest.fixture
def guest(chromium: Browser, server: Server) -> Iterator[Visit]:
    """Somebody new in front of the page, not let in yet: `guest(viewport=PHONE, settings={…})`; fails on any error."""
    visitors = []

    def visit(settings: dict[str, str] = FAST, **options: Any) -> Visitor:
        visitors.append(Visitor(new_context(chromium, settings, options), server))
        return visitors[-1]

    yield visit
    for visitor in visitors:
        visitor.context.close()
    assert [visitor.complaints for visitor in visitors] == [[] for _ in visitors]


@pytest.fixture
def operator(guest: Visit) -> Visit:
    """The same, let in as the operator."""

    def visit(settings: dict[str, str] = FAST, **options: Any) -> Visitor:
        visitor = guest(settings, **options)
        visitor.let_in()
        return visitor

    return visit


@pytest.fixture(scope="module")
def residents() -> Iterator[dict[str, Visitor]]:
    """The visitors whose profiles the tests of a file share, by their settings and options."""
    kept: dict[str, Visitor] = {}
    yield kept
    for resident in kept.values():
        resident.context.close()


@pytest.fixture
def tab(chromium: Browser, server: Server, residents: dict[str, Visitor]) -> Iterator[Visit]:
    """A new operator in a new tab of a profile that other tests of the file use too, if they ask for the same.

    A tab beside another one takes a fifth less time than a fresh profile: Chromium has compiled the page already.
    Nothing is left of what others have chosen.
    """
    visitors = []

    def visit(settings: dict[str, str] = FAST, **options: Any) -> Visitor:
        kind = repr((settings, options))
        if kind not in residents:
            residents[kind] = Visitor(new_context(chromium, settings, options), server)
            residents[kind].enter()
        residents[kind].page.evaluate("localStorage.clear()")
        visitors.append(Visitor(residents[kind].context, server))
        visitors[-1].let_in()
        return visitors[-1]

    yield visit
    for visitor in visitors:
        visitor.page.close()
    assert [visitor.complaints for visitor in visitors] == [[] for _ in visitors]
