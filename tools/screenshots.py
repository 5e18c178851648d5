"""Take pictures of every game and view of the page, with the real server and a real Chromium.

    python -m tools.screenshots            desktop, light, English; and phone, dark, French: into docs/screenshots
    python -m tools.screenshots --all DIR  every view in every width, theme and language, to be looked at

Positions come from games of bots with a fixed seed, so that a picture changes only if the page does.
"""

import argparse
import io
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from websockets.sync.client import connect
from websockets.typing import Origin

from palabre.bots.specs import bot
from palabre.core.registry import game
from palabre.play.game import OngoingGame

FOLDER = Path(__file__).parent.parent / "docs" / "screenshots"
COLOURS = 200  # of a picture; more would not be seen
# Specs and how many plies have been played in the picture.
GAMES = {
    "abalone": ("abalone:official,layout=belgian-daisy", 24),
    "avalam": ("avalam:official", 18),
    "awale": ("awale", 15),
    "awele": ("awele:abapa", 17),
    "penguins": ("penguins", 22),
    "penguins3": ("penguins:players=3", 21),
}
WIDTHS = {"phone": (390, 844), "tablet": (820, 1180), "desktop": (1440, 900)}
THEMES, LANGUAGES = ("light", "dark"), ("en", "fr")
COMMITTED = (("desktop", "light", "en"), ("phone", "dark", "fr"))
CHROMIUM = ("--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync")
SETTLED = 700  # milliseconds until nothing moves any more
THOUGHT = 4_000  # for an analysis to go deep
PATIENCE = 120_000  # for what takes no time on a machine with nothing else to do


@dataclass(frozen=True)
class Site:
    """A running server, and the cookie of its operator."""

    address: str
    link: str


@contextmanager
def serving(folder: Path) -> Iterator[Site]:
    """A server of its own."""
    words = [sys.executable, "-m", "palabre", "play", "--no-browser", "--port", "0", "--data", str(folder / "games.db")]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if found := re.search(r"(http://[^/]+)(/enter\?token=\S+)", line):
                    yield Site(found[1], found[2])
                    break
        finally:
            process.terminate()


def position(spec: str, plies: int) -> tuple[str | None, list[str]]:
    """The start and the moves of a game between two bots that play sensibly."""
    played = game(spec)
    greedy = [bot(f"greedy:seed={seat}", played) for seat in range(played.players)]
    ongoing = OngoingGame(played.start(4), greedy, seed=4)
    ongoing.sit_down()
    while not ongoing.is_over and len(ongoing.moves) < plies:
        ongoing.ask_bot()
    return ongoing.position.start_text, [move.text for move in ongoing.moves]


def ask(site: Site, cookie: str, kind: str, **fields: Any) -> Any:
    """The answer of the server to one request."""
    headers = {"Cookie": cookie}
    with connect(
        f"ws{site.address.removeprefix('http')}/socket", origin=Origin(site.address), additional_headers=headers
    ) as socket:
        socket.send(json.dumps({"kind": kind, "ask": 1, **fields}))
        while True:
            told = json.loads(socket.recv())
            if told.get("ask") == 1:
                assert told["kind"] == "Answer", told
                return told["result"]


def views(site: Site, cookie: str) -> dict[str, str]:
    """The views and their addresses."""
    found = {"new": "/", "games": "/games", "rules": "/rules/awele", "arena": "/arena", "form": "/?game=abalone"}
    for name, (spec, plies) in GAMES.items():
        start, moves = position(spec, plies)
        seats = [{"who": "me"}, *[{"who": "bot", "bot": "greedy"}] * (game(spec).players - 1)]
        place = {"game": spec, "start": start, "moves": moves}
        found[name] = f"/play/{ask(site, cookie, 'OpenRoom', place=place, seats=seats)['name']}"
        if name == "awele":
            query = {"game": spec, "moves": " ".join(moves)} | ({"start": start} if start else {})
            found["analysis"] = f"/analyse?{urlencode(query)}#review"
    bots = ["palabre:level=1", "palabre:level=2", "greedy", "idiot"]
    event = ask(site, cookie, "StartEvent", game="avalam:official", format="round-robin", bots=bots, games=4, seed=1)
    found["event"] = f"/event/{event['name']}"
    return found


def take(page: Page, site: Site, view: str, path: str) -> bytes:
    """A picture of a view."""
    page.goto(f"{site.address}{path}")
    page.locator("#main h1").wait_for()
    page.wait_for_load_state("networkidle")
    if view == "analysis":
        page.locator(".graph").wait_for()
        page.locator("[data-id=last]").click()
        page.locator("[data-id=think]").click()
        page.locator(".lines li").first.wait_for()
        page.wait_for_timeout(THOUGHT)
    page.wait_for_timeout(SETTLED)
    return page.screenshot(full_page=view in ("rules", "form") or page.viewport_size["width"] < 500)  # type: ignore[index]


def prepare(browser: Browser, kept: Any, width: str, theme: str, language: str) -> BrowserContext:
    """A window of the operator, in this width, theme and language."""
    across, down = WIDTHS[width]
    context = browser.new_context(
        viewport={"width": across, "height": down},
        storage_state=kept,
        color_scheme="dark" if theme == "dark" else "light",
        locale=language,
        reduced_motion="reduce",
        has_touch=width != "desktop",
        is_mobile=width != "desktop",  # without the space that other machines keep for scroll bars
    )
    settings = json.dumps({"language": language, "theme": theme, "speed": "off"})
    context.set_default_timeout(PATIENCE)
    context.add_init_script(f"localStorage.setItem('palabre.settings', {json.dumps(settings)})")
    return context


def save(picture: bytes, file: Path) -> None:
    """Write a picture with few colours: a third of its size, and nobody sees the difference."""
    Image.open(io.BytesIO(picture)).convert("RGB").quantize(COLOURS).save(file, optimize=True)


def main() -> None:
    """Take all pictures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--all", type=Path, metavar="DIR", help="every width, theme and language, into this folder")
    parser.add_argument("--views", help="only these, separated by commas")
    chosen = parser.parse_args()
    folder = chosen.all or FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    kinds = list(itertools.product(WIDTHS, THEMES, LANGUAGES)) if chosen.all else COMMITTED
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    arguments = [*CHROMIUM, *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else [])]
    with tempfile.TemporaryDirectory() as data, serving(Path(data)) as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=arguments)
        first = browser.new_context()
        first.new_page().goto(site.address + site.link)
        kept = first.storage_state()
        cookie = f"{kept['cookies'][0]['name']}={kept['cookies'][0]['value']}"
        shown = views(site, cookie)
        time.sleep(8)  # until the event has some games
        wanted = chosen.views.split(",") if chosen.views else list(shown)
        for width, theme, language in kinds:
            context = prepare(browser, kept, width, theme, language)
            page = context.new_page()
            for view in wanted:
                save(take(page, site, view, shown[view]), folder / f"{view}-{width}-{theme}-{language}.png")
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
