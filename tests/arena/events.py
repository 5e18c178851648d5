"""Small events for the tests of the arena: bots that need no compiling, a game that is over in a few moves."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from palabre.arena.event import Event
from palabre.arena.lineups import fixed_list
from palabre.arena.rows import BotRow, GameRow, RandomOpenings, Settings
from palabre.arena.store import Store, open_store
from palabre.core.errors import PalabreError
from tests import take_away

TAKE_AWAY = str(take_away.__file__)
RANDOM = RandomOpenings(plies=2)


def bots(*specs: str) -> list[BotRow]:
    """Bots named by their specs."""
    return [BotRow(spec, spec, f"digest of {spec}") for spec in specs]


def new_event(
    file: Path | None,
    specs: Sequence[str] = ("greedy", "idiot"),
    *,
    game: str = TAKE_AWAY,
    seed: int = 0,
    **options: Any,
) -> Store:
    """An event between these bots, made or gone on with."""
    store = open_store(file)
    try:
        store.begin(Settings(game, "match", seed, RANDOM))
        store.admit(bots(*specs), **options)
    except PalabreError:
        store.close()
        raise
    return store


def play(store: Store, repeats: int, workers: int = 0, **options: Any) -> list[GameRow]:
    """Play an event to its end; the games in the order in which they ended."""
    seats = store.game().players
    return list(Event(store, fixed_list(seats, repeats), workers=workers, **options).play())


def timeless(rows: Sequence[GameRow]) -> list[GameRow]:
    """Games without what depends on the machine."""
    return [replace(row, seconds=(), started="", duration=0.0) for row in rows]
