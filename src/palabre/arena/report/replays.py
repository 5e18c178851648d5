"""The games of a report on a board: one page that steps through any of them, and the data that it loads."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from palabre.arena.report.markup import Markup, copy_static, join, page, shown, tag
from palabre.arena.rows import GameRow
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.record import result_text
from palabre.draw.frames import Looks, frames, ground
from palabre.draw.svg import PLAYER_FILLS

GAMES_PER_FILE = 50  # a file of about 150 kB
CONTROLS = (
    ("first", "|◀", "First position"),
    ("back", "◀", "Back"),
    ("play", "Play", "Play"),
    ("next", "▶", "Next"),
    ("last", "▶|", "Last position"),
)


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
    common = {"GAMES_PER_FILE": GAMES_PER_FILE, "GROUND": ground(start), "LOOKS": looks.markup()}
    lines = [f"window.{name} = {_json(value)};\n" for name, value in common.items()]
    (folder / "board.js").write_text("".join(lines), encoding="utf-8")
    copy_static(folder, "replay.js")
    (folder / "replay.html").write_text(_replay_page(title), encoding="utf-8")


def _game(number: int, row: GameRow, game: Game, looks: Looks) -> dict[str, Any]:
    try:
        positions = row.record(game).positions()
    except PalabreError as error:
        raise PalabreError(f"game {number} of the event cannot be replayed: {error}") from error
    return {
        "number": number,
        "players": [shown(name) for name in row.bots],
        "colours": PLAYER_FILLS[: len(row.bots)],
        "result": result_text(row.shares).split("-"),
        "ending": shown(row.ending, 400),
        "seconds": row.seconds,
        **frames(positions, looks),
    }


def _replay_page(title: str) -> str:
    buttons = [tag("button", sign, type="button", id=name, aria_label=label) for name, sign, label in CONTROLS]
    board = tag(
        "div",
        Markup('<svg id="board" role="img" aria-label="The board" xmlns="http://www.w3.org/2000/svg"></svg>'),
        tag(
            "div",
            *buttons,
            Markup('<input id="ply" type="range" min="0" value="0" aria-label="Ply">'),
            tag("span", "", id="where"),
            class_="controls",
        ),
        tag("p", "", id="status", role="status", aria_live="polite"),
    )
    head = tag("tr", *(tag("th", name, scope="col") for name in ("", "player", "score", "result")))
    aside = tag(
        "div", tag("table", tag("thead", head), tag("tbody", id="players")), tag("h2", "Moves"), tag("div", id="moves")
    )
    parts = [
        tag("p", tag("a", f"← {title}", href="index.html"), class_="facts"),
        tag("h1", "…", id="title"),
        tag("div", board, aside, class_="replay"),
    ]
    return page(title, join(parts, "\n"), scripts=["board.js", "replay.js"])


def _json(data: object) -> str:
    """JSON that can stand in a script: no text in it can end the script."""
    return json.dumps(data, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")
