"""Events for the tests of reports, and what lies in the pages that are made of them."""

import itertools
import json
import re
from pathlib import Path
from typing import Any

from palabre.arena.rows import BotRow, GameRow, Meeting, Settings
from palabre.arena.store import Store, open_store
from palabre.core.plain import stored
from palabre.core.words import say

HOSTILE = ["<script>alert(1)</script>", '=HYPERLINK("x")', "../../x", "\x1b[31mred", "x" * 10_000, "</script>", "‮olleh"]
LOSES = say("game.loses", player=1, reason=say("forfeit.error", error="<b>boom</b>"))


def row(first: str, second: str, rotation: int) -> GameRow:
    """A short game that the second seat has won, with these names on it."""
    return GameRow(
        meeting=Meeting(0, (first, second), 0),
        rotation=rotation,
        attempt=1,
        bots=(first, second) if rotation == 0 else (second, first),
        shares=(0.0, 1.0),
        scores=(0, 0),
        margin=None,
        opening=0,
        start=None,
        moves=("C", "d", "E", "a"),
        movers=(0, 1, 0, 1),
        seconds=(0.1, 0.2, None, 0.4),
        depths=(None,) * 4,
        nodes=(None,) * 4,
        ending=str(LOSES),
        message=stored(LOSES),
        forfeit=0,
        details='Traceback\n  File "bot.py", line 3\nZeroDivisionError: <i>\x1b[2J',
    )


def event(names: list[str]) -> Store:
    """An event in memory in which each bot has met the next one."""
    store = open_store(None)
    store.begin(Settings("awele", "match"))
    store.admit(
        BotRow(name, f"{number}.py", str(number), {"seed": 0}, authors=name) for number, name in enumerate(names)
    )
    for first, second in itertools.pairwise(names):
        for rotation in (0, 1):
            store.add_game(row(first, second, rotation))
    return store


def data_of(page: Path) -> Any:
    """What lies in a page for its script."""
    found = re.search('<script type="application/json" id="data">([^<]*)</script>', page.read_text(encoding="utf-8"))
    assert found is not None, "a text would end the script"
    return json.loads(found[1])
