"""Rows of an event file as data, checked: a file may be damaged, or made by hand, and still be a sound database.

What is not as we write it is a `BadRow`, which says in a few words what is wrong.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any, Literal, TypeVar

import msgspec

from palabre.arena.outcome import Outcome
from palabre.arena.rows import BotRow, GameRow, Opening, Settings
from palabre.core import plain as messages
from palabre.play.finished import LARGEST, Whole

Kind = TypeVar("Kind")

SETTINGS = tuple(field.name for field in fields(Settings))
LISTS = ("bots", "digests", "shares", "scores", "movers", "seconds", "depths", "nodes", "timed")  # kept as JSON
# The columns of a game are its fields, but for these, and the parts of its meeting.
MADE = {"meeting", "moves"}
PLAIN = tuple(field.name for field in fields(GameRow) if field.name not in {*MADE, *LISTS, "message"})
COLUMNS = ("round", "meeting", "repeat", "plies", "moves", "message", *LISTS, *PLAIN)
BOT_COLUMNS = tuple(field.name for field in fields(BotRow))
OPENING_COLUMNS = tuple(field.name for field in fields(Opening))
OUTCOME_COLUMNS = ("round", "meeting", "repeat", "bots", "shares", "scores", "forfeit")
Scalar = str | int | float | bool | None
Options = dict[str, Scalar | list[Scalar]]  # of a bot


class BadRow(Exception):
    """A row that we have not written."""


class _Policy(msgspec.Struct):
    """How openings are drawn."""

    kind: Literal["random", "file"]
    plies: Whole = 0
    balanced: bool = False
    after: Mapping[str, Any] | None = None
    digest: str = ""


class _After(msgspec.Struct):
    """Where all games of an event begin."""

    start: str | None
    moves: tuple[str, ...]


class _Facts(msgspec.Struct):
    """The facts that are not only shown."""

    marks: str | None = None
    same_files: tuple[tuple[str, ...], ...] = ()
    standards: Mapping[str, tuple[str, str]] | None = None
    owners: Mapping[str, str] = {}


def settings(rows: Mapping[str, Any]) -> Settings:
    """The settings of an event, from the JSON of each."""
    kept = _convert({name: from_json(rows[name], name) for name in SETTINGS if name in rows}, Settings)
    if kept.openings:
        policy = _convert(dict(kept.openings), _Policy)
        if policy.after is not None:
            _convert(dict(policy.after), _After)
    return kept


def facts(rows: Mapping[str, Any]) -> dict[str, Any]:
    """What an event keeps besides its settings, from the JSON of each."""
    plain = {name: from_json(value, name) for name, value in rows.items() if name not in SETTINGS}
    _convert({name: value for name, value in plain.items() if name in _Facts.__struct_fields__}, _Facts)
    return plain


def bot(row: Mapping[str, Any]) -> BotRow:
    """A bot of an event."""
    read = {name: from_json(row[name], name) for name in ("options", "clock")}
    _convert(read["options"], Options)
    kept = _convert({**row, **read, "message": _read_message(row["message"])}, BotRow)
    _check_message(kept.message)
    return kept


def bot_columns(bot: BotRow) -> dict[str, Any]:
    """The same bot as columns."""
    return {**msgspec.to_builtins(bot), **{name: _json(getattr(bot, name)) for name in ("options", "clock", "message")}}


def opening(row: Mapping[str, Any]) -> Opening:
    """An opening of an event."""
    return _convert({**row, "moves": _words(row["moves"])}, Opening)


def outcome(row: Mapping[str, Any], names: Collection[str]) -> Outcome:
    """The outcome of a game between bots of these names."""
    plain = _with_lists(row)
    kept = _convert([plain[name] for name in Outcome._fields], Outcome)
    _check_outcome(kept, names)
    return kept


def game(row: Mapping[str, Any], names: Collection[str]) -> GameRow:
    """A game between bots of these names."""
    plain = {**_with_lists(row), "moves": _words(row["moves"]), "message": _read_message(row["message"])}
    _require(row["machine_late"] in (0, 1), "the machine_late of a game")
    plain["machine_late"] = bool(row["machine_late"])
    for name in ("depths", "nodes"):  # what bots of earlier versions reported may be anything
        if isinstance(plain[name], list):
            plain[name] = [None if _is_odd(value) else value for value in plain[name]]
    kept = _convert(plain, GameRow)
    check_game(kept, names)
    _require(kept.plies == row["plies"], "the number of moves of a game")
    return kept


def check_game(row: GameRow, names: Collection[str]) -> None:
    """Raise `BadRow` for a game, of the right types, that could not be read again from the file of an event."""
    _check_outcome(row.outcome, names)
    seats = len(row.bots)
    _require(row.rotation < seats, "the rotation of a game")
    _require(len(row.digests) in (0, seats), "the digests of a game")
    _require(row.opening <= row.plies, "the number of moves of a game")
    for name in ("movers", "seconds", "depths", "nodes"):
        _require(len(getattr(row, name)) == row.plies, f"the {name} of a game")
    _require(not row.started or _is_date(row.started), "the date of a game")
    _require(all(seat < seats for seat in (*row.movers, *row.timed)), "the seats of a game")
    _check_message(row.message)


def game_columns(row: GameRow) -> dict[str, Any]:
    """The same game as columns."""
    return {
        **{name: getattr(row, name) for name in PLAIN},
        **{name: _json(getattr(row, name)) for name in (*LISTS, "message")},
        **{"round": row.meeting.round, "meeting": _json(row.meeting.bots), "repeat": row.meeting.repeat},
        **{"plies": row.plies, "moves": " ".join(row.moves)},
    }


def _json(value: Any) -> str | None:
    return None if value is None else json.dumps(msgspec.to_builtins(value))


def _read_message(text: object) -> Any:
    """A message that is stored beside its English text; there is none in files of earlier versions."""
    return None if text is None else from_json(text, "message")


def _check_message(plain: Any) -> None:
    try:
        if plain is not None:
            messages.check(plain)
    except messages.BadMessage as error:
        raise BadRow(str(error)) from error


def _words(text: object) -> list[str]:
    _require(isinstance(text, str), "the moves of a game")
    return str(text).split()


def _is_odd(value: object) -> bool:
    """Whether it is a number that we would not have kept."""
    return isinstance(value, float) or (isinstance(value, int) and abs(value) > LARGEST)


def from_json(text: object, name: str) -> Any:
    """The value of a column that holds JSON."""
    try:
        if not isinstance(text, str):
            raise ValueError("it is no text")
        value = json.loads(text, parse_constant=_refuse_constant)
        json.dumps(value, ensure_ascii=False).encode()  # too deep, or half a character
        return value
    except (ValueError, RecursionError) as error:
        raise BadRow(f"{name}: {error}") from error


def _is_date(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


def _refuse_constant(text: str) -> float:
    raise ValueError(f"{text} is no number")


def _with_lists(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row with its lists, and with its meeting, which is three columns, as one."""
    lists = {name: from_json(row[name], name) for name in ("meeting", *LISTS) if name in row}
    return {**row, **lists, "meeting": [row["round"], lists["meeting"], row["repeat"]]}


def _check_outcome(kept: Outcome, names: Collection[str]) -> None:
    seats = len(kept.bots)
    _require(seats > 0 and sorted(kept.bots) == sorted(kept.meeting.bots), "the bots of a game")
    _require(all(name in names for name in kept.bots), "a game of a bot that is not in the event")
    _require(len(kept.shares) == len(kept.scores) == seats, "the result of a game")
    _require(kept.forfeit is None or kept.forfeit < seats, "the forfeit of a game")


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise BadRow(what)


def _convert(plain: object, kind: type[Kind]) -> Kind:
    try:
        return msgspec.convert(plain, kind)
    except (msgspec.ValidationError, OverflowError) as error:
        raise BadRow(str(error)) from error
