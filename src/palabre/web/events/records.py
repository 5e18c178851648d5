"""What the page shows of a file of records, read from the file as if it were an event."""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

from msgspec.structs import replace

from palabre.arena.record_stats import UNKNOWN
from palabre.arena.result import interval_95
from palabre.arena.rows import Meeting, Outcome
from palabre.core.errors import PalabreError
from palabre.core.record import UNFINISHED, Record, load
from palabre.core.words import say
from palabre.web.events.facts import EventFacts, bot_row, cross_table, ranked, shown
from palabre.web.events.stored import MOST_GAMES, Trusted, is_trusted
from palabre.web.events.texts import EventTexts
from palabre.web.messages import EventEntry, EventGameEntry, EventRow, EventState, GameOfEvent
from palabre.web.requests import Place

RECORDS = "records"  # the format of a file of records
RECORD_FILES = (".txt", ".pgn")
KEPT_FILES = 4  # of records, that stay read


def read_entry(file: Path, trusted: Trusted) -> EventEntry:
    """The file in a list."""
    records = _records(file, trusted)
    players = {name for record in records for name in _players(record)}
    return EventEntry(file.name, file.stem, _game_of(records), RECORDS, len(players), len(records), False)


def read_facts(file: Path, trusted: Trusted, language: str) -> EventFacts:
    """All that is known of its games."""
    records = _records(file, trusted)
    texts = _texts(records, language)
    names = sorted({name for record in records for name in _players(record)})
    played = [outcome for number, record in enumerate(records) for outcome in _outcomes(number, record)]
    table = ranked([_row(name, played) for name in names])
    state = EventState(
        event=file.name,
        title=file.stem,
        game=_game_of(records),
        rules=texts.rules,
        format=RECORDS,
        is_running=False,
        played=len(records),
        planned=len(records),
        seconds_left=None,
        table=table,
        cross=cross_table(played, [row.name for row in table]),
        games=_entries(records, texts),
        fair_share=1 / records[0].game.players,
        titles=texts.titles,
    )
    return EventFacts(state, is_finished=True)


def read_games(file: Path, trusted: Trusted, language: str, bots: Sequence[str]) -> list[EventGameEntry]:
    """The newest games of these players."""
    records = _records(file, trusted)
    return _entries(records, _texts(records, language), bots)


def read_game(file: Path, trusted: Trusted, language: str, number: int) -> GameOfEvent:
    """A game by its number."""
    records = _records(file, trusted)
    if not 1 <= number <= len(records):
        raise PalabreError(say("record.no_game", file=file, number=number, games=len(records)))
    one = records[number - 1]
    place = Place(one.game.spec, one.start, list(one.moves))
    ending = _texts(records, language).ending(one.why_ended, _players(one))
    return GameOfEvent(place, _players(one), one.result, ending, [None] * len(one.moves))


def _records(file: Path, trusted: Trusted) -> list[Record]:
    try:
        stat = file.stat()
    except OSError as error:
        raise PalabreError(say("record.unreadable", file=file, error=error.strerror)) from error
    return _read_records(file, stat.st_mtime_ns, stat.st_size, trusted)


@lru_cache(maxsize=KEPT_FILES)
def _read_records(file: Path, changed: int, size: int, trusted: Trusted) -> list[Record]:
    records = load(file, trusted=lambda spec: is_trusted(spec, trusted))
    if not records:
        raise PalabreError(say("record.none", file=file))
    return records


def _texts(records: Sequence[Record], language: str) -> EventTexts:
    return EventTexts(records[0].game, [name for record in records for name in _players(record)], language)


def _row(name: str, played: Sequence[Outcome]) -> EventRow:
    """A record says nothing of meetings, so each game counts by itself."""
    row = bot_row(name, played, None)
    shares = [share for game in played for bot, share in zip(game.bots, game.shares, strict=True) if bot == name]
    low, high = interval_95(row.score, shares) if shares else (0.0, 1.0)
    return replace(row, low=low, high=high)


def _outcomes(number: int, record: Record) -> list[Outcome]:
    """What a record says of its players; nothing if the game has not ended."""
    if record.result == UNFINISHED:
        return []
    players = tuple(_players(record))
    shares = tuple(float(Fraction(share)) for share in record.result.split("-"))
    forfeit = shares.index(0.0) if "Termination" in record.tags and 0.0 in shares else None
    return [Outcome(Meeting(0, players, number), players, shares, (), forfeit)]


def _entries(records: Sequence[Record], texts: EventTexts, bots: Sequence[str] = ()) -> list[EventGameEntry]:
    """The newest games of all these players first."""
    numbered = [(n, one) for n, one in enumerate(records, start=1) if all(bot in _players(one) for bot in bots)]
    return [
        EventGameEntry(
            number, _players(one), one.result, [], len(one.moves), texts.ending(one.why_ended, _players(one))
        )
        for number, one in reversed(numbered[-MOST_GAMES:])
    ]


def _players(record: Record) -> list[str]:
    return [shown(record.tags.get(f"Player{seat}", UNKNOWN)) for seat in range(1, record.game.players + 1)]


def _game_of(records: Sequence[Record]) -> str:
    """The game that records are of; the first, if they are of several."""
    spec: str = records[0].game.spec
    return spec
