"""What the page shows of an event or of a file of records. Ratings need NumPy, so this runs outside the server."""

import statistics
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from palabre.arena.leaderboard import Leaderboard, event_format, is_championship, read_leaderboard
from palabre.arena.outcome import Meeting, Outcome
from palabre.arena.ratings import Ratings, rate
from palabre.arena.record_stats import UNKNOWN
from palabre.arena.result import NORMAL_95, interval_95, meeting_scores
from palabre.arena.rows import BY_THE_RULES, GameRow
from palabre.arena.standings import Row
from palabre.arena.store import Store, read_store
from palabre.core.errors import PalabreError
from palabre.core.record import UNFINISHED, Record, load, result_text
from palabre.core.registry import is_path, split
from palabre.core.words import say
from palabre.web.events.plan import MATCH, EventPlan
from palabre.web.messages import EventEntry, EventGameEntry, EventRow, EventState, GameOfEvent
from palabre.web.refusal import in_language
from palabre.web.requests import Place

RECORDS = "records"  # the format of a file of records
RECORD_FILES = (".txt", ".pgn")
PLAN, FINISHED = "plan", "finished"  # facts that an event from the browser keeps of itself
MOST_GAMES = 200  # in a list
MOST_CROSSED = 24  # bots in a cross-table
ENOUGH = 10  # games, for a rating
MOST_NAMED = 10  # bots in a note
LONGEST_TEXT = 1000  # of a reason; one that is cut may not be known again in another language
KEPT_FILES = 4  # of records, that stay read

# The files of games that may be run; None for all. An event is not opened, and a record not read, if it has another.
Trusted = frozenset[str] | None


class Note(msgspec.Struct, frozen=True):
    """A message about some bots: its id in the words of the page, and their names, by groups."""

    id: str
    groups: list[list[str]]

    def text(self, titles: Mapping[str, str], language: str) -> str:
        """The note in a language, with what the bots are called."""
        groups = [", ".join(titles.get(name, name) for name in group) for group in self.groups]
        return in_language(self.id, language, bots="; ".join(groups))


class Ranking(NamedTuple):
    """The bots of an event in their order, and what it rests on."""

    played: list[Outcome]
    board: Leaderboard | None  # None for a match, which has no places
    ratings: Ratings
    rows: list[EventRow]  # by place or, in a match, by score; with the names of the file


class EventFacts(msgspec.Struct, frozen=True):
    """An event as its file has it, and what only the server needs to know."""

    state: EventState
    notes: list[Note] = []
    rejected: list[tuple[str, str]] = []  # the bots that were not admitted, each with the reason in English
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
        return EventFacts(_records_state(file, _records(file, trusted)), is_finished=True)
    with _open(file, trusted) as store:
        kept = store.facts
        plan = None if PLAN not in kept else msgspec.convert(kept[PLAN], EventPlan)
        ranking = read_ranking(store)
        latest = [_game_entry(number, row) for number, row in store.latest(MOST_GAMES)]
        state = event_state(store, file.name, file.stem, ranking, latest)
        state = msgspec.structs.replace(state, planned=_planned(store, plan))
        rejected = [bot for bot in store.bots() if bot.state == "rejected"][:MOST_NAMED]
        reasons = [(shown(bot.name), bot.reason[:LONGEST_TEXT]) for bot in rejected]
        return EventFacts(state, notes_of(ranking.ratings), reasons, plan, bool(kept.get(FINISHED)))


def read_games(file: Path, trusted: Trusted, bots: Sequence[str]) -> list[EventGameEntry]:
    """The newest games of these bots."""
    if file.suffix in RECORD_FILES:
        return _record_entries(_records(file, trusted), bots)
    with _open(file, trusted) as store:
        names = {shown(bot.name): bot.name for bot in store.bots(all_versions=True)}
        latest = store.latest(MOST_GAMES, [names.get(bot, bot) for bot in bots])
        return [_game_entry(number, row) for number, row in latest]


def read_game(file: Path, trusted: Trusted, number: int) -> GameOfEvent:
    """A game by its number."""
    if file.suffix in RECORD_FILES:
        records = _records(file, trusted)
        if not 1 <= number <= len(records):
            raise PalabreError(say("record.no_game", file=file, number=number, games=len(records)))
        one = records[number - 1]
        place = Place(one.game.spec, one.start, list(one.moves))
        return GameOfEvent(place, _players(one), one.result, _ending(one), [None] * len(one.moves))
    with _open(file, trusted) as store:
        row = store.numbered(number)
        place = Place(store.settings.game, row.start, list(row.moves))
        return GameOfEvent(place, list(map(shown, row.bots)), result_text(row.shares), _why(row), list(row.seconds))


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


def read_ranking(store: Store) -> Ranking:
    """The bots of an event by place, where its format gives places, or else by score."""
    played, names = store.all_outcomes(), [bot.name for bot in store.bots() if bot.state == "admitted"]
    board = read_leaderboard(store) if is_championship(store) else None
    ratings = board.ratings if board is not None else rate(store.outcomes(), names)
    rows = {name: _row(name, played, ratings) for name in names}
    if board is None:
        return Ranking(played, None, ratings, _ranked(list(rows.values())))
    placed = [_placed(rows[line.bot.name], line.standing) for line in board.lines if line.standing is not None]
    return Ranking(played, board, ratings, placed)


def event_state(
    store: Store,
    event: str,
    title: str,
    ranking: Ranking,
    games: list[EventGameEntry],
    *,
    name: Callable[[str], str] = shown,
    most_crossed: int = MOST_CROSSED,
) -> EventState:
    """An event as the page shows it; `name` makes what browsers see of the name of a bot or a file."""
    return EventState(
        event=event,
        title=title,
        game=store.settings.game,
        rules="",
        format=store.settings.format,
        is_running=False,
        played=len(ranking.played),
        planned=None,
        seconds_left=None,
        table=[msgspec.structs.replace(row, name=name(row.name)) for row in ranking.rows],
        cross=_cross(ranking.played, [row.name for row in ranking.rows], most_crossed),
        games=games,
        fair_share=1 / store.game().players,
    )


def notes_of(ratings: Ratings) -> list[Note]:
    """What a reader of the ratings should know, as messages of the page."""
    extreme = [shown(one.bot) for one in ratings.bots if one.is_extreme][:MOST_NAMED]
    groups = [[shown(name) for name in group[:MOST_NAMED]] for group in ratings.groups[:MOST_NAMED]]
    apart = [Note("arena.apart", groups)] if len(groups) > 1 else []
    return [*apart, Note("arena.guessed", [extreme])] if extreme else apart


def _planned(store: Store, plan: EventPlan | None) -> int | None:
    """How many games there will be at most; None for a match whose file does not say so."""
    admitted, players = [bot for bot in store.bots() if bot.state == "admitted"], store.game().players
    names = [bot.name for bot in admitted]
    if plan is not None and plan.format == MATCH:
        from palabre.arena.lineups import lineups

        return plan.games * len(lineups(names, players))
    if not is_championship(store):
        return None
    return event_format(store.settings.format, players, admitted).count_meetings(names)[1] * players


def _placed(row: EventRow, standing: Row) -> EventRow:
    """A row with what its format counts."""
    return msgspec.structs.replace(
        row,
        rank=standing.rank,
        points=standing.points,
        games=standing.games,
        wins=standing.wins,
        draws=standing.draws,
        losses=standing.losses,
        forfeits=standing.forfeits,
    )


def _row(name: str, played: Sequence[Outcome], ratings: Ratings | None) -> EventRow:
    seats = [(game, seat) for game in played for seat, bot in enumerate(game.bots) if bot == name]
    shares = [game.shares[seat] for game, seat in seats]
    score = statistics.fmean(shares) if shares else 0.0
    low, high = interval_95(score, list(meeting_scores(name, played))) if shares else (0.0, 1.0)
    rating = ratings.of(name) if ratings is not None else None
    has_rating = rating is not None and rating.games >= ENOUGH and not rating.is_extreme
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
        rating=rating.elo if rating is not None and has_rating else None,
        rating_error=NORMAL_95 * rating.error if rating is not None and has_rating else None,
    )


def _ranked(rows: Sequence[EventRow]) -> list[EventRow]:
    """Rows by score; equal ones share a rank."""
    ordered = sorted(rows, key=lambda row: (-row.score, row.name))
    scores = [row.score for row in ordered]
    return [msgspec.structs.replace(row, rank=1 + scores.index(row.score)) for row in ordered]


def _cross(
    played: Sequence[Outcome], names: Sequence[str], most: int = MOST_CROSSED
) -> list[list[tuple[float, int] | None]]:
    """Points and games of each bot against each other: 1 for each game in which it came before it, ½ beside it."""
    if len(names) > most:
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


def _game_entry(number: int, row: GameRow) -> EventGameEntry:
    return EventGameEntry(
        number,
        list(map(shown, row.bots)),
        result_text(row.shares),
        list(row.scores),
        row.plies,
        _why(row),
    )


def _why(row: GameRow) -> str:
    """Why a game ended, if not by the rules."""
    return "" if row.ending == BY_THE_RULES else row.ending[:LONGEST_TEXT]


# ------------------------------------------------------------------------------------------------------------- records


def _records(file: Path, trusted: Trusted) -> list[Record]:
    try:
        stat = file.stat()
    except OSError as error:
        raise PalabreError(say("record.unreadable", file=file, error=error.strerror)) from error
    return _read_records(file, stat.st_mtime_ns, stat.st_size, trusted)


@lru_cache(maxsize=KEPT_FILES)
def _read_records(file: Path, changed: int, size: int, trusted: Trusted) -> list[Record]:
    records = load(file, trusted=lambda spec: _is_trusted(spec, trusted))
    if not records:
        raise PalabreError(say("record.none", file=file))
    return records


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
        EventGameEntry(number, _players(one), one.result, [], len(one.moves), _ending(one))
        for number, one in enumerate(records, start=1)
        if all(bot in _players(one) for bot in bots)
    ]
    return entries[-MOST_GAMES:][::-1]


def _players(record: Record) -> list[str]:
    return [shown(record.tags.get(f"Player{seat}", UNKNOWN)) for seat in range(1, record.game.players + 1)]


def _ending(record: Record) -> str:
    return record.tags.get("Termination", "")[:LONGEST_TEXT]


def _game_of(records: Sequence[Record]) -> str:
    """The game that records are of; the first, if they are of several."""
    spec: str = records[0].game.spec
    return spec
