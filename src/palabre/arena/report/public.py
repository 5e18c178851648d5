"""The pages for everybody: standings with error bars, the cross-table, thinking times, and every game on a board."""

import math
import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from palabre.arena.leaderboard import MARKS, Leaderboard, is_championship, read_leaderboard
from palabre.arena.league import Version, progress_of
from palabre.arena.ratings import Ratings, rate
from palabre.arena.report.markup import Markup, copy_static, join, page, shown, table, tag
from palabre.arena.report.progress import progress_section
from palabre.arena.report.replays import write_replays
from palabre.arena.result import NORMAL_95
from palabre.arena.rows import BotRow, GameRow
from palabre.arena.store import Store
from palabre.core.game import Game
from palabre.core.record import result_text

WHISKER_WIDTH, WHISKER_HEIGHT = 160, 20  # pixels of a plot in a table
SURE = 0.95  # a likelihood of superiority above this is set in bold
SHORTEST = 0.01  # milliseconds; a plot of powers of ten has no zero
NONE = "–"


class Tally(NamedTuple):
    """What one bot did in an event."""

    wins: int
    draws: int
    losses: int
    forfeits: int
    points: float
    seconds: list[float]  # of all its moves

    @property
    def games(self) -> int:
        """How many games it played."""
        return self.wins + self.draws + self.losses


class Facts(NamedTuple):
    """An event, read once for all pages."""

    title: str
    spec: str
    format: str
    machine: Mapping[str, object]
    bots: list[BotRow]
    games: list[GameRow]
    ratings: Ratings
    tallies: Mapping[str, Tally]
    board: Leaderboard | None  # None for a match, which has no places
    progress: list[Version]  # of a league: all versions of its bots

    @property
    def names(self) -> list[str]:
        """The bots that played, by place; by rating where there are no places."""
        if self.board is None:
            return [rating.bot for rating in self.ratings.bots]
        return [line.bot.name for line in self.board.lines if line.standing is not None]

    def rank(self, name: str) -> int | str:
        """The place of a bot, or what it is if it does not compete."""
        if self.board is None:
            return self.names.index(name) + 1
        line = next(line for line in self.board.lines if line.bot.name == name)
        return line.bot.role if line.standing is None or line.standing.rank is None else line.standing.rank

    def points(self, name: str) -> float:
        """The points of a bot, as the format counts them."""
        standings = [line.standing for line in self.board.lines if line.standing] if self.board else []
        return next((row.points for row in standings if row.bot == name), self.tallies[name].points)


def read_facts(store: Store, title: str) -> Facts:
    """All that the pages tell."""
    games = store.games()
    bots = [bot for bot in store.bots() if bot.state == "admitted"]
    board = read_leaderboard(store) if is_championship(store) else None
    has_versions = any(bot.state == "superseded" for bot in store.bots(all_versions=True))
    return Facts(
        title,
        store.settings.game,
        store.settings.format,
        {key: value for key, value in store.facts.items() if key != MARKS},
        store.bots(),
        games,
        rate(store.outcomes(), [bot.name for bot in bots]) if board is None else board.ratings,
        {bot.name: tally(bot.name, games) for bot in bots},
        board,
        progress_of(store) if board is not None and has_versions else [],
    )


def tally(name: str, games: Sequence[GameRow]) -> Tally:
    """What a bot did in these games."""
    shares, forfeits, seconds = [], 0, []
    for row in games:
        for seat, bot in enumerate(row.bots):
            if bot == name:
                shares.append(row.shares[seat])
                forfeits += row.forfeit == seat
                seconds += row.seconds_of(seat)
    wins, losses = shares.count(1.0), shares.count(0.0)
    return Tally(wins, len(shares) - wins - losses, losses, forfeits, sum(shares), seconds)


def write_public(folder: Path, game: Game, facts: Facts) -> None:
    """Write the pages and the games into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    copy_static(folder, "report.css")
    (folder / "index.html").write_text(_index(facts), encoding="utf-8")
    write_replays(folder, game, facts.games, facts.title)


def _index(facts: Facts) -> str:
    parts = [
        tag("h1", facts.title),
        tag(
            "p",
            f"{facts.spec}, {facts.format}, {len(facts.games):,} games of {len(facts.tallies)} bots",
            class_="facts",
        ),
        tag("p", ", ".join(f"{key} {value}" for key, value in facts.machine.items() if value), class_="facts"),
        tag("h2", "Standings"),
        _standings(facts),
        *_seats(facts),
        *_notes(facts),
        *progress_section(facts.progress),
        tag("h2", "Who beat whom"),
        tag("p", "The score of the row against the column; each cell leads to the games.", class_="facts"),
        _cross_table(facts),
        tag("h2", "Likelihood of superiority"),
        tag("p", "The chance that the row is the better bot, from all games together.", class_="facts"),
        _superiority(facts),
        tag("h2", "Thinking time"),
        _times(facts),
        *_rejected(facts),
        tag("h2", "Games"),
        _games(facts),
    ]
    return page(facts.title, *parts)


def _standings(facts: Facts) -> Markup:
    lows, highs = (
        zip(*(rating.elo_95 for rating in facts.ratings.bots), strict=True) if facts.ratings.bots else ((0.0,), (0.0,))
    )
    authors = {bot.name: bot.authors for bot in facts.bots}
    rows = []
    for name in facts.names:
        rating, own = facts.ratings.of(name), facts.tallies[name]
        extreme = " (all alike)" if rating.is_extreme else ""
        rows.append(
            (
                shown(rating.bot),
                shown(authors.get(rating.bot, "")),
                facts.rank(name),
                own.games,
                own.wins,
                own.draws,
                own.losses,
                own.forfeits,
                f"{facts.points(name):g}",
                f"{rating.elo:+.0f} ± {NORMAL_95 * rating.error:.0f}{extreme}",
                _whisker(rating.elo, rating.elo_95, min(lows), max(highs)),
            )
        )
    headings = ("bot", "authors", "rank", "games", "wins", "draws", "losses", "forfeits", "points", "Elo (95 %)", "")
    return table(headings, rows, numbers_from=2)


def _whisker(mean: float, interval: tuple[float, float], low: float, high: float) -> Markup:
    """A small plot: a dot with its error bar on the scale of the whole table."""
    span = (high - low) or 1.0

    def place(value: float) -> float:
        return 6 + (WHISKER_WIDTH - 12) * (value - low) / span

    middle, left, right = WHISKER_HEIGHT / 2, place(interval[0]), place(interval[1])
    zero = (
        f'<line class="zero" x1="{place(0):.1f}" x2="{place(0):.1f}" y1="0" y2="{WHISKER_HEIGHT}"/>'
        if low <= 0 <= high
        else ""
    )
    return Markup(
        f'<td><svg width="{WHISKER_WIDTH}" height="{WHISKER_HEIGHT}" aria-hidden="true">{zero}'
        f'<line class="whisker" x1="{left:.1f}" x2="{right:.1f}" y1="{middle}" y2="{middle}"/>'
        f'<circle class="mean" cx="{place(mean):.1f}" cy="{middle}" r="4"/></svg></td>'
    )


def _seats(facts: Facts) -> list[Markup]:
    told = ", ".join(
        f"seat {seat.seat + 1}: {seat.elo:+.0f} ± {NORMAL_95 * seat.error:.0f}" for seat in facts.ratings.seats
    )
    return [tag("p", f"What a seat is worth, in Elo: {told}", class_="facts")] if told else []


def _notes(facts: Facts) -> list[Markup]:
    return [tag("p", shown(note, 1000), class_="facts") for note in (facts.board.notes if facts.board else ())]


def _cross_table(facts: Facts) -> Markup:
    """The share of each bot against each other in the games that they played together."""
    points: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for row in facts.games:
        for seat, bot in enumerate(row.bots):
            for other in set(row.bots) - {bot}:
                points[bot, other].append(row.shares[seat])
    names = facts.names
    rows = []
    for row_number, name in enumerate(names):
        cells: list[object] = [f"{row_number + 1}. {shown(name)}"]
        for column, other in enumerate(names):
            found = points[name, other]
            if row_number == column:
                cells.append(Markup('<td class="self"></td>'))
            elif not found:
                cells.append(NONE)
            else:
                label = f"{sum(found):g} / {len(found)}"
                cells.append(tag("a", label, href=f"#games-{min(row_number, column)}-{max(row_number, column)}"))
        rows.append(cells)
    return table(["", *(str(number + 1) for number in range(len(names)))], rows, numbers_from=1)


def _superiority(facts: Facts) -> Markup:
    names = facts.names
    rows = []
    for place, name in enumerate(names):
        cells: list[object] = [f"{place + 1}. {shown(name)}"]
        for column, chance in enumerate(facts.ratings.los(name, other) for other in names):
            if column == place:
                cells.append(Markup('<td class="self"></td>'))
            elif math.isnan(chance):
                cells.append(NONE)
            else:
                cells.append(tag("span", f"{100 * chance:.0f} %", **({"class_": "sure"} if chance >= SURE else {})))
        rows.append(cells)
    return table(["", *(str(number + 1) for number in range(len(names)))], rows, numbers_from=1)


def _times(facts: Facts) -> Markup:
    """Thinking times of each bot, with a small plot on a common scale of powers of ten."""
    told = {}
    for name in facts.names:
        seconds = sorted(facts.tallies[name].seconds)
        if seconds:
            middle = (statistics.median(seconds), seconds[math.ceil(0.95 * len(seconds)) - 1], seconds[-1])
            told[name] = len(seconds), tuple(max(1000 * value, SHORTEST) for value in middle)
    scale = [math.log10(value) for _, values in told.values() for value in values]
    rows = []
    for bot, (moves, values) in told.items():
        median, most, slowest = (math.log10(value) for value in values)
        plot = _whisker(median, (min(scale), most), min(scale), max(*scale, slowest))
        rows.append((shown(bot), f"{moves:,}", *(f"{value:.1f}" for value in values), plot))
    return table(("bot", "moves", "median, ms", "95 % below, ms", "slowest, ms", ""), rows, numbers_from=1)


def _rejected(facts: Facts) -> list[Markup]:
    rows = [
        (shown(bot.name), shown(bot.authors), shown(bot.reason, 400)) for bot in facts.bots if bot.state == "rejected"
    ]
    return [tag("h2", "Not admitted"), table(("bot", "authors", "why"), rows, numbers_from=9)] if rows else []


def _games(facts: Facts) -> Markup:
    """All games, grouped by who played, so that the cross-table can lead to them."""
    rank = {name: number for number, name in enumerate(facts.names)}
    groups: defaultdict[tuple[int, ...], list[tuple[int, GameRow]]] = defaultdict(list)
    for number, row in enumerate(facts.games, start=1):
        groups[tuple(sorted({rank[bot] for bot in row.bots if bot in rank}))].append((number, row))
    parts = []
    for members, rows in sorted(groups.items()):
        anchors = [tag("span", "", id=f"games-{one}-{two}") for one in members for two in members if one < two]
        listed = [
            (
                tag("a", number, href=f"replay.html#{number}@0"),
                " – ".join(shown(bot) for bot in row.bots),
                shown(row.ending, 200),
                result_text(row.shares),
                " – ".join(str(score) for score in row.scores),
                row.plies,
            )
            for number, row in rows
        ]
        names = " – ".join(shown(facts.names[member]) for member in members)
        head = ("game", "players", "end", "result", "scores", "plies")
        parts.append(
            join([*anchors, tag("details", tag("summary", f"{names}: {len(rows)} games"), table(head, listed, 3))])
        )
    return join(parts, "\n")
