"""What the page shows of an event or of a file of records. Ratings need NumPy, so this runs outside the server."""

import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from palabre.arena.leaderboard import Leaderboard, event_format, is_championship, read_leaderboard
from palabre.arena.outcome import Meeting, Outcome
from palabre.arena.ratings import Rating, Ratings, rate
from palabre.arena.record_stats import UNKNOWN
from palabre.arena.result import NORMAL_95, interval_95, meeting_scores
from palabre.arena.rows import GameRow
from palabre.arena.store import Store, read_store
from palabre.core.errors import PalabreError
from palabre.core.plain import readable, stored
from palabre.core.record import UNFINISHED, Record, load, result_text
from palabre.core.registry import is_path, split
from palabre.core.words import Message, say
from palabre.play.finished import BY_THE_RULES
from palabre.web.events.plan import MATCH, EventPlan
from palabre.web.messages import EventEntry, EventGameEntry, EventRow, EventState, GameOfEvent
from palabre.web.requests import Place

RECORDS = "records"  # the format of a file of records
RECORD_FILES = (".txt", ".pgn")
PLAN, FINISHED = "plan", "finished"  # facts that an event from the browser keeps of itself
MOST_GAMES = 200  # in a list
MOST_CROSSED = 24  # bots in a cross-table
ENOUGH = 10  # games, for a rating
MOST_NAMED = 10  # bots in a note
LONGEST_TEXT = 1000  # of a reason in English
KEPT_FILES = 4  # of records, that stay read

# The files of games that may be run; None for all. An event is not opened, and a record not read, if it has another.
Trusted = frozenset[str] | None


class Note(msgspec.Struct, frozen=True):
    """A message about some bots: its id in the words of the page, and their names, by groups."""

    id: str
    groups: list[list[str]]


class StoredMessage(msgspec.Struct, frozen=True):
    """A message in English and, if it was kept as one, as plain data for readers in any language."""

    text: str
    message: Any = None

    def readable(self, home: str | None) -> Message | str:
        """The message; `home` is the folder of the game's words."""
        return readable(self.message, home, self.text)


class ListedGames(msgspec.Struct, frozen=True):
    """Games, and why they ended, by their numbers."""

    games: list[EventGameEntry]
    endings: dict[int, StoredMessage]


class EventGameFacts(msgspec.Struct, frozen=True):
    """A game, and why it ended."""

    game: GameOfEvent
    ending: StoredMessage


class EventFacts(msgspec.Struct, frozen=True):
    """An event as its file tells it, and what only the server needs to know."""

    state: EventState
    endings: dict[int, StoredMessage] = {}  # why the games in the state ended, by their numbers
    notes: list[Note] = []
    rejected: list[tuple[str, StoredMessage]] = []  # the bots that were not admitted, each with the reason
    plan: EventPlan | None = None  # None if it was not begun from the browser
    is_finished: bool = False


def read_entry(file: Path, trusted: Trusted) -> EventEntry:
    """An event in a list."""
    if file.suffix in RECORD_FILES:
        records = _records(file, trusted)
        players = {name for record in records for name in _players(record)}
        return EventEntry(file.name, file.stem, _game_of(records), RECORDS, len(players), len(records), False)
    with _open(file, trusted) as store:
        settings = store.settings
        bots = [bot for bot in store.bots() if bot.state == "admitted"]
        return EventEntry(file.name, file.stem, settings.game, settings.format, len(bots), store.count_games(), False)


def read_facts(file: Path, trusted: Trusted) -> EventFacts:
    """An event, whole."""
    if file.suffix in RECORD_FILES:
        records = _records(file, trusted)
        state = _records_state(file, records)
        endings = {game.number: _record_ending(records[game.number - 1]) for game in state.games}
        return EventFacts(state, endings, is_finished=True)
    with _open(file, trusted) as store:
        kept = store.facts
        plan = None if PLAN not in kept else msgspec.convert(kept[PLAN], EventPlan)
        state, endings, notes = _event_state(store, file, plan)
        rejected = [bot for bot in store.bots() if bot.state == "rejected"][:MOST_NAMED]
        reasons = [(shown(bot.name), StoredMessage(bot.reason[:LONGEST_TEXT], bot.message)) for bot in rejected]
        return EventFacts(state, endings, notes, reasons, plan, bool(kept.get(FINISHED)))


def read_games(file: Path, trusted: Trusted, bots: Sequence[str]) -> ListedGames:
    """The newest games of these bots."""
    if file.suffix in RECORD_FILES:
        records = _records(file, trusted)
        entries = _record_entries(records, bots)
        return ListedGames(entries, {game.number: _record_ending(records[game.number - 1]) for game in entries})
    with _open(file, trusted) as store:
        names = {shown(bot.name): bot.name for bot in store.bots(all_versions=True)}
        found = store.latest(MOST_GAMES, [names.get(bot, bot) for bot in bots])
        return _games(found)


def read_game(file: Path, trusted: Trusted, number: int) -> EventGameFacts:
    """A game by its number."""
    if file.suffix in RECORD_FILES:
        records = _records(file, trusted)
        if not 1 <= number <= len(records):
            raise PalabreError(say("record.no_game", file=file, number=number, games=len(records)))
        one = records[number - 1]
        place = Place(one.game.spec, one.start, list(one.moves))
        of_record = GameOfEvent(place, _players(one), one.result, "", [None] * len(one.moves))
        return EventGameFacts(of_record, _record_ending(one))
    with _open(file, trusted) as store:
        row = store.numbered(number)
        place = Place(store.settings.game, row.start, list(row.moves))
        game = GameOfEvent(place, list(map(shown, row.bots)), result_text(row.shares), "", list(row.seconds))
        return EventGameFacts(game, _ending(row))


def _open(file: Path, trusted: Trusted) -> Store:
    store = read_store(file, trusted=True)  # what is not on offer is refused below
    try:
        game = store.settings.game
        if not _is_trusted(game, trusted):
            name = Path(split(game)[0]).name
            raise PalabreError(say("event.foreign_game", name=name))
    except BaseException:
        store.close()
        raise
    return store


def shown(name: str) -> str:
    """The name of a bot as browsers see it: of a file, its folder and its own name, as files on offer are called."""
    path, items = split(name)
    if not is_path(path):
        return name
    place = Path(path)
    short = f"{place.parent.name}/{place.name}" if place.parent.name else place.name
    return f"{short}:{items}" if items else short


def _is_trusted(spec: str, trusted: Trusted) -> bool:
    name = split(spec)[0]
    return not is_path(name) or trusted is None or name in trusted


# -------------------------------------------------------------------------------------------------------------- events


def _event_state(
    store: Store, file: Path, plan: EventPlan | None
) -> tuple[EventState, dict[int, StoredMessage], list[Note]]:
    settings, played = store.settings, store.all_outcomes()
    names = [bot.name for bot in store.bots() if bot.state == "admitted"]
    board = read_leaderboard(store) if is_championship(store) else None
    ratings = board.ratings if board is not None else rate(store.outcomes(), names)
    table = _table(played, names, board, {one.bot: one for one in ratings.bots})
    cross = _cross(played, [row.name for row in table])
    players = store.game().players
    latest = _games(store.latest(MOST_GAMES))
    state = EventState(
        event=file.name,
        title=file.stem,
        game=settings.game,
        rules="",
        format=settings.format,
        is_running=False,
        played=len(played),
        planned=_planned(store, names, players, plan),
        seconds_left=None,
        table=[msgspec.structs.replace(row, name=shown(row.name)) for row in table],
        cross=cross,
        games=latest.games,
        fair_share=1 / players,
    )
    return state, latest.endings, _notes(ratings)


def _notes(ratings: Ratings) -> list[Note]:
    """What a reader of the ratings should know, as messages of the page."""
    extreme = [shown(one.bot) for one in ratings.bots if one.is_extreme][:MOST_NAMED]
    groups = [[shown(name) for name in group[:MOST_NAMED]] for group in ratings.groups[:MOST_NAMED]]
    told = [Note("arena.apart", groups)] if len(groups) > 1 else []
    return [*told, Note("arena.guessed", [extreme])] if extreme else told


def _planned(store: Store, names: Sequence[str], players: int, plan: EventPlan | None) -> int | None:
    """How many games there will be at most; None for a match whose file does not say so."""
    if plan is not None and plan.format == MATCH:
        from palabre.arena.lineups import lineups

        return plan.games * len(lineups(names, players))
    if not is_championship(store):
        return None
    admitted = [bot for bot in store.bots() if bot.state == "admitted"]
    return event_format(store.settings.format, players, admitted).count_meetings(names)[1] * players


def _table(
    played: Sequence[Outcome], names: Sequence[str], board: Leaderboard | None, ratings: Mapping[str, Rating]
) -> list[EventRow]:
    """The bots by place, where the format gives places, or else by score."""
    rows = {name: _row(name, played, ratings.get(name)) for name in names}
    if board is None:
        return _ranked(list(rows.values()))
    return [
        msgspec.structs.replace(rows[line.bot.name], rank=line.standing.rank, points=line.standing.points)
        for line in board.lines
        if line.standing is not None
    ]


def _row(name: str, played: Sequence[Outcome], rating: Rating | None) -> EventRow:
    seats = [(game, seat) for game in played for seat, bot in enumerate(game.bots) if bot == name]
    shares = [game.shares[seat] for game, seat in seats]
    score = statistics.fmean(shares) if shares else 0.0
    low, high = interval_95(score, list(meeting_scores(name, played))) if shares else (0.0, 1.0)
    is_rated = rating is not None and rating.games >= ENOUGH and not rating.is_extreme
    return EventRow(
        rank=None,
        name=name,
        games=len(shares),
        wins=shares.count(1.0),
        draws=sum(0 < share < 1 for share in shares),
        losses=shares.count(0.0),
        forfeits=sum(game.forfeit == seat for game, seat in seats),
        score=score,
        low=low,
        high=high,
        rating=rating.elo if rating is not None and is_rated else None,
        rating_error=NORMAL_95 * rating.error if rating is not None and is_rated else None,
    )


def _ranked(rows: Sequence[EventRow]) -> list[EventRow]:
    """Rows by score; equal ones share a rank."""
    ordered = sorted(rows, key=lambda row: (-row.score, row.name))
    scores = [row.score for row in ordered]
    return [msgspec.structs.replace(row, rank=1 + scores.index(row.score)) for row in ordered]


def _cross(played: Sequence[Outcome], names: Sequence[str]) -> list[list[tuple[float, int] | None]]:
    """Points and games of each bot against each other: 1 for each game in which it came before it, ½ beside it."""
    if len(names) > MOST_CROSSED:
        return []
    points: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for game in played:
        for bot, share in zip(game.bots, game.shares, strict=True):
            for other, its in zip(game.bots, game.shares, strict=True):
                if bot != other:
                    points[bot, other].append(1.0 if share > its else 0.5 if share == its and any(game.shares) else 0.0)
    return [
        [(sum(points[name, other]), len(points[name, other])) if (name, other) in points else None for other in names]
        for name in names
    ]


def _games(rows: Sequence[tuple[int, GameRow]]) -> ListedGames:
    return ListedGames(
        [_game_entry(number, row) for number, row in rows], {number: _ending(row) for number, row in rows}
    )


def _game_entry(number: int, row: GameRow) -> EventGameEntry:
    return EventGameEntry(
        number,
        list(map(shown, row.bots)),
        result_text(row.shares),
        list(row.scores),
        row.plies,
        "",  # the server fills it in, in the language of the reader
    )


def _ending(row: GameRow) -> StoredMessage:
    """Why a game ended, if not by the rules."""
    return StoredMessage("" if row.ending == BY_THE_RULES else row.ending[:LONGEST_TEXT], row.message)


# ------------------------------------------------------------------------------------------------------------- records


def _records(file: Path, trusted: Trusted) -> list[Record]:
    try:
        stat = file.stat()
    except OSError as error:
        raise PalabreError(say("record.unreadable", file=file, error=error.strerror)) from error
    return _read_records(file, stat.st_mtime_ns, stat.st_size, trusted)


@lru_cache(maxsize=KEPT_FILES)
def _read_records(file: Path, changed: int, size: int, trusted: Trusted) -> list[Record]:
    found = load(file, trusted=lambda spec: _is_trusted(spec, trusted))
    if not found:
        raise PalabreError(say("record.none", file=file))
    return found


def _records_state(file: Path, records: Sequence[Record]) -> EventState:
    played = [outcome for number, record in enumerate(records) for outcome in _outcomes(number, record)]
    names = sorted({name for record in records for name in _players(record)})
    table = _ranked([_row_of_records(name, played) for name in names])
    return EventState(
        event=file.name,
        title=file.stem,
        game=_game_of(records),
        rules="",
        format=RECORDS,
        is_running=False,
        played=len(records),
        planned=len(records),
        seconds_left=None,
        table=table,
        cross=_cross(played, [row.name for row in table]),
        games=_record_entries(records, ()),
        fair_share=1 / records[0].game.players,
    )


def _row_of_records(name: str, played: Sequence[Outcome]) -> EventRow:
    """A record says nothing of meetings, so each game counts by itself."""
    row = _row(name, played, None)
    shares = [share for game in played for bot, share in zip(game.bots, game.shares, strict=True) if bot == name]
    low, high = interval_95(row.score, shares) if shares else (0.0, 1.0)
    return msgspec.structs.replace(row, low=low, high=high)


def _outcomes(number: int, record: Record) -> list[Outcome]:
    """What a record says of its players; nothing if the game has not ended."""
    if record.result == UNFINISHED:
        return []
    players = tuple(_players(record))
    shares = tuple(float(Fraction(share)) for share in record.result.split("-"))
    forfeit = shares.index(0.0) if "Termination" in record.tags and 0.0 in shares else None
    return [Outcome(Meeting(0, players, number), players, shares, (), forfeit)]


def _record_entries(records: Sequence[Record], bots: Sequence[str]) -> list[EventGameEntry]:
    entries = [
        EventGameEntry(number, _players(one), one.result, [], len(one.moves), "")
        for number, one in enumerate(records, start=1)
        if all(bot in _players(one) for bot in bots)
    ]
    return entries[-MOST_GAMES:][::-1]


def _players(record: Record) -> list[str]:
    return [shown(record.tags.get(f"Player{seat}", UNKNOWN)) for seat in range(1, record.game.players + 1)]


def _record_ending(record: Record) -> StoredMessage:
    why = record.why_ended
    home = record.game.words().home
    return StoredMessage(str(why)[:LONGEST_TEXT], stored(why, home) if isinstance(why, Message) else None)


def _game_of(records: Sequence[Record]) -> str:
    """The game that records are of; the first, if they are of several."""
    spec: str = records[0].game.spec
    return spec
