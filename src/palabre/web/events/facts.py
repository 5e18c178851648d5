"""The tables that the page and reports show of an event. Ratings need NumPy, so this runs outside the server."""

import statistics
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from palabre.arena.leaderboard import Leaderboard, is_championship, read_leaderboard
from palabre.arena.ratings import Ratings, rate
from palabre.arena.result import NORMAL_95, interval_95, meeting_scores
from palabre.arena.rows import GameRow, Outcome
from palabre.arena.standings import Row
from palabre.arena.store import Store
from palabre.core.record import result_text
from palabre.core.registry import is_path, split
from palabre.web.events.plan import EventPlan
from palabre.web.events.texts import EventTexts
from palabre.web.messages import EventGameEntry, EventRow, EventState

MOST_CROSSED = 24  # bots in a cross-table
ENOUGH = 10  # games, for a rating


class Ranking(NamedTuple):
    """The bots of an event in their order, and what it rests on."""

    played: list[Outcome]
    board: Leaderboard | None  # None for a match, which has no places
    ratings: Ratings
    rows: list[EventRow]  # by place or, in a match, by score; with the names of the file


class EventFacts(msgspec.Struct, frozen=True):
    """An event as its file has it, and what only the server needs to know."""

    state: EventState
    plan: EventPlan | None = None  # None if it was not begun from the browser
    is_finished: bool = False


def shown(name: str) -> str:
    """The name of a bot as browsers see it: of a file, its folder and its own name, as files on offer are called."""
    path, items = split(name)
    if not is_path(path):
        return name
    place = Path(path)
    short = f"{place.parent.name}/{place.name}" if place.parent.name else place.name
    return f"{short}:{items}" if items else short


def read_ranking(store: Store) -> Ranking:
    """The bots of an event by place, where its format gives places, or else by score."""
    played, names = store.all_outcomes(), [bot.name for bot in store.bots() if bot.state == "admitted"]
    board = read_leaderboard(store) if is_championship(store) else None
    ratings = board.ratings if board is not None else rate(store.outcomes(), names)
    rows = {name: bot_row(name, played, ratings) for name in names}
    if board is None:
        return Ranking(played, None, ratings, ranked(list(rows.values())))
    placed = [_placed(rows[line.bot.name], line.standing) for line in board.lines if line.standing is not None]
    return Ranking(played, board, ratings, placed)


def event_state(
    store: Store,
    event: str,
    title: str,
    ranking: Ranking,
    games: list[EventGameEntry],
    texts: EventTexts,
    *,
    name: Callable[[str], str] = shown,
    most_crossed: int = MOST_CROSSED,
) -> EventState:
    """An event as the page shows it; `name` makes what browsers see of the name of a bot."""
    return EventState(
        event=event,
        title=title,
        game=store.settings.game,
        rules=texts.rules,
        format=store.settings.format,
        is_running=False,
        played=len(ranking.played),
        planned=None,
        seconds_left=None,
        table=[msgspec.structs.replace(row, name=name(row.name)) for row in ranking.rows],
        cross=cross_table(ranking.played, [row.name for row in ranking.rows], most_crossed),
        games=games,
        fair_share=1 / texts.game.players,
        titles=texts.titles,
    )


def game_entry(number: int, row: GameRow, ending: str, name: Callable[[str], str] = shown) -> EventGameEntry:
    """A game in the list of an event."""
    bots, result = list(map(name, row.bots)), result_text(row.shares)
    return EventGameEntry(number, bots, result, list(row.scores), row.plies, ending)


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


def bot_row(name: str, played: Sequence[Outcome], ratings: Ratings | None) -> EventRow:
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


def ranked(rows: Sequence[EventRow]) -> list[EventRow]:
    """Rows by score; equal ones share a rank."""
    ordered = sorted(rows, key=lambda row: (-row.score, row.name))
    scores = [row.score for row in ordered]
    return [msgspec.structs.replace(row, rank=1 + scores.index(row.score)) for row in ordered]


def cross_table(
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
