"""The games of a report on a board: one page that steps through any of them, and the data that it loads."""

import html
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from palabre.arena.rows import GameRow
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.core.record import UNFINISHED, Record, result_text
from palabre.core.words import DEFAULT, GENERAL, say, texts
from palabre.draw.frames import Looks, frames, ground, stylesheet
from palabre.web.report.facts import public_ending
from palabre.web.report.markup import Markup, copy_static, join, page, page_in_one_file, shown, static_text, tag

GAMES_PER_FILE = 50  # a file of about 150 kB
SAID = ("pause", "board", "ply", "player", "score", "result", "moves", "seat", "title", "missing")
CONTROLS = {"first": "|◀", "back": "◀", "play": "", "next": "▶", "last": "▶|"}  # what is on the buttons


def write_replays(folder: Path, game: Game, games: Sequence[GameRow], title: str) -> None:
    """Write the page `replay.html` and the games, which are numbered from 1 in their order."""
    looks = Looks()
    (folder / "games").mkdir(exist_ok=True)
    for first in range(0, len(games), GAMES_PER_FILE):
        some = range(first, min(first + GAMES_PER_FILE, len(games)))
        data = {number + 1: _game(number + 1, games[number], game, looks) for number in some}
        file = folder / "games" / f"{first // GAMES_PER_FILE}.js"
        file.write_text(f"receive({_json(data)});\n", encoding="utf-8")
    start = games[0].record(game).positions()[0] if games else game.start()
    common = {
        "GAMES_PER_FILE": GAMES_PER_FILE,
        "GROUND": ground(start),
        "LOOKS": looks.markup(),
        "WORDS": _said(DEFAULT),
    }
    lines = [f"window.{name} = {_json(value)};\n" for name, value in common.items()]
    (folder / "board.js").write_text("".join(lines), encoding="utf-8")
    (folder / "board.css").write_text(stylesheet(), encoding="utf-8")
    copy_static(folder, "replay.js")
    (folder / "replay.html").write_text(_replay_page(title), encoding="utf-8")


def _game(number: int, row: GameRow, game: Game, looks: Looks) -> dict[str, Any]:
    try:
        positions = row.record(game).positions()
    except PalabreError as error:
        raise PalabreError(say("event.no_replay", number=number, error=error.message)) from error
    return _shown_game(number, positions, row.bots, result_text(row.shares), public_ending(row), row.seconds, looks)


def _shown_game(
    number: int,
    positions: Sequence[Position],
    players: Sequence[str],
    result: str,
    ending: str,
    seconds: Sequence[float | None],
    looks: Looks,
) -> dict[str, Any]:
    return {
        "number": number,
        "players": [shown(name) for name in players],
        "result": result.split("-"),
        "ending": shown(ending, 400),
        "seconds": seconds,
        **frames(positions, looks),
    }


def standalone_replay(record: Record, language: str) -> str:
    """A page that replays one game and needs no other file."""
    positions, words = record.positions(), record.game.words(language)
    names = [record.tags.get(f"Player{seat + 1}", words.player(seat)) for seat in range(record.game.players)]
    ending = record.tags.get("Termination", words.status(positions[-1]))
    looks = Looks()
    no_times: list[float | None] = [None] * len(record.moves)
    # Without a result there is nothing to write beside the names.
    result = record.result if record.result != UNFINISHED else "-".join([""] * record.game.players)
    shown_game = _shown_game(1, positions, names, result, ending, no_times, looks)
    shown_game["status"] = [words.status(position) for position in positions]
    data = {"GROUND": ground(positions[0]), "LOOKS": looks.markup(), "WORDS": _said(language), "GAMES": {1: shown_game}}
    script = "".join(f"window.{name} = {_json(value)};\n" for name, value in data.items()) + static_text("replay.js")
    style = static_text("report.css") + stylesheet()
    return page_in_one_file(words.title, _replay_body(language), script, style, language)


def _replay_page(title: str) -> str:
    parts = [tag("p", tag("a", f"← {title}", href="index.html"), class_="facts"), _replay_body(DEFAULT)]
    return page(title, join(parts, "\n"), scripts=["board.js", "replay.js"], styles=["board.css"])


def _said(language: str) -> dict[str, str]:
    """What the page says, by ids; a page that stands alone may be in another language than a report."""
    known = texts(GENERAL, language)
    return {name: known[f"replay.{name}"][0] for name in (*CONTROLS, *SAID)}


def _replay_body(language: str) -> Markup:
    said = _said(language)
    buttons = [
        tag("button", sign or said[name], type="button", id=name, aria_label=said[name])
        for name, sign in CONTROLS.items()
    ]
    board = tag(
        "div",
        tag("svg", id="board", role="img", aria_label=said["board"], xmlns="http://www.w3.org/2000/svg"),
        tag(
            "div",
            *buttons,
            Markup(f'<input id="ply" type="range" min="0" value="0" aria-label="{html.escape(said["ply"])}">'),
            tag("span", "", id="where"),
            class_="controls",
        ),
        tag("p", "", id="status", role="status", aria_live="polite"),
    )
    heads = ("", said["player"], said["score"], said["result"])
    head = tag("tr", *(tag("th", name, scope="col") for name in heads))
    aside = tag(
        "div",
        tag("table", tag("thead", head), tag("tbody", id="players")),
        tag("h2", said["moves"]),
        tag("div", id="moves"),
    )
    return join([tag("h1", "…", id="title"), tag("div", board, aside, class_="replay")], "\n")


def _json(data: object) -> str:
    """JSON that can stand in a script: no text in it can end the script."""
    return json.dumps(data, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")
