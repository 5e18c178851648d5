"""Rows of an event file as data, checked: a file may be damaged, or made by hand, and still be a sound database.

What is not as we write it is a `BadRow`, which says in a few words what is wrong.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta

from palabre.arena.outcome import Meeting, Outcome
from palabre.arena.rows import COMPETITOR, DEMO, STAFF, BotRow, GameRow, Opening, Settings
from palabre.search.clock import Clock

Kind = TypeVar("Kind")

LISTS = ("bots", "digests", "shares", "scores", "movers", "seconds", "depths", "nodes", "timed")  # kept as JSON
LARGEST = 2**63 - 1
DEEPEST = 20  # lists and tables within each other, in JSON
Whole = Annotated[int, Meta(ge=0, le=2**31)]
Integer = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]
Seconds = Annotated[float, Meta(ge=0, le=1e12)]
Share = Annotated[float, Meta(ge=0, le=1)]
Scalar = str | int | float | bool | None
Texts = tuple[str, ...]


class BadRow(Exception):
    """A row that we have not written."""


class _Policy(msgspec.Struct):
    """How openings are drawn."""

    kind: Literal["random", "file"]
    plies: Whole = 0
    balanced: bool = False
    after: Mapping[str, Any] | None = None
    digest: str = ""


class _Settings(msgspec.Struct):
    game: str
    format: str
    seed: Integer = 0
    openings: Mapping[str, Any] = {}
    grace: Seconds = 0.0
    strikes: Whole = 0
    forbids_engine: bool = False
    data: str = Settings.data
    learning: Seconds = Settings.learning


class _Facts(msgspec.Struct):
    """The facts that are not only shown."""

    marks: str | None = None
    same_files: tuple[Texts, ...] = ()
    standards: Mapping[str, tuple[str, str]] | None = None
    owners: Mapping[str, str] = {}


class _Bot(msgspec.Struct):
    name: Annotated[str, Meta(min_length=1)]
    spec: str
    digest: str
    options: Mapping[str, Scalar | list[Scalar]]
    clock: Mapping[str, float | None]
    authors: str
    state: Literal["admitted", "rejected", "superseded"]
    note: str
    role: Literal[COMPETITOR, STAFF, DEMO]  # type: ignore[valid-type]


class _Opening(msgspec.Struct):
    number: Whole
    start: str | None
    moves: str
    value: Annotated[float, Meta(ge=-LARGEST, le=LARGEST)] | None
    source: str


class _Outcome(msgspec.Struct):
    round: Whole
    meeting: Texts
    repeat: Whole
    bots: Texts
    shares: tuple[Share, ...]
    scores: tuple[Integer, ...]
    forfeit: Whole | None


class _Game(_Outcome, kw_only=True):
    rotation: Whole
    attempt: Whole
    margin: Integer | None
    plies: Whole
    opening: Whole
    start: str | None
    moves: str
    movers: tuple[Whole, ...]
    seconds: tuple[Seconds | None, ...]
    depths: tuple[int | float | None, ...]  # these two are what bots report, which may be anything
    nodes: tuple[int | float | None, ...]
    ending: str
    timed: tuple[Whole, ...]
    details: str | None
    machine_late: Annotated[int, Meta(ge=0, le=1)]
    superseded: str | None
    digests: Texts
    started: str
    duration: Seconds


def settings(rows: Mapping[str, Any]) -> Settings:
    """The settings of an event, from the JSON of each."""
    plain = {name: from_json(rows[name], name) for name in Settings.__dataclass_fields__ if name in rows}
    kept = _convert(plain, _Settings)
    if kept.openings:
        policy = _convert(dict(kept.openings), _Policy)
        if policy.after is not None:
            _convert(dict(policy.after), _After)
    return Settings(**msgspec.structs.asdict(kept))


class _After(msgspec.Struct):
    """Where all games of an event begin."""

    start: str | None
    moves: Texts


def facts(rows: Mapping[str, Any]) -> dict[str, Any]:
    """What an event keeps besides its settings, from the JSON of each."""
    plain = {name: from_json(value, name) for name, value in rows.items() if name not in Settings.__dataclass_fields__}
    _convert({name: value for name, value in plain.items() if name in _Facts.__struct_fields__}, _Facts)
    return plain


def bot(row: Mapping[str, Any]) -> BotRow:
    """A bot of an event."""
    plain = {**row, "options": from_json(row["options"], "options"), "clock": from_json(row["clock"], "clock")}
    kept = _convert(plain, _Bot)
    try:
        clock = Clock(**plain["clock"])
    except (TypeError, ValueError) as error:
        raise BadRow(f"clock of {kept.name}: {error}") from error
    return BotRow(**{**msgspec.structs.asdict(kept), "options": plain["options"], "clock": clock})


def opening(row: Mapping[str, Any]) -> Opening:
    """An opening of an event."""
    kept = _convert(dict(row), _Opening)
    return Opening(kept.number, kept.start, tuple(kept.moves.split()), kept.value, kept.source)


def outcome(row: Mapping[str, Any], names: set[str]) -> Outcome:
    """The outcome of a game between bots of these names."""
    kept = _convert(_plain(row), _Outcome)
    _check_outcome(kept, names)
    return Outcome(Meeting(kept.round, kept.meeting, kept.repeat), kept.bots, kept.shares, kept.scores, kept.forfeit)


def game(row: Mapping[str, Any], names: set[str]) -> GameRow:
    """A game between bots of these names."""
    kept = _convert(_plain(row), _Game)
    _check_outcome(kept, names)
    moves, seats = tuple(kept.moves.split()), len(kept.bots)
    _require(kept.rotation < seats, "the rotation of a game")
    _require(len(kept.digests) in (0, seats), "the digests of a game")
    _require(kept.plies == len(moves) and kept.opening <= len(moves), "the number of moves of a game")
    for name in ("movers", "seconds", "depths", "nodes"):
        _require(len(getattr(kept, name)) == len(moves), f"the {name} of a game")
    _require(not kept.started or _is_date(kept.started), "the date of a game")
    _require(all(seat < seats for seat in (*kept.movers, *kept.timed)), "the seats of a game")
    plain = msgspec.structs.asdict(kept)
    for name in ("round", "repeat", "plies"):
        del plain[name]
    plain["depths"], plain["nodes"] = (
        tuple(value if value is None or abs(value) <= LARGEST else None for value in values)
        for values in (kept.depths, kept.nodes)
    )
    meeting = Meeting(kept.round, kept.meeting, kept.repeat)
    return GameRow(**{**plain, "meeting": meeting, "moves": moves, "machine_late": bool(kept.machine_late)})


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


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    lists = ("meeting", *(name for name in LISTS if name in row))
    return {**row, **{name: from_json(row[name], name) for name in lists}}


def _check_outcome(kept: _Outcome, names: set[str]) -> None:
    seats = len(kept.bots)
    _require(seats > 0 and sorted(kept.bots) == sorted(kept.meeting), "the bots of a game")
    _require(names.issuperset(kept.bots), "a game of a bot that is not in the event")
    _require(len(kept.shares) == len(kept.scores) == seats, "the result of a game")
    _require(kept.forfeit is None or kept.forfeit < seats, "the forfeit of a game")


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise BadRow(what)


def _convert(plain: Mapping[str, Any], kind: type[Kind]) -> Kind:
    try:
        return msgspec.convert(plain, kind)
    except (msgspec.ValidationError, OverflowError) as error:
        raise BadRow(str(error)) from error
