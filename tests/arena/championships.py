"""Championships for the tests of the arena: bots as files, and a small game that they play to its end."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import palabre
from palabre.arena.championship import Championship, Plan
from tests import take_away

SMALL = palabre.game(str(take_away.__file__))
BOT = """\
from palabre import Bot

class Mine(Bot):
    name = {name!r}
    authors = ({authors!r},)

    def choose(self, position, clock):
        {body}
"""
FIRST, LAST = "return position.moves()[0]", "return position.moves()[-1]"


def hand_in(folder: Path, name: str, body: str = FIRST, *, file: str | None = None, authors: str | None = None) -> Path:
    """A bot as a file."""
    folder.mkdir(exist_ok=True)
    path = folder / (file or f"{name}.py")
    path.write_text(BOT.format(name=name, authors=authors or f"author of {name}", body=body), encoding="utf-8")
    return path


def hold(
    bots: Sequence[Path | str],
    file: Path | None = None,
    *,
    again: Sequence[str] = (),
    withdrawn: Sequence[str] = (),
    play: bool = True,
    **options: Any,
) -> Championship:
    """A championship that has been played to its end; close it."""
    names = ("staff", "demo", "marks")
    given = {name: options.pop(name) for name in names if name in options}
    plan = Plan(options.pop("game", SMALL), **{"plies": 2, "balanced": False, **options})
    held = Championship(plan, [str(bot) for bot in bots], file, **given)
    try:
        for _ in held.examine(again, at_once=4):
            pass
        held.admit(again, withdrawn)
        for _ in held.play() if play else ():
            pass
    except BaseException:
        held.store.close()
        raise
    return held


def verdicts(held: Championship) -> dict[str, str]:
    """Why each bot was rejected, empty for those that were not."""
    return {bot.name: bot.reason for bot in held.bots}
