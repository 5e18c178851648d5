"""Rows of an event file as data, checked: a file may be damaged, or made by hand, and still be a sound database.

What is not as we write it raises a `ValueError`, which says in a few words what is wrong.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any, TypeVar

import msgspec

from palabre.arena.rows import BotRow, GameRow, Opening, Outcome, Settings
from palabre.core import plain as messages
from palabre.play.finished import LARGEST

Kind = TypeVar("Kind", BotRow, Opening, Outcome, GameRow)
Scalar = str | int | float | bool | None

SETTINGS = tuple(field.name for field in fields(Settings))
IN_JSON = {
    *("meeting", "bots", "digests", "shares", "scores", "movers", "seconds", "depths", "nodes", "timed", "message"),
    *("options", "clock"),
}
OF_MOVES = ("movers", "seconds", "depths", "nodes")  # lists with an entry for each move
# The table of each kind, and its columns: the fields, but that a meeting is three, and the moves are counted.
TABLES: dict[type, tuple[str, tuple[str, ...]]] = {
    BotRow: ("bots", tuple(field.name for field in fields(BotRow))),
    Opening: ("openings", tuple(field.name for field in fields(Opening))),
    Outcome: ("games", ("round", "repeat", *Outcome._fields)),
    GameRow: ("games", ("round", "repeat", "plies", *(field.name for field in fields(GameRow)))),
}


class _Facts(msgspec.Struct):
    """The facts that are not only shown."""

    marks: str | None = None
    same_files: tuple[tuple[str, ...], ...] = ()
    standards: Mapping[str, tuple[str, str]] | None = None
    owners: Mapping[str, str] = {}


def read_settings(rows: Mapping[str, Any]) -> tuple[Settings, dict[str, Any]]:
    """The settings of an event, and what it keeps besides, from the JSON of each."""
    plain = {name: _from_json(name, value) for name, value in rows.items()}
    facts = {name: value for name, value in plain.items() if name not in SETTINGS}
    msgspec.convert(facts, _Facts)
    return msgspec.convert(plain, Settings), facts


def read_row(kind: type[Kind], row: Mapping[str, Any], names: Collection[str]) -> Kind:
    """A row of a table as what it means, in an event with bots of these names."""
    plain = {name: _from_column(name, value) for name, value in row.items()}
    if "meeting" in plain:
        plain["meeting"] = [row["round"], plain["meeting"], row["repeat"]]
    made = msgspec.convert([plain[name] for name in Outcome._fields] if kind is Outcome else plain, kind)
    if isinstance(made, GameRow | Outcome):
        check_game(made, names)
    if isinstance(made, GameRow) and made.plies != row["plies"]:
        raise ValueError("the number of moves of a game")
    if isinstance(made, BotRow):
        msgspec.convert(made.options, dict[str, Scalar | list[Scalar]])
        if made.message is not None:
            messages.check(made.message)
    return made


def columns(row: BotRow | Opening | GameRow) -> dict[str, Any]:
    """The same as a row of a table."""
    plain = msgspec.to_builtins({field.name: getattr(row, field.name) for field in fields(row)})
    in_columns = {
        name: json.dumps(value) if name in IN_JSON and value is not None else value for name, value in plain.items()
    }
    if "moves" in plain:
        in_columns["moves"] = " ".join(plain["moves"])
    if isinstance(row, GameRow):
        round_, bots, repeat = plain["meeting"]
        in_columns |= {"round": round_, "meeting": json.dumps(bots), "repeat": repeat, "plies": row.plies}
    return in_columns


def check_game(game: GameRow | Outcome, names: Collection[str]) -> None:
    """Raise `ValueError` for a game, of the right types, that could not be read again from the file of an event."""
    seats = len(game.bots)
    holds = {
        "the bots of a game": seats > 0 and sorted(game.bots) == sorted(game.meeting.bots),
        "a game of a bot that is not in the event": all(name in names for name in game.bots),
        "the result of a game": len(game.shares) == len(game.scores) == seats,
        "the forfeit of a game": game.forfeit is None or game.forfeit < seats,
    }
    if isinstance(game, GameRow):
        started = game.started and datetime.fromisoformat(game.started)
        holds |= {f"the {name} of a game": len(getattr(game, name)) == game.plies for name in OF_MOVES}
        holds |= {
            "the rotation of a game": game.rotation < seats,
            "the digests of a game": len(game.digests) in (0, seats),
            "the opening of a game": game.opening <= game.plies,
            "the date of a game": not started or started.tzinfo is not None,
            "the seats of a game": all(seat < seats for seat in (*game.movers, *game.timed)),
        }
        if game.message is not None:
            messages.check(game.message)
    for what, is_so in holds.items():
        if not is_so:
            raise ValueError(what)


def _from_column(name: str, value: Any) -> Any:
    """The value in a column, as plain data."""
    if name == "moves" and isinstance(value, str):
        return value.split()
    if name == "machine_late" and value in (0, 1):
        return bool(value)
    if name not in IN_JSON or (name == "message" and value is None):
        return value
    plain = _from_json(name, value)
    if name in ("depths", "nodes") and isinstance(plain, list):
        return [None if _is_odd(number) else number for number in plain]
    return plain


def _is_odd(number: object) -> bool:
    """Whether a bot of an earlier version has reported what we would not have kept."""
    return isinstance(number, float) or (isinstance(number, int) and abs(number) > LARGEST)


def _from_json(name: str, text: Any) -> Any:
    try:
        return msgspec.json.decode(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise ValueError(f"{name}: {error}") from error
