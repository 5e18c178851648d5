"""The games of a report on a board: one page that steps through any of them, and the data that it loads."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from palabre.arena.report.facts import public_ending
from palabre.arena.report.markup import Markup, copy_static, join, page, page_in_one_file, shown, static_text, tag
from palabre.arena.rows import GameRow
from palabre.core.errors import PalabreError
from palabre.core.game import Game
from palabre.core.position import Position
from palabre.core.record import UNFINISHED, Record, result_text
from palabre.draw.frames import Looks, frames, ground, stylesheet
from palabre.draw.terminal import status

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
    (folder / "board.css").write_text(stylesheet(), encoding="utf-8")
    copy_static(folder, "replay.js")
    (folder / "replay.html").write_text(_replay_page(title), encoding="utf-8")


def _game(number: int, row: GameRow, game: Game, looks: Looks) -> dict[str, Any]:
    try:
        positions = row.record(game).positions()
    except PalabreError as error:
        raise PalabreError(f"game {number} of the event cannot be replayed: {error}") from error
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


def standalone_replay(record: Record) -> str:
    """A page that replays one game and needs no other file."""
    positions = record.positions()
    names = [record.tags.get(f"Player{seat}", f"player {seat}") for seat in range(1, record.game.players + 1)]
    ending = record.tags.get("Termination", status(positions[-1]))
    looks = Looks()
    no_times: list[float | None] = [None] * len(record.moves)
    # Without a result there is nothing to write beside the names.
    result = record.result if record.result != UNFINISHED else "-".join([""] * record.game.players)
    shown_game = _shown_game(1, positions, names, result, ending, no_times, looks)
    data = {"GROUND": ground(positions[0]), "LOOKS": looks.markup(), "GAMES": {1: shown_game}}
    script = "".join(f"window.{name} = {_json(value)};\n" for name, value in data.items()) + static_text("replay.js")
    return page_in_one_file(record.game.title, _replay_body(), script, static_text("report.css") + stylesheet())


def _replay_page(title: str) -> str:
    parts = [tag("p", tag("a", f"← {title}", href="index.html"), class_="facts"), _replay_body()]
    return page(title, join(parts, "\n"), scripts=["board.js", "replay.js"], styles=["board.css"])


def _replay_body() -> Markup:
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
    return join([tag("h1", "…", id="title"), tag("div", board, aside, class_="replay")], "\n")


def _json(data: object) -> str:
    """JSON that can stand in a script: no text in it can end the script."""
    return json.dumps(data, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")
