"""The pages for everyone: the modules and styles of the server's page, with the data of an event or of one game."""

import base64
import gzip
from collections.abc import Callable
from pathlib import Path

import msgspec

from palabre.arena.store import Store
from palabre.core.game import Game
from palabre.core.record import Record
from palabre.web.refusal import in_language
from palabre.web.report.bundle import bundle
from palabre.web.report.data import EventShown, ReplayedGame, ReportData, game_data
from palabre.web.report.facts import Facts
from palabre.web.report.markup import STYLE, Markup, document, style, tag

GAMES_PER_FILE = 20  # a file of 50 to 300 kB
SCRIPT = "report.js"


def write_public(
    folder: Path, store: Store, game: Game, facts: Facts, language: str, on_game: Callable[[], None] | None = None
) -> None:
    """Write the page and the games, which are numbered from 1, into a folder."""
    (folder / "games").mkdir(parents=True, exist_ok=True)
    (folder / SCRIPT).write_text(bundle(SCRIPT), encoding="utf-8")
    (folder / STYLE).write_text(style(), encoding="utf-8")
    event = EventShown(facts, game, language)
    links = tag("link", rel="stylesheet", href=STYLE, id="arena-style"), tag("script", src=SCRIPT)
    page = _page(facts.title, event.data(store, GAMES_PER_FILE), *links, "report.no_script")
    (folder / "index.html").write_text(page, encoding="utf-8")
    for first in range(0, len(facts.games), GAMES_PER_FILE):
        games = {}
        for number, row in enumerate(facts.games[first : first + GAMES_PER_FILE], start=first + 1):
            games[number] = event.replayed(number, row)
            if on_game is not None:
                on_game()
        (folder / "games" / f"{first // GAMES_PER_FILE}.js").write_text(_packed(games), encoding="utf-8")


def standalone_replay(record: Record, language: str) -> str:
    """A page that replays one game and needs no other file."""
    data = game_data(record, language)
    assert data.game is not None
    styles, script = tag("style", Markup(style()), id="arena-style"), tag("script", Markup(bundle(SCRIPT)))
    return _page(" – ".join(data.game.game.players), data, styles, script, "report.no_script_game")


def _page(title: str, data: ReportData, styles: Markup, script: Markup, without_script: str) -> str:
    """A page with its data, and what it says where scripts are off."""
    text = msgspec.json.encode(data).decode().replace("<", "\\u003c")  # no text in it can end the script
    body = (
        tag("main", id="main"),
        tag("div", id="notice", role="alert", hidden=""),
        tag("div", id="live", class_="unseen", role="status"),
        tag("noscript", in_language(without_script, data.language)),
        tag("script", Markup(text), type="application/json", id="data"),
        script,
    )
    return document(title, [styles], body, data.language)


def _packed(games: dict[int, ReplayedGame]) -> str:
    """Games as a script that a page can load from a disk; compressed, because they repeat themselves."""
    packed = base64.b64encode(gzip.compress(msgspec.json.encode(games), mtime=0)).decode()
    return f'var PACKED = "{packed}";\n'
